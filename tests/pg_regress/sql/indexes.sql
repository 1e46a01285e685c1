-- The functions that create, list and recommend band indexes.

CREATE TABLE docs (id int PRIMARY KEY, body text, fp bigint, small int);
INSERT INTO docs SELECT i, 'text', hashint8extended(i, 1) FROM generate_series(1, 50000) i;

-- Created once, and found again.
SELECT simhash_create_index('docs', 'fp');
SELECT simhash_create_index('docs', 'fp');
SELECT * FROM simhash_indexes('docs');
-- Only what is missing.
DROP INDEX docs_fp_band_1_of_4_idx;
ALTER INDEX docs_fp_band_2_of_4_idx RENAME TO my_band;
SELECT simhash_create_index('docs', 'fp');
-- A partial index, and one in which the band comes second, do not count; a name that is taken is left alone.
CREATE INDEX docs_fp_band_0_of_2_idx ON docs (simhash_band(fp, 0, 2)) WHERE id > 100;
CREATE INDEX docs_second ON docs (id, simhash_band(fp, 1, 2));
SELECT simhash_create_index('docs', 'fp', 2);
SELECT * FROM simhash_indexes('docs') WHERE bands = 2 ORDER BY index::text;

-- The statements themselves.
SELECT simhash_index_ddl('docs', 'fp', 3);
SELECT simhash_index_ddl('docs', 'fp', 1, true);
CREATE SCHEMA "Other";
CREATE TABLE "Other"."数据 ""库"" with a name that is about as long as names can be" ("指纹" bigint);
SELECT simhash_index_ddl('"Other"."数据 ""库"" with a name that is about as long as names can be"', '指纹', 2);
SELECT simhash_create_index('"Other"."数据 ""库"" with a name that is about as long as names can be"', '指纹', 2);
DROP SCHEMA "Other" CASCADE;

-- What cannot be.
CREATE VIEW docs_view AS SELECT * FROM docs;
CREATE TABLE parts (fp bigint) PARTITION BY HASH (fp);
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
SELECT simhash_index_ddl('parts', 'fp', 4, true);
SELECT simhash_indexes('docs_view');
SELECT simhash_indexes(0);
SELECT simhash_index_advice('docs', 'body');
-- Whoever may not create an index on a table may not do it this way.
CREATE ROLE simhash_nobody;
SET ROLE simhash_nobody;
SELECT simhash_create_index('docs', 'fp', 5);
SELECT simhash_index_advice('docs', 'fp');
RESET ROLE;
DROP ROLE simhash_nobody;

-- Advice: by size, by k, and by how hot the bands are.
SELECT k, bands, indexes, probes, skew < 2 AS even, hottest, advice FROM simhash_index_advice('docs', 'fp');
INSERT INTO docs SELECT i, 'text', (hashint8extended(i, 1) & 281474976710655) | (4660::bigint << 48)
    FROM generate_series(50001, 60000) i;
ANALYZE docs;
SELECT k, bands, skew > 100 AS hot, hottest, hottest_rows BETWEEN 5000 AND 15000 AS as_planted FROM simhash_index_advice('docs', 'fp')
    WHERE bands = 4;
SELECT advice FROM simhash_index_advice('parts', 'fp');
-- The hot band is probed less than the others: where two bands have to be probed, it is not among them.
DROP INDEX docs_fp_band_0_of_2_idx, docs_fp_band_0_of_2_idx1, docs_fp_band_1_of_2_idx;
DO $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) SELECT * FROM docs WHERE simhash_near(fp, 1, 1)' INTO plan;
    RAISE NOTICE 'probes band 0: %, probes: %', plan::text LIKE '%simhash_band(fp, 0, 4)%', plan::text LIKE '%simhash_band(fp, %';
END
$$;

SELECT probes, candidates, cost FROM simhash_probe_cost(3, 4, 65536e3, array_fill(1 / 65536.0::float8, '{4}'));
SELECT (SELECT count(*) FROM simhash_probe_cost(3, 4, 1e6, '{}')), (SELECT count(*) FROM simhash_probe_cost(-1, 1, 1e6, '{0}'));

DROP VIEW docs_view;
DROP TABLE docs, parts;
