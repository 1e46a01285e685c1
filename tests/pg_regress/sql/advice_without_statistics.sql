-- simhash_index_advice of a table that was empty when VACUUM or ANALYZE saw it last, or smaller, is about the rows that are there.
CREATE TABLE docs (fp bigint) WITH (autovacuum_enabled = off);
VACUUM ANALYZE docs;
SELECT reltuples, relpages FROM pg_class WHERE oid = 'docs'::regclass;
SELECT count(*) FROM simhash_index_advice('docs', 'fp');
INSERT INTO docs SELECT hashint8extended(i, 1) FROM generate_series(1, 30000) i;
SELECT k, bands, advice FROM simhash_index_advice('docs', 'fp') WHERE k = 3 AND bands = 4;
-- Much larger than it was.
TRUNCATE docs;
INSERT INTO docs SELECT hashint8extended(i, 1) FROM generate_series(1, 200) i;
ANALYZE docs;
INSERT INTO docs SELECT hashint8extended(i, 1) FROM generate_series(201, 30000) i;
SELECT k, bands, advice FROM simhash_index_advice('docs', 'fp') WHERE k = 3 AND bands = 4;
-- Pages without rows.
DELETE FROM docs;
ANALYZE docs;
SELECT reltuples, relpages > 0 AS has_pages FROM pg_class WHERE oid = 'docs'::regclass;
INSERT INTO docs SELECT hashint8extended(i, 1) FROM generate_series(1, 30000) i;
SELECT k, bands, advice FROM simhash_index_advice('docs', 'fp') WHERE k = 3 AND bands = 4;
DROP TABLE docs;
-- Partitions, and tables that inherit.
CREATE TABLE docs (fp bigint) PARTITION BY RANGE (fp);
CREATE TABLE docs_1 PARTITION OF docs FOR VALUES FROM (MINVALUE) TO (0) WITH (autovacuum_enabled = off);
CREATE TABLE docs_2 PARTITION OF docs FOR VALUES FROM (0) TO (MAXVALUE) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT hashint8extended(i, 1) FROM generate_series(1, 30000) i;
ANALYZE docs_1;
SELECT k, bands, advice FROM simhash_index_advice('docs', 'fp') WHERE k = 3 AND bands = 4;
DROP TABLE docs;
CREATE TABLE docs (fp bigint) WITH (autovacuum_enabled = off);
CREATE TABLE child () INHERITS (docs) WITH (autovacuum_enabled = off);
INSERT INTO child SELECT hashint8extended(i, 1) FROM generate_series(1, 30000) i;
ANALYZE docs, child;
SELECT k, bands, advice FROM simhash_index_advice('docs', 'fp') WHERE k = 3 AND bands = 4;
DROP TABLE docs CASCADE;
