-- Partitioned tables: the server probes or reads each partition, and computes the query once for all of them.

\getenv tests PG_ABS_SRCDIR
\i :tests/include/check_plan.sql
\pset tuples_only on
\pset format unaligned

-- All rows are sampled.
SET default_statistics_target = 300;
CREATE TABLE queries (fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO queries SELECT hashint8extended(i, 1) # 1 FROM generate_series(0, 99) i;
ANALYZE queries;

\qecho == small partitions are read for each outer row
CREATE TABLE few (id int, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE few_1 PARTITION OF few FOR VALUES FROM (0) TO (50);
CREATE TABLE few_2 PARTITION OF few FOR VALUES FROM (50) TO (100);
INSERT INTO few SELECT i, hashint8extended(i, 1) FROM generate_series(0, 99) i;
SELECT count(*) FROM simhash_create_index('few', 'fp', 2);
ANALYZE few;
SELECT check_plan('SELECT * FROM queries q JOIN few f ON simhash_near(f.fp, q.fp, 1)');
DROP TABLE few;

\qecho == large ones are probed
CREATE TABLE many (id int, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE many_1 PARTITION OF many FOR VALUES FROM (0) TO (20000);
CREATE TABLE many_2 PARTITION OF many FOR VALUES FROM (20000) TO (40000);
INSERT INTO many SELECT i, hashint8extended(i, 1) FROM generate_series(0, 39999) i;
SELECT count(*) FROM simhash_create_index('many', 'fp');
ANALYZE many;
SELECT show_plan('EXPLAIN (COSTS OFF) SELECT count(*) FROM queries q JOIN many m ON simhash_near(m.fp, q.fp, 3)');
SELECT count(*) FROM queries q JOIN many m ON simhash_near(m.fp, q.fp, 3);
\qecho == partitions that have other indexes than the table
CREATE TABLE many_3 PARTITION OF many FOR VALUES FROM (40000) TO (60000);
INSERT INTO many SELECT 20000 + id, fp # 3 FROM many_2;
CREATE INDEX many_3_whole ON many_3 USING simhash (fp);
SELECT count(*) FROM simhash_create_index('many_2', 'fp', 3);
ANALYZE many;
SELECT fp AS query FROM many WHERE id = 30000 \gset
SELECT check_plan(format('SELECT id FROM many WHERE simhash_near(fp, %s, %s)', :query, k)) FROM unnest(ARRAY[2, 7]) k;
DROP TABLE many, queries;

\qecho == one InitPlan for all partitions
CREATE TABLE parts (id int, fp bigint) PARTITION BY RANGE (id);
DO $$
BEGIN
    FOR i IN 0 .. 19 LOOP
        EXECUTE format('CREATE TABLE parts_%s PARTITION OF parts FOR VALUES FROM (%s) TO (%s)', i, i * 100, i * 100 + 100);
    END LOOP;
END
$$;
INSERT INTO parts SELECT i, hashint8extended(i, 1) FROM generate_series(0, 1999) i;
SELECT count(*) FROM simhash_create_index('parts', 'fp', 2);
ANALYZE parts;
SET enable_seqscan = off;
-- The costs of sequential scans that are off would otherwise make the server compile queries.
SET jit = off;
CREATE FUNCTION init_plans(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan text;
    found bigint;
    scanned bigint;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    EXECUTE format('SELECT count(*) FROM (%s) q', query) INTO found;
    EXECUTE format('SELECT count(*) FROM (%s) q', replace(query, 'simhash_near(', 'near_oracle(')) INTO scanned;
    RETURN format('%s InitPlans, %s probes, %s rows, %s by a scan',
        (SELECT count(*) FROM regexp_matches(plan, '"Subplan Name": "InitPlan', 'g')),
        (SELECT count(*) FROM regexp_matches(plan, '"Index Cond": [^\n]*simhash_band', 'g')), found, scanned);
END
$$;
SELECT init_plans('SELECT * FROM parts WHERE simhash_near(fp, -3604598377573523768, 1)');
SELECT init_plans('SELECT * FROM parts WHERE simhash_near(fp, (SELECT fp FROM parts WHERE id = 7), 1)');
SELECT init_plans('SELECT * FROM parts WHERE simhash_near(fp, (SELECT fp FROM parts WHERE id = 7), 1) AND id < 1800');
SELECT init_plans('SELECT * FROM parts WHERE simhash_near(fp, (SELECT fp FROM parts WHERE id = 7), 1) OR simhash_near(fp, 42, 1)');
SELECT init_plans('SELECT * FROM parts WHERE simhash_near(fp, (SELECT fp FROM parts WHERE id = 7), 30)');
RESET enable_seqscan;
RESET jit;

DROP TABLE parts;
DROP FUNCTION init_plans, near_oracle, show_plan, check_plan;
