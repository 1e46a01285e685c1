-- simhash_indexes needs no privileges, as what the catalogue says does not: it must not leave locks behind.
CREATE TABLE docs (id int PRIMARY KEY, fp bigint);
CREATE VIEW docs_view AS TABLE docs;
SELECT count(*) FROM simhash_create_index('docs', 'fp');
CREATE ROLE simhash_nobody;
BEGIN;
SET LOCAL ROLE simhash_nobody;
SELECT count(*) FROM simhash_indexes('docs');
SELECT count(*) FROM simhash_indexes('docs') WHERE band = (SELECT band FROM simhash_indexes('docs') LIMIT 1);
DO $$
BEGIN
    PERFORM simhash_indexes('docs_view');
EXCEPTION WHEN wrong_object_type THEN
    RAISE NOTICE '%', SQLERRM;
END
$$;
SELECT relation::regclass, mode FROM pg_locks
WHERE pid = pg_backend_pid() AND relation IN (SELECT oid FROM pg_class WHERE relname ~ '^docs');
COMMIT;
DROP ROLE simhash_nobody;
DROP TABLE docs CASCADE;
