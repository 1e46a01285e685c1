-- Compares the number of rows that the planner expects with the number that the query returns; zero counts as one. If they are
-- within a factor of ten, the result names `way` if the plan is like `mark`.
CREATE FUNCTION compare_rows(query text, mark text, way text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    plan json;
    expected float8;
    actual float8;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    EXECUTE format('SELECT count(*) FROM (%s) q', query) INTO actual;
    expected := greatest((plan->0->'Plan'->>'Plan Rows')::float8, 1);
    actual := greatest(actual, 1);
    RETURN CASE WHEN greatest(expected / actual, actual / expected) <= 10
           THEN format('%s: as expected%s', query, CASE WHEN plan::text LIKE mark THEN ' ' || way ELSE '' END)
           ELSE format('%s: %s expected, %s found', query, expected, actual) END;
END
$$;
