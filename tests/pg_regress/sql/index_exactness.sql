-- An index with access method simhash finds what a sequential scan finds: for all k, kinds of scans and forms of conditions. The
-- oracle is PostgreSQL's own bit_count.
\getenv tests PG_ABS_SRCDIR
\i :tests/include/index_oracle.sql
-- Settings that make scans expensive would otherwise make the server compile queries.
SET jit = off;

CREATE TABLE queries (q int PRIMARY KEY, fp bigint) WITH (autovacuum_enabled = off);
-- Uniform, near a planted row, extreme, hot, and NULL.
INSERT INTO queries SELECT q, hashint8extended(q, 7) FROM generate_series(1, 4) q;
INSERT INTO queries VALUES (5, 0), (6, -1), (7, 9223372036854775807), (8, (-9223372036854775808)::bigint),
    (9, hashint8extended(99, 1)), (10, NULL);

-- Without a primary key, so that the table has no other index.
CREATE TABLE corpus (id serial, fp bigint, other bigint, note text) WITH (autovacuum_enabled = off, fillfactor = 70);
INSERT INTO corpus (fp) SELECT hashint8extended(i, 1) FROM generate_series(1, 2500) i;
-- Planted neighbours at all distances.
INSERT INTO corpus (fp) SELECT flipped(fp, d, s) FROM queries, generate_series(0, 64) d, generate_series(1, 3) s WHERE q < 10;
-- Hot values: more than fit on a page of the index.
INSERT INTO corpus (fp) SELECT 0 FROM generate_series(1, 1500);
INSERT INTO corpus (fp) SELECT hashint8extended(1, 7) FROM generate_series(1, 700);
INSERT INTO corpus (fp) SELECT NULL FROM generate_series(1, 200);
ANALYZE queries, corpus;

-- The rows within k of each query, without an index and without the extension.
CREATE TABLE oracle (q int, k int, matches bigint, ids numeric);
CREATE FUNCTION make_oracle() RETURNS void LANGUAGE sql AS $$
    DELETE FROM oracle;
    WITH distances AS (
        SELECT q, bit_count((corpus.fp # queries.fp)::bit(64))::int AS d, count(*) AS count, sum(hashint8(id)) AS ids
        FROM queries, corpus GROUP BY 1, 2
    )
    INSERT INTO oracle
        SELECT q, k, coalesce(sum(count) FILTER (WHERE d <= k), 0), coalesce(sum(ids) FILTER (WHERE d <= k), 0)
        FROM distances, generate_series(-1, 65) k GROUP BY q, k;
$$;
SELECT make_oracle();
SELECT k, sum(matches) AS rows FROM oracle WHERE k IN (-1, 0, 3, 7, 20, 32, 63, 64, 65) GROUP BY k ORDER BY k;

-- All searches of one kind, with fingerprint and k as parameters: how many return other rows than the oracle, and whether the index
-- is used. `condition` has the query as $1 and k as $2.
CREATE FUNCTION search(condition text, every int DEFAULT 1, OUT scan text, OUT searches int, OUT wrong int)
    LANGUAGE plpgsql AS $$
DECLARE
    o record;
    matches bigint;
    ids numeric;
BEGIN
    scan := scan_of(format('SELECT id FROM corpus WHERE %s', replace(replace(condition, '$1', '42'), '$2', '3')));
    searches := 0; wrong := 0;
    EXECUTE format('PREPARE search(bigint, int) AS
        SELECT count(*), coalesce(sum(hashint8(id)), 0) FROM corpus WHERE %s', condition);
    FOR o IN SELECT * FROM oracle JOIN queries USING (q) WHERE (k + q) % every = 0 LOOP
        EXECUTE format('EXECUTE search(%L, %s)', o.fp, o.k) INTO matches, ids;
        searches := searches + 1;
        wrong := wrong + ((matches, ids) IS DISTINCT FROM (o.matches, o.ids))::int;
    END LOOP;
    DEALLOCATE search;
END
$$;

-- The same with all kinds of scans and plans.
CREATE FUNCTION search_in_all_ways(every int, OUT way text, OUT scan text, OUT searches int, OUT wrong int)
    RETURNS SETOF record LANGUAGE plpgsql
    SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
BEGIN
    SET LOCAL enable_bitmapscan = off;
    way := 'index scan';
    SELECT s.* INTO scan, searches, wrong FROM search('simhash_near(fp, $1, $2)', 2 * every) s;
    RETURN NEXT;
    way := 'other argument';
    SELECT s.* INTO scan, searches, wrong FROM search('simhash_near($1, fp, $2)', 5 * every) s;
    RETURN NEXT;
    way := 'ball';
    SELECT s.* INTO scan, searches, wrong FROM search('fp <@ simhash_ball($1, $2)', 5 * every) s;
    RETURN NEXT;
    SET LOCAL enable_bitmapscan = on;
    SET LOCAL enable_indexscan = off;
    way := 'bitmap scan';
    SELECT s.* INTO scan, searches, wrong FROM search('simhash_near(fp, $1, $2)', 2 * every) s;
    RETURN NEXT;
    SET LOCAL plan_cache_mode = force_generic_plan;
    way := 'bitmap scan, generic plan';
    SELECT s.* INTO scan, searches, wrong FROM search('simhash_near($1, fp, $2)', 3 * every) s;
    RETURN NEXT;
    SET LOCAL enable_bitmapscan = off;
    SET LOCAL enable_indexscan = on;
    way := 'index scan, generic plan';
    SELECT s.* INTO scan, searches, wrong FROM search('simhash_near(fp, $1, $2)', every) s;
    RETURN NEXT;
END
$$;

CREATE INDEX corpus_fp ON corpus USING simhash (fp);
SELECT * FROM search_in_all_ways(1);
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('corpus_fp');
DROP INDEX corpus_fp;
CREATE INDEX corpus_fp ON corpus USING simhash (fp) WITH (rotations = 2, fillfactor = 10);
SELECT * FROM search_in_all_ways(5);
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('corpus_fp');
DROP INDEX corpus_fp;
CREATE INDEX corpus_fp ON corpus USING simhash (fp) WITH (rotations = 1, fillfactor = 100);
SELECT * FROM search_in_all_ways(5);
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('corpus_fp');
DROP INDEX corpus_fp;

-- An index that is filled row by row and has holes after vacuum: inserts, HOT updates, updates of the fingerprint, rows that were
-- rolled back.
CREATE TABLE before AS SELECT * FROM corpus;
TRUNCATE corpus;
CREATE INDEX corpus_fp ON corpus USING simhash (fp);
INSERT INTO corpus SELECT * FROM before ORDER BY hashint8extended(id, 5);
SELECT make_oracle();
SELECT * FROM search_in_all_ways(5);
UPDATE corpus SET note = 'hot' WHERE id % 3 = 0;
UPDATE corpus SET fp = -fp WHERE id % 7 = 0;
UPDATE corpus SET fp = NULL WHERE id % 101 = 0;
UPDATE corpus SET fp = 0 WHERE id % 103 = 0;
DELETE FROM corpus WHERE id % 5 = 0;
BEGIN;
INSERT INTO corpus (fp) SELECT fp FROM before;
ROLLBACK;
BEGIN;
SAVEPOINT a;
UPDATE corpus SET fp = 1;
ROLLBACK TO a;
DELETE FROM corpus WHERE fp = 0;
ROLLBACK TO a;
COMMIT;
SELECT make_oracle();
SELECT * FROM search_in_all_ways(5);
VACUUM corpus;
SELECT * FROM search_in_all_ways(5);
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('corpus_fp');
-- Tids of the table are used again.
INSERT INTO corpus (fp) SELECT flipped(fp, id % 65, id) FROM before WHERE id % 5 = 0;
DELETE FROM corpus WHERE id % 11 = 0;
VACUUM corpus;
SELECT make_oracle();
SELECT * FROM search_in_all_ways(5);
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('corpus_fp');
ANALYZE corpus;

-- Several conditions on the column, in both kinds of scan.
SET enable_seqscan = off;
SELECT * FROM compare($$simhash_near(fp, 0, 20) AND simhash_near(fp, -1, 50)$$);
SELECT * FROM compare($$simhash_near(fp, 0, 4) AND simhash_near(0, fp, 2)$$);
SELECT * FROM compare($$simhash_near(fp, 0, 3) AND simhash_near(fp, -1, 3)$$);
SELECT * FROM compare($$fp ~= 0$$);
SELECT * FROM compare($$0 ~= fp$$);
SELECT * FROM compare($$fp ~~= 0 AND NOT fp ~= 0$$);
SELECT * FROM compare($$fp ~~= 0 AND fp <> 0$$);
SELECT * FROM compare($$fp = 0 AND simhash_near(fp, 0, 3)$$);
SELECT * FROM compare($$fp = 0::int AND fp = 0::smallint$$);
SELECT * FROM compare($$fp = -1::int$$);
SELECT * FROM compare($$fp = (-1)::smallint$$);
SELECT * FROM compare($$fp = 9223372036854775807$$);
SELECT * FROM compare($$fp = ANY ('{0,-1,5,NULL,0}'::bigint[])$$);
SELECT * FROM compare($$fp IN (0, -1, 9223372036854775807)$$);
SELECT * FROM compare($$fp = ANY (NULL::bigint[])$$);
SELECT * FROM compare($$fp ~= ANY ('{0,-1,7}'::bigint[])$$);
SELECT * FROM compare($$fp ~= ALL ('{0,1}'::bigint[])$$);
SELECT * FROM compare($$fp <@ ANY (ARRAY[simhash_ball(0, 2), simhash_ball(-1, 2)])$$);
SELECT * FROM compare($$fp IS NULL$$);
SELECT * FROM compare($$fp IS NOT NULL$$);
SELECT * FROM compare($$fp IS NULL AND simhash_near(fp, 0, 64)$$);
SELECT * FROM compare($$fp IS NOT NULL AND simhash_near(fp, 0, 64)$$);
SELECT * FROM compare($$fp IS NULL AND fp IS NOT NULL$$);
SELECT * FROM compare($$fp IS NULL OR simhash_near(fp, 0, 1)$$);
SELECT * FROM compare($$simhash_near(fp, 0, 1) OR simhash_near(fp, -1, 1) OR fp = 5$$);
SELECT * FROM compare($$simhash_near(fp, 0, 3) AND id % 2 = 0$$);
SELECT * FROM compare($$simhash_near(fp, 0, 3) AND id < 100$$);
SELECT * FROM compare($$NOT simhash_near(fp, 0, 40)$$);
SELECT * FROM compare($$simhash_near(fp, 0, 30) IS NOT TRUE$$);
SELECT * FROM compare($$simhash_near(fp, NULL, 3)$$);
SELECT * FROM compare($$simhash_near(fp, 0, NULL)$$);
SELECT * FROM compare($$simhash_near(fp, fp, 3)$$);
SELECT * FROM compare($$simhash_near(fp, other, 3)$$);
SELECT * FROM compare($$simhash_near(fp, id, 20)$$);
SELECT * FROM compare($$simhash_near(fp, 0, id)$$);
SELECT * FROM compare($$simhash_near(fp, 0, id % 65)$$);
SELECT * FROM compare($$simhash_near(fp, (SELECT min(q) FROM queries), 20)$$);
SELECT * FROM compare($$simhash_near(fp, 0, (SELECT 5))$$);
SELECT * FROM compare($$simhash_near(fp, (SELECT NULL::bigint), 20)$$);
SELECT * FROM compare($$simhash_near(fp, 0, 2147483647)$$);
SELECT * FROM compare($$simhash_near(fp, 0, -2147483648)$$);

-- An expression whose value can differ from row to row is not a condition of the index.
CREATE FUNCTION counted(k int) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN k; END $$;
SELECT scan_of('SELECT FROM corpus WHERE simhash_near(fp, 0, counted(3))');
SELECT scan_of('SELECT FROM corpus WHERE simhash_near(fp, counted(0), 3)');
DROP FUNCTION counted;

-- A bitmap that does not fit into work_mem.
CREATE TABLE wide (id int, fp bigint, filler text) WITH (autovacuum_enabled = off);
INSERT INTO wide SELECT i, flipped(hashint8extended(i % 3, 2), i % 9, i), repeat('x', 1500) FROM generate_series(1, 6000) i;
CREATE INDEX wide_fp ON wide USING simhash (fp);
ANALYZE wide;
SET enable_indexscan = off;
SET work_mem = '64kB';
CREATE FUNCTION lossy_pages(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
        IF line LIKE '%lossy=%' THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END
$$;
SELECT lossy_pages('SELECT FROM wide WHERE simhash_near(fp, hashint8extended(1, 2), 6)');
SELECT k, count(*) = (SELECT count(*) FROM wide WHERE near_oracle(fp, hashint8extended(1, 2), k)) AS same, count(*)
FROM wide, generate_series(0, 9) k WHERE simhash_near(fp, hashint8extended(1, 2), k) GROUP BY k ORDER BY k;
RESET work_mem;
RESET enable_indexscan;
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('wide_fp');
DROP TABLE wide;
DROP FUNCTION lossy_pages;

-- Joins: the indexed column on either side, k a column too, both sides indexed, and every kind of join.
CREATE INDEX queries_fp ON queries USING simhash (fp);
SET enable_bitmapscan = off;
SELECT plan_of($$SELECT q, id FROM queries JOIN corpus ON simhash_near(corpus.fp, queries.fp, queries.q)$$);
SELECT * FROM compare_join('SELECT q, id FROM queries JOIN corpus ON simhash_near(corpus.fp, queries.fp, queries.q)');
SELECT * FROM compare_join('SELECT q, id FROM queries JOIN corpus ON simhash_near(queries.fp, corpus.fp, 5)');
SELECT * FROM compare_join('SELECT q, id FROM queries LEFT JOIN corpus ON simhash_near(queries.fp, corpus.fp, 1)');
SELECT * FROM compare_join('SELECT q, id FROM queries RIGHT JOIN corpus ON simhash_near(queries.fp, corpus.fp, 2)');
SELECT * FROM compare_join('SELECT q FROM queries WHERE EXISTS (SELECT FROM corpus WHERE simhash_near(corpus.fp, queries.fp, 1))');
SELECT * FROM compare_join('SELECT q FROM queries WHERE NOT EXISTS (SELECT FROM corpus WHERE simhash_near(corpus.fp, queries.fp, 15))');
SELECT * FROM compare_join('SELECT q FROM queries WHERE NOT EXISTS (SELECT FROM corpus WHERE simhash_near(corpus.fp, queries.fp, -1))');
SELECT * FROM compare_join('SELECT id FROM corpus WHERE id % 5 = 1 AND NOT EXISTS (SELECT FROM queries WHERE simhash_near(corpus.fp, queries.fp, 25))');
SELECT * FROM compare_join('SELECT id FROM corpus WHERE fp IN (SELECT fp FROM queries)');
SELECT * FROM compare_join('SELECT a.id, b.id AS other FROM corpus a JOIN corpus b ON simhash_near(a.fp, b.fp, 6) AND a.id % 40 = 1 AND a.fp <> b.fp');
SELECT * FROM compare_join('SELECT q, l.* FROM queries, LATERAL (SELECT id FROM corpus WHERE simhash_near(fp, queries.fp, q) ORDER BY id LIMIT 4) l');
SELECT * FROM compare_join('SELECT q, (SELECT count(*) FROM corpus WHERE simhash_near(fp, queries.fp, q + 1)) FROM queries');
-- A value that is the same for all rows is a condition on both sides.
SELECT * FROM compare_join('SELECT q, id FROM queries JOIN corpus ON simhash_near(corpus.fp, queries.fp, 3) WHERE simhash_near(queries.fp, 0, 3)');

-- Parallel workers: a bitmap that they share, and separate index scans.
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
ALTER TABLE corpus SET (parallel_workers = 2);
SET enable_indexscan = off; SET enable_bitmapscan = on;
SELECT plan_of($$SELECT count(*) FROM corpus WHERE simhash_near(fp, 0, 40) AND id % 3 < 2$$);
SELECT * FROM compare($$simhash_near(fp, 0, 40) AND id % 3 < 2$$);
SET enable_indexscan = on; SET enable_bitmapscan = off; SET enable_seqscan = on; SET enable_material = off;
SELECT plan_of($$SELECT a.id, b.id FROM corpus a JOIN corpus b ON simhash_near(a.fp, b.fp, 2)$$);
SET enable_seqscan = off;
SELECT * FROM compare_join('SELECT a.id, b.id AS other FROM corpus a JOIN corpus b ON simhash_near(b.fp, a.fp, 2) AND a.id % 50 = 1');
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET enable_material;
ALTER TABLE corpus RESET (parallel_workers);

-- Cursors can move backward, although the index cannot.
SET enable_bitmapscan = off;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT d FROM (SELECT id AS d FROM corpus WHERE simhash_near(fp, hashint8extended(2, 7), 4)) s;
SELECT plan_of($$DECLARE d SCROLL CURSOR FOR SELECT id FROM corpus WHERE simhash_near(fp, hashint8extended(2, 7), 4)$$);
CREATE TEMP TABLE forward (id int);
CREATE TEMP TABLE backward (id int);
DO $$
DECLARE
    c refcursor := 'c';
    row_id int;
BEGIN
    LOOP
        FETCH NEXT FROM c INTO row_id;
        EXIT WHEN NOT FOUND;
        INSERT INTO forward VALUES (row_id);
    END LOOP;
    LOOP
        FETCH PRIOR FROM c INTO row_id;
        EXIT WHEN NOT FOUND;
        INSERT INTO backward VALUES (row_id);
    END LOOP;
    MOVE ABSOLUTE 3 FROM c;
    FETCH RELATIVE 0 FROM c INTO row_id;
    RAISE NOTICE 'the third row is the third: %', row_id = (SELECT id FROM forward LIMIT 1 OFFSET 2);
END
$$;
SELECT (SELECT array_agg(id) FROM forward) = (SELECT array_agg(id ORDER BY ctid DESC) FROM backward) AS reversed,
       (SELECT array_agg(id ORDER BY id) FROM forward)
       = (SELECT array_agg(id ORDER BY id) FROM corpus WHERE near_oracle(fp, hashint8extended(2, 7), 4)) AS complete;
-- Rows that are deleted while a cursor is open are still in its result.
DECLARE h CURSOR WITH HOLD FOR SELECT count(*) OVER () FROM corpus WHERE simhash_near(fp, hashint8extended(2, 7), 4);
DELETE FROM corpus WHERE simhash_near(fp, hashint8extended(2, 7), 4);
SELECT count(*) FROM corpus WHERE simhash_near(fp, hashint8extended(2, 7), 4);
FETCH 1 FROM h;
ROLLBACK;

-- Statements that change the rows that they search.
BEGIN;
UPDATE corpus SET note = 'near ' || q FROM queries WHERE simhash_near(corpus.fp, queries.fp, 2) AND q = 3;
SELECT count(*), count(*) FILTER (WHERE near_oracle(fp, hashint8extended(3, 7), 2)) FROM corpus WHERE note = 'near 3';
-- The new version of a row is not found again, even if it is near.
UPDATE corpus SET fp = fp # 1 WHERE simhash_near(fp, 0, 5);
SELECT count(*) FROM corpus WHERE fp = 1;
SELECT count(*) FROM corpus WHERE near_oracle(fp, 1, 0);
WITH gone AS (DELETE FROM corpus USING queries WHERE simhash_near(corpus.fp, queries.fp, 1) AND q IN (6, 7) RETURNING id)
    SELECT count(*) > 0 AS deleted FROM gone;
SELECT count(*) FROM corpus JOIN queries ON near_oracle(corpus.fp, queries.fp, 1) WHERE q IN (6, 7);
MERGE INTO corpus USING queries ON simhash_near(corpus.fp, queries.fp, 0) AND q IN (2, 4)
    WHEN MATCHED THEN UPDATE SET note = 'merged'
    WHEN NOT MATCHED THEN INSERT (fp, note) VALUES (queries.fp, 'new');
SELECT note, count(*) FROM corpus WHERE note IN ('merged', 'new') GROUP BY note ORDER BY note;
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('corpus_fp');
ROLLBACK;
SELECT rows > 0 AS rows, missing_downlinks FROM simhash_index_check('corpus_fp');

-- Barrier views and row-level security: the search leaks nothing and hides nothing.
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM corpus WHERE id % 2 = 0;
SELECT plan_of($$SELECT id FROM barrier WHERE simhash_near(fp, 0, 3)$$);
SELECT (SELECT count(*) FROM barrier WHERE simhash_near(fp, 0, 3)) = (SELECT count(*) FROM corpus WHERE near_oracle(fp, 0, 3) AND id % 2 = 0) AS same;
CREATE ROLE simhash_regress_reader;
GRANT SELECT ON corpus TO simhash_regress_reader;
ALTER TABLE corpus ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON corpus USING (id % 2 = 1);
SELECT count(*) AS expected FROM corpus WHERE near_oracle(fp, 0, 3) AND id % 2 = 1;
SET ROLE simhash_regress_reader;
SELECT plan_of($$SELECT id FROM corpus WHERE simhash_near(fp, 0, 3)$$);
SELECT count(*) FROM corpus WHERE simhash_near(fp, 0, 3);
RESET ROLE;

DROP VIEW barrier;
DROP TABLE corpus, queries, oracle, before;
DROP ROLE simhash_regress_reader;
DROP FUNCTION make_oracle, search, search_in_all_ways, compare, compare_join, plan_of, scan_of, flipped, near_oracle;
