-- What bench/index measures with, in addition to search.sql. A statement has %1$s in place of the fingerprint to search for.

\ir search.sql

-- This is the k of queries that ask for the nearest rows.
CREATE FUNCTION any_distance() RETURNS int IMMUTABLE LANGUAGE sql RETURN 64;

-- The fingerprint that a tenth of the rows have in common.
CREATE FUNCTION crowd() RETURNS bigint IMMUTABLE LANGUAGE sql RETURN hashint8extended(0, 99);

CREATE PROCEDURE fill_equal(rows int) LANGUAGE plpgsql AS $$
BEGIN
    CALL fill_uniform(rows);
    TRUNCATE docs;
    INSERT INTO docs SELECT i, CASE WHEN i % 10 = 0 THEN crowd() ELSE hashint8extended(i, 0) END, repeat('x', 55)
        FROM generate_series(1, rows) i;
END $$;

-- Queries for the nearest rows: fingerprints that are removed from the table.
CREATE PROCEDURE take_out(rows int) LANGUAGE sql AS $$
    WITH gone AS (DELETE FROM docs WHERE id IN (SELECT 1 + dice(n, 7) % rows FROM generate_series(1, 1000) n) RETURNING fp)
    INSERT INTO queries SELECT any_distance(), fp FROM gone WHERE fp IS NOT NULL
$$;

-- Queries in a table with a crowd: for rows that have 16 bits in common with the crowd, or for the crowd itself.
CREATE PROCEDURE draw_beside() LANGUAGE sql AS $$
    TRUNCATE queries;
    INSERT INTO queries SELECT k, (crowd() >> 48 << 48) | (hashint8extended(n, 8) & 281474976710655)
        FROM unnest('{3, 7}'::int[] || any_distance()) k, generate_series(1, 1000) n
$$;
CREATE PROCEDURE draw_crowd() LANGUAGE sql AS $$
    TRUNCATE queries;
    INSERT INTO queries SELECT k, crowd() # (1::bigint << n) FROM unnest('{3, 7}'::int[] || any_distance()) k, generate_series(0, 63) n
$$;

-- The indexes of this extension's own access method.
CREATE PROCEDURE build_own() LANGUAGE plpgsql AS $$
BEGIN
    CALL build_index('rotations_4', 'USING simhash (fp)');
    CALL build_index('rotations_2', 'USING simhash (fp) WITH (rotations = 2)');
END $$;

-- Build time in seconds and bytes per row, of the indexes whose names match.
CREATE FUNCTION built(keep text, OUT seconds float8, OUT bytes float8) LANGUAGE sql AS $$
    SELECT sum(seconds), sum(pg_relation_size(to_regclass(index)))::float8 / (SELECT count(*) FROM docs)
    FROM builds WHERE index ~ keep
$$;

-- Microseconds and buffers per run of a statement with the indexes whose names match; NULL if it cannot use them.
CREATE FUNCTION measured(keep text, statement text, k int, OUT microseconds numeric, OUT buffers numeric) LANGUAGE plpgsql AS $$
DECLARE
    qs bigint[] := queries_of(k);
BEGIN
    CALL drop_indexes(keep);
    SET LOCAL enable_seqscan = off;
    IF keep <> '^$' AND indexes_in(explain('COSTS OFF', statement, qs[1])) = 'none' THEN
        RETURN;
    END IF;
    microseconds := round(prepared(statement, k)::numeric, 1);
    SELECT round(avg((plan ->> 'Shared Hit Blocks')::numeric + (plan ->> 'Shared Read Blocks')::numeric)) INTO buffers
    FROM (SELECT explain('ANALYZE, BUFFERS, TIMING OFF', statement, q) -> 'Plan' AS plan
          FROM unnest(qs[:CASE keep WHEN '^$' THEN 1 ELSE 20 END]) q) plans;
END $$;

-- How many rows all queries together find.
CREATE FUNCTION found(statement text, k int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    answer bigint;
BEGIN
    SET LOCAL enable_seqscan = off;
    EXECUTE format('SELECT count(*) FROM unnest(queries_of(%s)) q, LATERAL (SELECT %s) rows', k, format(statement, 'q')) INTO answer;
    RETURN answer;
END $$;

-- The time and WAL of inserts in batches, in the order of n.
CREATE TABLE batches (n int GENERATED ALWAYS AS IDENTITY, kind text, rows int, seconds float8, wal float8, after_checkpoint boolean);

-- Inserts further rows into docs with one statement.
CREATE PROCEDURE insert_batch(a_kind text, a_rows int, after_checkpoint boolean DEFAULT false) LANGUAGE plpgsql AS $$
DECLARE
    start float8 := seconds();
    before int := (SELECT coalesce(sum(rows), 0) FROM batches WHERE kind = a_kind);
    plan json;
BEGIN
    EXECUTE format($f$EXPLAIN (ANALYZE, WAL, TIMING OFF, FORMAT JSON)
        INSERT INTO docs SELECT i, hashint8extended(i, 5), repeat('x', 55) FROM generate_series(%s, %s) i$f$,
        before + 1, before + a_rows) INTO plan;
    INSERT INTO batches (kind, rows, seconds, wal, after_checkpoint)
        VALUES (a_kind, a_rows, seconds() - start, (plan #>> '{0,Plan,WAL Bytes}')::float8, after_checkpoint);
END $$;

CREATE PROCEDURE grow(kind text, rows int, batch int) LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN 1..rows / batch LOOP
        CALL insert_batch(kind, batch);
        COMMIT;
    END LOOP;
END $$;

-- Rows per second of all batches and of the last tenth of them; WAL bytes per row, also right after a checkpoint.
CREATE FUNCTION growth(a_kind text, OUT rate float8, OUT last_rate float8, OUT wal float8, OUT wal_first float8) LANGUAGE sql AS $$
    WITH own AS (SELECT *, percent_rank() OVER (ORDER BY n) >= 0.9 AS is_last FROM batches
                 WHERE kind = a_kind AND NOT after_checkpoint)
    SELECT sum(rows) / sum(seconds), sum(rows) FILTER (WHERE is_last) / sum(seconds) FILTER (WHERE is_last), sum(wal) / sum(rows),
        (SELECT b.wal / b.rows FROM batches b WHERE kind = a_kind AND after_checkpoint)
    FROM own
$$;
