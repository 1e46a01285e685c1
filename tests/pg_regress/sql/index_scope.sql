-- Indexes with columns before the fingerprint: USING simhash (tenant, fp) searches within a tenant.
\getenv tests PG_ABS_SRCDIR
\i :tests/include/index_oracle.sql
SET jit = off;

CREATE TYPE kind AS ENUM ('post', 'page', 'ticket');
CREATE DOMAIN tenant AS integer CHECK (VALUE > -2000);
-- Hot tenants and rare ones, NULLs everywhere, the same fingerprints in many tenants.
CREATE TABLE corpus (id int, tenant int, big bigint, small smallint, owner tenant, site text, name varchar(20), code char(6),
    uid uuid, live boolean, day date, at timestamptz, kind kind, raw bytea, amount numeric, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO corpus
SELECT i, t, t, t, t, 'Site ' || t, 'name ' || t, t, md5(t::text)::uuid, t % 2 = 0, '2026-01-01'::date + t,
       '2026-01-01 00:00+00'::timestamptz + t * interval '1 hour', (enum_range(NULL::kind))[1 + abs(t) % 3],
       decode(md5(t::text), 'hex'), t + 0.50, CASE WHEN i % 23 > 0 THEN flipped(hashint8extended(i % 60, 7), i % 9, i) END
FROM (SELECT i, CASE WHEN i % 17 = 0 THEN NULL WHEN i % 3 = 0 THEN 7 WHEN i % 3 = 1 THEN i % 40 - 5 ELSE i % 2000 - 1000 END AS t
      FROM generate_series(1, 6000) i) t;
INSERT INTO corpus SELECT 6000 + i, i, i, i, i, 'Site ' || i, 'name ' || i, i, md5(i::text)::uuid, true, '2026-01-01', '2026-01-01',
    'post', '', i + 0.5, 0 FROM generate_series(1, 500) i;
ANALYZE corpus;

-- Every type: the index is used, and finds what a sequential scan finds.
CREATE FUNCTION compare_types() RETURNS TABLE (indexed text, condition text, index_scan text, bitmap_scan text, matches bigint, same boolean)
    LANGUAGE plpgsql AS $f$
BEGIN
    FOR indexed, condition IN VALUES
        ('tenant', 'tenant = 7'), ('tenant', 'tenant = 7::bigint'), ('tenant', '7::smallint = tenant'), ('tenant', 'tenant = -3'),
        ('big', 'big = 7'), ('big', 'big = 7::smallint'), ('big', 'big = -3'), ('small', 'small = 7'), ('small', 'small = 7::bigint'),
        ('small', 'small = -3::smallint'), ('owner', 'owner = 7'), ('site', $c$site = 'Site 7'$c$), ('lower(site)', $c$lower(site) = 'site 7'$c$),
        ('name', $c$name = 'name 7'$c$), ('code', $c$code = '7'$c$), ('code', $c$code = '7  '::char(3)$c$),
        ('uid', 'uid = md5($$7$$)::uuid'), ('live', 'live'), ('live', 'NOT live'), ('live', 'live = true'), ('day', $c$day = '2026-01-08'$c$),
        ('at', $c$at = '2026-01-01 07:00+00'$c$), ('kind', $c$kind = 'page'$c$), ('raw', 'raw = decode(md5($$7$$), $$hex$$)'),
        ('amount', 'amount = 7.5'), ('amount', 'amount = 7.50000'), ('tenant', 'tenant IS NULL'), ('site', 'site IS NULL'),
        ('tenant, kind', $c$tenant = 7 AND kind = 'page'$c$), ('tenant, site, live', $c$live AND tenant = 8 AND site = 'Site 8'$c$),
        ('tenant, kind', 'tenant IS NULL AND kind IS NULL'), ('(tenant % 10)', 'tenant % 10 = 7')
    LOOP
        EXECUTE format('CREATE INDEX corpus_scope ON corpus USING simhash (%s, fp)', indexed);
        FOR index_scan, bitmap_scan, matches, same IN
            SELECT min(c.index_scan), min(c.bitmap_scan), sum(c.matches), bool_and(c.same)
            FROM (VALUES (0, 0), (1, 3), (2, 7), (3, 10), (4, 20), (5, 64), (6, -1)) AS v (q, k),
                compare(format('simhash_near(fp, %s, %s) AND %s', hashint8extended(q, 7), k, condition)) c LOOP
            RETURN NEXT;
        END LOOP;
        DROP INDEX corpus_scope;
    END LOOP;
END
$f$;
SET enable_seqscan = off;
SELECT * FROM compare_types();

-- All kinds of conditions.
CREATE INDEX corpus_scope ON corpus USING simhash (tenant, fp);
\d corpus_scope
SELECT * FROM simhash_index_check('corpus_scope');
SELECT * FROM compare($$tenant = 7 AND fp = 0$$);
SELECT * FROM compare($$tenant = 7 AND fp ~= 0$$);
SELECT * FROM compare($$tenant = 7 AND fp ~~= hashint8extended(3, 7)$$);
SELECT * FROM compare($$tenant = 7 AND simhash_near(fp, 0, 20) AND simhash_near(fp, -1, 50)$$);
SELECT * FROM compare($$tenant = 7 AND tenant = (SELECT 8) AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$tenant = (SELECT 7) AND simhash_near(fp, 0, (SELECT 20))$$);
SELECT * FROM compare($$tenant = NULL AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$tenant = (SELECT NULL::int) AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$tenant IN (7, 8, -3) AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$tenant = ANY ('{7,7,NULL,100000}') AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$tenant = ANY ('{}') AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$tenant = ANY ('{7,8}'::bigint[]) AND fp IN (0, 1)$$);
SELECT * FROM compare($$(tenant = 7 OR tenant = 8) AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$tenant = 7 AND (simhash_near(fp, 0, 2) OR simhash_near(fp, -1, 2))$$);
SELECT * FROM compare($$(tenant = 7 AND simhash_near(fp, 0, 20)) OR (tenant = 8 AND simhash_near(fp, 0, 3))$$);
SELECT * FROM compare($$tenant = 7 AND fp IS NULL$$);
SELECT * FROM compare($$tenant = 7 AND fp IS NOT NULL$$);
SELECT * FROM compare($$tenant IS NULL AND fp IS NULL$$);
SELECT * FROM compare($$tenant IS NOT NULL AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$tenant = 7 AND simhash_near(fp, 0, NULL)$$);
SELECT * FROM compare($$tenant = 100000 AND simhash_near(fp, 0, 64)$$);
-- If the conditions do not specify the scope, the whole index is read.
SELECT * FROM compare($$simhash_near(fp, 0, 3)$$);
SELECT * FROM compare($$tenant = 7$$);
SELECT * FROM compare($$tenant > 7 AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$tenant <> 7 AND fp = 0$$);
SELECT * FROM compare($$fp IS NULL$$);
SELECT * FROM compare($$true$$);
SELECT * FROM compare($$simhash_near(big, 7, 2) AND tenant = 7$$);
-- Then the planner does not choose it.
RESET enable_seqscan;
SELECT scan_of($$SELECT FROM corpus WHERE simhash_near(fp, 0, 3)$$) AS near, scan_of($$SELECT FROM corpus WHERE tenant > 7 AND simhash_near(fp, 0, 3)$$) AS ranges,
    scan_of($$SELECT FROM corpus ORDER BY fp <~> 0 LIMIT 1$$) AS nearest, scan_of($$SELECT FROM corpus WHERE tenant = 7$$) AS tenant,
    scan_of($$SELECT FROM corpus WHERE tenant = 7 AND simhash_near(fp, 0, 3)$$) AS within;

-- Plans.
SET enable_seqscan = off;
SELECT plan_of($$SELECT * FROM corpus WHERE tenant = 7 AND simhash_near(fp, 42, 3)$$);
SELECT plan_of($$SELECT * FROM corpus WHERE tenant IN (7, 8) AND simhash_near(fp, 42, 3)$$);
SELECT plan_of($$SELECT * FROM corpus WHERE tenant IS NULL AND simhash_near(fp, 42, 3)$$);
PREPARE within (bigint, bigint, int) AS SELECT count(*) FROM corpus WHERE tenant = $1 AND simhash_near(fp, $2, $3);
SET plan_cache_mode = force_generic_plan;
SELECT plan_of('EXECUTE within (7, 0, 3)');
EXECUTE within (7, 0, 20);
EXECUTE within (8, 0, 64);
EXECUTE within (NULL, 0, 20);
RESET plan_cache_mode;
DEALLOCATE within;

-- Joins.
CREATE TABLE queries AS SELECT i AS q, CASE WHEN i % 7 > 0 THEN i % 12 END AS tenant, (i % 12)::bigint AS big,
    hashint8extended(i, 7) AS fp FROM generate_series(0, 40) i;
ANALYZE queries;
SET enable_bitmapscan = off;
SELECT plan_of($$SELECT q, id FROM queries JOIN corpus ON corpus.tenant = queries.tenant AND simhash_near(corpus.fp, queries.fp, 3)$$);
SELECT * FROM compare_join('SELECT q, id FROM queries JOIN corpus ON corpus.tenant = queries.tenant AND simhash_near(corpus.fp, queries.fp, 7)');
SELECT * FROM compare_join('SELECT q, id FROM queries JOIN corpus ON corpus.tenant = queries.big AND simhash_near(corpus.fp, queries.fp, 9)');
SELECT * FROM compare_join('SELECT q, id FROM queries LEFT JOIN corpus ON corpus.tenant = queries.tenant AND simhash_near(queries.fp, corpus.fp, 2)');
SELECT * FROM compare_join('SELECT q FROM queries WHERE NOT EXISTS (SELECT FROM corpus WHERE corpus.tenant = queries.tenant AND simhash_near(corpus.fp, queries.fp, 3))');
SELECT * FROM compare_join('SELECT q, l.* FROM queries, LATERAL (SELECT id FROM corpus WHERE tenant = queries.big AND simhash_near(fp, queries.fp, q) ORDER BY id LIMIT 4) l');
SELECT * FROM compare_join('SELECT a.id, b.id AS other FROM corpus a JOIN corpus b ON a.tenant = b.tenant AND simhash_near(a.fp, b.fp, 6) AND a.id % 40 = 1');

-- The nearest rows of a scope, compared with a sort: the same distances in the same order, and the same number of rows.
CREATE FUNCTION nearest(condition text, query bigint, wanted int, OUT scan text, OUT rows bigint, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
    ordered text := format('SELECT bit_count((fp # %1$s)::bit(64)) AS d, %2$s AS fits FROM corpus WHERE %2$s ORDER BY fp <~> %1$s LIMIT %3$s',
        query, condition, wanted);
    by_index record;
    by_sort record;
BEGIN
    PERFORM set_config('enable_sort', 'off', true);
    scan := scan_of(ordered);
    EXECUTE format('SELECT array_agg(d) AS distances, count(*), bool_and(fits) AS fits FROM (%s) o', ordered) INTO by_index;
    PERFORM set_config('enable_indexscan', 'off', true), set_config('enable_sort', 'on', true);
    EXECUTE format('SELECT array_agg(d) AS distances, count(*), bool_and(fits) AS fits FROM (%s) o', ordered) INTO by_sort;
    PERFORM set_config('enable_indexscan', 'on', true);
    rows := by_index.count;
    same := by_index IS NOT DISTINCT FROM by_sort;
END
$$;
SELECT plan_of($$SELECT id FROM corpus WHERE tenant = 7 ORDER BY fp <~> 0 LIMIT 5$$);
SELECT condition, wanted, scan, sum(rows) AS rows, bool_and(same) AS same
FROM (VALUES ('tenant = 7'), ('tenant = -3'), ('tenant = 444'), ('tenant IS NULL'), ('tenant = 100000'), ('tenant = 7 AND simhash_near(fp, 0, 30)'),
    ('tenant = 7 AND fp IS NOT NULL'), ('tenant = 7 AND id % 2 = 0'), ('tenant > 7'), ('true'), ('simhash_near(fp, 0, 20)')) c (condition),
    unnest('{1,10,100000}'::int[]) wanted, unnest('{0,-1,81985529216486895}'::bigint[]) query, nearest(condition, query, wanted)
GROUP BY condition, wanted, scan ORDER BY condition, wanted, scan;
SELECT nearest('tenant = 7', hashint8extended(q, 7), 20) FROM generate_series(1, 5) q;
-- Ordered by two distances, by one that is NULL, and by a distance of another column.
SELECT plan_of($$SELECT id FROM corpus WHERE tenant = 7 ORDER BY fp <~> 0, fp <~> 1 LIMIT 5$$);
SET enable_sort = off;
SELECT array_agg(d) = (SELECT array_agg(d) FROM (SELECT (fp <~> 0, fp <~> 12345) AS d FROM corpus WHERE tenant = 7 AND id > 0 ORDER BY fp <~> 0, fp <~> 12345, id) s) AS same
FROM (SELECT (fp <~> 0, fp <~> 12345) AS d FROM corpus WHERE tenant = 7 ORDER BY fp <~> 0, fp <~> 12345) o;
SELECT count(*) FROM (SELECT FROM corpus WHERE tenant = 7 ORDER BY fp <~> NULL) o;
SELECT count(*) FROM (SELECT FROM corpus WHERE tenant = 7 ORDER BY fp <~> (SELECT NULL::bigint)) o;
RESET enable_sort;
DROP INDEX corpus_scope;
CREATE INDEX corpus_scope ON corpus USING simhash (big, fp);
SET enable_sort = off;
SELECT plan_of($$SELECT id FROM corpus WHERE big = 7 ORDER BY big <~> 1, fp <~> 0$$);
SELECT array_agg(d) = array_agg(d ORDER BY d) AS in_order, count(*) FROM (SELECT big <~> 7 AS d FROM corpus ORDER BY big <~> 7) o;
SELECT array_agg(d) = array_agg(d ORDER BY d) AS in_order, count(*) FROM (SELECT (fp <~> 7, big <~> 1) AS d FROM corpus WHERE big = 7 ORDER BY fp <~> 7, big <~> 1) o;
RESET enable_sort;
-- Both columns have the same operator class: a call on the tenant is not a condition of this index.
SELECT plan_of($$SELECT id FROM corpus WHERE simhash_near(big, 7, 0) AND simhash_near(fp, 0, 3)$$);
RESET enable_bitmapscan;
SELECT * FROM compare($$simhash_near(big, 7, 2) AND big = 7 AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$big ~= 7 AND fp ~= 0$$);
SELECT * FROM compare($$big ~= 7 AND big = 7 AND fp ~= 0$$);
DROP INDEX corpus_scope;

-- One column: integer literals of every type.
CREATE INDEX corpus_scope ON corpus USING simhash (fp);
SELECT plan_of($$SELECT id FROM corpus WHERE fp = 42$$);
SELECT * FROM compare($$fp = 0$$);
SELECT * FROM compare($$fp = 0::smallint$$);
SELECT * FROM compare($$0 = fp$$);
DROP INDEX corpus_scope;

-- Filled row by row, with holes, rebuilt, rebuilt concurrently.
CREATE TABLE before AS SELECT * FROM corpus;
TRUNCATE corpus;
CREATE INDEX corpus_scope ON corpus USING simhash (tenant, lower(site), fp) WITH (rotations = 2);
INSERT INTO corpus SELECT * FROM before ORDER BY hashint8extended(id, 5);
UPDATE corpus SET raw = '' WHERE id % 3 = 0;
UPDATE corpus SET tenant = -tenant WHERE id % 7 = 0;
UPDATE corpus SET site = upper(site) WHERE id % 5 = 0;
UPDATE corpus SET fp = NULL WHERE id % 101 = 0;
DELETE FROM corpus WHERE id % 11 = 0;
SELECT * FROM compare($$tenant = 7 AND lower(site) = 'site 7' AND simhash_near(fp, 0, 25)$$);
VACUUM corpus;
SELECT * FROM compare($$tenant = 7 AND lower(site) = 'site 7' AND simhash_near(fp, 0, 25)$$);
SELECT * FROM compare($$tenant = -7 AND lower(site) = 'site 7' AND simhash_near(fp, 0, 25)$$);
SELECT * FROM compare($$tenant IS NULL AND lower(site) IS NULL AND simhash_near(fp, 0, 25)$$);
SELECT rows + nulls = (SELECT count(*) FROM corpus) AS complete, missing_downlinks FROM simhash_index_check('corpus_scope');
REINDEX INDEX CONCURRENTLY corpus_scope;
SELECT rows + nulls = (SELECT count(*) FROM corpus) AS complete, missing_downlinks FROM simhash_index_check('corpus_scope');
SELECT * FROM compare($$tenant = 7 AND lower(site) = 'site 7' AND simhash_near(fp, 0, 25)$$);
DROP INDEX corpus_scope;

-- 32 columns, the maximum of the server.
CREATE INDEX corpus_scope ON corpus USING simhash (tenant, big, small, owner, site, name, code, uid, live, day, at, kind, raw, amount, tenant, big, small,
    owner, site, name, code, uid, live, day, at, kind, raw, amount, tenant, big, small, fp);
SELECT c.* FROM (SELECT * FROM corpus WHERE tenant = 8 AND site = 'Site 8' AND raw <> '' ORDER BY id LIMIT 1) o,
    compare(format('big = 8 AND small = 8 AND owner = 8 AND site = %L AND name = %L AND code = %L AND uid = %L AND live AND day = %L AND at = %L
        AND kind = %L AND raw = %L AND amount = 8.5 AND tenant = 8 AND simhash_near(fp, 0, 64)', site, name, code, uid, day, at, kind, raw)) c;
DROP INDEX corpus_scope;

-- Values that are toasted or compressed.
CREATE TABLE long_scopes (id int, scope text, fp bigint) WITH (autovacuum_enabled = off);
ALTER TABLE long_scopes ALTER scope SET STORAGE EXTERNAL;
INSERT INTO long_scopes SELECT i, repeat(chr(97 + i % 5), 1000 + 5000 * (i % 2)), i % 10 FROM generate_series(1, 200) i;
CREATE INDEX long_scopes_fp ON long_scopes USING simhash (scope, fp);
INSERT INTO long_scopes SELECT i, repeat(chr(97 + i % 5), 1000 + 5000 * (i % 2)), i % 10 FROM generate_series(201, 300) i;
SELECT scan_of($$SELECT FROM long_scopes WHERE scope = repeat('c', 6000) AND simhash_near(fp, 3, 0)$$);
SELECT count(*) FROM long_scopes WHERE scope = repeat('c', 6000) AND simhash_near(fp, 7, 0);
SELECT rows FROM simhash_index_check('long_scopes_fp');
DROP TABLE long_scopes;

-- A hash that is the same for all values: the server checks the columns of the rows that are found.
CREATE FUNCTION same_hash(int, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT 5::bigint';
CREATE OPERATOR CLASS colliding_ops FOR TYPE int USING simhash AS OPERATOR 2 = (int, int), FUNCTION 1 same_hash(int, bigint);
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'colliding_ops';
CREATE INDEX corpus_scope ON corpus USING simhash (tenant colliding_ops, fp);
SELECT * FROM simhash_index_check('corpus_scope');
SELECT * FROM compare($$tenant = 7 AND simhash_near(fp, 0, 20)$$);
SELECT * FROM compare($$tenant = 8 AND fp = 0$$);
SELECT * FROM compare($$tenant IN (7, 8) AND fp ~~= 0$$);
SELECT * FROM compare($$tenant IS NULL AND simhash_near(fp, 0, 30)$$);
SET enable_bitmapscan = off;
SELECT nearest('tenant = 8', 0, 10);
RESET enable_bitmapscan;
-- A family without a hash for the type on the right: the whole index is read.
ALTER OPERATOR FAMILY colliding_ops USING simhash ADD OPERATOR 2 = (int, bigint);
SELECT * FROM compare($$tenant = 7::bigint AND simhash_near(fp, 0, 20)$$);
DROP INDEX corpus_scope;
CREATE TABLE colliding (tenant int, fp bigint, EXCLUDE USING simhash (tenant colliding_ops WITH =, fp WITH ~=));
INSERT INTO colliding VALUES (1, 0), (2, 0), (3, 1), (NULL, 0), (NULL, 0);
INSERT INTO colliding VALUES (4, 0), (1, 7);
INSERT INTO colliding SELECT i, i % 4 FROM generate_series(1, 8) i ON CONFLICT DO NOTHING;
TABLE colliding ORDER BY tenant, fp;
DROP TABLE colliding;
-- A hash that fails.
CREATE FUNCTION failing_hash(int, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT AS 'SELECT 1::bigint / $1';
CREATE OPERATOR CLASS failing_ops FOR TYPE int USING simhash AS OPERATOR 2 = (int, int), FUNCTION 1 failing_hash(int, bigint);
CREATE TABLE failing (tenant int, fp bigint);
CREATE INDEX failing_fp ON failing USING simhash (tenant failing_ops, fp);
INSERT INTO failing VALUES (1, 1);
INSERT INTO failing VALUES (0, 1);
SELECT * FROM failing WHERE tenant = 0 AND simhash_near(fp, 1, 3);
SELECT * FROM failing WHERE tenant = 1 AND simhash_near(fp, 1, 3);
DROP TABLE failing;

-- Declarations that are refused.
CREATE INDEX ON corpus USING simhash (fp, tenant);
CREATE INDEX ON corpus USING simhash (tenant);
CREATE INDEX ON corpus USING simhash (fp, site);
CREATE INDEX ON corpus USING simhash (tenant, fp) INCLUDE (id);
CREATE INDEX ON corpus USING simhash (tenant DESC, fp);
CREATE UNIQUE INDEX ON corpus USING simhash (tenant, fp);
CREATE INDEX ON corpus USING simhash ((point(tenant, tenant)), fp);
CREATE INDEX ON corpus USING simhash (tenant colliding_ops);
ALTER TABLE corpus ADD EXCLUDE USING simhash (tenant WITH <>, fp WITH ~=);
-- Operator classes that do not fit.
CREATE FUNCTION short_hash(int) RETURNS int LANGUAGE sql IMMUTABLE STRICT AS 'SELECT $1';
CREATE OPERATOR CLASS odd_ops FOR TYPE int USING simhash AS OPERATOR 2 = (int, int);
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'odd_ops';
DROP OPERATOR FAMILY odd_ops USING simhash;
CREATE OPERATOR CLASS odd_ops FOR TYPE int USING simhash AS OPERATOR 2 = (int, int), FUNCTION 1 short_hash(int);
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'odd_ops';
DROP OPERATOR FAMILY odd_ops USING simhash;
SELECT opcname, amvalidate(c.oid) FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod WHERE amname = 'simhash' AND opcname LIKE 'simhash%' ORDER BY opcname;

-- Row-level security: the search uses a policy that is an equality.
CREATE INDEX corpus_scope ON corpus USING simhash (tenant, fp);
ALTER TABLE corpus ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON corpus USING (tenant = current_setting('app.tenant')::int);
CREATE ROLE regress_simhash_tenant;
GRANT SELECT ON corpus TO regress_simhash_tenant;
SET ROLE regress_simhash_tenant;
SET app.tenant = 7;
EXPLAIN (COSTS OFF) SELECT id FROM corpus WHERE simhash_near(fp, 0, 3);
SELECT count(*), min(tenant), max(tenant) FROM corpus WHERE simhash_near(fp, 0, 20);
SET app.tenant = 8;
SELECT count(*), min(tenant), max(tenant) FROM corpus WHERE simhash_near(fp, 0, 20);
EXPLAIN (COSTS OFF) SELECT id FROM corpus ORDER BY fp <~> 0 LIMIT 3;
RESET ROLE;
SELECT tenant, count(*) FROM corpus WHERE tenant IN (7, 8) AND near_oracle(fp, 0, 20) GROUP BY tenant ORDER BY tenant;
DROP POLICY own ON corpus;
REVOKE ALL ON corpus FROM regress_simhash_tenant;
DROP ROLE regress_simhash_tenant;

DROP TABLE corpus, before, queries;

-- Special values: equal values that are written or stored differently, infinities and NaN; domains over enums, for which the server
-- itself has no operators, and over domains.
CREATE DOMAIN post_kind AS kind CHECK (VALUE <> 'ticket');
CREATE DOMAIN word AS text;
CREATE DOMAIN short_word AS word CHECK (length(VALUE) < 10);
CREATE TABLE corpus (id int, amount numeric, day date, at timestamptz, kind post_kind, word short_word, live boolean, fp bigint)
    WITH (autovacuum_enabled = off);
INSERT INTO corpus
SELECT i, ('{NaN,Infinity,-Infinity,0,-0,0.000,1.0,1.00,1e0,NULL}'::text[])[1 + i % 10]::numeric,
    ('{infinity,-infinity,2026-01-01,epoch,NULL}'::date[])[1 + i % 5],
    ('{infinity,-infinity,2026-01-01 01:00+01,2026-01-01 00:00+00,NULL}'::timestamptz[])[1 + i % 5], CASE WHEN i % 7 > 0 THEN (enum_range(NULL::kind))[1 + i % 2] END,
    (ARRAY['', ' ', 'word', 'Word'])[1 + i % 4], i % 3 > 0, CASE WHEN i % 23 > 0 THEN flipped(hashint8extended(i % 60, 7), i % 9, i) END
FROM generate_series(1, 3000) i;
ANALYZE corpus;
SELECT amount::text, count(*) FROM corpus GROUP BY 1 ORDER BY 1;
CREATE FUNCTION compare_values() RETURNS TABLE (indexed text, condition text, index_scan text, bitmap_scan text, matches bigint, near bigint, same boolean)
    LANGUAGE plpgsql AS $f$
BEGIN
    FOR indexed, condition IN VALUES
        ('amount', $c$amount = 'NaN'$c$), ('amount', $c$amount = 'Infinity'$c$), ('amount', $c$amount = '-Infinity'$c$), ('amount', 'amount = 0'),
        ('amount', 'amount = -0.0'), ('amount', 'amount = 1'), ('amount', 'amount = 1.00'), ('amount', 'amount = 1::numeric(30, 20)'),
        ('amount', $c$amount IN ('NaN', 0.0, 1e0)$c$), ('trunc(amount, 1)', 'trunc(amount, 1) = 1'), ('trunc(amount, 1)', $c$trunc(amount, 1) = 'NaN'$c$),
        ('day', $c$day = 'infinity'$c$), ('day', $c$day = '-infinity'$c$), ('day', $c$day = '1970-01-01'$c$),
        ('at', $c$at = 'infinity'$c$), ('at', $c$at = '-infinity'$c$), ('at', $c$at = '2026-01-01 02:00+02'$c$),
        ('day, at', $c$day = 'infinity' AND at = 'infinity'$c$), ('day, at', $c$day = 'infinity' AND at = '-infinity'$c$),
        ('kind', $c$kind::kind = 'page'$c$), ('kind', $c$kind::kind = 'ticket'$c$), ('(kind::kind)', $c$kind::kind = 'post'$c$), ('kind', 'kind IS NULL'),
        ('word', $c$word = 'word'$c$), ('word', $c$word = 'Word'::short_word$c$), ('word', $c$word = ''$c$), ('word', $c$word = ' '$c$),
        ('kind, word', $c$kind::kind = 'page' AND word = ' '$c$)
    LOOP
        EXECUTE format('CREATE INDEX corpus_scope ON corpus USING simhash (%s, fp)', indexed);
        SELECT min(c.index_scan), min(c.bitmap_scan), sum(c.matches), sum(c.matches) FILTER (WHERE k < 64), bool_and(c.same)
            FROM (VALUES (0, 0), (1, 3), (2, 7), (3, 10), (4, 20), (5, 64)) AS v (q, k),
                compare(format('simhash_near(fp, %s, %s) AND %s', hashint8extended(q, 7), k, condition)) c
            INTO index_scan, bitmap_scan, matches, near, same;
        RETURN NEXT;
        DROP INDEX corpus_scope;
    END LOOP;
END
$f$;
SELECT * FROM compare_values();

-- The fingerprint itself as the scope.
CREATE INDEX corpus_scope ON corpus USING simhash (fp, fp);
SELECT * FROM simhash_index_check('corpus_scope');
SET enable_bitmapscan = off;
SELECT plan_of(format('SELECT id FROM corpus WHERE fp = %s AND simhash_near(fp, 0, 30)', hashint8extended(3, 7)));
RESET enable_bitmapscan;
SELECT c.* FROM unnest(ARRAY['fp = %s', 'fp = %s AND simhash_near(fp, %s, 0)', 'fp = %s AND simhash_near(fp, %s, 7)', 'fp = %s AND simhash_near(fp, %s # 1, 0)',
    'fp = %s AND simhash_near(fp, %s # 7, 3)', 'fp IN (%s, 5) AND fp ~= %s', 'simhash_near(fp, %s, 3)', 'fp ~= %s AND fp ~= (%s # 1)', 'fp IS NULL', 'fp IS NULL AND fp = %s'])
    WITH ORDINALITY conditions (condition, n), hashint8extended(9, 7) fingerprint, compare(format(condition, fingerprint, fingerprint)) c ORDER BY n;
SET enable_bitmapscan = off;
SELECT nearest(format('fp = %s', hashint8extended(9, 7)), 0, 3), nearest('true', 0, 3);
RESET enable_bitmapscan;
DROP INDEX corpus_scope;

-- A partial index with a scope, for queries that imply its predicate.
CREATE INDEX corpus_scope ON corpus USING simhash (amount, fp) WHERE live;
SELECT rows, nulls FROM simhash_index_check('corpus_scope');
SELECT * FROM compare($$live AND amount = 1 AND simhash_near(fp, 0, 28)$$);
SELECT * FROM compare($$live = true AND amount = 'NaN' AND simhash_near(fp, 0, 28)$$);
SELECT * FROM compare($$live AND amount IS NULL AND simhash_near(fp, 0, 28)$$);
SELECT * FROM compare($$live AND simhash_near(fp, 0, 28)$$);
SELECT * FROM compare($$amount = 1 AND simhash_near(fp, 0, 28)$$);
SELECT * FROM compare($$NOT live AND amount = 1 AND simhash_near(fp, 0, 28)$$);
UPDATE corpus SET live = NOT live WHERE id % 4 = 0;
UPDATE corpus SET amount = 'NaN' WHERE id % 7 = 0;
SELECT * FROM compare($$live AND amount = 'NaN' AND simhash_near(fp, 0, 28)$$);
VACUUM corpus;
SELECT * FROM compare($$live AND amount = 'NaN' AND simhash_near(fp, 0, 28)$$);
SELECT rows + nulls = (SELECT count(*) FROM corpus WHERE live) AS complete FROM simhash_index_check('corpus_scope');
SET enable_bitmapscan = off;
SELECT nearest($$live AND amount = 'NaN'$$, 0, 20);
RESET enable_bitmapscan;
DROP INDEX corpus_scope;

-- Cursors can move backward within a scope, although the index cannot.
CREATE INDEX corpus_scope ON corpus USING simhash (amount, fp);
SET enable_bitmapscan = off;
SET enable_sort = off;
CREATE FUNCTION both_ways(query text, OUT scan text, OUT rows bigint, OUT reversed boolean, OUT third boolean) LANGUAGE plpgsql AS $$
DECLARE
    c refcursor;
    id int;
    forward int[];
    backward int[];
BEGIN
    scan := scan_of(query);
    OPEN c SCROLL FOR EXECUTE query;
    LOOP
        FETCH NEXT FROM c INTO id;
        EXIT WHEN NOT FOUND;
        forward := forward || id;
    END LOOP;
    LOOP
        FETCH PRIOR FROM c INTO id;
        EXIT WHEN NOT FOUND;
        backward := id || backward;
    END LOOP;
    FETCH ABSOLUTE 3 FROM c INTO id;
    rows := cardinality(forward);
    reversed := forward = backward;
    third := id = forward[3];
END
$$;
SELECT * FROM both_ways($$SELECT id FROM corpus WHERE amount = 'NaN' AND simhash_near(fp, 0, 28)$$);
SELECT count(*) FROM corpus WHERE amount = 'NaN' AND near_oracle(fp, 0, 28);
SELECT * FROM both_ways($$SELECT id FROM corpus WHERE amount = 0 ORDER BY fp <~> 0 LIMIT 50$$);
BEGIN;
DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT amount = 1 AS within, fp <~> 0 AS distance FROM corpus WHERE amount = 1 ORDER BY fp <~> 0 LIMIT 4;
FETCH 2 FROM c;
FETCH BACKWARD 1 FROM c;
COMMIT;
FETCH ALL FROM c;
FETCH LAST FROM c;
CLOSE c;
RESET enable_sort;
RESET enable_bitmapscan;
DROP TABLE corpus;

DROP OPERATOR FAMILY colliding_ops USING simhash;
DROP OPERATOR FAMILY failing_ops USING simhash;
DROP FUNCTION compare_types, compare_values, both_ways, nearest, short_hash, failing_hash, same_hash, compare, compare_join, plan_of, scan_of, flipped, near_oracle;
DROP DOMAIN tenant, post_kind, short_word, word;
DROP TYPE kind;
