-- How long searches take, and what they find: for bench/peers and bench/peers-trgm, which have a table docs.

-- What is searched for: a fingerprint, the same as bits, and a text. A statement has %1$s, %2$s and %3$s in their place.
CREATE TABLE queries (q int PRIMARY KEY, fp bigint, bits bit(64), body text);
-- What the last statement found.
CREATE TABLE found (q int, id int);

-- The names of the indexes that a statement uses with a generic plan.
CREATE FUNCTION indexes_of(statement text) RETURNS text[] LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    plan jsonb;
BEGIN
    EXECUTE 'PREPARE searched (bigint, bit(64), text) AS ' || format(statement, '$1', '$2', '$3');
    EXECUTE (SELECT format('EXPLAIN (FORMAT JSON) EXECUTE searched (%L, %L, %L)', fp, bits, body)
             FROM queries ORDER BY q LIMIT 1) INTO plan;
    DEALLOCATE searched;
    RETURN ARRAY(SELECT name #>> '{}' FROM jsonb_path_query(plan, 'strict $.**."Index Name"', silent => true) name);
END $$;

-- Times a statement that returns ids: microseconds per query, in wall-clock time, with a generic plan, in one connection, after a
-- warm-up of all queries or of three seconds. It stops after six seconds; `queries` is the number of queries that ran. `replanned`
-- is the median of the first hundred with a custom plan for each, which the server chooses by default if it expects a gain.
--
-- The statement, or `planned` if the statement calls a function that contains it, must use the indexes `expected` and no others.
-- `forced` is true if it uses them only because sequential scans are off. No index is expected if `expected` is NULL.
CREATE FUNCTION timed(statement text, expected text, planned text, a_most int, OUT queries int, OUT median float8,
    OUT mean float8, OUT replanned float8, OUT forced boolean) LANGUAGE plpgsql AS $timed$
DECLARE
    used text[] := indexes_of(coalesce(planned, statement));
    took float8[];
BEGIN
    forced := used = '{}' AND expected IS NOT NULL;
    IF forced THEN
        PERFORM set_config('enable_seqscan', 'off', false);
        used := indexes_of(coalesce(planned, statement));
    END IF;
    IF expected IS NOT NULL THEN
        IF used = '{}' OR EXISTS (SELECT FROM unnest(used) name WHERE name !~ expected) THEN
            RAISE 'the plan has the indexes %, not %', used, expected USING DETAIL = statement;
        END IF;
    ELSIF used <> '{}' THEN
        RAISE 'the plan has the indexes %, not none', used USING DETAIL = statement;
    END IF;
    EXECUTE format($f$
        CREATE OR REPLACE FUNCTION pass(most int, seconds int) RETURNS float8[] LANGUAGE plpgsql AS $p$
        DECLARE
            until timestamptz := clock_timestamp() + seconds * interval '1 second';
            start timestamptz;
            query record;
            a_fp bigint;
            a_bits bit(64);
            a_body text;
            ids int[];
            took float8[] := '{}';
        BEGIN
            TRUNCATE found;
            FOR query IN SELECT * FROM queries ORDER BY q LIMIT most LOOP
                EXIT WHEN clock_timestamp() > until;
                a_fp := query.fp;
                a_bits := query.bits;
                a_body := query.body;
                start := clock_timestamp();
                ids := ARRAY(%s);
                took := took || 1e6 * extract(epoch FROM clock_timestamp() - start)::float8;
                INSERT INTO found SELECT query.q, unnest(ids);
            END LOOP;
            RETURN took;
        END $p$ $f$, format(statement, 'a_fp', 'a_bits', 'a_body'));
    PERFORM set_config('plan_cache_mode', 'force_custom_plan', false);
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY t) INTO replanned FROM unnest(pass(100, 2)) t;
    PERFORM set_config('plan_cache_mode', 'force_generic_plan', false);
    PERFORM pass(a_most, 3);
    took := pass(a_most, 6);
    queries := cardinality(took);
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY t), avg(t) INTO median, mean FROM unnest(took) t;
END $timed$;

-- For tables: a number with about three digits, with commas.
CREATE FUNCTION shown(x float8) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN x >= 99.5 THEN to_char(round(x::numeric, 2 - floor(log(x::numeric))::int), 'FM999,999,999,990')
                WHEN x >= 9.95 THEN to_char(x, 'FM90.0') ELSE to_char(x, 'FM0.00') END
$$;

-- The share of a in b, as a percentage.
CREATE FUNCTION percent(a bigint, b bigint) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN b = 0 THEN '' WHEN a = b THEN '100 %' ELSE to_char(floor(1000.0 * a / b) / 10, 'FM990.0') || ' %' END
$$;
