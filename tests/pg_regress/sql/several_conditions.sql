-- Several conditions on one fingerprint, from one query or from several parts that the planner merges: each is rewritten
-- separately, and together they find the same rows as without indexes.

\getenv tests PG_ABS_SRCDIR
\i :tests/include/check_plan.sql

-- The planner's statistics of the table are those of ANALYZE below: autovacuum is off.
CREATE TABLE docs (id int PRIMARY KEY, tenant_id int, body text, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, i % 20, rpad('text number ' || i, 200), hashint8extended(i, 1) FROM generate_series(1, 20000) i;
-- Neighbours of documents 1 to 40, at distances 1 to 8; some rows have no fingerprint.
INSERT INTO docs SELECT 20000 + i * 10 + d, i % 20, 'copy', fp # (((1::bigint << d) - 1) << i)
    FROM (SELECT id AS i, fp FROM docs WHERE id <= 40) o, generate_series(1, 8) d;
INSERT INTO docs SELECT 30000 + i, 1, NULL, NULL FROM generate_series(1, 100) i;
SELECT count(*) FROM simhash_create_index('docs', 'fp');
ANALYZE docs;
-- Document 7 and its neighbours. From -3604598377573523765 each is two bits further away.
SELECT id, fp, bit_count((fp # -3604598377573523768)::bit(64)) AS distance FROM docs WHERE near_oracle(fp, -3604598377573523768, 8) ORDER BY distance, id;

\pset tuples_only on
\pset format unaligned

\qecho == two, three
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND simhash_near(fp, -3604598377573523765, 3)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 2) AND simhash_near(-3604598377573523765, fp, 3)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND simhash_near(fp, -3604598377573523765, 3) AND simhash_near(fp, -3604598377573523896, 1)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND simhash_near(fp, 42, 3)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND simhash_near(fp, -3604598377573523768, 20)');
\qecho == the same several times
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND simhash_near(-3604598377573523768, fp, 3)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND simhash_near(fp, -3604598377573523768, 1)');
\qecho == within arms of OR, and beside them
SELECT check_plan('SELECT id FROM docs WHERE (simhash_near(fp, -3604598377573523768, 3) AND simhash_near(fp, -3604598377573523765, 3)) OR id = 8');
SELECT check_plan('SELECT id FROM docs WHERE (simhash_near(-3604598377573523768, fp, 3) AND simhash_near(fp, -3604598377573523768, 3)) OR id = 8');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND (simhash_near(fp, -3604598377573523765, 0) OR id = 7)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND (simhash_near(fp, -3604598377573523768, 3) OR id = 8)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND (simhash_near(fp, -3604598377573523765, 2) OR simhash_near(fp, 42, 2))');
\qecho == in all arms of OR, from which the server takes out what is equal in all of them
SELECT check_plan('SELECT id FROM docs WHERE ((simhash_near(fp, -3604598377573523768, 3) AND tenant_id < 10) OR (simhash_near(fp, -3604598377573523768, 3) AND tenant_id > 15)) AND ((simhash_near(fp, -3604598377573523765, 3) AND tenant_id < 9) OR (simhash_near(fp, -3604598377573523765, 3) AND tenant_id > 16))');
\qecho == beside a condition on a band that the query has itself
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3) AND simhash_band(fp, 0, 4) = simhash_band(-3604598377573523765, 0, 4)');
\qecho == subqueries
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, (SELECT fp FROM docs WHERE id = 7), 3) AND simhash_near(fp, (SELECT fp FROM docs WHERE id = 20072), 1)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, (SELECT fp FROM docs WHERE id = 7), 3) AND simhash_near(fp, -3604598377573523765, 3)');
SELECT check_plan('SELECT id FROM (SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)) d WHERE simhash_near(fp, -3604598377573523765, 3)');

\qecho == in a view and in the query on it
CREATE VIEW near AS SELECT * FROM docs WHERE simhash_near(fp, -3604598377573523768, 3);
\set near 'SELECT id FROM docs WHERE near_oracle(fp, -3604598377573523768, 3)'
SELECT check_plan('SELECT id FROM near WHERE simhash_near(fp, -3604598377573523768, 3)', :'near');
SELECT check_plan('SELECT id FROM near WHERE simhash_near(-3604598377573523768, fp, 3)', :'near');
SELECT check_plan('SELECT id FROM near WHERE simhash_near(fp, -3604598377573523765, 3)', :'near' || ' AND near_oracle(fp, -3604598377573523765, 3)');
SELECT check_plan('SELECT v.id, d.id FROM near v JOIN docs d ON simhash_near(v.fp, d.fp, 3)',
    'SELECT v.id, d.id FROM docs v JOIN docs d ON near_oracle(v.fp, d.fp, 3) WHERE near_oracle(v.fp, -3604598377573523768, 3)');
\qecho == in nested views, with a barrier around the last
CREATE VIEW nearer AS SELECT * FROM near WHERE simhash_near(fp, -3604598377573523768, 3);
CREATE VIEW nearest AS SELECT * FROM nearer WHERE simhash_near(-3604598377573523765, fp, 2);
CREATE VIEW behind_barrier WITH (security_barrier) AS SELECT * FROM nearer;
\set nearest :near ' AND near_oracle(fp, -3604598377573523765, 2)'
SELECT check_plan('SELECT id FROM nearer', :'near');
SELECT check_plan('SELECT id FROM nearer WHERE simhash_near(fp, -3604598377573523768, 3)', :'near');
SELECT check_plan('SELECT id FROM nearest', :'nearest');
SELECT check_plan('SELECT id FROM nearest WHERE simhash_near(fp, -3604598377573523765, 2)', :'nearest');
SELECT check_plan('SELECT id FROM behind_barrier WHERE simhash_near(fp, -3604598377573523765, 2)', :'nearest');
DROP VIEW behind_barrier, nearest, nearer, near;

\qecho == a policy and the query of a role that it is for
CREATE ROLE regress_simhash_reader;
CREATE TABLE readable AS SELECT * FROM docs WHERE near_oracle(fp, -3604598377573523768, 3);
GRANT SELECT ON docs, readable TO regress_simhash_reader;
ALTER TABLE docs ENABLE ROW LEVEL SECURITY;
CREATE POLICY near ON docs TO regress_simhash_reader USING (simhash_near(fp, -3604598377573523768, 3));
SELECT rolbypassrls FROM pg_roles WHERE rolname = 'regress_simhash_reader';
SET ROLE regress_simhash_reader;
SELECT check_plan('SELECT id FROM docs', 'SELECT id FROM readable');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)', 'SELECT id FROM readable');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523765, 2)', 'SELECT id FROM readable WHERE near_oracle(fp, -3604598377573523765, 2)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, 42, 3)', 'SELECT id FROM readable WHERE near_oracle(fp, 42, 3)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523765, 2) OR id = 8', 'SELECT id FROM readable WHERE near_oracle(fp, -3604598377573523765, 2)');
RESET ROLE;
\qecho == two policies, either of which suffices, and one that has to hold as well
CREATE POLICY near_document_2 ON docs TO regress_simhash_reader USING (simhash_near(fp, hashint8extended(2, 1), 3));
CREATE POLICY restricting ON docs AS RESTRICTIVE TO regress_simhash_reader USING (simhash_near(fp, -3604598377573523765, 3) OR simhash_near(fp, hashint8extended(2, 1), 1));
INSERT INTO readable SELECT * FROM docs WHERE near_oracle(fp, hashint8extended(2, 1), 3);
DELETE FROM readable WHERE NOT (near_oracle(fp, -3604598377573523765, 3) OR near_oracle(fp, hashint8extended(2, 1), 1));
SET ROLE regress_simhash_reader;
SELECT check_plan('SELECT id FROM docs', 'SELECT id FROM readable');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523765, 2)', 'SELECT id FROM readable WHERE near_oracle(fp, -3604598377573523765, 2)');
RESET ROLE;
DROP POLICY near ON docs;
DROP POLICY near_document_2 ON docs;
DROP POLICY restricting ON docs;
ALTER TABLE docs DISABLE ROW LEVEL SECURITY;
DROP TABLE readable;
REVOKE ALL ON docs FROM regress_simhash_reader;
DROP ROLE regress_simhash_reader;

\qecho == a join condition and a condition in WHERE
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 3) WHERE simhash_near(a.fp, -3604598377573523768, 2)');
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 3) WHERE simhash_near(a.fp, -3604598377573523768, 2) AND b.id < 30');
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(b.fp, a.fp, 2) AND simhash_near(b.fp, -3604598377573523765, 3) WHERE a.id < 30');
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 3) WHERE simhash_near(a.fp, -3604598377573523768, 3) AND simhash_near(b.fp, -3604598377573523765, 3)');
SELECT check_plan('SELECT a.id, b.id FROM docs a LEFT JOIN docs b ON simhash_near(a.fp, b.fp, 3) AND simhash_near(b.fp, -3604598377573523765, 3) WHERE a.id BETWEEN 5 AND 9');
SELECT check_plan('SELECT a.id, b.id, c.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 1) JOIN docs c ON simhash_near(b.fp, c.fp, 2) AND simhash_near(a.fp, c.fp, 3) WHERE a.id < 5');
\qecho == the same in ON and in WHERE
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 3) WHERE simhash_near(b.fp, a.fp, 3) AND a.id < 30');
SELECT check_plan('SELECT a.id FROM docs a JOIN docs b ON simhash_near(a.fp, -3604598377573523768, 3) AND b.id = 7 WHERE simhash_near(a.fp, -3604598377573523768, 3)');

\qecho == on partitions
CREATE TABLE parts (id int, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (20000) WITH (autovacuum_enabled = off);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (20000) TO (40000) WITH (autovacuum_enabled = off);
INSERT INTO parts SELECT id, fp FROM docs;
INSERT INTO parts SELECT 30200 + i, hashint8extended(i, 2) FROM generate_series(1, 9000) i;
SELECT count(*) FROM simhash_create_index('parts', 'fp');
ANALYZE parts;
SELECT check_plan('SELECT id FROM parts WHERE simhash_near(fp, -3604598377573523768, 3) AND simhash_near(fp, -3604598377573523765, 3)');
SELECT check_plan('SELECT id FROM parts WHERE simhash_near(fp, -3604598377573523768, 3) AND simhash_near(-3604598377573523768, fp, 3)');
SELECT check_plan('SELECT id FROM parts WHERE (simhash_near(fp, -3604598377573523768, 3) AND simhash_near(fp, -3604598377573523765, 3)) OR simhash_near(fp, 42, 1)');
SELECT check_plan('SELECT d.id, p.id FROM docs d JOIN parts p ON simhash_near(d.fp, p.fp, 3) WHERE simhash_near(p.fp, -3604598377573523768, 2) AND d.id < 30');
DROP TABLE parts;

\qecho == several bands of one index, and beside another column
DROP INDEX docs_fp_band_0_of_4_idx, docs_fp_band_1_of_4_idx, docs_fp_band_2_of_4_idx, docs_fp_band_3_of_4_idx;
CREATE INDEX docs_bands ON docs (simhash_band(fp, 0, 2), tenant_id);
CREATE INDEX docs_other_band ON docs (simhash_band(fp, 1, 2), tenant_id);
ANALYZE docs;
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 0) AND simhash_near(fp, -3604598377573523765, 3) AND tenant_id = 7');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 1) AND simhash_near(fp, -3604598377573523767, 1) AND tenant_id = ANY (''{1,2,7}'')');

DROP TABLE docs;
DROP FUNCTION near_oracle, show_plan, check_plan;
