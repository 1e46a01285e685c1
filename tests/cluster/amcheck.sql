-- bt_index_check of contrib's amcheck. A server that comes without contrib checks no index.
SELECT count(*) = 0 AS without_contrib FROM pg_available_extensions WHERE name = 'amcheck' \gset
\if :without_contrib
\warn left out: amcheck of the indexes, which this server lacks
CREATE FUNCTION bt_index_check(regclass, boolean) RETURNS boolean LANGUAGE sql AS 'SELECT true';
\else
CREATE EXTENSION amcheck;
\endif
