-- With an index with access method simhash the planner expects what it finds, too: the number of rows within a factor of ten, and
-- the pages that a search reads.

\pset tuples_only on
\pset format unaligned

\getenv tests PG_ABS_SRCDIR
\i :tests/include/compare_rows.sql
CREATE FUNCTION compare(query text) RETURNS text LANGUAGE sql AS $$ SELECT compare_rows(query, '%docs_simhash%', 'of the index') $$;

-- All rows are sampled, so that estimates are the same each time.
SET default_statistics_target = 200;
CREATE TABLE docs (id int PRIMARY KEY, fp bigint) WITH (autovacuum_enabled = off);
\set restrictions 'SELECT compare(format(\'SELECT * FROM docs WHERE %s\', format(condition, q))) FROM unnest(ARRAY[\'simhash_near(fp, %s, 0)\', \'simhash_near(fp, %s, 3)\', \'simhash_near(fp, %s, 7)\', \'fp <@ simhash_ball(%s, 3)\', \'fp <@ simhash_ball(%s, 7)\', \'fp ~= %s\', \'fp ~~= %s\', \'fp = %s\']) WITH ORDINALITY c (condition, n), unnest(:queries) q ORDER BY n, q'

\qecho == evenly spread, two rows in three having a near one
INSERT INTO docs SELECT i, hashint8extended(i, 1) FROM generate_series(1, 30000) i;
INSERT INTO docs SELECT 30000 + id, fp # 5 FROM docs WHERE id % 2 = 0;
INSERT INTO docs SELECT 60000 + i, NULL FROM generate_series(1, 5000) i;
CREATE INDEX docs_simhash ON docs USING simhash (fp);
ANALYZE docs;
\set queries '(SELECT array_agg(fp) FROM docs WHERE id IN (1000, 1001))'
:restrictions;
SELECT compare('SELECT * FROM docs WHERE simhash_near(fp, (SELECT fp FROM docs WHERE id = 1000), 3)');
SELECT compare('SELECT * FROM docs WHERE fp ~= 42 AND fp ~~= 43');
SELECT compare('SELECT * FROM docs WHERE fp IS NULL');
SELECT compare('SELECT * FROM docs WHERE fp IS NOT NULL');
SELECT compare('SELECT * FROM docs WHERE NOT fp ~= 42');
\set joins 'SELECT compare(format(\'SELECT a.id FROM docs a JOIN docs b ON %s WHERE a.id <= 2000\', condition)) FROM unnest(ARRAY[\'simhash_near(a.fp, b.fp, 0)\', \'simhash_near(a.fp, b.fp, 3)\', \'a.fp <@ simhash_ball(b.fp, 3)\', \'a.fp ~= b.fp\', \'a.fp ~~= b.fp\', \'a.fp = b.fp\']) condition'
:joins;
SELECT compare('SELECT id FROM docs a WHERE id <= 2000 AND EXISTS (SELECT FROM docs b WHERE a.fp ~= b.fp)');

\qecho == a search costs more for a larger k, and with fewer rotations
CREATE FUNCTION cost(k int) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE format('EXPLAIN (FORMAT json) SELECT * FROM docs WHERE simhash_near(fp, 1, %s)', k) INTO plan;
    RETURN CASE WHEN plan::text LIKE '%docs_simhash%' THEN plan->0->'Plan'->>'Total Cost' END;
END
$$;
CREATE TABLE costs AS SELECT k, cost(k) FROM generate_series(0, 9) k;
SELECT count(cost) AS by_index, count(*) FILTER (WHERE cost < before) AS cheaper_than_smaller_k
    FROM (SELECT cost, lag(cost) OVER (ORDER BY k) AS before FROM costs) c;
DROP INDEX docs_simhash;
CREATE INDEX docs_simhash ON docs USING simhash (fp) WITH (rotations = 1);
SELECT count(*) FILTER (WHERE cost(k) < cost) AS cheaper_with_one_rotation FROM costs;
DROP INDEX docs_simhash;
CREATE INDEX docs_simhash ON docs USING simhash (fp);
DROP TABLE costs;
DROP FUNCTION cost;

\qecho == one fingerprint in every tenth row, another with many near it, and one common band
UPDATE docs SET fp = 1234567890123456789 WHERE id % 10 = 1;
UPDATE docs SET fp = 987654321 # (1::bigint << (id / 10 % 40)) WHERE id % 10 = 2;
UPDATE docs SET fp = (fp & 281474976710655) | (4660::bigint << 48) WHERE id % 10 = 3;
VACUUM ANALYZE docs;
\set queries 'ARRAY[1234567890123456789, 987654321, 1311768467294899695, 42]'
:restrictions;
SET enable_seqscan = off;
SET jit = off;
:restrictions;
SELECT compare(format('SELECT * FROM docs WHERE simhash_near(fp, %s, 20)', q)) FROM unnest(:queries) q;
RESET enable_seqscan;
SELECT compare(format('SELECT a.id FROM docs a JOIN docs b ON %s WHERE a.id <= 300', condition))
    FROM unnest(ARRAY['simhash_near(a.fp, b.fp, 3)', 'a.fp <@ simhash_ball(b.fp, 3)', 'a.fp ~= b.fp', 'a.fp ~~= b.fp']) condition;
SELECT rows, nulls FROM simhash_index_check('docs_simhash');

\qecho == real texts
\i :tests/include/real_texts.sql
\set queries '(SELECT array_agg(fp) FROM docs WHERE id IN (1000, 4000))'
:restrictions;
SELECT compare_searches();
SET enable_seqscan = off;
:restrictions;
SELECT compare_searches();
RESET enable_seqscan;
SELECT compare(format('SELECT a.id FROM docs a JOIN docs b ON %s WHERE a.id <= 300', condition))
    FROM unnest(ARRAY['simhash_near(a.fp, b.fp, 3)', 'a.fp <@ simhash_ball(b.fp, 3)', 'a.fp ~= b.fp', 'a.fp ~~= b.fp']) condition;
RESET jit;

\qecho == pages: as many as a search reads, for any k and number of rotations, and for the nearest rows
CREATE TABLE many (fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO many SELECT hashint8extended(i, 1) FROM generate_series(1, 200000) i;
-- The pages that the planner expects for a query, with costs that count only pages, and the pages that its execution reads.
CREATE FUNCTION pages(query text, OUT expected float8, OUT seen float8) LANGUAGE plpgsql
    SET cpu_tuple_cost = 0 SET cpu_index_tuple_cost = 0 SET cpu_operator_cost = 0 SET random_page_cost = 1 SET seq_page_cost = 1
    SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF, FORMAT json) ' || query INTO plan;
    IF plan::text NOT LIKE '%"Index Name": "many_fp"%' THEN
        RAISE 'the index is not used: %', plan;
    END IF;
    plan := plan->0->'Plan';
    expected := plan->>'Total Cost';
    seen := (plan->>'Shared Hit Blocks')::float8 + (plan->>'Shared Read Blocks')::float8;
END
$$;
-- Fingerprints that are in the table, and others.
CREATE TABLE queries AS SELECT hashint8extended(i, 1) AS q FROM generate_series(1, 5) i UNION ALL SELECT hashint8extended(i, 2) FROM generate_series(1, 5) i;
CREATE FUNCTION check_pages() RETURNS TABLE (k boolean[], grows boolean, nearest boolean) LANGUAGE sql AS $$
    WITH searches AS (
        SELECT k, q, expected, seen FROM generate_series(0, 9) k, queries,
            pages(format('SELECT * FROM many WHERE simhash_near(fp, %s, %s)', q, k))),
    sums AS (
        SELECT k, bool_and(expected BETWEEN 0.4 * seen AND 2.5 * seen) AS as_expected, sum(seen) AS seen, sum(expected) AS expected
        FROM searches GROUP BY k)
    SELECT array_agg(as_expected ORDER BY k),
        -- The growth from k = 0 to k = 9 is about the same factor.
        max(expected) FILTER (WHERE k = 9) / max(expected) FILTER (WHERE k = 0)
            BETWEEN 0.5 * max(seen) FILTER (WHERE k = 9) / max(seen) FILTER (WHERE k = 0)
                AND 2.0 * max(seen) FILTER (WHERE k = 9) / max(seen) FILTER (WHERE k = 0),
        (SELECT bool_and(expected BETWEEN 0.4 * seen AND 2.5 * seen) FROM queries,
            pages(format('SELECT * FROM many ORDER BY fp <~> %s LIMIT 10', q)))
    FROM sums
$$;
CREATE INDEX many_fp ON many USING simhash (fp) WITH (rotations = 4);
-- All rows are sampled.
SET default_statistics_target = 700;
ANALYZE many;
SELECT * FROM check_pages();
DROP INDEX many_fp;
CREATE INDEX many_fp ON many USING simhash (fp) WITH (rotations = 2);
ANALYZE many;
SELECT * FROM check_pages();
DROP INDEX many_fp;
CREATE INDEX many_fp ON many USING simhash (fp) WITH (rotations = 1);
ANALYZE many;
SELECT * FROM check_pages();
RESET default_statistics_target;
DROP TABLE many, queries;
DROP FUNCTION pages, check_pages;

DROP TABLE docs;
DROP FUNCTION compare_rows, compare, compare_searches;
