-- The functions that create and list band indexes, and recommend indexes.

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
SELECT k, method, bands, indexes, probes, skew < 2 AS even, hottest, advice FROM simhash_index_advice('docs', 'fp');
-- A partial index with access method simhash, and one of another column, do not count.
CREATE INDEX docs_some ON docs USING simhash (fp) WHERE id > 100;
CREATE INDEX docs_other ON docs USING simhash ((id::bigint));
SELECT k, indexes, advice FROM simhash_index_advice('docs', 'fp') WHERE method = 'simhash';
CREATE INDEX docs_whole ON docs USING simhash (fp);
SELECT k, indexes, probes, candidates, cost, advice FROM simhash_index_advice('docs', 'fp') WHERE method = 'simhash';
SELECT count(*) FROM simhash_indexes('docs') WHERE index::text IN ('docs_some', 'docs_other', 'docs_whole');
DROP INDEX docs_some, docs_other, docs_whole;
INSERT INTO docs SELECT i, 'text', (hashint8extended(i, 1) & 281474976710655) | (4660::bigint << 48)
    FROM generate_series(50001, 60000) i;
ANALYZE docs;
SELECT k, bands, skew > 100 AS hot, hottest, hottest_rows BETWEEN 5000 AND 15000 AS as_planted FROM simhash_index_advice('docs', 'fp')
    WHERE bands = 4;
SELECT k, method, indexes, advice FROM simhash_index_advice('parts', 'fp');
CREATE INDEX ON parts USING simhash (fp);
SELECT k, method, indexes, advice FROM simhash_index_advice('parts', 'fp');
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
-- What a search in an index with access method simhash takes.
SELECT rotations, array_agg(round(pages::numeric) ORDER BY k) AS pages, array_agg(round(cost::numeric) ORDER BY k) AS cost
    FROM unnest(ARRAY[1, 2, 4]) rotations, unnest(ARRAY[-1, 0, 3, 7, 10, 64, 100]) k, simhash_index_cost(k, 1e7, rotations)
    GROUP BY rotations ORDER BY rotations;
SELECT pages FROM unnest(ARRAY[-1e6, 0, 1]) n, simhash_index_cost(3, n);
SELECT simhash_index_cost(3, 1e6, 3);
SELECT simhash_index_cost(3, 'NaN');
-- The planner expects as many pages.
CREATE INDEX docs_whole ON docs USING simhash (fp);
ANALYZE docs;
DO $$
DECLARE
    plan json;
    seen float8;
    expected float8;
BEGIN
    FOR k IN 0 .. 9 LOOP
        EXECUTE format('EXPLAIN (FORMAT json) SELECT * FROM docs WHERE fp <@ simhash_ball(1, %s)', k) INTO plan;
        seen := (plan->0->'Plan'->>'Total Cost')::float8 / current_setting('random_page_cost')::float8;
        SELECT pages INTO expected FROM simhash_index_cost(k, 6e4);
        RAISE NOTICE 'k = %, by the index: %, about the cost of its pages: %', k, plan::text LIKE '%docs_whole%',
            seen BETWEEN 0.4 * expected AND 2.5 * expected;
    END LOOP;
END
$$;
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('docs_whole');

DROP VIEW docs_view;
DROP TABLE docs, parts;
