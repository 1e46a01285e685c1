-- A table with an index of whole fingerprints and with bands: the planner takes what is cheaper, and finds the same rows.

\pset tuples_only on
\pset format unaligned
\getenv tests PG_ABS_SRCDIR
\i :tests/include/check_plan.sql
-- Which indexes a query uses, after it has found what the oracle finds.
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

CREATE TABLE docs (id int, tenant_id int, body text, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, i % 100, 'text ' || i, hashint8extended(i, 1) FROM generate_series(1, 90000) i;
INSERT INTO docs SELECT 90000 + id, tenant_id, body, fp # 2305843009213693961 FROM docs WHERE id % 3 = 0;
SELECT count(*) FROM simhash_create_index('docs', 'fp');
CREATE INDEX docs_simhash ON docs USING simhash (fp);
ANALYZE docs;

\qecho == the index of whole fingerprints, where look-ups of bands would be many or find many rows
\set near 'SELECT uses(format(\'SELECT * FROM docs WHERE simhash_near(fp, %s, %s)\', fp, k)) FROM docs, unnest(ARRAY[3, 5, 7]) k WHERE id = 3000 ORDER BY k'
:near;
SELECT uses('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(b.fp, a.fp, 3) WHERE a.id BETWEEN 3000 AND 3010');
-- k is a parameter, of which bands can make nothing.
PREPARE search(bigint, int) AS SELECT * FROM docs WHERE simhash_near(fp, $1, $2);
SET plan_cache_mode = force_generic_plan;
SELECT show_plan('EXPLAIN (COSTS OFF) EXECUTE search(42, 3)');
RESET plan_cache_mode;
DEALLOCATE search;

\qecho == a single rotation has to read more pages: bands, unless their look-ups are many
DROP INDEX docs_simhash;
CREATE INDEX docs_simhash ON docs USING simhash (fp) WITH (rotations = 1);
:near;

\qecho == bands alone
DROP INDEX docs_simhash;
:near;

\qecho == one band of few rows, behind a tenant, where one look-up finds everything
DROP INDEX docs_fp_band_0_of_4_idx, docs_fp_band_1_of_4_idx, docs_fp_band_2_of_4_idx, docs_fp_band_3_of_4_idx;
CREATE INDEX docs_tenant_0 ON docs (tenant_id, simhash_band(fp, 0));
CREATE INDEX docs_tenant_1 ON docs (tenant_id, simhash_band(fp, 1));
CREATE INDEX docs_tenant_2 ON docs (tenant_id, simhash_band(fp, 2));
CREATE INDEX docs_tenant_3 ON docs (tenant_id, simhash_band(fp, 3));
CREATE INDEX docs_simhash ON docs USING simhash (fp);
ANALYZE docs;
SELECT uses(format('SELECT * FROM docs WHERE tenant_id = 0 AND simhash_near(fp, %s, %s)', fp, k)) FROM docs, unnest(ARRAY[0, 7]) k WHERE id = 3000 ORDER BY k;
SELECT uses(format('SELECT * FROM docs WHERE simhash_near(fp, %s, 3)', fp)) FROM docs WHERE id = 3000;
DROP INDEX docs_tenant_0, docs_tenant_1, docs_tenant_2, docs_tenant_3, docs_simhash;

\qecho == a partial index, where the query implies its condition
CREATE INDEX docs_some ON docs USING simhash (fp) WHERE tenant_id < 10;
SELECT count(*) FROM simhash_create_index('docs', 'fp');
ANALYZE docs;
SELECT uses(format('SELECT * FROM docs WHERE simhash_near(fp, %s, 7)%s', fp, condition))
    FROM docs, unnest('{"", " AND tenant_id = 0", " AND tenant_id < 10", " AND tenant_id < 11", " AND tenant_id = 50"}'::text[])
        WITH ORDINALITY c (condition, n) WHERE id = 3000 ORDER BY n;
DROP INDEX docs_fp_band_0_of_4_idx, docs_fp_band_1_of_4_idx, docs_fp_band_2_of_4_idx, docs_fp_band_3_of_4_idx;
SELECT uses(format('SELECT * FROM docs WHERE simhash_near(fp, %s, 7)%s', fp, condition))
    FROM docs, unnest('{"", " AND tenant_id = 0"}'::text[]) WITH ORDINALITY c (condition, n) WHERE id = 3000 ORDER BY n;
DROP INDEX docs_some;

\qecho == nothing stored
CREATE INDEX docs_body ON docs USING simhash (simhash(body));
ANALYZE docs;
SELECT uses('SELECT id FROM docs WHERE simhash_near(simhash(body), simhash(''text 3000''), 5)');
SELECT rows FROM simhash_index_check('docs_body');

DROP TABLE docs;
DROP FUNCTION uses, check_plan, show_plan, near_oracle;
