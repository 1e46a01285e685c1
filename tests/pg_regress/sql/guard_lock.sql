-- simhash_guard_lock: one lock for a transaction that stores many rows.
\set SHOW_CONTEXT never
CREATE TABLE docs (id int PRIMARY KEY, fp bigint);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
-- pg_locks shows the table as classid.
CREATE VIEW guard_locks AS SELECT classid::regclass AS of_table, mode, count(*) FROM pg_locks
    WHERE locktype = 'advisory' AND pid = pg_backend_pid() GROUP BY classid, mode ORDER BY mode;
-- Without it: a lock on each key.
BEGIN;
INSERT INTO docs SELECT i, hashint8extended(i, 0) FROM generate_series(1, 200) i;
SELECT of_table, mode, count > 400 AS many FROM guard_locks;
ROLLBACK;
-- With it one lock, and the guard does what it does.
BEGIN;
SELECT simhash_guard_lock('docs');
INSERT INTO docs SELECT i, hashint8extended(i, 0) FROM generate_series(1, 200) i;
INSERT INTO docs SELECT i + 1000, fp # 1 FROM docs, generate_series(1, 3) i;
SELECT * FROM guard_locks;
SELECT count(*) FROM docs;
COMMIT;
SELECT * FROM guard_locks;
-- A savepoint gives it back; then rows lock keys again.
BEGIN;
SAVEPOINT s;
SELECT simhash_guard_lock('docs');
ROLLBACK TO s;
INSERT INTO docs VALUES (5001, 4242), (5002, 4243);
SELECT * FROM guard_locks;
ROLLBACK;
-- NULL is no table.
SELECT simhash_guard_lock(NULL) IS NULL AS nothing;
DROP TABLE docs;

-- Partitions: the lock is on the table that the guard was created on, whichever is named.
CREATE TABLE parts (id int PRIMARY KEY, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
BEGIN;
SELECT simhash_guard_lock('parts_1');
INSERT INTO parts VALUES (1, 0);
SELECT * FROM guard_locks;
ROLLBACK;
BEGIN;
SELECT simhash_guard_lock('parts');
INSERT INTO parts_1 VALUES (1, 0);
SELECT * FROM guard_locks;
ROLLBACK;
DROP TABLE parts;

-- Who may store rows may call it, by a privilege on the table or on a column.
CREATE TABLE docs (id int PRIMARY KEY, fp bigint);
SELECT simhash_guard_lock('docs');
SELECT simhash_guard_lock('pg_locks');
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
CREATE ROLE simhash_loader;
GRANT SELECT ON docs TO simhash_loader;
SET ROLE simhash_loader;
SELECT simhash_guard_lock('docs');
RESET ROLE;
GRANT INSERT (id, fp) ON docs TO simhash_loader;
SET ROLE simhash_loader;
SELECT simhash_guard_lock('docs');
RESET ROLE;
REVOKE INSERT (id, fp) ON docs FROM simhash_loader;
GRANT UPDATE ON docs TO simhash_loader;
SET ROLE simhash_loader;
SELECT simhash_guard_lock('docs');
RESET ROLE;
DROP VIEW guard_locks;
DROP TABLE docs;
DROP ROLE simhash_loader;
SELECT simhash_guard_lock(0);
