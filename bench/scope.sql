-- What bench/scope measures with, in addition to search.sql.

\ir search.sql

ALTER TABLE docs ADD tenant int;
CREATE TABLE asked (name text, k int, tenant int, fp bigint);

-- Rows of this many tenants, with fingerprints that have nothing in common, except three that are in 1, 100 and 10,000 tenants.
CREATE PROCEDURE fill_tenants(rows int, tenants int) LANGUAGE plpgsql AS $$
BEGIN
    CALL clear();
    TRUNCATE asked;
    INSERT INTO docs SELECT i, hashint8extended(i, 0), repeat('x', 55), dice(i, 3) % tenants FROM generate_series(1, rows) i;
    INSERT INTO docs SELECT rows + i, hashint8extended(copies, 77), repeat('x', 55), i % tenants
        FROM unnest('{1, 100, 10000}'::int[]) copies, generate_series(1, copies) i WHERE copies <= tenants;
    -- Rows with 0 to k bits flipped, in their tenant; and rows that are in many tenants, with one bit flipped.
    INSERT INTO asked
        SELECT 'other texts', k, tenant, fp # flips FROM unnest('{3, 7}'::int[]) k, generate_series(1, 1000) n
        JOIN docs ON id = 1 + dice(n, 1) % rows CROSS JOIN LATERAL (SELECT coalesce(bit_or(1::bigint << (dice(n, 1 + i) % 64)::int), 0) AS flips
            FROM generate_series(1, n % (k + 1)) i) f;
    INSERT INTO asked
        SELECT 'in ' || copies, k, tenant, hashint8extended(copies, 77) # (1::bigint << (n % 64)::int)
        FROM unnest('{1, 100, 10000}'::int[]) copies, unnest('{3, 7}'::int[]) k,
            LATERAL (SELECT tenant, row_number() OVER (ORDER BY id) AS n FROM docs WHERE fp = hashint8extended(copies, 77) LIMIT 300) d;
    -- The same queries for the nearest rows.
    INSERT INTO asked SELECT name, 64, tenant, fp FROM asked WHERE k = 3;
END $$;

-- Microseconds per run of a statement with `tenant` and `q`, with a generic plan, over half a second.
CREATE FUNCTION within(keep text, statement text, a_name text, a_k int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    tenants int[];
    fps bigint[];
BEGIN
    CALL drop_indexes(keep);
    SET LOCAL enable_seqscan = off;
    SELECT array_agg(tenant ORDER BY hashint8(fp)), array_agg(fp ORDER BY hashint8(fp)) INTO tenants, fps FROM asked WHERE name = a_name AND k = a_k;
    EXECUTE format($f$
        CREATE OR REPLACE FUNCTION within_pass(tenants int[], fps bigint[]) RETURNS float8 LANGUAGE plpgsql
        SET plan_cache_mode = force_generic_plan AS $p$
        DECLARE
            until timestamptz := clock_timestamp() + interval '0.5 seconds';
            start float8 := seconds();
            runs int := 0;
            a_tenant int;
            q bigint;
        BEGIN
            WHILE clock_timestamp() < until LOOP
                a_tenant := tenants[1 + runs %% cardinality(fps)];
                q := fps[1 + runs %% cardinality(fps)];
                PERFORM %s;
                runs := runs + 1;
            END LOOP;
            RETURN (seconds() - start) * 1e6 / runs;
        END $p$ $f$, statement);
    RETURN round(within_pass(tenants, fps)::numeric, 1);
END $$;

-- The indexes of the plan for one of the queries.
CREATE FUNCTION taken(statement text, a_name text, a_k int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    one asked;
    plan json;
BEGIN
    SELECT * INTO one FROM asked WHERE name = a_name AND k = a_k ORDER BY fp LIMIT 1;
    EXECUTE 'EXPLAIN (FORMAT JSON) SELECT ' || regexp_replace(replace(statement, 'a_tenant', one.tenant::text), '\mq\M', quote_literal(one.fp) || '::bigint') INTO plan;
    RETURN indexes_in(plan::jsonb -> 0);
END $$;

-- Rows per second of inserts in batches into an empty table, and bytes per row of its indexes.
CREATE FUNCTION filled(rows int, tenants int, OUT rate float8, OUT bytes float8) LANGUAGE plpgsql AS $$
DECLARE
    start float8 := seconds();
BEGIN
    FOR batch IN 0..9 LOOP
        INSERT INTO docs SELECT i, hashint8extended(i, 5), repeat('x', 55), dice(i, 3) % tenants
            FROM generate_series(batch * (rows / 10) + 1, (batch + 1) * (rows / 10)) i;
    END LOOP;
    rate := rows / (seconds() - start);
    bytes := pg_indexes_size('docs')::float8 / rows;
END $$;
