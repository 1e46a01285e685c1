-- ORDER BY fp <~> query by an index with access method simhash: the order of a sort, every row once, NULLs last.
\getenv tests PG_ABS_SRCDIR
\i :tests/include/index_oracle.sql
SET jit = off;
-- Settings that use the index wherever possible, and run a scan for each query.
SET enable_seqscan = off; SET enable_sort = off; SET enable_memoize = off;

CREATE TABLE corpus (id serial, fp bigint, kind int) WITH (autovacuum_enabled = off);
INSERT INTO corpus (fp) SELECT hashint8extended(i, 1) FROM generate_series(1, 6000) i;
INSERT INTO corpus (fp) SELECT flipped(hashint8extended(s, 7), d, s) FROM generate_series(0, 64) d, generate_series(1, 5) s;
INSERT INTO corpus (fp) SELECT 0 FROM generate_series(1, 1000);
INSERT INTO corpus (fp) SELECT NULL FROM generate_series(1, 700);
UPDATE corpus SET kind = id % 10;
VACUUM corpus;
CREATE INDEX corpus_fp ON corpus USING simhash (fp);
ANALYZE corpus;

-- Compares the rows by the index with those of a sort without the extension: distances in the same order, no row twice, none lost.
-- `rest` is the text between FROM corpus and ORDER BY, and may use the query as $1.
CREATE FUNCTION nearest(query bigint, n int DEFAULT NULL, rest text DEFAULT '', OUT plan text, OUT seen bigint, OUT same boolean)
    LANGUAGE plpgsql AS $$
DECLARE
    by_index text := 'SELECT id, fp FROM corpus ' || rest || ' ORDER BY fp <~> $1 LIMIT $2';
    distance text := 'bit_count((fp # $1)::bit(64))::int';
    expected int[];
    distances int[];
    ids int[];
    all_ids int[];
BEGIN
    plan := scan_of(replace(replace(by_index, '$1', coalesce(query::text, 'NULL')), '$2', '10'));
    EXECUTE format('SELECT array_agg(%s), array_agg(id) FROM (%s) r', distance, by_index)
        INTO distances, ids USING query, n;
    PERFORM set_config('enable_seqscan', 'on', true), set_config('enable_indexscan', 'off', true),
            set_config('enable_bitmapscan', 'off', true);
    EXECUTE format('SELECT array_agg(d) FROM (SELECT %1$s AS d FROM corpus %2$s ORDER BY %1$s LIMIT $2) r', distance, rest)
        INTO expected USING query, n;
    EXECUTE format('SELECT array_agg(id) FROM corpus %s', rest) INTO all_ids USING query, n;
    PERFORM set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'on', true),
            set_config('enable_bitmapscan', 'on', true);
    seen := coalesce(cardinality(ids), 0);
    same := distances IS NOT DISTINCT FROM expected AND NOT EXISTS (SELECT unnest(ids) EXCEPT SELECT unnest(all_ids))
        AND seen = (SELECT count(DISTINCT i) FROM unnest(ids) i);
END
$$;

SELECT plan_of($$SELECT id FROM corpus ORDER BY fp <~> 42 LIMIT 10$$);
SELECT plan_of($$SELECT id FROM corpus ORDER BY 42 <~> fp LIMIT 10$$);
SELECT plan_of($$SELECT id FROM corpus WHERE simhash_near(fp, 42, 9) AND kind = 3 ORDER BY fp <~> 42 LIMIT 10$$);
-- Orders that the index cannot provide: the farthest first, NULLs first, other expressions.
SELECT plan_of($$SELECT id FROM corpus ORDER BY fp <~> 42 DESC LIMIT 10$$);
SELECT plan_of($$SELECT id FROM corpus ORDER BY fp <~> 42 NULLS FIRST LIMIT 10$$);
SELECT scan_of('SELECT id FROM corpus ORDER BY fp <~> id LIMIT 10');
SELECT fp <~> 42 IS NULL AS null_first FROM corpus ORDER BY fp <~> 42 NULLS FIRST LIMIT 1;
SELECT fp <~> 42 IS NULL AS null_first FROM corpus ORDER BY fp <~> 42 DESC LIMIT 1;

SELECT q, n, s.* FROM (VALUES (0::bigint), (-1), (42), (hashint8extended(1, 7)), (hashint8extended(5, 7)), (NULL)) v (q),
    unnest('{1,10,500,7324,NULL}'::int[]) n, nearest(q, n) s;
SELECT count(*), bool_and(same) FROM generate_series(1, 60) i, nearest(hashint8extended(i, 9), 25);

-- With conditions: on other columns, a limit to the distance, several limits, a ball around another fingerprint, NULLs or none.
SELECT * FROM nearest(0, 20, 'WHERE kind = 7');
SELECT * FROM nearest(0, NULL, 'WHERE kind = 7');
SELECT * FROM nearest(42, 20, 'WHERE simhash_near(fp, 42, 15)');
SELECT k, s.* FROM unnest('{-1,0,5,20,32,63,64,65}'::int[]) k,
    nearest(hashint8extended(2, 7), NULL, format('WHERE simhash_near(fp, hashint8extended(2, 7), %s)', k)) s;
SELECT * FROM nearest(hashint8extended(2, 7), 20, 'WHERE simhash_near(fp, hashint8extended(2, 7), 15) AND kind < 5');
SELECT * FROM nearest(hashint8extended(2, 7), NULL, 'WHERE simhash_near(fp, hashint8extended(2, 7), 30) AND simhash_near(fp, hashint8extended(3, 7), 30)');
SELECT * FROM nearest(hashint8extended(2, 7), NULL, 'WHERE simhash_near(fp, hashint8extended(2, 7), 25) AND simhash_near(fp, hashint8extended(2, 7), 22)');
SELECT * FROM nearest(42, NULL, 'WHERE simhash_near(fp, hashint8extended(2, 7), 10)');
SELECT * FROM nearest(42, NULL, 'WHERE fp = 0');
SELECT * FROM nearest(0, 1000, 'WHERE fp ~= 0');
SELECT * FROM nearest(1, NULL, 'WHERE fp ~~= 0');
SELECT * FROM nearest(1, NULL, 'WHERE fp IS NULL');
SELECT * FROM nearest(1, NULL, 'WHERE fp IS NOT NULL');
SELECT * FROM nearest(1, 15, 'WHERE fp IS NOT NULL AND kind = 1');
SELECT * FROM nearest(1, NULL, 'WHERE fp IS NULL AND fp ~= 1');
SELECT * FROM nearest(NULL, NULL, 'WHERE fp ~= 0');
SELECT * FROM nearest(NULL, NULL, 'WHERE fp IS NOT NULL');
SELECT * FROM nearest(NULL, NULL, 'WHERE fp IS NULL');

-- Deleted, vacuumed, inserted row by row.
DELETE FROM corpus WHERE id % 3 = 0;
SELECT q, n, s.* FROM unnest(ARRAY[0, -1, hashint8extended(1, 7)]) q, unnest('{10,NULL}'::int[]) n, nearest(q, n) s;
VACUUM corpus;
SELECT q, n, s.* FROM unnest(ARRAY[0, -1, hashint8extended(1, 7)]) q, unnest('{10,NULL}'::int[]) n, nearest(q, n) s;
INSERT INTO corpus (fp, kind) SELECT CASE WHEN i % 9 > 0 THEN flipped(hashint8extended(i % 4, 7), i % 40, i) END, i % 10
    FROM generate_series(1, 2000) i;
SELECT q, n, s.* FROM unnest(ARRAY[0, -1, hashint8extended(1, 7)]) q, unnest('{10,NULL}'::int[]) n, nearest(q, n) s;

-- Two rotations and one.
DROP INDEX corpus_fp;
CREATE INDEX corpus_fp ON corpus USING simhash (fp) WITH (rotations = 2);
SELECT q, n, s.* FROM unnest(ARRAY[0, -1, hashint8extended(1, 7)]) q, unnest('{10,NULL}'::int[]) n, nearest(q, n) s;
DROP INDEX corpus_fp;
CREATE INDEX corpus_fp ON corpus USING simhash (fp) WITH (rotations = 1);
SELECT q, n, s.* FROM unnest(ARRAY[0, -1, hashint8extended(1, 7)]) q, unnest('{10,NULL}'::int[]) n, nearest(q, n) s;
DROP INDEX corpus_fp;
CREATE INDEX corpus_fp ON corpus USING simhash (fp);

-- Several distances: the index returns rows in the order of the first, and the server sorts those at equal distances, NULLs
-- included.
SET plan_cache_mode = force_generic_plan;
PREPARE two(bigint, bigint) AS SELECT id, fp <~> $1 AS a, fp <~> $2 AS b FROM corpus ORDER BY fp <~> $1, fp <~> $2;
SELECT plan_of($$EXECUTE two(1, 2)$$);
CREATE FUNCTION two(x bigint, y bigint, OUT seen bigint, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
    next record;
    distances int[] := '{}';
BEGIN
    FOR next IN EXECUTE format('EXECUTE two(%L, %L)', x, y) LOOP
        distances := distances || ARRAY[[coalesce(next.a, 65), coalesce(next.b, 65)]];
    END LOOP;
    seen := cardinality(distances) / 2;
    same := distances = (
        SELECT array_agg(ARRAY[a, b] ORDER BY a, b) FROM (
            SELECT coalesce(bit_count((fp # x)::bit(64)), 65)::int AS a, coalesce(bit_count((fp # y)::bit(64)), 65)::int AS b FROM corpus) d);
END
$$;
SELECT * FROM two(1, 2);
SELECT * FROM two(0, hashint8extended(1, 7));
SELECT * FROM two(hashint8extended(1, 7), 0);
SELECT * FROM two(NULL, 0);
SELECT * FROM two(0, NULL);
SELECT * FROM two(NULL, NULL);
PREPARE three(bigint, bigint, bigint) AS
    SELECT fp <~> $2 AS b, fp <~> $3 AS c FROM corpus ORDER BY fp <~> $1, fp <~> $2, fp <~> $3 LIMIT 3;
SELECT plan_of($$EXECUTE three(NULL, 0, 1)$$);
EXECUTE three(NULL, 0, 1);
-- Two columns with NULLs, or a query that is NULL, with indexes whose scope the query does not specify.
CREATE TABLE pairs (tenant int, a bigint, b bigint);
INSERT INTO pairs SELECT i % 3, nullif(i % 7, 0), nullif(i % 5, 0) FROM generate_series(1, 100) i;
CREATE INDEX pairs_both ON pairs USING simhash (b, a);
ANALYZE pairs;
SELECT plan_of('SELECT FROM pairs ORDER BY a <~> 1, b <~> 1');
SELECT array_agg(ARRAY[x, y]) = (SELECT array_agg(ARRAY[x, y] ORDER BY x, y) FROM (
        SELECT bit_count((a # 1)::bit(64))::int AS x, bit_count((b # 1)::bit(64))::int AS y FROM pairs) o) AS same
    FROM (SELECT a <~> 1 AS x, b <~> 1 AS y FROM pairs ORDER BY a <~> 1, b <~> 1) r;
DROP INDEX pairs_both;
CREATE INDEX pairs_tenant ON pairs USING simhash (tenant, a);
SELECT array_agg(y) = (SELECT array_agg(y ORDER BY y) FROM (SELECT bit_count((a # 1)::bit(64))::int AS y FROM pairs) o) AS same
    FROM (SELECT a <~> 1 AS y FROM pairs ORDER BY a <~> (SELECT NULL::bigint), a <~> 1) r;
DROP TABLE pairs;
-- A parameter, used again with other values.
PREPARE ten(bigint) AS SELECT count(*), max(fp <~> $1) FROM (SELECT fp FROM corpus ORDER BY fp <~> $1 LIMIT 10) r;
SELECT plan_of($$EXECUTE ten(1)$$);
EXECUTE ten(0);
EXECUTE ten(NULL);
EXECUTE ten(-1);
PREPARE far(bigint, int) AS SELECT count(*), count(fp) FROM (SELECT fp FROM corpus ORDER BY fp <~> $1 LIMIT $2) r;
EXECUTE far(0, 0);
EXECUTE far(0, 3);
EXECUTE far(0, NULL);
EXECUTE far(NULL, NULL);
DEALLOCATE ALL;
RESET plan_cache_mode;

-- LATERAL: the scan is restarted for each query, also for NULL.
CREATE TABLE queries (q int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO queries SELECT q, hashint8extended(q, 7) FROM generate_series(1, 5) q;
INSERT INTO queries VALUES (6, NULL), (7, 0), (8, 0);
ANALYZE queries;
SELECT plan_of($$SELECT q, l.d FROM queries, LATERAL (SELECT corpus.fp <~> queries.fp AS d FROM corpus ORDER BY corpus.fp <~> queries.fp LIMIT 3) l$$);
SELECT q, array_agg(l.d) AS by_index,
    (SELECT array_agg(d) FROM (SELECT bit_count((corpus.fp # min(queries.fp))::bit(64)) AS d FROM corpus ORDER BY d LIMIT 3) o) AS by_sort
FROM queries, LATERAL (SELECT corpus.fp <~> queries.fp AS d FROM corpus ORDER BY corpus.fp <~> queries.fp LIMIT 3) l
GROUP BY q ORDER BY q;
SELECT q, (SELECT fp FROM corpus ORDER BY corpus.fp <~> queries.fp LIMIT 1) = fp AS found FROM queries ORDER BY q;
DROP TABLE queries;

-- A cursor returns all its rows, while other rows are inserted and deleted.
BEGIN;
SELECT count(*) AS rows FROM corpus \gset
CREATE TEMP TABLE fetched (place serial, d int, id int);
DECLARE c CURSOR FOR SELECT fp <~> hashint8extended(1, 7) AS d, id FROM corpus ORDER BY fp <~> hashint8extended(1, 7);
MOVE 3 FROM c;
DELETE FROM corpus WHERE id % 7 = 0;
INSERT INTO corpus (fp) SELECT hashint8extended(1, 7) FROM generate_series(1, 600);
DO $$
DECLARE
    c refcursor := 'c';
    r record;
BEGIN
    LOOP
        FETCH c INTO r;
        EXIT WHEN NOT FOUND;
        INSERT INTO fetched (d, id) VALUES (r.d, r.id);
    END LOOP;
END
$$;
SELECT count(*) = :rows - 3 AS complete, count(DISTINCT id) = :rows - 3 AS each_once, bool_and(before <= coalesce(d, 65)) AS in_order
FROM (SELECT id, d, lag(coalesce(d, 65), 1, 0) OVER (ORDER BY place) AS before FROM fetched) f;
ROLLBACK;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT fp <~> hashint8extended(1, 7) AS d FROM corpus ORDER BY fp <~> hashint8extended(1, 7);
MOVE FORWARD ALL FROM c;
FETCH PRIOR FROM c;
FETCH ABSOLUTE 1 FROM c;
FETCH LAST FROM c;
FETCH FIRST FROM c;
ROLLBACK;

-- Less memory than needed for the rows that are not returned yet: many rows at one distance, first near ones, then farther ones.
CREATE TABLE crowded (id int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO crowded SELECT i, hashint8extended(i, 1) FROM generate_series(1, 20000) i;
INSERT INTO crowded SELECT i, 31 FROM generate_series(20001, 29000) i;
INSERT INTO crowded SELECT i, 127 << 20 FROM generate_series(29001, 38000) i;
INSERT INTO crowded SELECT i, NULL FROM generate_series(38001, 39000) i;
CREATE INDEX crowded_fp ON crowded USING simhash (fp);
ANALYZE crowded;
SET work_mem = '64kB';
CREATE FUNCTION histogram(query bigint, OUT seen bigint, OUT distinct_rows bigint, OUT in_order boolean, OUT same boolean)
    LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE seen_rows AS
        SELECT id, fp <~> query AS d, row_number() OVER () AS place FROM (SELECT * FROM crowded ORDER BY fp <~> query) o;
    SELECT count(*), count(DISTINCT id), bool_and(coalesce(before, -1) <= coalesce(d, 65)) INTO seen, distinct_rows, in_order
        FROM (SELECT id, d, lag(coalesce(d, 65)) OVER (ORDER BY place) AS before FROM seen_rows) r;
    same := NOT EXISTS (
        SELECT FROM (SELECT coalesce(d, 65) AS d, count(*) FROM seen_rows GROUP BY 1) a
        FULL JOIN (SELECT coalesce(bit_count((fp # query)::bit(64)), 65)::int AS d, count(*) FROM crowded GROUP BY 1) b USING (d)
        WHERE a.count IS DISTINCT FROM b.count);
    DROP TABLE seen_rows;
END
$$;
SELECT scan_of('SELECT id FROM crowded ORDER BY fp <~> 0');
SELECT q, h.* FROM unnest(ARRAY[0, 31, -1, 127 << 20, 31 | (127 << 20), hashint8extended(3, 1)]) q, histogram(q) h;
SELECT count(*), min(d), max(d) FROM (SELECT fp <~> 0 AS d FROM crowded WHERE simhash_near(fp, 0, 6) ORDER BY fp <~> 0) r;
RESET work_mem;
SELECT q, h.* FROM unnest(ARRAY[0, 31, hashint8extended(3, 1)]) q, histogram(q) h;
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('crowded_fp');
DROP TABLE crowded;

-- Partitions: their rows are merged in order.
CREATE TABLE parted (id int, fp bigint) PARTITION BY HASH (id);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 3, REMAINDER 0) WITH (autovacuum_enabled = off);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 3, REMAINDER 1) WITH (autovacuum_enabled = off);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES WITH (MODULUS 3, REMAINDER 2) WITH (autovacuum_enabled = off);
CREATE INDEX parted_fp ON parted USING simhash (fp);
INSERT INTO parted SELECT id, fp FROM corpus;
ANALYZE parted;
SELECT plan_of($$SELECT id FROM parted ORDER BY fp <~> 42 LIMIT 10$$);
SELECT (SELECT array_agg(d) FROM (SELECT fp <~> 42 AS d FROM parted ORDER BY fp <~> 42) o)
     = (SELECT array_agg(d) FROM (SELECT bit_count((fp # 42)::bit(64))::int AS d FROM corpus ORDER BY d) o) AS same;
SELECT rows > 0 AS rows, missing_downlinks FROM simhash_index_check('parted_0_fp_idx');
DROP TABLE parted;

-- The planner's choice: the index for few rows, also with a condition that half of the rows satisfy; a sort for all rows, and if
-- the condition leaves hardly more rows than requested.
RESET enable_seqscan; RESET enable_sort;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE many (id int, kind int, rare int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO many SELECT i, i % 2, i % 1000, hashint8extended(i, 1) FROM generate_series(1, 30000) i;
CREATE INDEX many_fp ON many USING simhash (fp);
VACUUM ANALYZE many;
SELECT rest, scan_of('SELECT id FROM many ' || rest) FROM unnest(ARRAY[
    'ORDER BY fp <~> 42 LIMIT 10', 'ORDER BY fp <~> 42 LIMIT 1000', 'WHERE kind = 1 ORDER BY fp <~> 42 LIMIT 10',
    'ORDER BY fp <~> 42', 'WHERE kind = 1 ORDER BY fp <~> 42', 'WHERE rare = 7 ORDER BY fp <~> 42 LIMIT 10']) rest;
RESET max_parallel_workers_per_gather;
DROP TABLE many;

SELECT rows > 0 AS rows, missing_downlinks FROM simhash_index_check('corpus_fp');
DROP TABLE corpus;
DROP FUNCTION nearest, two, histogram, compare, compare_join, plan_of, scan_of, flipped, near_oracle;
