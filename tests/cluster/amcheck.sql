-- bt_index_check of contrib's amcheck. On a server without contrib no index is checked.
SELECT count(*) = 0 AS without_contrib FROM pg_available_extensions WHERE name = 'amcheck' \gset
\if :without_contrib
\warn left out: amcheck of the indexes, which this server lacks
CREATE FUNCTION bt_index_check(regclass, boolean) RETURNS boolean LANGUAGE sql AS 'SELECT true';
\else
CREATE EXTENSION amcheck;
\endif

-- Checks the B-tree indexes of a table and returns their number.
CREATE FUNCTION check_btrees(tab regclass) RETURNS bigint LANGUAGE sql AS $$
    -- Materialized: otherwise a plan may check indexes before it filters out those that are not valid.
    WITH valid AS MATERIALIZED (
        SELECT indexrelid FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = relam
        WHERE indrelid = tab AND amname = 'btree' AND indisvalid)
    SELECT count(bt_index_check(indexrelid, true)) FROM valid
$$;
