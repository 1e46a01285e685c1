-- The plans of the guard do not outlive their tables for long.
DO $$
BEGIN
    FOR i IN 1..300 LOOP
        CREATE TEMP TABLE short_lived (id int PRIMARY KEY, fp bigint);
        CREATE TRIGGER guard BEFORE INSERT ON short_lived FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
        EXECUTE 'INSERT INTO short_lived VALUES (1, 0), (2, 1)';
        EXECUTE format('ALTER TABLE short_lived RENAME TO short_lived_%s', i);
        EXECUTE format('INSERT INTO short_lived_%s VALUES (3, 0), (4, 255)', i);
        EXECUTE format('DROP TABLE short_lived_%s', i);
    END LOOP;
END
$$;
SELECT count(*) < 60 AS few FROM pg_backend_memory_contexts WHERE name = 'CachedPlanSource';
-- Those of tables that are there stay: another row needs no other plan.
CREATE TABLE kept (id int PRIMARY KEY, fp bigint);
CREATE TRIGGER guard BEFORE INSERT ON kept FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
INSERT INTO kept VALUES (1, 0);
SELECT count(*) AS before FROM pg_backend_memory_contexts WHERE name = 'CachedPlanSource' \gset
INSERT INTO kept SELECT i, hashint8extended(i, 0) FROM generate_series(2, 300) i;
SELECT count(*) = :before AS same FROM pg_backend_memory_contexts WHERE name = 'CachedPlanSource';
DROP TABLE kept;
