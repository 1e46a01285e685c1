-- Several conditions that one index answers: the server looks for every combination of their values, so that thousands of
-- values are looked up for one of them only.

\getenv tests PG_ABS_SRCDIR
\i :tests/include/check_plan.sql

CREATE TABLE docs (id int PRIMARY KEY, tenant_id int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, i % 200, hashint8extended(i, 1) FROM generate_series(1, 2000) i;
INSERT INTO docs SELECT 2000 + id, tenant_id, fp # 5 FROM docs WHERE id <= 100;
CREATE INDEX docs_fp ON docs (simhash_band(fp, 0, 1));
ANALYZE docs;
SET enable_seqscan = off;
-- What sequential scans are then taken to cost must not make the server compile queries.
SET jit = off;

-- How many arrays of bands meet in an index condition of a query, how many calls it has left, and whether it finds what it
-- should.
CREATE FUNCTION conditions(node json) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT node->>'Index Cond' WHERE node->>'Index Cond' LIKE '%simhash_band%'
    UNION ALL SELECT conditions(child) FROM json_array_elements(node->'Plans') child
$$;
CREATE FUNCTION check_crossing(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan json;
    condition text;
    arrays int := 0;
    wrong bigint;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    FOR condition IN SELECT * FROM conditions(plan->0->'Plan') LOOP
        arrays := greatest(arrays, (SELECT count(*) FROM regexp_matches(condition, 'simhash_band\([^=]*\) = ANY', 'g')));
    END LOOP;
    EXECUTE format('SELECT count(*) FROM ((%1$s EXCEPT ALL %2$s) UNION ALL (%2$s EXCEPT ALL %1$s)) d',
                   '(' || query || ')', '(' || replace(query, 'simhash_near(', 'near_oracle(') || ')') INTO wrong;
    RETURN format('%s arrays in an index condition, %s calls left, %s wrong', arrays,
                  (SELECT count(*) FROM regexp_matches(plan::text, 'simhash_near\(', 'g')), wrong);
END
$$;
\pset tuples_only on
\pset format unaligned

\qecho == alone
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, 42, 2)');
\qecho == two, three
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 2) AND simhash_near(fp, -3604598377573523765, 3)');
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 2) AND simhash_near(-3604598377573523765, fp, 2)');
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, 42, 3) AND simhash_near(fp, 43, 2) AND simhash_near(fp, 44, 2)');
\qecho == one several times: one of them
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, 42, 2) AND simhash_near(fp, 42, 2)');
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 2) AND simhash_near(-3604598377573523768, fp, 2) AND simhash_near(fp, -3604598377573523768, 2)');
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, 42, 2) AND (simhash_near(fp, 42, 2) OR id = 7)');
SELECT check_crossing('SELECT a.id FROM docs a JOIN docs b ON simhash_near(a.fp, -3604598377573523768, 2) AND b.id = 7 WHERE simhash_near(a.fp, -3604598377573523768, 2)');
CREATE VIEW near AS SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, 2);
SELECT check_crossing('SELECT id FROM near WHERE simhash_near(fp, -3604598377573523768, 2)');
\qecho == one twice in views, where nothing tells which is the first: none
CREATE VIEW nearer AS SELECT * FROM near WHERE simhash_near(fp, -3604598377573523768, 2);
SELECT check_crossing('SELECT id FROM nearer');
DROP VIEW near, nearer;
\qecho == few values: both
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 1) AND simhash_near(fp, -3604598377573523765, 1)');
\qecho == beside an array of the query
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, 42, 2) AND simhash_band(fp, 0, 1) = ANY (simhash_neighbours(43, 0, 1, 2))');
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, 42, 2) AND simhash_band(fp, 0, 1) = ANY (ARRAY[simhash_band(42, 0, 1), simhash_band(43, 0, 1)])');
\qecho == within arms of OR
SELECT check_crossing('SELECT id FROM docs WHERE (simhash_near(fp, 42, 2) AND simhash_near(fp, 43, 2)) OR id = 7');
SELECT check_crossing('SELECT id FROM docs WHERE (simhash_near(42, fp, 2) AND simhash_near(43, fp, 2)) OR id = 7');
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, 42, 2) AND (simhash_near(fp, 43, 2) OR simhash_near(fp, 44, 2))');
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, 42, 2) OR simhash_near(fp, 43, 2)');
\qecho == in all arms of OR, from which the server takes out what is equal in all of them
SELECT check_crossing('SELECT id FROM docs WHERE ((simhash_near(fp, -3604598377573523768, 2) AND tenant_id < 100) OR (simhash_near(fp, -3604598377573523768, 2) AND tenant_id > 150)) AND ((simhash_near(fp, -3604598377573523765, 2) AND tenant_id < 90) OR (simhash_near(fp, -3604598377573523765, 2) AND tenant_id > 160))');
\qecho == in a join and beside it
SELECT check_crossing('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 2) WHERE simhash_near(a.fp, -3604598377573523768, 2) AND b.id < 20');
SELECT check_crossing('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 3) WHERE simhash_near(a.fp, -3604598377573523768, 2) AND b.id < 20');
\qecho == a subquery beside a constant
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, (SELECT fp FROM docs WHERE id = 7), 2) AND simhash_near(fp, (SELECT fp FROM docs WHERE id = 8), 2)');
\qecho == on partitions
CREATE TABLE parts (id int, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (1000);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (1000) TO (4000);
INSERT INTO parts SELECT id, fp FROM docs;
CREATE INDEX ON parts (simhash_band(fp, 0, 1));
ANALYZE parts;
SELECT check_crossing('SELECT id FROM parts WHERE simhash_near(fp, -3604598377573523768, 2) AND simhash_near(fp, -3604598377573523765, 2)');
SELECT check_crossing('SELECT id FROM parts WHERE simhash_near(fp, -3604598377573523768, 2) AND simhash_near(fp, -3604598377573523768, 2)');
DROP TABLE parts;
\qecho == a policy
CREATE ROLE simhash_reader;
GRANT SELECT ON docs TO simhash_reader;
ALTER TABLE docs ENABLE ROW LEVEL SECURITY;
CREATE POLICY near ON docs TO simhash_reader USING (simhash_near(fp, -3604598377573523768, 2));
SET ROLE simhash_reader;
SET enable_seqscan = off;
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523765, 2)');
RESET ROLE;
DROP POLICY near ON docs;
ALTER TABLE docs DISABLE ROW LEVEL SECURITY;
REVOKE ALL ON docs FROM simhash_reader;
DROP ROLE simhash_reader;
\qecho == many values of another column of the index
DROP INDEX docs_fp;
CREATE INDEX docs_tenant ON docs (simhash_band(fp, 0, 1), tenant_id);
ANALYZE docs;
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, 42, 2) AND tenant_id = ANY (''{1, 2, 3}'')');
SELECT check_crossing(format('SELECT id FROM docs WHERE simhash_near(fp, 42, 2) AND tenant_id = ANY (%L::int[])', (SELECT array_agg(i) FROM generate_series(1, 100) i)));
\qecho == several bands: the arms of one OR do not meet those of another
DROP INDEX docs_tenant;
SELECT count(*) FROM simhash_create_index('docs', 'fp', 2);
ANALYZE docs;
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 5) AND simhash_near(fp, -3604598377573523765, 5)');
SELECT check_crossing('SELECT id FROM docs WHERE simhash_near(fp, 42, 5) AND simhash_band(fp, 0, 2) = ANY (simhash_neighbours(43, 0, 2, 3))');

RESET enable_seqscan;
RESET jit;
DROP TABLE docs;
DROP FUNCTION near_oracle, show_plan, check_plan, check_crossing, conditions;
