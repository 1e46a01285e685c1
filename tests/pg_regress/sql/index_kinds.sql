-- Indexes with access method simhash on every kind of table, and all commands on them.
\getenv tests PG_ABS_SRCDIR
\i :tests/include/index_oracle.sql
SET jit = off;
SET enable_seqscan = off;

-- The declaration, as the server shows it.
CREATE TABLE docs (id int, fp bigint, body text, n int, live boolean) WITH (autovacuum_enabled = off);
CREATE INDEX docs_fp ON docs USING simhash (fp) WITH (fillfactor = 80, rotations = 2);
SELECT indexdef FROM pg_indexes WHERE indexname = 'docs_fp';
\d docs_fp
DROP INDEX docs_fp;
CREATE INDEX ON docs USING simhash (fp simhash_ops);
SELECT pg_get_indexdef('docs_fp_idx'::regclass);
SELECT p AS property, pg_indexam_has_property(a.oid, p) AS method, pg_index_has_property('docs_fp_idx', p) AS index,
       pg_index_column_has_property('docs_fp_idx', 1, p) AS column
FROM pg_am a, unnest('{can_order,can_unique,can_multi_col,can_exclude,can_include,clusterable,index_scan,bitmap_scan,
    backward_scan,orderable,distance_orderable,returnable,search_array,search_nulls}'::text[]) WITH ORDINALITY u (p, place)
WHERE amname = 'simhash' ORDER BY place;
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname = 'simhash_ops';

-- Declarations that are refused.
CREATE INDEX ON docs USING simhash (body);
CREATE INDEX ON docs USING simhash (n);
CREATE INDEX ON docs USING simhash (body simhash_ops);
CREATE INDEX ON docs USING simhash (fp, id);
CREATE INDEX ON docs USING simhash (fp) INCLUDE (id);
CREATE UNIQUE INDEX ON docs USING simhash (fp);
CREATE INDEX ON docs USING simhash (fp DESC);
CREATE INDEX ON docs USING simhash (fp NULLS FIRST);
CREATE INDEX ON docs USING simhash (fp) WITH (rotations = 3);
CREATE INDEX ON docs USING simhash (fp) WITH (rotations = 0);
CREATE INDEX ON docs USING simhash (fp) WITH (rotations = 5);
CREATE INDEX ON docs USING simhash (fp) WITH (rotations = 'many');
CREATE INDEX ON docs USING simhash (fp) WITH (fillfactor = 9);
CREATE INDEX ON docs USING simhash (fp) WITH (bands = 4);
CREATE INDEX ON docs USING simhash ((random()::bigint));
ALTER INDEX docs_fp_idx SET (rotations = 3);
CLUSTER docs USING docs_fp_idx;

-- Operator classes that do not fit are detected.
CREATE OPERATOR FAMILY odd_ops USING simhash;
CREATE OPERATOR CLASS odd_ops FOR TYPE int USING simhash FAMILY odd_ops AS OPERATOR 2 = (int, int), FUNCTION 2 abs(int);
CREATE OPERATOR CLASS odd_ops FOR TYPE int USING simhash FAMILY odd_ops AS OPERATOR 2 = (int, int), OPERATOR 9 < (int, int);
CREATE OPERATOR CLASS odd_ops FOR TYPE int USING simhash FAMILY odd_ops AS OPERATOR 2 = (int, int), OPERATOR 3 < (int, int);
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'odd_ops';
DROP OPERATOR FAMILY odd_ops USING simhash CASCADE;

-- An empty table, one row, only NULLs: searched, vacuumed, rebuilt.
CREATE FUNCTION searches(OUT near_0 bigint, OUT all_64 bigint, OUT nulls bigint, OUT nearest bigint) LANGUAGE sql AS $$
    SELECT (SELECT count(*) FROM docs WHERE simhash_near(fp, 0, 0)), (SELECT count(*) FROM docs WHERE simhash_near(fp, 0, 64)),
           (SELECT count(*) FROM docs WHERE fp IS NULL), (SELECT count(*) FROM (SELECT FROM docs ORDER BY fp <~> 5) o)
$$;
SELECT * FROM searches();
SELECT * FROM simhash_index_check('docs_fp_idx');
VACUUM docs;
INSERT INTO docs (fp) VALUES (NULL);
SELECT * FROM searches();
INSERT INTO docs (fp) VALUES (0);
SELECT * FROM searches();
DELETE FROM docs;
VACUUM docs;
SELECT * FROM searches();
SELECT * FROM simhash_index_check('docs_fp_idx');
INSERT INTO docs (fp) SELECT NULL FROM generate_series(1, 2000);
SELECT * FROM searches();
REINDEX INDEX docs_fp_idx;
SELECT * FROM searches();
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('docs_fp_idx');
INSERT INTO docs (fp) VALUES (0);
REINDEX INDEX docs_fp_idx;
SELECT * FROM searches();
TRUNCATE docs;
SELECT * FROM searches();
SELECT * FROM simhash_index_check('docs_fp_idx');

-- From here on the rows have texts, and fingerprints that have neighbours or are NULL.
CREATE FUNCTION fill(rows int) RETURNS void LANGUAGE sql AS $$
    INSERT INTO docs SELECT i, CASE WHEN i % 20 > 0 THEN flipped(hashint8extended(i % 7, 1), i % 13, i % 50) END,
        'the text of document ' || i % 30 || ' of all these documents', i, i % 3 = 0 FROM generate_series(1, rows) i
$$;
-- Searches with the index and without it: how many results differ, and what the check returns.
CREATE FUNCTION verify(relation text DEFAULT 'docs', index text DEFAULT 'docs_fp_idx', condition text DEFAULT 'true',
    expression text DEFAULT 'fp', OUT uses_index boolean, OUT matches bigint, OUT wrong bigint, OUT rows bigint, OUT nulls bigint)
    LANGUAGE plpgsql AS $$
DECLARE
    query text := format('SELECT k, count(*) AS count, sum(hashint8(id)) AS ids FROM %s, generate_series(-1, 65, 3) k
        WHERE %%s(%s, %s, k) AND %s GROUP BY k', relation, expression, hashint8extended(1, 1), condition);
    missing bigint;
BEGIN
    uses_index := scan_of(format(query, 'simhash_near')) <> 'Seq Scan';
    EXECUTE format('SELECT coalesce(sum(coalesce(a.count, 0)), 0), count(*) FILTER (WHERE a IS DISTINCT FROM b)
                    FROM (%s) a FULL JOIN (%s) b USING (k)', format(query, 'simhash_near'), format(query, 'near_oracle'))
        INTO matches, wrong;
    IF (SELECT relkind FROM pg_class WHERE oid = index::regclass) = 'i' THEN
        SELECT c.rows, c.nulls, c.missing_downlinks INTO rows, nulls, missing FROM simhash_index_check(index::regclass) c;
        wrong := wrong + missing;
    END IF;
END
$$;
SELECT fill(3000);
ANALYZE docs;
SELECT * FROM verify();

-- Options apply to a build. They do not change an index that exists.
SELECT pg_relation_size('docs_fp_idx') AS before \gset
ALTER INDEX docs_fp_idx SET (rotations = 1);
SELECT * FROM verify();
INSERT INTO docs SELECT 10000 + id, fp # 5 FROM docs;
SELECT * FROM verify();
REINDEX INDEX docs_fp_idx;
SELECT * FROM verify();
SELECT pg_relation_size('docs_fp_idx') < :before AS smaller;
ALTER INDEX docs_fp_idx SET (rotations = 2, fillfactor = 10);
REINDEX INDEX CONCURRENTLY docs_fp_idx;
SELECT * FROM verify();
ALTER INDEX docs_fp_idx RESET (rotations, fillfactor);
-- In one transaction with other statements before and after it.
BEGIN;
SELECT * FROM verify();
ALTER INDEX docs_fp_idx SET (rotations = 4);
REINDEX TABLE docs;
INSERT INTO docs SELECT 20000 + id, fp # 9 FROM docs WHERE id < 500;
SELECT * FROM verify();
ROLLBACK;
SELECT * FROM verify();

-- Rewritten tables.
DELETE FROM docs WHERE id % 4 = 0;
VACUUM FULL docs;
SELECT * FROM verify();
CREATE INDEX docs_id ON docs (id);
CLUSTER docs USING docs_id;
SELECT * FROM verify();
DROP INDEX docs_id;
ALTER TABLE docs SET UNLOGGED;
SELECT * FROM verify();
INSERT INTO docs SELECT 30000 + id, fp # 17 FROM docs WHERE id < 500;
ALTER TABLE docs SET LOGGED;
SELECT * FROM verify();
ALTER TABLE docs ALTER fp TYPE bigint USING fp # 1;
SELECT * FROM verify();
ALTER TABLE docs ADD more int DEFAULT 5;
SELECT * FROM verify();
BEGIN;
TRUNCATE docs;
SELECT fill(500);
SELECT * FROM verify();
SAVEPOINT a;
TRUNCATE docs;
SELECT fill(100);
SELECT * FROM verify();
ROLLBACK TO a;
SELECT * FROM verify();
ROLLBACK;
SELECT * FROM verify();

-- Savepoints: rows that were rolled back are not found, although the index keeps their entries until VACUUM.
BEGIN;
SAVEPOINT a;
INSERT INTO docs (id, fp) SELECT 50000 + i, hashint8extended(1, 1) FROM generate_series(1, 1500) i;
SELECT count(*) FROM docs WHERE fp = hashint8extended(1, 1);
ROLLBACK TO a;
SELECT count(*) FROM docs WHERE fp = hashint8extended(1, 1);
INSERT INTO docs (id, fp) VALUES (60000, hashint8extended(1, 1));
COMMIT;
SELECT * FROM verify();
VACUUM docs;
SELECT * FROM verify();

-- CREATE INDEX CONCURRENTLY, on rows that had HOT updates before.
UPDATE docs SET n = n + 1 WHERE id % 2 = 0;
CREATE INDEX CONCURRENTLY docs_second ON docs USING simhash (fp);
SELECT * FROM verify('docs', 'docs_second');
DROP INDEX CONCURRENTLY docs_second;
-- It sorts the tids of the index, and fails in the middle of a page if temp_file_limit is too low.
CREATE TABLE many (id int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO many SELECT i, hashint8extended(i, 1) FROM generate_series(1, 30000) i;
SET maintenance_work_mem = '1MB'; SET temp_file_limit = 0;
\set VERBOSITY sqlstate
CREATE INDEX CONCURRENTLY many_fp ON many USING simhash (fp);
\set VERBOSITY default
RESET temp_file_limit;
INSERT INTO many SELECT i, hashint8extended(i, 1) FROM generate_series(30001, 31000) i;
REINDEX INDEX CONCURRENTLY many_fp;
SELECT rows, missing_downlinks FROM simhash_index_check('many_fp');
RESET maintenance_work_mem;
DROP TABLE many;

-- A build that does not have enough memory for all rows.
SET maintenance_work_mem = '1MB';
CREATE TABLE many (id int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO many SELECT i, CASE WHEN i % 100 > 0 THEN hashint8extended(i % 30000, 1) END FROM generate_series(1, 80000) i;
CREATE INDEX many_fp ON many USING simhash (fp);
SELECT * FROM verify('many', 'many_fp', 'mod(id, 16) = 1');
-- 1036 kB hold a few more rows than a power of two.
SET maintenance_work_mem = '1036kB';
REINDEX INDEX many_fp;
SELECT * FROM verify('many', 'many_fp', 'mod(id, 16) = 1');
RESET maintenance_work_mem;
DROP TABLE many;

-- A table that changed after its rows were written: columns were added with defaults, and one of them was dropped.
CREATE TABLE altered (id int) WITH (autovacuum_enabled = off);
INSERT INTO altered SELECT generate_series(1, 100);
ALTER TABLE altered ADD gone text DEFAULT 'x', ADD fp bigint DEFAULT 7;
ALTER TABLE altered DROP gone;
INSERT INTO altered SELECT 100 + i, hashint8extended(i % 5, 1) FROM generate_series(1, 100) i;
CREATE INDEX altered_fp ON altered USING simhash (fp);
SELECT * FROM verify('altered', 'altered_fp');
SELECT count(*) FROM altered WHERE fp = 7;
DROP TABLE altered;

-- A partial index: all rows that satisfy its predicate, also in queries without another condition.
CREATE INDEX docs_live ON docs USING simhash (fp) WHERE live;
DROP INDEX docs_fp_idx;
ANALYZE docs;
SELECT * FROM verify('docs', 'docs_live', 'live');
SELECT scan_of('SELECT FROM docs WHERE simhash_near(fp, 0, 3)');
SELECT count(*), count(fp) FROM docs WHERE live;
SELECT count(*), count(fp) FROM docs WHERE live IS TRUE AND id > 0;
UPDATE docs SET live = NOT live WHERE id % 5 = 0;
UPDATE docs SET live = true, fp = NULL WHERE id % 50 = 1;
SELECT * FROM verify('docs', 'docs_live', 'live');
VACUUM docs;
SELECT * FROM verify('docs', 'docs_live', 'live');
-- The query needs no column, but it has to read the table.
SET enable_bitmapscan = off;
SELECT plan_of($$SELECT count(*) AS by_index FROM docs WHERE live$$);
SELECT count(*) AS by_index FROM docs WHERE live;
SET enable_seqscan = on; SET enable_indexscan = off;
SELECT count(*) AS by_scan FROM docs WHERE live;
RESET enable_indexscan; RESET enable_bitmapscan; SET enable_seqscan = off;
DROP INDEX docs_live;

-- An index on an expression: the table stores only the text.
UPDATE docs SET body = 'the text of document ' || id % 30 || ' of all these documents' WHERE id % 20 > 0;
CREATE INDEX docs_body ON docs USING simhash (simhash(body));
ANALYZE docs;
SELECT plan_of($$SELECT id FROM docs WHERE simhash_near(simhash(body), 42, 5)$$);
SELECT plan_of($$SELECT id FROM docs ORDER BY simhash(body) <~> 42 LIMIT 1$$);
SELECT * FROM verify('docs', 'docs_body', 'mod(id, 3) = 2', 'simhash(body)');
UPDATE docs SET body = body || '!' WHERE id % 3 = 0;
UPDATE docs SET body = NULL WHERE id % 11 = 0;
DELETE FROM docs WHERE id % 10 = 3;
VACUUM docs;
SELECT * FROM verify('docs', 'docs_body', 'mod(id, 3) = 2', 'simhash(body)');
SELECT count(*) > 0 AS found FROM docs WHERE simhash_near(simhash(body), simhash('the text of document 7 of all these documents'), 0);
-- An expression that fails leaves nothing behind.
CREATE INDEX docs_failed ON docs USING simhash ((fp / (id - 7)));
SELECT to_regclass('docs_failed');
DROP TABLE docs;

-- Partitions, also partitions that are attached and detached.
CREATE TABLE parted (id int, fp bigint, part int) PARTITION BY LIST (part);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1) WITH (autovacuum_enabled = off);
CREATE INDEX parted_fp ON parted USING simhash (fp);
CREATE TABLE parted_2 (part int, fp bigint, id int) WITH (autovacuum_enabled = off);
INSERT INTO parted_2 SELECT 2, flipped(hashint8extended(i % 7, 1), i % 13, i % 50), i FROM generate_series(1, 800) i;
ALTER TABLE parted ATTACH PARTITION parted_2 FOR VALUES IN (2);
CREATE TABLE parted_rest PARTITION OF parted DEFAULT WITH (autovacuum_enabled = off);
INSERT INTO parted SELECT 1000 + i, flipped(hashint8extended(i % 7, 1), i % 13, i % 50), i % 5 FROM generate_series(1, 3000) i;
UPDATE parted SET part = (part + 1) % 5 WHERE id % 9 = 0;
ANALYZE parted;
SELECT relname, relkind FROM pg_class WHERE relname LIKE 'parted%idx' OR relname = 'parted_fp' ORDER BY relname;
SELECT plan_of($$SELECT id FROM parted WHERE fp = 5$$);
SELECT plan_of($$SELECT id FROM parted WHERE fp = 5 AND part = 2$$);
SELECT * FROM verify('parted', 'parted_fp');
SELECT * FROM verify('parted', 'parted_2_fp_idx', 'part = 2');
ALTER TABLE parted DETACH PARTITION parted_2;
SELECT * FROM verify('parted', 'parted_1_fp_idx');
SELECT * FROM verify('parted_2', 'parted_2_fp_idx');
SELECT missing_downlinks FROM simhash_index_check('parted_rest_fp_idx');
DROP TABLE parted, parted_2;
-- Inheritance.
CREATE TABLE parent (id int, fp bigint) WITH (autovacuum_enabled = off);
CREATE TABLE child () INHERITS (parent) WITH (autovacuum_enabled = off);
INSERT INTO parent SELECT i, hashint8extended(i % 3, 1) FROM generate_series(1, 50) i;
INSERT INTO child SELECT 100 + i, hashint8extended(i % 3, 1) FROM generate_series(1, 50) i;
CREATE INDEX parent_fp ON parent USING simhash (fp);
CREATE INDEX child_fp ON child USING simhash (fp);
SELECT * FROM verify('parent', 'child_fp');
DROP TABLE parent, child;

-- Unlogged and temporary.
CREATE UNLOGGED TABLE docs (id int, fp bigint, body text, n int, live boolean) WITH (autovacuum_enabled = off);
SELECT fill(1000);
CREATE INDEX docs_fp_idx ON docs USING simhash (fp);
SELECT fill(1000);
SELECT * FROM verify();
VACUUM docs;
DROP TABLE docs;
CREATE TEMP TABLE docs (id int, fp bigint, body text, n int, live boolean);
CREATE INDEX docs_fp_idx ON docs USING simhash (fp);
SELECT fill(1000);
SELECT * FROM verify();
DELETE FROM docs WHERE id % 2 = 0;
VACUUM docs;
SELECT fill(2000);
SELECT * FROM verify();
DROP TABLE docs;
CREATE TEMP TABLE docs (id int, fp bigint, body text, n int, live boolean) ON COMMIT DELETE ROWS;
CREATE INDEX docs_fp_idx ON docs USING simhash (fp);
BEGIN;
SELECT fill(1000);
SELECT * FROM verify();
COMMIT;
SELECT * FROM verify();
BEGIN;
SELECT fill(700);
SELECT * FROM verify();
COMMIT;
DROP TABLE docs;

-- A domain over bigint, and a domain over that.
CREATE DOMAIN fingerprint AS bigint;
CREATE DOMAIN fine_print AS fingerprint CHECK (VALUE <> 12345);
CREATE TABLE docs (id int, fp fine_print, body text, n int, live boolean) WITH (autovacuum_enabled = off);
CREATE INDEX docs_fp_idx ON docs USING simhash (fp);
SELECT fill(1000);
ANALYZE docs;
SELECT * FROM verify();
SELECT plan_of($$SELECT id FROM docs WHERE simhash_near(fp, 42, 5)$$);
SELECT plan_of($$SELECT id FROM docs WHERE simhash_near(42::fingerprint, fp, 5) AND fp = 42::fingerprint$$);
DROP TABLE docs;
DROP DOMAIN fine_print;
DROP DOMAIN fingerprint;

-- Statistics: a scan counts once, each entry that it returns counts as read, each visible row counts as fetched.
CREATE TABLE docs (id int, fp bigint, body text, n int, live boolean) WITH (autovacuum_enabled = off);
CREATE INDEX docs_fp_idx ON docs USING simhash (fp);
INSERT INTO docs (fp) SELECT 1 FROM generate_series(1, 10);
INSERT INTO docs (fp) SELECT -1 FROM generate_series(1, 10);
SET enable_bitmapscan = off;
SELECT count(*) FROM docs WHERE simhash_near(fp, 1, 3);
SELECT count(*) FROM docs WHERE simhash_near(fp, 5, 3);
SELECT count(*) FROM (SELECT FROM docs ORDER BY fp <~> 1 LIMIT 4) n;
SET enable_bitmapscan = on; SET enable_indexscan = off;
SELECT count(*) FROM docs WHERE simhash_near(fp, 1, 3);
RESET enable_indexscan;
SELECT pg_stat_force_next_flush();
SELECT idx_scan, idx_tup_read, idx_tup_fetch FROM pg_stat_user_indexes WHERE indexrelname = 'docs_fp_idx';
SELECT * FROM simhash_index_check('docs_fp_idx');
DROP TABLE docs;

DROP FUNCTION searches, fill, verify, compare, compare_join, plan_of, scan_of, flipped, near_oracle;
