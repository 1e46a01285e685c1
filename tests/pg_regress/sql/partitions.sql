-- Partitioned tables: how large they are taken to be, and what planning many partitions takes.

\pset tuples_only on
\pset format unaligned

\qecho == after ANALYZE a partitioned table has no number of pages: a small one is read, and not probed, for each outer row
CREATE TABLE few (id int, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE few_1 PARTITION OF few FOR VALUES FROM (0) TO (250);
CREATE TABLE few_2 PARTITION OF few FOR VALUES FROM (250) TO (1000);
INSERT INTO few SELECT i, hashint8extended(i, 1) FROM generate_series(0, 499) i;
SELECT count(*) FROM simhash_create_index('few', 'fp', 2);
CREATE TABLE queries (fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO queries SELECT hashint8extended(i, 1) # 1 FROM generate_series(0, 99) i;
ANALYZE queries, few;
SELECT relpages < 0 AS has_no_pages FROM pg_class WHERE oid = 'few'::regclass AND current_setting('server_version_num')::int >= 150000;
EXPLAIN (COSTS OFF) SELECT * FROM queries q JOIN few f ON simhash_near(f.fp, q.fp, 8);
SELECT count(*) FROM queries q JOIN few f ON simhash_near(f.fp, q.fp, 8);
DROP TABLE few;

\qecho == but a large one is probed
CREATE TABLE many (id int, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE many_1 PARTITION OF many FOR VALUES FROM (0) TO (20000);
CREATE TABLE many_2 PARTITION OF many FOR VALUES FROM (20000) TO (40000);
INSERT INTO many SELECT i, hashint8extended(i, 1) FROM generate_series(0, 39999) i;
SELECT count(*) FROM simhash_create_index('many', 'fp');
ANALYZE many;
EXPLAIN (COSTS OFF) SELECT count(*) FROM queries q JOIN many m ON simhash_near(m.fp, q.fp, 3);
SELECT count(*) FROM queries q JOIN many m ON simhash_near(m.fp, q.fp, 3);
DROP TABLE many, queries;

\qecho == many partitions, many values: the planner does not see those of a constant in each of them, and plans one InitPlan for all
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
-- What sequential scans are then taken to cost must not make the server compile queries.
SET jit = off;
CREATE FUNCTION arrays(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan text;
    found bigint;
    scanned bigint;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    EXECUTE format('SELECT count(*) FROM (%s) q', query) INTO found;
    EXECUTE format('SELECT count(*) FROM (%s) q', replace(query, 'simhash_near', 'simhash_within')) INTO scanned;
    RETURN format('%s InitPlans, %s arrays as constants, %s computed, %s rows, %s by a scan',
        (SELECT count(*) FROM regexp_matches(plan, '"Subplan Name": "InitPlan', 'g')),
        (SELECT count(*) FROM regexp_matches(plan, '"Index Cond": [^\n]*::simhash_band\[\]', 'g')),
        (SELECT count(*) FROM regexp_matches(plan, '"Index Cond": [^\n]*simhash_neighbours', 'g')), found, scanned);
END
$$;
SELECT arrays('SELECT * FROM parts WHERE simhash_near(fp, 42, 5)');
SELECT arrays('SELECT * FROM parts WHERE simhash_near(fp, -3604598377573523768, 6)');
SELECT arrays('SELECT * FROM parts WHERE simhash_near(fp, -3604598377573523768, 6) AND id < 1800');
SELECT arrays('SELECT * FROM parts WHERE simhash_near(fp, -3604598377573523768, 6) OR simhash_near(fp, 42, 6)');
SELECT arrays('SELECT * FROM parts WHERE simhash_near(fp, -3604598377573523768, 6) AND id < 100');
RESET enable_seqscan;
RESET jit;

DROP TABLE parts;
DROP FUNCTION arrays;
