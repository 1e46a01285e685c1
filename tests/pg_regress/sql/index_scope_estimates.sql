-- Within a scope, too, the planner expects what it finds: the number of rows within a factor of ten. It chooses the index for the
-- nearest rows of a large scope, and a B-tree and a sort for those of a small one.

\pset tuples_only on
\pset format unaligned

\getenv tests PG_ABS_SRCDIR
\i :tests/include/compare_rows.sql
CREATE FUNCTION compare(condition text) RETURNS text LANGUAGE sql AS
    $$ SELECT compare_rows('SELECT * FROM docs WHERE ' || condition, '%docs_scope%', 'of the index') $$;
-- The nodes of a plan, from the top, with the index of each.
CREATE FUNCTION nodes(node json) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(', ', (node->>'Node Type') || coalesce(' ' || (node->>'Index Name'), ''),
        (SELECT string_agg(nodes(child), ', ') FROM json_array_elements(node->'Plans') child))
$$;
CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    RETURN nodes(plan->0->'Plan');
END
$$;

-- All rows are sampled, so that estimates are the same each time.
SET default_statistics_target = 400;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
-- Every third row has a near one of its own tenant, and every third row one of another tenant. There are few tenants, or many, or
-- tenants of different sizes: number 7 has half of the rows, number 8 a few hundred, number 9 four, the others some dozens.
CREATE TABLE docs (id int PRIMARY KEY, few int, many int, mixed int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, i % 10, i % 5000,
        CASE WHEN i % 2 = 0 THEN 7 WHEN i <= 1000 THEN 8 WHEN i IN (1001, 1003, 1005) THEN 9 ELSE 1000 + i % 977 END, hashint8extended(i, 1)
    FROM generate_series(1, 60000) i;
INSERT INTO docs SELECT 60000 + id, few, many, mixed, fp # 9 FROM docs WHERE id % 6 < 2;
INSERT INTO docs SELECT 120000 + id, few + 1, many + 1, mixed + 1000, fp # 5 FROM docs WHERE id <= 60000 AND id % 3 = 0;
INSERT INTO docs SELECT 200000 + i, i % 10, i, 7, NULL FROM generate_series(1, 2000) i;
SELECT count(*), count(fp), count(*) FILTER (WHERE few = 7) AS few_7, count(*) FILTER (WHERE many = 7) AS many_7, count(*) FILTER (WHERE mixed = 7) AS mixed_7,
    count(*) FILTER (WHERE mixed = 8) AS mixed_8, count(*) FILTER (WHERE mixed = 9) AS mixed_9 FROM docs;

-- Searches within the scope of a row: around its fingerprint, around that of another scope, and around one that the table does not
-- have.
CREATE FUNCTION compare_scope(of_column text, of_row int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    scope int;
BEGIN
    EXECUTE format('SELECT %I FROM docs WHERE id = %s', of_column, of_row) INTO scope;
    RETURN QUERY SELECT compare(format('%I = %s AND simhash_near(fp, %s, %s)', of_column, scope, q, k))
        FROM unnest(ARRAY[(SELECT fp FROM docs WHERE id = of_row), (SELECT fp FROM docs WHERE id = 25), 42]) WITH ORDINALITY u (q, n),
            unnest(ARRAY[0, 3, 7, 20, 32, 64]) k ORDER BY n, k;
END
$$;
-- The nearest rows of a scope.
CREATE FUNCTION nearest(of_column text, scope int, wanted int) RETURNS text LANGUAGE sql AS $$
    SELECT format('%s = %s, %s rows: %s', of_column, scope, wanted,
        plan_of(format('SELECT * FROM docs WHERE %I = %s ORDER BY fp <~> 42 LIMIT %s', of_column, scope, wanted)))
$$;
\qecho == few scopes
CREATE INDEX docs_scope ON docs USING simhash (few, fp);
ANALYZE docs;
SELECT compare_scope('few', 7);
SELECT compare('few IN (7, 8, 100) AND simhash_near(fp, 42, 20)');
SELECT compare('few IS NULL AND simhash_near(fp, 42, 20)');
SELECT compare('few = 100 AND simhash_near(fp, 42, 20)');
SELECT nearest('few', 7, wanted) FROM unnest('{1,10,1000}'::int[]) wanted ORDER BY wanted;
CREATE INDEX docs_btree ON docs (few);
SELECT nearest('few', 7, wanted) FROM unnest('{1,10,1000}'::int[]) wanted ORDER BY wanted;
DROP INDEX docs_scope, docs_btree;
\qecho == many scopes
CREATE INDEX docs_scope ON docs USING simhash (many, fp);
ANALYZE docs;
SELECT compare_scope('many', 7);
SELECT compare_scope('many', 8);
CREATE INDEX docs_btree ON docs (many);
SELECT nearest('many', 8, wanted) FROM unnest('{1,10,1000}'::int[]) wanted ORDER BY wanted;
DROP INDEX docs_scope, docs_btree;
\qecho == large and small ones
CREATE INDEX docs_scope ON docs USING simhash (mixed, fp);
ANALYZE docs;
SELECT compare_scope('mixed', 12);
SELECT compare_scope('mixed', 7);
SELECT compare_scope('mixed', 1003);
SELECT nearest('mixed', 7, wanted) FROM unnest('{1,10,1000}'::int[]) wanted ORDER BY wanted;
CREATE INDEX docs_btree ON docs (mixed);
SELECT nearest('mixed', scope, wanted) FROM unnest('{7,8,9,2500}'::int[]) scope, unnest('{1,10,1000}'::int[]) wanted ORDER BY scope, wanted;

DROP TABLE docs;
DROP FUNCTION compare_rows, compare, compare_scope, nearest, plan_of, nodes;
