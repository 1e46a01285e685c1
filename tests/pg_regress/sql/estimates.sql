-- What the planner expects is what it finds: rows within a factor of ten, whatever the fingerprints and the plan, and the
-- costs of thousands of look-ups.

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
\set restrictions 'SELECT compare(format(\'SELECT * FROM docs WHERE simhash_near(fp, %s, %s)\', fp, k)) FROM docs, unnest(ARRAY[0, 1, 3, 4, 5, 6, 7, 20]) k WHERE id = 1000'
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

\qecho == what probes of a wide band are expected to find
DROP INDEX docs_fp_band_0_of_4_idx, docs_fp_band_1_of_4_idx, docs_fp_band_2_of_4_idx, docs_fp_band_3_of_4_idx;
SELECT count(*) FROM simhash_create_index('docs', 'fp', 2);
ANALYZE docs;
SELECT compare('SELECT * FROM docs WHERE simhash_band(fp, 0, 2) = ANY (simhash_neighbours(42, 0, 2, 3))');
SET enable_seqscan = off;
-- What sequential scans are then taken to cost must not make the server compile queries.
SET jit = off;
:restrictions;

\qecho == look-ups cost what they cost, whether or not another condition stands beside them
CREATE FUNCTION cost(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    RETURN plan->0->'Plan'->>'Total Cost';
END
$$;
SELECT cost('SELECT * FROM docs WHERE simhash_near(fp, 42, 8)')
    BETWEEN 0.5 * cost('SELECT * FROM docs WHERE simhash_near(fp, 42, 8) AND tenant_id >= 0')
        AND 2.0 * cost('SELECT * FROM docs WHERE simhash_near(fp, 42, 8) AND tenant_id >= 0');
-- From PostgreSQL 17 on the server takes many look-ups for few, because it reads neighbouring values together.
SELECT current_setting('server_version_num')::int >= 170000
    OR cost('SELECT * FROM docs WHERE simhash_near(fp, 42, 8)') > 50 * cost('SELECT * FROM docs WHERE simhash_near(fp, 42, 3)');
\qecho == an index that finds a thousand rows is cheaper than 10,978 look-ups, but not than 66
CREATE INDEX docs_tenant ON docs (tenant_id);
ANALYZE docs;
PREPARE near_7(bigint) AS SELECT * FROM docs WHERE tenant_id = 7 AND simhash_near(fp, $1, 7);
PREPARE near_3(bigint) AS SELECT * FROM docs WHERE tenant_id = 7 AND simhash_near(fp, $1, 3);
SET plan_cache_mode = force_generic_plan;
CREATE FUNCTION probes_bands(statement text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || statement INTO plan;
    RETURN plan::text LIKE '%"Index Name": "docs_fp_band_%';
END
$$;
SELECT probes_bands('EXECUTE near_7(42)'), probes_bands('EXECUTE near_3(42)');
RESET plan_cache_mode;
RESET enable_seqscan;
DEALLOCATE ALL;
DROP INDEX docs_tenant, docs_fp_band_0_of_2_idx, docs_fp_band_1_of_2_idx;

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
DROP FUNCTION compare_rows, compare, compare_searches, cost, probes_bands;
