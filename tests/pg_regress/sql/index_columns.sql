-- The columns that an index can have: a fingerprint, and before it columns that have a hash and are compared by =. Columns that
-- cannot be searched are refused when the index is created, not when the first row is inserted.
\set VERBOSITY default
\set SHOW_CONTEXT never
\pset tuples_only on
\pset format unaligned
\getenv tests PG_ABS_SRCDIR
\i :tests/include/check_plan.sql
CREATE TABLE docs (id int, tenant_id bigint, body text, at point, fp bigint) WITH (autovacuum_enabled = off);

\qecho == the last column is no fingerprint
CREATE INDEX ON docs USING simhash (fp, body);
CREATE INDEX ON docs USING simhash (fp, (tenant_id::int));
\qecho == no operator class, or one without a hash
CREATE INDEX ON docs USING simhash (at, fp);
CREATE INDEX ON docs USING simhash (simhash_ball(fp, 3), fp);
CREATE OPERATOR CLASS without_hash FOR TYPE text USING simhash AS OPERATOR 2 = (text, text);
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'without_hash';
CREATE INDEX ON docs USING simhash (body without_hash, fp);
\qecho == the columns of a constraint that are compared by another operator than =
ALTER TABLE docs ADD EXCLUDE USING simhash (fp WITH ~=, tenant_id WITH =);
ALTER TABLE docs ADD EXCLUDE USING simhash (tenant_id WITH ~=, fp WITH ~=);
ALTER TABLE docs ADD EXCLUDE USING simhash (tenant_id WITH <>, fp WITH ~=);
\qecho == what the server refuses itself
CREATE INDEX ON docs USING simhash (tenant_id, fp) INCLUDE (id);
CREATE INDEX ON docs USING simhash (tenant_id DESC, fp);
CREATE UNIQUE INDEX ON docs USING simhash (tenant_id, fp);
DROP OPERATOR FAMILY without_hash USING simhash;
-- An operator class for another type with the strategy number of balls is refused: its values are not balls.
CREATE OPERATOR CLASS not_balls FOR TYPE int USING simhash AS OPERATOR 6 = (int, int);
CREATE INDEX ON docs USING simhash (id not_balls);
DROP OPERATOR FAMILY not_balls USING simhash;

\qecho == an equality between two types of which one has no hash is no condition to search or to order by
CREATE FUNCTION half_hash(int, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT $1 * 7::bigint';
CREATE OPERATOR CLASS half FOR TYPE int USING simhash AS OPERATOR 2 = (int, int), OPERATOR 2 = (int, bigint), FUNCTION 1 half_hash(int, bigint);
INSERT INTO docs SELECT i, i % 10, 'text ' || i % 3, NULL, hashint8extended(i % 1000, 1) FROM generate_series(1, 2000) i;
CREATE INDEX docs_half ON docs USING simhash (id half, fp);
ANALYZE docs;
SET enable_seqscan = off;
SELECT check_plan('SELECT id FROM docs WHERE id = 7 AND simhash_near(fp, 5, 45)');
SELECT check_plan('SELECT id FROM docs WHERE id = 7::bigint AND simhash_near(fp, 5, 45)');
SELECT check_plan('SELECT id FROM docs WHERE id = 7::bigint ORDER BY fp <~> 5 LIMIT 5');
RESET enable_seqscan;
DROP OPERATOR FAMILY half USING simhash CASCADE;
DROP FUNCTION half_hash;
DROP TABLE docs;
DROP FUNCTION near_oracle, show_plan, check_plan;
