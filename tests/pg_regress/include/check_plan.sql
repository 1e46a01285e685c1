-- Whether the distance is at most k, by PostgreSQL's own functions and without an index.
CREATE FUNCTION near_oracle(a bigint, b bigint, k int DEFAULT 3) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS
    $$ SELECT bit_count((a # b)::bit(64)) <= k $$;

-- The output of EXPLAIN in the form of PostgreSQL 17 and newer. Older versions print "InitPlan 1 (returns $0)" and "$0".
CREATE FUNCTION show_plan(explain text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    plan text := '';
    line text;
    returns text[];
BEGIN
    FOR line IN EXECUTE explain LOOP
        plan := plan || line || E'\n';
    END LOOP;
    FOR returns IN SELECT regexp_matches(plan, 'InitPlan (\d+) \(returns \$(\d+)\)', 'g') LOOP
        plan := replace(plan, format(' (returns $%s)', returns[2]), '');
        plan := regexp_replace(plan, format('\$%s\M', returns[2]), format('(InitPlan %s).col1', returns[1]), 'g');
    END LOOP;
    RETURN QUERY SELECT * FROM string_to_table(rtrim(plan, E'\n'), E'\n');
END
$$;

-- The plan of a query, without Recheck Cond, which repeats the Index Conds; and whether the query finds the same rows as the
-- oracle. The oracle is the same query with near_oracle, if no other is given.
CREATE FUNCTION check_plan(query text, oracle text DEFAULT NULL) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    found bigint;
    wrong bigint;
BEGIN
    oracle := coalesce(oracle, replace(query, 'simhash_near(', 'near_oracle('));
    RETURN QUERY SELECT * FROM show_plan('EXPLAIN (COSTS OFF) ' || query) line WHERE line NOT LIKE '%Recheck Cond:%';
    EXECUTE format('SELECT count(*) FROM (%s) q', query) INTO found;
    EXECUTE format('SELECT count(*) FROM ((%1$s EXCEPT ALL %2$s) UNION ALL (%2$s EXCEPT ALL %1$s)) d',
                   '(' || query || ')', '(' || oracle || ')') INTO wrong;
    RETURN NEXT format('%s rows, %s wrong', found, wrong);
END
$$;
