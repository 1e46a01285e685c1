-- simhash_near in every part of a query: it becomes k + 1 probes of band indexes, and finds the same rows as without them.

\getenv tests PG_ABS_SRCDIR
\i :tests/include/check_plan.sql

-- The planner's statistics of the table are those of ANALYZE below: autovacuum is off.
CREATE TABLE docs (id int PRIMARY KEY, tenant_id int, published boolean, body text, fp bigint)
    WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, i % 20, i % 10 = 7, rpad('text number ' || i, 200), hashint8extended(i, 1)
    FROM generate_series(1, 20000) i;
-- Neighbours of documents 1 to 40, at distances 1 to 8; some rows have no fingerprint.
INSERT INTO docs SELECT 20000 + i * 10 + d, i % 20, i % 10 = 7, 'copy', fp # (((1::bigint << d) - 1) << i)
    FROM (SELECT id AS i, fp FROM docs WHERE id <= 40) o, generate_series(1, 8) d;
INSERT INTO docs SELECT 30000 + i, 1, true, NULL, NULL FROM generate_series(1, 100) i;
SELECT count(*) FROM simhash_create_index('docs', 'fp');
ANALYZE docs;

\pset tuples_only on
\pset format unaligned

\qecho == a constant
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(-3604598377573523768, fp)');
\qecho == k = 0, 1, 2: fewer probes
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, 0)');
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, 1)');
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, 2)');
\qecho == k that needs more bands than there are, or makes no sense
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, 4)');
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, 0, -1)');
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, 0, 64)');
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, 0, 2147483647)');
\qecho == several sets of bands: the one with the fewest that suffice, and for k = 0 the widest band; sets that are not complete
SELECT count(*) FROM simhash_create_index('docs', 'fp', 6);
DROP INDEX docs_fp_band_5_of_6_idx;
CREATE INDEX docs_fp_band_1_of_3_idx ON docs (simhash_band(fp, 1, 3));
CREATE INDEX docs_fp_band_2_of_3_idx ON docs (simhash_band(fp, 2, 3));
ANALYZE docs;
SELECT check_plan(format('SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, %s)', k)) FROM generate_series(0, 5) k;
CREATE INDEX docs_fp_band_0_of_1_idx ON docs (simhash_band(fp, 0, 1));
ANALYZE docs;
SELECT check_plan(format('SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, %s)', k)) FROM generate_series(0, 1) k;
DROP INDEX docs_fp_band_0_of_1_idx, docs_fp_band_1_of_3_idx, docs_fp_band_2_of_3_idx;
DROP INDEX docs_fp_band_0_of_6_idx, docs_fp_band_1_of_6_idx, docs_fp_band_2_of_6_idx, docs_fp_band_3_of_6_idx, docs_fp_band_4_of_6_idx;
\qecho == NULL, volatile, the same row on both sides
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, NULL, 3)');
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, 1, NULL)');
EXPLAIN (COSTS OFF) SELECT * FROM docs WHERE simhash_near(fp, (random() * 1000)::bigint, 3);
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, fp + 1, 3)');
\qecho == k from a column
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, id)');

\qecho == prepared: five custom plans, then a generic one
PREPARE near_to(bigint) AS SELECT id FROM docs WHERE simhash_near(fp, $1, 3) ORDER BY id;
EXECUTE near_to(-3604598377573523768);
EXECUTE near_to(-3604598377573523768);
EXECUTE near_to(-3604598377573523768);
EXECUTE near_to(-3604598377573523768);
EXECUTE near_to(-3604598377573523768);
EXECUTE near_to(-3604598377573523768);
SELECT custom_plans, generic_plans FROM pg_prepared_statements WHERE name = 'near_to';
EXPLAIN (COSTS OFF) EXECUTE near_to(-3604598377573523768);
\qecho == the same without an index, which leaves too few, and again with it: replanned by itself
DROP INDEX docs_fp_band_2_of_4_idx;
EXPLAIN (COSTS OFF) EXECUTE near_to(-3604598377573523768);
EXECUTE near_to(-3604598377573523768);
SELECT count(*) FROM simhash_create_index('docs', 'fp');
EXPLAIN (COSTS OFF) EXECUTE near_to(-3604598377573523768);
DEALLOCATE near_to;
\qecho == k as a parameter: known to a custom plan, but not to a generic one
PREPARE near_within(bigint, int) AS SELECT count(*) FROM docs WHERE simhash_near(fp, $1, $2);
EXPLAIN (COSTS OFF) EXECUTE near_within(-3604598377573523768, 1);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE near_within(-3604598377573523768, 1);
EXECUTE near_within(-3604598377573523768, 1);
DEALLOCATE near_within;

\qecho == a costly query side is computed once
PREPARE like_text(text) AS SELECT id FROM docs WHERE simhash_near(fp, simhash($1), 3);
SELECT show_plan('EXPLAIN (COSTS OFF, VERBOSE) EXECUTE like_text(''some text'')');
EXECUTE like_text('some text');
DEALLOCATE like_text;
CREATE FUNCTION counted(bigint) RETURNS bigint LANGUAGE plpgsql STABLE COST 1000 AS $$
BEGIN
    RAISE NOTICE 'computed';
    RETURN $1;
END
$$;
PREPARE like_counted(bigint) AS SELECT count(*) FROM docs WHERE simhash_near(fp, counted($1), 3);
EXECUTE like_counted(-3604598377573523768);
PREPARE like_counted_20(bigint) AS SELECT count(*) FROM docs WHERE simhash_near(counted($1), fp, 20);
SELECT show_plan('EXPLAIN (COSTS OFF) EXECUTE like_counted_20(1)');
EXECUTE like_counted_20(-3604598377573523768);
DEALLOCATE like_counted;
DEALLOCATE like_counted_20;
RESET plan_cache_mode;
\qecho == also as an argument of a function in FROM, within a query that is merged into another
SELECT count(*), count(*) FILTER (WHERE near) FROM (
    SELECT near FROM docs, LATERAL unnest(ARRAY[simhash_near(fp, counted(fp), 3)]) near
    WHERE simhash_near(fp, (SELECT fp FROM docs WHERE id = 1), 3)) q;

\qecho == PL/pgSQL
CREATE FUNCTION neighbours_of(q bigint) RETURNS SETOF int LANGUAGE plpgsql STABLE AS
    $$ BEGIN RETURN QUERY SELECT id FROM docs WHERE simhash_near(fp, q, 3) ORDER BY id; END $$;
SELECT count(*), sum(n) FROM generate_series(1, 12), neighbours_of(-3604598377573523768) n;
CREATE FUNCTION neighbours_sql(q bigint) RETURNS SETOF int LANGUAGE sql STABLE AS
    $$ SELECT id FROM docs WHERE simhash_near(fp, q, 3) $$;
EXPLAIN (COSTS OFF) SELECT * FROM neighbours_sql(42);
EXPLAIN (COSTS OFF) SELECT d.id, n FROM docs d, neighbours_sql(d.fp) n WHERE d.id < 10;
DROP FUNCTION neighbours_of, neighbours_sql;

\qecho == a scalar subquery, alone and within an expression
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, (SELECT fp FROM docs WHERE id = 7), 3)');
SELECT check_plan('SELECT * FROM docs WHERE simhash_near((SELECT fp FROM docs WHERE id = 7) # 1, fp)');
\qecho == one with a volatile function, which the server computes once
CREATE FUNCTION volatile_fp() RETURNS bigint LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN -3604598377573523768; END';
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, (SELECT volatile_fp()), 3)');
SELECT check_plan('SELECT * FROM docs WHERE simhash_near((SELECT fp FROM docs WHERE id = 7 ORDER BY random() LIMIT 1) # 1, fp, 3)');
SELECT check_plan('SELECT * FROM docs WHERE simhash_near(fp, (SELECT fp FROM docs WHERE id = 7) # volatile_fp(), 3)');
SELECT check_plan('SELECT * FROM docs d WHERE id < 50 AND simhash_near(fp, (SELECT d.fp WHERE random() >= 0), 3)');
DROP FUNCTION volatile_fp;
\qecho == a correlated one: not expanded
SELECT check_plan('SELECT * FROM docs d WHERE id < 50 AND simhash_near(fp, (SELECT fp FROM docs o WHERE o.id = d.id - 1), 3)');
\qecho == within a correlated subquery
SELECT check_plan('SELECT id, (SELECT count(*) FROM docs o WHERE simhash_near(o.fp, d.fp, 3)) FROM docs d WHERE id < 30');
SELECT check_plan('SELECT id FROM docs d WHERE id < 30 AND EXISTS (SELECT FROM docs o WHERE simhash_near(o.fp, d.fp, 3) AND o.id <> d.id)');
SELECT check_plan('SELECT id FROM docs d WHERE id < 30 AND NOT EXISTS (SELECT FROM docs o WHERE simhash_near(o.fp, d.fp, 3) AND o.id > d.id)');

\qecho == joins
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 3) WHERE a.id < 30');
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(b.fp, a.fp, 4) WHERE a.id < 3');
SELECT check_plan('SELECT a.id, b.id FROM docs a LEFT JOIN docs b ON simhash_near(a.fp, b.fp, 3) AND a.id <> b.id WHERE a.id < 30');
SELECT check_plan('SELECT a.id, b.id FROM docs a, LATERAL (SELECT id FROM docs WHERE simhash_near(fp, a.fp, 3) ORDER BY hamming(fp, a.fp), id LIMIT 2) b WHERE a.id < 30');
SELECT check_plan('SELECT v.n, d.id FROM (VALUES (1, -3604598377573523768), (2, 42)) v (n, q) JOIN docs d ON simhash_near(d.fp, v.q, 3)');
\qecho == an outer join above
SELECT check_plan('SELECT a.id FROM docs a LEFT JOIN docs b ON b.id = a.id + 1 WHERE simhash_near(b.fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT a.id FROM docs a LEFT JOIN docs b ON b.id = a.id + 1 WHERE simhash_near(a.fp, -3604598377573523768, 3)');

\qecho == CTEs, views, subqueries
SELECT check_plan('WITH q AS (SELECT fp FROM docs WHERE id = 7) SELECT d.id FROM docs d, q WHERE simhash_near(d.fp, q.fp, 3)');
SELECT check_plan('WITH q AS MATERIALIZED (SELECT fp FROM docs WHERE id = 7) SELECT d.id FROM docs d WHERE simhash_near(d.fp, (SELECT fp FROM q), 3)');
CREATE VIEW recent AS SELECT id, fp FROM docs WHERE id > 100;
SELECT check_plan('SELECT id FROM recent WHERE simhash_near(fp, -3604598377573523768, 3)');
CREATE VIEW barrier WITH (security_barrier) AS SELECT id, fp FROM docs WHERE tenant_id = 1;
SELECT check_plan('SELECT id FROM barrier WHERE simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT * FROM (SELECT DISTINCT fp FROM docs) d WHERE simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT * FROM (SELECT id, fp FROM docs UNION ALL SELECT -id, fp FROM docs) u WHERE simhash_near(fp, -3604598377573523768, 3)');
CREATE MATERIALIZED VIEW stored AS SELECT id, fp FROM docs;
SELECT count(*) FROM simhash_create_index('stored', 'fp', 3);
SELECT check_plan('SELECT id FROM stored WHERE simhash_near(fp, -3604598377573523768, 2)');

\qecho == NOT, OR, CASE, the select list, HAVING
SELECT check_plan('SELECT id FROM docs WHERE NOT simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) OR id = 7');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) OR simhash_near(fp, 42, 1)');
SELECT check_plan('SELECT id FROM docs WHERE (simhash_near(fp, -3604598377573523768, 3) AND tenant_id < 10) OR (simhash_near(fp, -3604598377573523768, 3) AND tenant_id > 15)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND NOT simhash_near(fp, -3604598377573523768, 0)');
SELECT check_plan('SELECT id FROM docs WHERE CASE WHEN id % 2 = 0 THEN simhash_near(fp, -3604598377573523768, 3) END');
SELECT check_plan('SELECT id, simhash_near(fp, -3604598377573523768, 3) FROM docs');
SELECT check_plan('SELECT fp, count(*) FROM docs GROUP BY fp HAVING simhash_near(fp, -3604598377573523768, 3)');

\qecho == UPDATE and DELETE
BEGIN;
EXPLAIN (COSTS OFF) UPDATE docs SET body = 'found' WHERE simhash_near(fp, -3604598377573523768, 3);
UPDATE docs SET body = 'found' WHERE simhash_near(fp, -3604598377573523768, 3);
SELECT count(*) FROM docs WHERE (body = 'found') IS DISTINCT FROM near_oracle(fp, -3604598377573523768, 3) AND fp IS NOT NULL;
EXPLAIN (COSTS OFF) DELETE FROM docs a USING docs b WHERE simhash_near(a.fp, b.fp, 3) AND a.id > b.id AND b.id < 40;
DELETE FROM docs a USING docs b WHERE simhash_near(a.fp, b.fp, 3) AND a.id > b.id AND b.id < 40;
SELECT count(*) FROM docs a JOIN docs b ON near_oracle(a.fp, b.fp, 3) AND a.id > b.id WHERE b.id < 40;
ROLLBACK;
BEGIN;
MERGE INTO docs d USING (SELECT fp AS q FROM docs WHERE id = 7) s ON simhash_near(d.fp, q, 3)
    WHEN MATCHED THEN UPDATE SET body = 'merged';
SELECT count(*) FROM docs WHERE body = 'merged';
ROLLBACK;

DROP INDEX docs_fp_band_0_of_4_idx, docs_fp_band_1_of_4_idx, docs_fp_band_2_of_4_idx, docs_fp_band_3_of_4_idx;
\qecho == partial indexes: the server uses them where the query implies their predicate
CREATE INDEX docs_published_0 ON docs (simhash_band(fp, 0)) WHERE published;
CREATE INDEX docs_published_1 ON docs (simhash_band(fp, 1)) WHERE published;
CREATE INDEX docs_published_2 ON docs (simhash_band(fp, 2)) WHERE published;
CREATE INDEX docs_published_3 ON docs (simhash_band(fp, 3)) WHERE published;
SELECT check_plan('SELECT id FROM docs WHERE published AND simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT id FROM docs WHERE published = true AND simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)');
DROP INDEX docs_published_0, docs_published_1, docs_published_2, docs_published_3;

\qecho == nothing stored: indexes on bands of simhash(body)
CREATE INDEX docs_body_0 ON docs (simhash_band(simhash(body), 0));
CREATE INDEX docs_body_1 ON docs (simhash_band(simhash(body), 1));
CREATE INDEX docs_body_2 ON docs (simhash_band(simhash(body), 2));
CREATE INDEX docs_body_3 ON docs (simhash_band(simhash(body), 3));
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(simhash(body), simhash(''text number 77''), 3)');
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(simhash(a.body), simhash(b.body), 3) WHERE a.id < 5');
DROP INDEX docs_body_0, docs_body_1, docs_body_2, docs_body_3;

\qecho == hash indexes, alone and beside B-trees
CREATE INDEX docs_hash_0 ON docs USING hash (simhash_band(fp, 0));
CREATE INDEX docs_hash_1 ON docs USING hash (simhash_band(fp, 1));
CREATE INDEX docs_tree_2 ON docs (simhash_band(fp, 2));
ANALYZE docs;
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 1)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 2)');
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 2) WHERE a.id < 30');
DROP INDEX docs_hash_0, docs_hash_1, docs_tree_2;

\qecho == a table without indexes, and a small one, which the server reads
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 3) WHERE a.id < 3');
CREATE TABLE few AS SELECT * FROM docs LIMIT 100;
SELECT count(*) FROM simhash_create_index('few', 'fp');
ANALYZE few;
SELECT check_plan('SELECT id FROM few WHERE simhash_near(fp, -3604598377573523768, 1)');
DROP TABLE few;

\qecho == an invalid index is not probed
SELECT count(*) FROM simhash_create_index('docs', 'fp');
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'docs_fp_band_0_of_4_idx'::regclass;
EXPLAIN (COSTS OFF) SELECT id FROM docs WHERE simhash_near(fp, 1, 1);
UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'docs_fp_band_0_of_4_idx'::regclass;

\qecho == parallel
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SET enable_indexscan = off;
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, (SELECT fp FROM docs WHERE id = 7), 3)');
SELECT check_plan('SELECT count(*) FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 3) WHERE a.id <= 300');
RESET ALL;

\qecho == row-level security: leakproof, so that the policy does not keep the index away
CREATE ROLE simhash_reader;
GRANT SELECT ON docs TO simhash_reader;
ALTER TABLE docs ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON docs TO simhash_reader USING (tenant_id = 7);
SET ROLE simhash_reader;
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 7)');
RESET ROLE;
DROP POLICY own ON docs;
CREATE POLICY near ON docs TO simhash_reader USING (simhash_near(fp, -3604598377573523768, 3));
SET ROLE simhash_reader;
EXPLAIN (COSTS OFF) SELECT id FROM docs;
SELECT count(*) FROM docs;
RESET ROLE;
DROP POLICY near ON docs;
ALTER TABLE docs DISABLE ROW LEVEL SECURITY;
REVOKE ALL ON docs FROM simhash_reader;
DROP ROLE simhash_reader;

\qecho == partitions, each with its own indexes
CREATE TABLE parts (id int, tenant_id int, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10000);
CREATE TABLE parts_2 (fp bigint, gone int, id int, tenant_id int);
ALTER TABLE parts_2 DROP COLUMN gone;
ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES FROM (10000) TO (30000);
CREATE TABLE parts_3 PARTITION OF parts FOR VALUES FROM (30000) TO (40000);
INSERT INTO parts SELECT id, tenant_id, fp FROM docs;
SELECT count(*) FROM simhash_create_index('parts', 'fp');
ANALYZE parts;
SELECT check_plan('SELECT id FROM parts WHERE simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT id FROM parts WHERE simhash_near(fp, (SELECT fp FROM docs WHERE id = 7), 3) AND id < 10000');
SELECT check_plan('SELECT d.id, p.id FROM docs d JOIN parts p ON simhash_near(d.fp, p.fp, 3) WHERE d.id < 30');
SELECT count(*) FROM simhash_create_index('parts_1', 'fp', 3);
SELECT check_plan('SELECT id FROM parts WHERE simhash_near(fp, -3604598377573523768, 2)');
SET enable_partitionwise_join = on;
CREATE TABLE others (LIKE parts) PARTITION BY RANGE (id);
CREATE TABLE others_1 PARTITION OF others FOR VALUES FROM (0) TO (10000);
CREATE TABLE others_2 PARTITION OF others FOR VALUES FROM (10000) TO (30000);
CREATE TABLE others_3 PARTITION OF others FOR VALUES FROM (30000) TO (40000);
INSERT INTO others SELECT id, tenant_id, fp FROM docs WHERE id % 100 = 7;
ANALYZE parts, others;
SELECT check_plan('SELECT o.id, p.fp FROM others o JOIN parts p ON o.id = p.id AND simhash_near(o.fp, p.fp, 3)');
RESET enable_partitionwise_join;
DROP TABLE parts, others;

\qecho == inheritance
CREATE TABLE old_docs () INHERITS (docs);
INSERT INTO old_docs SELECT id + 100000, tenant_id, published, body, fp FROM docs;
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)');
SELECT count(*) FROM simhash_create_index('old_docs', 'fp');
ANALYZE docs, old_docs;
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT id FROM ONLY docs WHERE simhash_near(fp, -3604598377573523768, 3)');
DROP TABLE old_docs;

\qecho == a domain, an integer, and names that need quotes
CREATE DOMAIN fingerprint AS bigint;
CREATE TABLE "Odd ""names" (id int, "指纹" fingerprint, "small fp" int);
INSERT INTO "Odd ""names" SELECT id, fp, id FROM docs;
SELECT * FROM simhash_create_index('"Odd ""names"', '指纹');
SELECT * FROM simhash_create_index('"Odd ""names"', '指纹');
ANALYZE "Odd ""names";
SELECT check_plan('SELECT id FROM "Odd ""names" WHERE simhash_near("指纹", -3604598377573523768, 3)');
CREATE INDEX odd_small ON "Odd ""names" (simhash_band("small fp", 3));
SELECT check_plan('SELECT id FROM "Odd ""names" WHERE simhash_near("small fp", 77, 0)');
DROP TABLE "Odd ""names";
DROP DOMAIN fingerprint;

\qecho == EXPLAIN VERBOSE
EXPLAIN (COSTS OFF, VERBOSE) SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3);

DROP TABLE docs CASCADE;
DROP FUNCTION near_oracle, show_plan, check_plan, counted;
