-- A table with indexes USING simhash and with bands. An index of the fingerprint alone serves every call. If the index has a scope
-- or is partial, the server chooses between it and the bands. The rows are the same.

\pset tuples_only on
\pset format unaligned
\getenv tests PG_ABS_SRCDIR
\i :tests/include/check_plan.sql
-- The indexes that a query uses, and the number of rows in which it differs from the oracle.
CREATE FUNCTION uses(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    oracle text := replace(query, 'simhash_near(', 'near_oracle(');
    plan json;
    used text;
    wrong bigint;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    SELECT string_agg(DISTINCT m[1], ', ' ORDER BY m[1]) INTO used FROM regexp_matches(plan::text, '"Index Name": "([^"]*)"', 'g') m;
    EXECUTE format('SELECT count(*) FROM ((%1$s EXCEPT ALL %2$s) UNION ALL (%2$s EXCEPT ALL %1$s)) d', query, oracle) INTO wrong;
    RETURN format('%s: %s, %s wrong', query, coalesce(used, 'no index'), wrong);
END
$$;

-- All rows are sampled.
SET default_statistics_target = 300;
CREATE TABLE docs (id int, tenant_id int, body text, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, i % 100, 'text ' || i, hashint8extended(i, 1) FROM generate_series(1, 30000) i;
INSERT INTO docs SELECT 30000 + id, tenant_id, body, fp # 2305843009213693961 FROM docs WHERE id % 3 = 0;
SELECT count(*) FROM simhash_create_index('docs', 'fp');
CREATE INDEX docs_simhash ON docs USING simhash (fp);
ANALYZE docs;

\qecho == the index of the fingerprint alone: the call is left alone, for every k
SELECT fp AS query FROM docs WHERE id = 3000 \gset
\set near 'SELECT uses(format(\'SELECT * FROM docs WHERE simhash_near(fp, %s, %s)\', :query, k)) FROM unnest(ARRAY[0, 3, 4, 7]) k ORDER BY k'
:near;
SELECT check_plan(format('SELECT * FROM docs WHERE simhash_near(fp, %s, 3)', :query));
SELECT uses('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(b.fp, a.fp, 3) WHERE a.id BETWEEN 3000 AND 3010');
SELECT check_plan(format('SELECT * FROM docs WHERE tenant_id = 0 AND simhash_near(fp, %s, 3)', :query));
PREPARE search(bigint, int) AS SELECT * FROM docs WHERE simhash_near(fp, $1, $2);
SET plan_cache_mode = force_generic_plan;
SELECT show_plan('EXPLAIN (COSTS OFF) EXECUTE search(42, 3)');
RESET plan_cache_mode;
DEALLOCATE search;
\qecho == also that of a constraint, and one of another number of rotations
DELETE FROM docs WHERE id > 30000;
DROP INDEX docs_simhash;
ALTER TABLE docs ADD CONSTRAINT docs_not_near EXCLUDE USING simhash (fp WITH ~=) WITH (rotations = 1);
VACUUM ANALYZE docs;
:near;
\qecho == not one that is not valid
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'docs_not_near'::regclass;
:near;
UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'docs_not_near'::regclass;
\qecho == nor one of balls, nor one of another column
ALTER TABLE docs DROP CONSTRAINT docs_not_near;
CREATE INDEX docs_balls ON docs USING simhash (simhash_ball(fp, 5));
CREATE INDEX docs_ids ON docs USING simhash ((id::bigint));
:near;
DROP INDEX docs_balls, docs_ids;

\qecho == bands and an index with a scope: each can serve the call
CREATE INDEX docs_scope ON docs USING simhash (tenant_id, fp);
ANALYZE docs;
:near;
\set within 'SELECT check_plan(format(\'SELECT id FROM docs WHERE tenant_id = 0 AND simhash_near(fp, %s, %s)\', :query, k)) FROM unnest(ARRAY[0, 3, 4]) k ORDER BY k'
:within;
SET enable_bitmapscan = off;
:within;
RESET enable_bitmapscan;
SET enable_indexscan = off;
:within;
RESET enable_indexscan;
SELECT uses('SELECT a.id, b.id FROM docs a JOIN docs b ON a.tenant_id = b.tenant_id AND simhash_near(b.fp, a.fp, 3) WHERE a.id BETWEEN 3000 AND 3010');
\qecho == without the bands
DROP INDEX docs_fp_band_0_of_4_idx, docs_fp_band_1_of_4_idx, docs_fp_band_2_of_4_idx, docs_fp_band_3_of_4_idx;
:within;
\qecho == bands with a scope
CREATE INDEX docs_tenant_0 ON docs (tenant_id, simhash_band(fp, 0));
CREATE INDEX docs_tenant_1 ON docs (tenant_id, simhash_band(fp, 1));
ANALYZE docs;
SELECT uses(format('SELECT id FROM docs WHERE tenant_id = 0 AND simhash_near(fp, %s, %s)', :query, k)) FROM generate_series(0, 2) k;
DROP INDEX docs_tenant_0, docs_tenant_1, docs_scope;

\qecho == bands and a partial index
CREATE INDEX docs_some ON docs USING simhash (fp) WHERE tenant_id < 10;
SELECT count(*) FROM simhash_create_index('docs', 'fp');
ANALYZE docs;
SELECT uses(format('SELECT * FROM docs WHERE simhash_near(fp, %s, %s)%s', :query, k, condition))
    FROM unnest(ARRAY[3, 7]) k, unnest('{"", " AND tenant_id = 0", " AND tenant_id < 10", " AND tenant_id < 11", " AND tenant_id = 50"}'::text[])
        WITH ORDINALITY c (condition, n) ORDER BY k, n;
DROP INDEX docs_fp_band_0_of_4_idx, docs_fp_band_1_of_4_idx, docs_fp_band_2_of_4_idx, docs_fp_band_3_of_4_idx;
SELECT uses(format('SELECT * FROM docs WHERE simhash_near(fp, %s, 3)%s', :query, condition))
    FROM unnest('{"", " AND tenant_id = 0"}'::text[]) WITH ORDINALITY c (condition, n) ORDER BY n;
DROP INDEX docs_some;

\qecho == nothing stored
CREATE INDEX docs_body ON docs USING simhash (simhash(body));
CREATE INDEX docs_body_0 ON docs (simhash_band(simhash(body), 0, 2));
CREATE INDEX docs_body_1 ON docs (simhash_band(simhash(body), 1, 2));
ANALYZE docs;
SELECT uses(format('SELECT id FROM docs WHERE simhash_near(simhash(body), simhash(''text 3000''), %s)', k)) FROM unnest(ARRAY[1, 5]) k;
SELECT rows FROM simhash_index_check('docs_body');
DROP INDEX docs_body;
SELECT uses(format('SELECT id FROM docs WHERE simhash_near(simhash(body), simhash(''text 3000''), %s)', k)) FROM unnest(ARRAY[1, 5]) k;

DROP TABLE docs;
DROP FUNCTION uses, check_plan, show_plan, near_oracle;
