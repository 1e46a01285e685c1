-- What bench/search measures with. A condition has %1$s in place of the fingerprint to search for.

CREATE EXTENSION simhash;
-- On a server without contrib, the first queries warm the caches.
SELECT count(*) > 0 AS has_prewarm FROM pg_available_extensions WHERE name = 'pg_prewarm' \gset
\if :has_prewarm
CREATE EXTENSION pg_prewarm;
\endif
\ir passages.sql

CREATE TABLE docs (id int, fp bigint, filler text);
CREATE TABLE builds (index text, seconds float8);
CREATE TABLE queries (k int, fp bigint);

-- The processor time of this connection, which other processes affect less than the wall-clock time. The wall-clock time if the
-- processor time is not available.
CREATE FUNCTION seconds() RETURNS float8 LANGUAGE sql AS $$
    SELECT coalesce(split_part(pg_read_file('/proc/self/schedstat', 0, 100, true), ' ', 1)::float8 / 1e9,
                    extract(epoch FROM clock_timestamp()))
$$;

CREATE PROCEDURE clear() LANGUAGE plpgsql AS $$
BEGIN
    CALL drop_indexes('^$');
    TRUNCATE docs, builds, queries;
END $$;

-- Fills the table with fingerprints that have nothing in common.
CREATE PROCEDURE fill_uniform(rows int) LANGUAGE plpgsql AS $$
BEGIN
    CALL clear();
    INSERT INTO docs SELECT i, hashint8extended(i, 0), repeat('x', 55) FROM generate_series(1, rows) i;
END $$;

-- Fills the table with fingerprints of real passages.
CREATE PROCEDURE fill_real(rows int) LANGUAGE plpgsql AS $$
BEGIN
    CALL clear();
    CALL cut_passages();
    INSERT INTO docs SELECT n, simhash(body), repeat('x', 55) FROM drawn(rows);
END $$;

-- Queries: fingerprints of the table with 0 to k bits flipped.
CREATE PROCEDURE draw_queries(rows int) LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO queries
        SELECT k, fp # coalesce((SELECT bit_or(1::bigint << (dice(n, 1 + i) % 64)::int)
                FROM generate_series(1, n % (k + 1)) i), 0)
        FROM unnest('{0,3,7,10,14}'::int[]) k, generate_series(1, 1000) n
        JOIN docs ON id = 1 + dice(n, 1) % rows
        WHERE fp IS NOT NULL;
END $$;

-- Builds an index, records how long that took, and reads the index into memory.
CREATE PROCEDURE build_index(name text, definition text) LANGUAGE plpgsql AS $$
DECLARE
    start float8 := seconds();
BEGIN
    EXECUTE format('CREATE INDEX %I ON docs %s', name, definition);
    INSERT INTO builds VALUES (name, seconds() - start);
    IF to_regproc('pg_prewarm') IS NOT NULL THEN
        PERFORM pg_prewarm(name);
    END IF;
END $$;

-- Builds the bands for each of these numbers of bands.
CREATE PROCEDURE build_bands(VARIADIC numbers int[]) LANGUAGE plpgsql AS $$
DECLARE
    m int;
BEGIN
    FOREACH m IN ARRAY numbers LOOP
        FOR b IN 0..m - 1 LOOP
            CALL build_index(format('bands_%s_%s', m, b), format('(simhash_band(fp, %s, %s))', b, m));
        END LOOP;
    END LOOP;
END $$;

-- Four integer indexes as a user would write them without the extension, and four bands.
CREATE PROCEDURE build_indexes() LANGUAGE plpgsql AS $$
BEGIN
    FOR b IN 0..3 LOOP
        CALL build_index(format('hand_%s', b), format('((((fp >> %s) & 65535)::int))', 48 - 16 * b));
    END LOOP;
    CALL build_bands(4);
    IF to_regproc('pg_prewarm') IS NOT NULL THEN
        PERFORM pg_prewarm('docs');
    END IF;
END $$;

CREATE FUNCTION queries_of(a_k int) RETURNS bigint[]
    LANGUAGE sql AS 'SELECT array_agg(fp) FROM queries WHERE k = a_k';

-- The least value that `call`, which returns microseconds, has in three runs, or in fewer if they are long.
CREATE FUNCTION best(call text, qs bigint[], body text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    start timestamptz := clock_timestamp();
    microseconds float8;
    least float8 := 'Infinity';
BEGIN
    FOR i IN 1..3 LOOP
        EXECUTE call INTO microseconds USING qs, body;
        least := least(least, microseconds);
        EXIT WHEN clock_timestamp() > start + interval '1.8 seconds';
    END LOOP;
    RETURN least;
END $$;

-- Microseconds per run of `statement` with a generic plan, over half a second. A statement may use `body`, or its fingerprint
-- `body_fp`.
CREATE FUNCTION prepared(statement text, k int, body text DEFAULT '') RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format($f$
        CREATE OR REPLACE FUNCTION prepared_pass(qs bigint[], body text) RETURNS float8 LANGUAGE plpgsql
        SET plan_cache_mode = force_generic_plan AS $p$
        DECLARE
            body_fp bigint := simhash(body);
            until timestamptz := clock_timestamp() + interval '0.5 seconds';
            start float8 := seconds();
            runs int := 0;
            q bigint;
        BEGIN
            WHILE clock_timestamp() < until LOOP
                q := qs[1 + runs %% cardinality(qs)];
                PERFORM %s;
                runs := runs + 1;
            END LOOP;
            RETURN (seconds() - start) * 1e6 / runs;
        END $p$ $f$, format(statement, 'q'));
    RETURN best('SELECT prepared_pass($1, $2)', queries_of(k), body);
END $$;

-- The same, but the statement is parsed and planned each time.
CREATE FUNCTION unprepared(statement text, k int) RETURNS float8 LANGUAGE sql AS
    $$ SELECT best(format('SELECT unprepared_pass(%L, $1)', statement), queries_of(k), NULL) $$;

CREATE FUNCTION unprepared_pass(statement text, qs bigint[]) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    until timestamptz := clock_timestamp() + interval '0.5 seconds';
    start float8 := seconds();
    runs int := 0;
BEGIN
    WHILE clock_timestamp() < until LOOP
        EXECUTE 'SELECT ' || format(statement, format('%L::bigint', qs[1 + runs % cardinality(qs)]));
        runs := runs + 1;
    END LOOP;
    RETURN (seconds() - start) * 1e6 / runs;
END $$;

CREATE FUNCTION explain(options text, statement text, q bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE format('EXPLAIN (%s, FORMAT JSON) SELECT ', options) || format(statement, format('%L::bigint', q)) INTO plan;
    RETURN plan -> 0;
END $$;

-- The planning time in microseconds: the median.
CREATE FUNCTION planning(statement text, k int) RETURNS float8 LANGUAGE sql AS $$
    SELECT 1000 * percentile_cont(0.5) WITHIN GROUP (ORDER BY (explain('SUMMARY', statement, q) ->> 'Planning Time')::float8)
    FROM unnest((queries_of(k))[:200]) q
$$;

-- The kinds of indexes in a plan.
CREATE FUNCTION indexes_in(plan jsonb) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(DISTINCT regexp_replace(name #>> '{}', '_[0-9]$', ''), ','), 'none')
    FROM jsonb_path_query(plan, 'strict $.**."Index Name"', silent => true) name
$$;

-- Drops all indexes except those whose names match. The functions below call it in a transaction that is rolled back.
CREATE PROCEDURE drop_indexes(keep text) LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT index FROM builds WHERE index !~ keep LOOP
        EXECUTE format('DROP INDEX %I', name);
    END LOOP;
END $$;

-- How long a search of docs by a condition takes, with the indexes whose names match.
CREATE FUNCTION times(keep text, condition text, k int, OUT prepared numeric, OUT unprepared numeric) LANGUAGE plpgsql AS $$
DECLARE
    statement text := '1 FROM docs WHERE ' || condition;
BEGIN
    CALL drop_indexes(keep);
    SET LOCAL enable_seqscan = off;
    prepared := round(prepared(statement, k)::numeric, 1);
    unprepared := round(unprepared(statement, k)::numeric, 1);
END $$;

-- Further figures of such a search, and the indexes that the planner uses when sequential scans are on.
CREATE FUNCTION facts(keep text, condition text, a_k int, OUT planning float8, OUT probes float8, OUT candidates float8,
    OUT buffers float8, OUT megabytes float8, OUT build float8, OUT taken text) LANGUAGE plpgsql AS $$
DECLARE
    statement text := '1 FROM docs WHERE ' || condition;
BEGIN
    CALL drop_indexes(keep);
    taken := indexes_in(explain('COSTS OFF', statement, (queries_of(a_k))[1]));
    SELECT sum(pg_relation_size(to_regclass(index))) / 1e6, sum(seconds) INTO megabytes, build
    FROM builds WHERE index ~ keep;
    SET LOCAL enable_seqscan = off;
    planning := planning(statement, a_k);
    WITH plans AS (
        SELECT explain('ANALYZE, BUFFERS, TIMING OFF', statement, q) AS plan
        FROM unnest((queries_of(a_k))[:CASE keep WHEN '^$' THEN 1 ELSE 100 END]) q),
    nodes AS (SELECT jsonb_path_query(plan, 'strict $.** ? (exists (@."Node Type"))') AS node FROM plans),
    scans AS (SELECT node FROM nodes WHERE node ->> 'Relation Name' = 'docs')
    SELECT avg((node ->> 'Actual Rows')::float8 + (node ->> 'Rows Removed by Filter')::float8),
           avg((node ->> 'Shared Hit Blocks')::float8 + (node ->> 'Shared Read Blocks')::float8),
           (SELECT count(node ->> 'Index Cond') FROM nodes)::float8 / count(*)
    INTO candidates, buffers, probes FROM scans;
END $$;

-- Planning time in microseconds, with the support function and with the same condition written out.
CREATE FUNCTION overhead(OUT near float8, OUT written_out float8) LANGUAGE plpgsql AS $$
BEGIN
    CALL drop_indexes('^bands_4');
    near := planning('1 FROM docs WHERE simhash_near(fp, %1$s, 3)', 3);
    written_out := planning('1 FROM docs WHERE (simhash_band(fp, 0, 4) = simhash_band(%1$s, 0, 4)
        OR simhash_band(fp, 1, 4) = simhash_band(%1$s, 1, 4) OR simhash_band(fp, 2, 4) = simhash_band(%1$s, 2, 4)
        OR simhash_band(fp, 3, 4) = simhash_band(%1$s, 3, 4)) AND hamming(fp, %1$s) <= 3', 3);
END $$;

-- Microseconds of a query with a text of 10 kB, with its fingerprint, and of the fingerprint alone.
CREATE FUNCTION costly(OUT with_text float8, OUT with_fingerprint float8, OUT fingerprint float8) LANGUAGE plpgsql AS $$
DECLARE
    body text := (SELECT string_agg(substr(md5(i::text), 1, 6), ' ') FROM generate_series(1, 1430) i);
BEGIN
    CALL drop_indexes('^bands_4');
    with_text := prepared('1 FROM docs WHERE simhash_near(fp, simhash(body), 3)', 3, body);
    with_fingerprint := prepared('1 FROM docs WHERE simhash_near(fp, body_fp, 3)', 3, body);
    fingerprint := prepared('simhash(body)', 3, body);
END $$;
