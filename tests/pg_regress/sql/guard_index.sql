-- The guard searches an index with access method simhash, where that is the only one that can help, and does with it what it
-- does with band indexes.

\pset tuples_only on
\pset format unaligned

-- Two tables of the same rows, one with bands and one with an index of whole fingerprints, under the same guard.
CREATE FUNCTION compare_guards(k int, action text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    new_fp bigint;
    different bigint;
    stored bigint;
    linked bigint;
    index_scans bigint;
    table_scans bigint;
BEGIN
    CREATE TABLE by_bands (id int PRIMARY KEY, fp bigint, near int, bits int);
    CREATE TABLE by_index (LIKE by_bands INCLUDING ALL);
    PERFORM simhash_create_index('by_bands', 'fp');
    CREATE INDEX by_index_fp ON by_index USING simhash (fp);
    EXECUTE (SELECT string_agg(format('CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON %I FOR EACH ROW
                 EXECUTE FUNCTION simhash_guard(''fp'', %L, %s);', t, k, action), ' ') FROM unnest('{by_bands,by_index}'::text[]) t);
    table_scans := pg_stat_get_xact_numscans('by_index'::regclass);
    FOR number IN 1 .. 120 LOOP
        -- 30 groups of four fingerprints, some 16, 8, 4, 2 and 1 bits away from the middle of their group.
        new_fp := hashint8extended(number % 30, 1) # (SELECT bit_and(hashint8extended(number, 1 + i)) FROM generate_series(1, 2 + number % 7) i);
        INSERT INTO by_bands VALUES (number, new_fp);
        INSERT INTO by_index VALUES (number, new_fp);
    END LOOP;
    index_scans := pg_stat_get_xact_numscans('by_index_fp'::regclass);
    table_scans := pg_stat_get_xact_numscans('by_index'::regclass) - table_scans;
    SELECT count(*) INTO different FROM (TABLE by_bands EXCEPT TABLE by_index UNION ALL (TABLE by_index EXCEPT TABLE by_bands)) d;
    SELECT count(*), count(near) INTO stored, linked FROM by_index;
    PERFORM simhash_index_check('by_index_fp');
    DROP TABLE by_bands, by_index;
    RETURN format('k = %s: %s different, %s stored, %s linked; %s scans of the index, %s of the table',
                  k, different, stored, linked, index_scans, table_scans);
END
$$;
-- Each in a transaction of its own, with as many locks as it may have.
SELECT format('SELECT compare_guards(%s, %L)', k, action)
    FROM unnest(ARRAY[$$'skip'$$, $$'link', 'into=near', 'distance=bits'$$]) action, generate_series(0, 15) k \gexec
DROP FUNCTION compare_guards;
