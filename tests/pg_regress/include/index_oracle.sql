-- fp with d bits flipped, the same bits in every run.
CREATE FUNCTION flipped(fp bigint, d int, seed bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT fp # coalesce(bit_xor(1::bigint << bit), 0)
    FROM (SELECT bit FROM generate_series(0, 63) bit ORDER BY hashint8extended(bit, seed * 100 + d), bit LIMIT d) chosen
$$;

-- Whether the distance is at most k, by PostgreSQL's own functions and without an index.
CREATE FUNCTION near_oracle(a bigint, b bigint, k int DEFAULT 3) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS
    $$ SELECT bit_count((a # b)::bit(64)) <= k $$;

-- The kind of scan of a plan's first table.
CREATE FUNCTION scan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line ~ 'Scan (using|on)' THEN
            RETURN (regexp_match(line, '(\w+( \w+)? Scan)'))[1];
        END IF;
    END LOOP;
    RETURN 'none';
END
$$;

-- The output of EXPLAIN, without the lines "Disabled" of PostgreSQL 18 and newer.
CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line !~ '^\s*Disabled: ' THEN
            RETURN NEXT line;
        END IF;
    END LOOP;
END
$$;

-- Rows of corpus that satisfy a condition, by an index scan, a bitmap scan and a sequential scan: how many, whether all are the
-- same, and whether there are plans of the first two kinds.
CREATE FUNCTION compare(condition text, OUT index_scan text, OUT bitmap_scan text, OUT matches bigint, OUT same boolean)
    LANGUAGE plpgsql AS $$
DECLARE
    query text := 'SELECT count(*), sum(hashint8(id)) FROM corpus WHERE ' || condition;
    by_index record;
    by_bitmap record;
    by_scan record;
BEGIN
    PERFORM set_config('enable_bitmapscan', 'off', true);
    index_scan := CASE scan_of(query) WHEN 'Index Scan' THEN 'yes' ELSE 'no' END;
    EXECUTE query INTO by_index;
    PERFORM set_config('enable_bitmapscan', 'on', true), set_config('enable_indexscan', 'off', true);
    bitmap_scan := CASE scan_of(query) WHEN 'Bitmap Heap Scan' THEN 'yes' ELSE 'no' END;
    EXECUTE query INTO by_bitmap;
    PERFORM set_config('enable_seqscan', 'on', true), set_config('enable_bitmapscan', 'off', true);
    EXECUTE query INTO by_scan;
    matches := by_scan.count;
    same := by_index IS NOT DISTINCT FROM by_scan AND by_bitmap IS NOT DISTINCT FROM by_scan;
    PERFORM set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'on', true);
END
$$;

-- A query, and the same with the oracle: how many rows, and how many differ.
CREATE FUNCTION compare_join(query text, OUT matches bigint, OUT wrong bigint) LANGUAGE plpgsql AS $$
DECLARE
    oracle text := replace(query, 'simhash_near(', 'near_oracle(');
BEGIN
    EXECUTE format('SELECT count(*) FROM (%s) q', query) INTO matches;
    EXECUTE format('SELECT count(*) FROM ((%1$s EXCEPT ALL %2$s) UNION ALL (%2$s EXCEPT ALL %1$s)) d',
                   '(' || query || ')', '(' || oracle || ')') INTO wrong;
END
$$;
