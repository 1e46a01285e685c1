-- What bench/wide measures with.

CREATE EXTENSION simhash;

CREATE TABLE docs (id int, fp bit(256));
-- Rows to insert.
CREATE TABLE pool (n int PRIMARY KEY, fp bit(256));
CREATE TABLE queries (k int, q int, fp bit(256), PRIMARY KEY (k, q));
-- The rows within k bits of each query, and those that the last statement found.
CREATE TABLE truth (k int, q int, id int);
CREATE TABLE found (q int, id int);

-- The processor time of this connection, as in search.sql.
CREATE FUNCTION seconds() RETURNS float8 LANGUAGE sql AS $$
    SELECT coalesce(split_part(pg_read_file('/proc/self/schedstat', 0, 100, true), ' ', 1)::float8 / 1e9,
                    extract(epoch FROM clock_timestamp()))
$$;

-- A random number, the same in every run.
CREATE FUNCTION dice(n bigint, seed int) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS 'SELECT hashint8extended(n, seed) & 9007199254740991';

-- 256 random bits.
CREATE FUNCTION random_bits(n bigint, seed int) RETURNS bit LANGUAGE sql IMMUTABLE AS $$
    SELECT hashint8extended(n, 4 * seed)::bit(64) || hashint8extended(n, 4 * seed + 1)::bit(64)
        || hashint8extended(n, 4 * seed + 2)::bit(64) || hashint8extended(n, 4 * seed + 3)::bit(64)
$$;

-- Bits of which 1/8, 1/16 … 1/256 are ones: 32, 16 … 1 on average.
CREATE FUNCTION sparse_bits(n bigint, halvings int) RETURNS bit LANGUAGE sql IMMUTABLE AS $$
    SELECT random_bits(n, 11) & random_bits(n, 12) & random_bits(n, 13)
        & CASE WHEN halvings > 3 THEN random_bits(n, 14) ELSE ~0::bit(256) END
        & CASE WHEN halvings > 4 THEN random_bits(n, 15) ELSE ~0::bit(256) END
        & CASE WHEN halvings > 5 THEN random_bits(n, 16) ELSE ~0::bit(256) END
        & CASE WHEN halvings > 6 THEN random_bits(n, 17) ELSE ~0::bit(256) END
        & CASE WHEN halvings > 7 THEN random_bits(n, 18) ELSE ~0::bit(256) END
$$;

-- Hashes that have nothing in common.
CREATE FUNCTION uniform(first int, last int) RETURNS TABLE (id int, fp bit) LANGUAGE sql AS $$
    SELECT i, random_bits(i, 0) FROM generate_series(first, last) i
$$;

-- Hashes as of pictures: every second one is a copy with 0 to some 45 other bits. There are a tenth as many originals as rows, and
-- few of them have many of the copies.
CREATE FUNCTION copied(first int, last int, originals int) RETURNS TABLE (id int, fp bit) LANGUAGE sql AS $$
    SELECT i, CASE WHEN i % 2 = 0 THEN random_bits(i, 0)
                   ELSE random_bits(((dice(i, 1) / 9007199254740992.0) ^ 2 * originals)::bigint, 1) # sparse_bits(i, (3 + dice(i, 2) % 6)::int) END
    FROM generate_series(first, last) i
$$;

CREATE PROCEDURE fill(kind text, rows int, spare int) LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE docs, pool, queries, truth;
    IF kind = 'uniform' THEN
        INSERT INTO docs SELECT * FROM uniform(1, rows);
        INSERT INTO pool SELECT id - rows, fp FROM uniform(rows + 1, rows + spare);
    ELSE
        INSERT INTO docs SELECT * FROM copied(1, rows, rows / 10);
        INSERT INTO pool SELECT id - rows, fp FROM copied(rows + 1, rows + spare, rows / 10);
    END IF;
    -- Queries: rows with 0 to k bits flipped.
    INSERT INTO queries
        SELECT k, q, fp # coalesce((SELECT bit_or(1::bit(256) << (dice(q, 4 + i) % 256)::int) FROM generate_series(1, q % (k + 1)) i), 0::bit(256))
        FROM unnest('{0, 15, 31}'::int[]) k, generate_series(1, 1000) q JOIN docs ON id = 1 + dice(q, 3) % rows;
END $$;

-- The exact answers, where faiss does not say them.
CREATE PROCEDURE find_truth() LANGUAGE sql AS $$
    INSERT INTO truth SELECT k, q, id FROM docs, queries WHERE bit_count(docs.fp # queries.fp) <= k
$$;

-- A share as a percentage. Only the whole is 100.
CREATE FUNCTION percent(a bigint, b bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN a = b THEN '100' ELSE to_char(floor(1000.0 * a / b) / 10, 'FM990.0') END || ' %'
$$;

-- A number with three digits or more, with commas.
CREATE FUNCTION shown(x float8) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT to_char(x::numeric, CASE WHEN x < 10 THEN 'FM0.00' WHEN x < 100 THEN 'FM90.0' ELSE 'FM999,999,990' END)
$$;

-- Microseconds per query of the queries for k, up to the number `most`, in one statement, and the share of the rows within k that
-- it finds. `statement` returns ids for a query q.fp. It must use the index of this name, or none if the name is NULL.
CREATE FUNCTION timed(statement text, a_k int, index text, most int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    all_queries text := format('SELECT q.q, d.id FROM (SELECT * FROM queries WHERE k = %s AND q <= %s) q, LATERAL (%s OFFSET 0) d',
        a_k, most, statement);
    plan jsonb;
    used text;
    start float8;
    runs int;
    rows bigint;
    least float8 := 'Infinity';
    right_rows bigint;
    wrong_rows bigint;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || all_queries INTO plan;
    SELECT string_agg(DISTINCT name #>> '{}', ', ') INTO used FROM jsonb_path_query(plan, 'strict $.**."Index Name"', silent => true) name
        WHERE name #>> '{}' <> 'queries_pkey';
    IF used IS DISTINCT FROM index THEN
        RAISE 'the plan has the indexes %, not %', used, index USING DETAIL = statement;
    END IF;
    -- The first run warms the caches.
    TRUNCATE found;
    EXECUTE 'INSERT INTO found ' || all_queries;
    FOR turn IN 1..2 LOOP
        start := seconds();
        runs := 0;
        WHILE runs = 0 OR seconds() < start + 0.3 LOOP
            EXECUTE format('SELECT count(*) FROM (%s) a', all_queries) INTO rows;
            runs := runs + 1;
        END LOOP;
        least := least(least, (seconds() - start) / runs);
    END LOOP;
    SELECT count(t.id) FILTER (WHERE f.id IS NOT NULL), count(f.id) FILTER (WHERE t.id IS NULL) INTO right_rows, wrong_rows
    FROM (SELECT q, id FROM truth WHERE k = a_k AND q <= most) t FULL JOIN found f USING (q, id);
    IF wrong_rows > 0 OR rows <> right_rows THEN
        RAISE '% rows are found that are not within % bits, or found twice', greatest(wrong_rows, rows - right_rows), a_k USING DETAIL = statement;
    END IF;
    RETURN format('%s (%s)', shown(least * 1e6 / most),
        percent(right_rows, (SELECT count(*) FROM truth WHERE k = a_k AND q <= most)));
END $$;

-- Creates an index: processor time in seconds and bytes per row.
CREATE PROCEDURE build(definition text, INOUT seconds float8 DEFAULT 0, INOUT bytes float8 DEFAULT 0) LANGUAGE plpgsql AS $$
DECLARE
    start float8 := seconds();
BEGIN
    EXECUTE 'CREATE INDEX docs_index ON docs USING ' || definition;
    seconds := seconds() - start;
    bytes := pg_relation_size('docs_index')::float8 / (SELECT count(*) FROM docs);
END $$;

-- Rows per second of processor time: this number of rows with a transaction for each, and as many in one statement.
CREATE PROCEDURE inserts(rows int, INOUT singly float8 DEFAULT 0, INOUT batch float8 DEFAULT 0) LANGUAGE plpgsql AS $$
DECLARE
    start float8 := seconds();
BEGIN
    FOR i IN 1..rows LOOP
        INSERT INTO docs SELECT 0, fp FROM pool WHERE n = i;
        COMMIT;
    END LOOP;
    singly := rows / (seconds() - start);
    start := seconds();
    INSERT INTO docs SELECT 0, fp FROM pool WHERE n > rows AND n <= 2 * rows;
    batch := rows / (seconds() - start);
END $$;
