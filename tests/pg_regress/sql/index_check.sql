-- simhash_index_check: who may call it, on which relations, and what it finds.
CREATE TABLE docs (id int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, CASE WHEN i % 10 > 0 THEN hashint8extended(i, 1) END FROM generate_series(1, 1000) i;
CREATE INDEX docs_fp ON docs USING simhash (fp);
CREATE INDEX docs_id ON docs (id);
SELECT * FROM simhash_index_check('docs_fp');
SELECT * FROM simhash_index_check(NULL);

-- Not an index with access method simhash.
SELECT * FROM simhash_index_check('docs');
SELECT * FROM simhash_index_check('docs_id');
SELECT * FROM simhash_index_check('pg_class');
SELECT * FROM simhash_index_check(0);
SELECT * FROM simhash_index_check('no_such_index');
CREATE TABLE parted (id int, fp bigint) PARTITION BY LIST (id);
CREATE INDEX parted_fp ON parted USING simhash (fp);
SELECT * FROM simhash_index_check('parted_fp');
DROP TABLE parted;
-- Not valid: a build that failed.
CREATE INDEX CONCURRENTLY docs_failed ON docs USING simhash ((fp / (id - 7)));
SELECT * FROM simhash_index_check('docs_failed');
DROP INDEX docs_failed;

-- Only the owner.
CREATE ROLE simhash_regress_owner;
CREATE ROLE simhash_regress_other;
GRANT ALL ON docs TO simhash_regress_other;
SET ROLE simhash_regress_other;
\set VERBOSITY sqlstate
SELECT * FROM simhash_index_check('docs_fp');
\set VERBOSITY default
SELECT * FROM simhash_index_check('docs_fp');
RESET ROLE;
ALTER TABLE docs OWNER TO simhash_regress_owner;
SET ROLE simhash_regress_owner;
SELECT * FROM simhash_index_check('docs_fp');
RESET ROLE;
-- Functions in the index run with the privileges of the table's owner, whoever calls the check, and leave the caller's settings
-- unchanged.
GRANT CREATE ON SCHEMA public TO simhash_regress_owner;
SET ROLE simhash_regress_owner;
CREATE TABLE trap (id int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO trap VALUES (1, 1);
CREATE FUNCTION sprung(bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN $1; END $$;
CREATE INDEX trap_fp ON trap USING simhash (sprung(fp)) WITH (rotations = 1) WHERE sprung(fp) > 0;
CREATE OR REPLACE FUNCTION sprung(bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RAISE NOTICE 'as %', current_user;
    PERFORM set_config('simhash.trap', 'set', false);
    RETURN $1;
END
$$;
RESET ROLE;
SELECT rows FROM simhash_index_check('trap_fp');
SELECT current_user <> 'simhash_regress_owner' AS own_again, current_setting('simhash.trap', true) AS setting;
-- The same after an error.
CREATE OR REPLACE FUNCTION sprung(bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RAISE EXCEPTION 'as %', current_user;
END
$$;
SELECT rows FROM simhash_index_check('trap_fp');
SELECT current_user <> 'simhash_regress_owner' AS own_again;
DROP TABLE trap;
DROP FUNCTION sprung;
REVOKE CREATE ON SCHEMA public FROM simhash_regress_owner;
ALTER TABLE docs OWNER TO CURRENT_USER;
DROP OWNED BY simhash_regress_other;
DROP ROLE simhash_regress_owner, simhash_regress_other;

-- In a transaction: its own changes count, and changes that were rolled back have no effect.
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT rows, nulls FROM simhash_index_check('docs_fp');
INSERT INTO docs VALUES (1001, 5);
UPDATE docs SET fp = 6 WHERE id = 1;
DELETE FROM docs WHERE id = 2;
SAVEPOINT a;
INSERT INTO docs VALUES (1002, 5);
ROLLBACK TO a;
SELECT rows, nulls FROM simhash_index_check('docs_fp');
SELECT mode FROM pg_locks WHERE relation = 'docs_fp'::regclass AND mode = 'ShareLock';
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT rows, nulls FROM simhash_index_check('docs_fp');
COMMIT;
BEGIN READ ONLY;
SELECT rows, nulls FROM simhash_index_check('docs_fp');
COMMIT;

-- Differences that it finds. An entry is missing: a row was inserted while the index was not maintained.
CREATE TABLE broken (id int, fp bigint) WITH (autovacuum_enabled = off);
CREATE INDEX broken_fp ON broken USING simhash (fp);
INSERT INTO broken VALUES (1, 1);
UPDATE pg_index SET indisready = false WHERE indexrelid = 'broken_fp'::regclass;
INSERT INTO broken VALUES (2, 2);
SELECT * FROM simhash_index_check('broken_fp');
UPDATE pg_index SET indisready = true WHERE indexrelid = 'broken_fp'::regclass;
SELECT * FROM simhash_index_check('broken_fp');
-- There is an entry too many: a row was deleted while the index was not maintained.
REINDEX INDEX broken_fp;
SELECT rows FROM simhash_index_check('broken_fp');
UPDATE pg_index SET indisready = false WHERE indexrelid = 'broken_fp'::regclass;
DELETE FROM broken WHERE id = 2;
VACUUM broken;
UPDATE pg_index SET indisready = true WHERE indexrelid = 'broken_fp'::regclass;
SELECT * FROM simhash_index_check('broken_fp');
-- The tid of that row is used again.
UPDATE pg_index SET indisready = false WHERE indexrelid = 'broken_fp'::regclass;
INSERT INTO broken VALUES (3, 3);
UPDATE pg_index SET indisready = true WHERE indexrelid = 'broken_fp'::regclass;
SELECT * FROM simhash_index_check('broken_fp');
REINDEX INDEX broken_fp;
SELECT rows FROM simhash_index_check('broken_fp');
-- The same with a scope: an entry is missing, there is one too many, one is of another scope.
CREATE TABLE scoped (id int, tenant int, fp bigint) WITH (autovacuum_enabled = off);
CREATE INDEX scoped_fp ON scoped USING simhash (tenant, fp);
INSERT INTO scoped VALUES (1, 1, 1);
UPDATE pg_index SET indisready = false WHERE indexrelid = 'scoped_fp'::regclass;
INSERT INTO scoped VALUES (2, 1, 2);
UPDATE pg_index SET indisready = true WHERE indexrelid = 'scoped_fp'::regclass;
SELECT * FROM simhash_index_check('scoped_fp');
REINDEX INDEX scoped_fp;
SELECT rows FROM simhash_index_check('scoped_fp');
UPDATE pg_index SET indisready = false WHERE indexrelid = 'scoped_fp'::regclass;
DELETE FROM scoped WHERE id = 2;
VACUUM scoped;
UPDATE pg_index SET indisready = true WHERE indexrelid = 'scoped_fp'::regclass;
SELECT * FROM simhash_index_check('scoped_fp');
UPDATE pg_index SET indisready = false WHERE indexrelid = 'scoped_fp'::regclass;
INSERT INTO scoped VALUES (3, 7, 2);
UPDATE pg_index SET indisready = true WHERE indexrelid = 'scoped_fp'::regclass;
SELECT id, tenant, fp, ctid FROM scoped ORDER BY id;
SELECT * FROM simhash_index_check('scoped_fp');
REINDEX INDEX scoped_fp;
SELECT rows FROM simhash_index_check('scoped_fp');
DROP TABLE scoped;
-- A function that is declared IMMUTABLE has changed.
CREATE FUNCTION mutable(bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT $1 $$;
CREATE INDEX broken_expression ON broken USING simhash (mutable(fp));
CREATE INDEX broken_scope ON broken USING simhash ((mutable(id)), fp);
CREATE OR REPLACE FUNCTION mutable(bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT nullif($1 + 1, 4) $$;
SELECT * FROM simhash_index_check('broken_expression');
SELECT * FROM simhash_index_check('broken_scope');
DROP TABLE broken;
DROP FUNCTION mutable;

SELECT rows, nulls, missing_downlinks FROM simhash_index_check('docs_fp');
DROP TABLE docs;
