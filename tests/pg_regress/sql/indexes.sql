-- simhash_create_index: creates the band indexes of a column that are missing.

CREATE TABLE docs (id int PRIMARY KEY, body text, fp bigint, small int);
INSERT INTO docs SELECT i, 'text', hashint8extended(i, 1) FROM generate_series(1, 1000) i;
CREATE VIEW band_indexes AS SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'docs' AND indexdef LIKE '%simhash_band%';

-- The first call creates the indexes, the second call finds them.
SELECT simhash_create_index('docs', 'fp');
SELECT simhash_create_index('docs', 'fp');
SELECT indexdef FROM band_indexes ORDER BY indexname;
-- Only missing indexes are created.
DROP INDEX docs_fp_band_1_of_4_idx;
ALTER INDEX docs_fp_band_2_of_4_idx RENAME TO my_band;
SELECT simhash_create_index('docs', 'fp');
-- A hash index of a band counts. A partial index, and one in which the band is the second column, do not. An existing name is not
-- used.
DROP INDEX my_band;
CREATE INDEX my_hash ON docs USING hash (simhash_band(fp, 2));
SELECT simhash_create_index('docs', 'fp');
CREATE INDEX docs_fp_band_0_of_2_idx ON docs (simhash_band(fp, 0, 2)) WHERE id > 100;
CREATE INDEX docs_second ON docs (id, simhash_band(fp, 1, 2));
SELECT simhash_create_index('docs', 'fp', 2);
SELECT indexdef FROM band_indexes WHERE indexdef LIKE '%, 2)%' ORDER BY indexname;
-- An invalid index does not count either.
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'docs_fp_band_1_of_2_idx'::regclass;
SELECT simhash_create_index('docs', 'fp', 2);

-- Names that need quotes and have the maximum length; partitions; a materialized view.
CREATE SCHEMA "Other";
CREATE TABLE "Other"."数据 ""库"" with a name that is about as long as names can be" ("指纹" bigint);
SELECT simhash_create_index('"Other"."数据 ""库"" with a name that is about as long as names can be"', '指纹', 2);
CREATE TABLE "Other".parts (fp bigint) PARTITION BY RANGE (fp);
CREATE TABLE "Other".parts_1 PARTITION OF "Other".parts FOR VALUES FROM (0) TO (MAXVALUE);
SELECT simhash_create_index('"Other".parts', 'fp', 1);
CREATE TABLE "Other".parts_2 PARTITION OF "Other".parts DEFAULT;
SELECT simhash_create_index('"Other".parts', 'fp', 1);
SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'Other' AND tablename LIKE 'parts%' ORDER BY tablename;
CREATE MATERIALIZED VIEW "Other".stored AS SELECT fp FROM docs;
SELECT simhash_create_index('"Other".stored', 'fp', 1);
SET client_min_messages = warning;
DROP SCHEMA "Other" CASCADE;
RESET client_min_messages;

-- Errors.
CREATE VIEW docs_view AS SELECT * FROM docs;
\set SHOW_CONTEXT never
SELECT simhash_create_index('docs', 'missing');
SELECT simhash_create_index('docs', 'body');
SELECT simhash_create_index('docs', 'small');
SELECT simhash_create_index('docs', 'ctid');
SELECT simhash_create_index('docs', 'fp', 0);
SELECT simhash_create_index('docs', 'fp', 17);
SELECT simhash_create_index('docs_view', 'fp');
SELECT simhash_create_index('nowhere', 'fp');
SELECT simhash_create_index(0, 'fp');
-- The function does not allow more than CREATE INDEX does.
CREATE ROLE simhash_nobody;
SET ROLE simhash_nobody;
SELECT simhash_create_index('docs', 'fp', 5);
RESET ROLE;
DROP ROLE simhash_nobody;

DROP VIEW docs_view, band_indexes;
DROP TABLE docs;
