-- A fingerprint column may be a domain over a domain: triggers, back-fill, indexes and searches take it as bigint.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE DOMAIN fingerprint AS bigint;
CREATE DOMAIN checked_fingerprint AS fingerprint CHECK (value <> 0);
CREATE TABLE docs (id int PRIMARY KEY, body text, fp checked_fingerprint);
INSERT INTO docs SELECT i, 'the words of row ' || md5(i::text) FROM generate_series(1, 500) i;
CALL simhash_backfill('docs', 'fp', 'body');
-- The indexes do not use functions that an owner of the schema could create for the domain.
CREATE FUNCTION simhash_band(fingerprint, integer, integer) RETURNS simhash_band IMMUTABLE LANGUAGE sql
    RETURN simhash_band(0::bigint, $2, $3);
CREATE FUNCTION simhash_band(checked_fingerprint, integer, integer) RETURNS simhash_band IMMUTABLE LANGUAGE sql
    RETURN simhash_band(0::bigint, $2, $3);
SELECT simhash_create_index('docs', 'fp');
SELECT simhash_create_index('docs', 'fp');
SELECT indexdef FROM pg_indexes WHERE tablename = 'docs' ORDER BY indexname;
ANALYZE docs;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM docs WHERE simhash_near(fp, 42, 3);
SELECT count(*) FROM docs a, docs b WHERE simhash_near(a.fp, b.fp, 3) AND a.id <= 50;
SET enable_bitmapscan = off;
SET enable_indexscan = off;
SET enable_seqscan = on;
SELECT count(*) FROM docs a, docs b WHERE simhash_near(a.fp, b.fp, 3) AND a.id <= 50;
DROP TABLE docs;
DROP FUNCTION simhash_band(fingerprint, integer, integer), simhash_band(checked_fingerprint, integer, integer);
DROP DOMAIN checked_fingerprint, fingerprint;
