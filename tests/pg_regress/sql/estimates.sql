-- The planner expects what it finds: the number of rows within a factor of ten, for all kinds of fingerprints and plans.

\pset tuples_only on
\pset format unaligned

\getenv tests PG_ABS_SRCDIR
\i :tests/include/compare_rows.sql
CREATE FUNCTION compare(query text) RETURNS text LANGUAGE sql AS $$ SELECT compare_rows(query, '%simhash_within%', 'of probes') $$;

-- All rows are sampled, so that estimates are the same each time.
SET default_statistics_target = 200;
CREATE TABLE docs (id int PRIMARY KEY, tenant_id int, fp bigint) WITH (autovacuum_enabled = off);

\qecho == evenly spread, two rows in three having a near one
INSERT INTO docs SELECT i, i % 50, hashint8extended(i, 1) FROM generate_series(1, 30000) i;
INSERT INTO docs SELECT 30000 + id, tenant_id, fp # 5 FROM docs WHERE id % 2 = 0;
INSERT INTO docs SELECT 60000 + i, 0, NULL FROM generate_series(1, 5000) i;
ANALYZE docs;
\set restrictions 'SELECT compare(format(\'SELECT * FROM docs WHERE simhash_near(fp, %s, %s)\', fp, k)) FROM docs, unnest(ARRAY[0, 1, 3, 4, 7, 20]) k WHERE id = 1000'
:restrictions;
SELECT count(*) FROM simhash_create_index('docs', 'fp');
ANALYZE docs;
:restrictions;
SELECT compare('SELECT * FROM docs WHERE simhash_near(fp, (SELECT fp FROM docs WHERE id = 1000), 3)');
SELECT compare('SELECT * FROM docs WHERE simhash_near(fp, 42, 3) OR id < 100');
SELECT compare('SELECT * FROM docs WHERE simhash_near(fp, 42, 3) AND simhash_near(fp, 43, 3)');
SELECT compare('SELECT * FROM docs WHERE NOT simhash_near(fp, 42, 3)');
SELECT compare(format('SELECT a.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, %s) WHERE a.id <= 3000', k)) FROM unnest(ARRAY[0, 1, 3]) k;
SELECT compare('SELECT id FROM docs a WHERE id <= 3000 AND EXISTS (SELECT FROM docs b WHERE simhash_near(a.fp, b.fp, 3))');
PREPARE near_to(bigint) AS SELECT * FROM docs WHERE simhash_near(fp, $1, 3);
SET plan_cache_mode = force_generic_plan;
DO $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) EXECUTE near_to(42)' INTO plan;
    RAISE NOTICE 'a parameter: ten rows at most: %', (plan->0->'Plan'->>'Plan Rows')::float8 <= 10;
END
$$;
RESET plan_cache_mode;
DEALLOCATE near_to;

\qecho == wide bands
DROP INDEX docs_fp_band_0_of_4_idx, docs_fp_band_1_of_4_idx, docs_fp_band_2_of_4_idx, docs_fp_band_3_of_4_idx;
SELECT count(*) FROM simhash_create_index('docs', 'fp', 2);
ANALYZE docs;
-- The costs of sequential scans that are off would otherwise make the server compile queries.
SET jit = off;
SET enable_seqscan = off;
:restrictions;
RESET enable_seqscan;
DROP INDEX docs_fp_band_0_of_2_idx, docs_fp_band_1_of_2_idx;

\qecho == one fingerprint in every tenth row, another with many near it, and one common band
UPDATE docs SET fp = 1234567890123456789 WHERE id % 10 = 1;
UPDATE docs SET fp = 987654321 # (1::bigint << (id / 10 % 40)) WHERE id % 10 = 2;
UPDATE docs SET fp = (fp & 281474976710655) | (4660::bigint << 48) WHERE id % 10 = 3;
ANALYZE docs;
SELECT compare(format('SELECT * FROM docs WHERE simhash_near(fp, %s, %s)', q, k))
    FROM unnest(ARRAY[1234567890123456789, 987654321, 1311768467294899695, 42]) q, unnest(ARRAY[0, 2, 3]) k;
SELECT count(*) FROM simhash_create_index('docs', 'fp');
ANALYZE docs;
SET enable_seqscan = off;
SELECT compare(format('SELECT * FROM docs WHERE simhash_near(fp, %s, %s)', q, k))
    FROM unnest(ARRAY[1234567890123456789, 987654321, 1311768467294899695, 42]) q, unnest(ARRAY[0, 2, 3]) k;
SELECT compare(format('SELECT a.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, %s) WHERE a.id <= 300', k)) FROM unnest(ARRAY[0, 2, 3]) k;
RESET enable_seqscan;

\qecho == real texts
DROP INDEX docs_fp_band_0_of_4_idx, docs_fp_band_1_of_4_idx, docs_fp_band_2_of_4_idx, docs_fp_band_3_of_4_idx;
\i :tests/include/real_texts.sql
\set restrictions 'SELECT compare(format(\'SELECT * FROM docs WHERE simhash_near(fp, %s, %s)\', fp, k)) FROM docs, unnest(ARRAY[0, 3, 7]) k WHERE id IN (1000, 4000) ORDER BY id, k'
:restrictions;
SELECT compare_searches();
SELECT compare(format('SELECT a.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, %s) WHERE a.id <= 300', k)) FROM unnest(ARRAY[0, 3, 7]) k;
SELECT count(*) FROM simhash_create_index('docs', 'fp');
ANALYZE docs;
SET enable_seqscan = off;
:restrictions;
SELECT compare_searches();
SELECT compare(format('SELECT a.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, %s) WHERE a.id <= 300', k)) FROM unnest(ARRAY[0, 3, 7]) k;
RESET enable_seqscan;
RESET jit;

DROP TABLE docs;
DROP FUNCTION compare_rows, compare, compare_searches;
