-- Functions for the tests of the index USING simhash, and of bands. The extension exists already.

-- Checks all indexes USING simhash; returns their number, and the height of the highest.
CREATE FUNCTION check_indexes(OUT indexes bigint, OUT height int) LANGUAGE sql AS $$
    -- Materialized: otherwise a plan may check indexes before it filters out those that are not valid.
    WITH valid AS MATERIALIZED (
        SELECT i.oid::regclass AS index FROM pg_class i JOIN pg_am a ON a.oid = i.relam JOIN pg_index x ON x.indexrelid = i.oid
        WHERE a.amname = 'simhash' AND i.relkind = 'i' AND x.indisvalid AND i.relpersistence <> 't')
    SELECT count(*), max(c.height) FROM valid, simhash_index_check(valid.index) c
$$;

-- The plan of a statement.
CREATE FUNCTION plan_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    plan text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN ' || statement LOOP
        plan := plan || line || E'\n';
    END LOOP;
    RETURN plan;
END
$$;

-- The number of differences between the answers of an index and those of a sequential scan. Queries are some rows of the table
-- (columns id and fp) with a few bits flipped, and some random fingerprints; for several k, and for the nearest rows in order. It
-- is an error if the index is not used. The function writes nothing, so that it can run on a standby.
CREATE FUNCTION differences(tab regclass, seed int DEFAULT 0, queries int DEFAULT 12) RETURNS bigint LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_sort = off SET jit = off SET work_mem = '64MB' AS $$
DECLARE
    result bigint;
    statement text;
    plan text;
BEGIN
    statement := format(
        'WITH q AS MATERIALIZED (
                (SELECT id AS q, fp # (hashint8extended(id, %2$s) & hashint8extended(id, %2$s + 1) & 4919131752989213764) AS fp
                    FROM %1$s WHERE fp IS NOT NULL ORDER BY hashint8extended(id, %2$s) LIMIT %3$s)
                UNION ALL SELECT -i, hashint8extended(i, %2$s) FROM generate_series(1, 1 + %3$s / 4) i),
            ks AS MATERIALIZED (SELECT unnest(''{0,1,3,5,7,10,13}''::int[]) AS k),
            indexed AS (SELECT q.q, ks.k, d.id::bigint FROM q, ks, %1$s d WHERE simhash_near(d.fp, q.fp, ks.k)),
            scanned AS (SELECT m.q, ks.k, m.id FROM ks JOIN
                (SELECT q.q, d.id::bigint, bit_count((d.fp # q.fp)::bit(64)) AS distance FROM q, %1$s d
                    WHERE bit_count((d.fp # q.fp)::bit(64)) <= 13) m ON m.distance <= ks.k),
            nearest AS (SELECT q.q, -1, n.distance FROM q, LATERAL (SELECT bit_count((x.fp # q.fp)::bit(64)) AS distance
                FROM (SELECT d.fp FROM %1$s d ORDER BY d.fp <~> q.fp LIMIT 20) x) n),
            sorted AS (SELECT q.q, -1, n.distance FROM q, LATERAL (SELECT bit_count((d.fp # q.fp)::bit(64)) AS distance
                FROM %1$s d ORDER BY 1 LIMIT 20) n),
            ours AS MATERIALIZED (TABLE indexed UNION ALL TABLE nearest),
            theirs AS MATERIALIZED (TABLE scanned UNION ALL TABLE sorted)
        SELECT count(*) FROM (TABLE ours EXCEPT ALL TABLE theirs UNION ALL (TABLE theirs EXCEPT ALL TABLE ours)) x',
        tab, seed, queries);
    plan := plan_of(statement);
    IF plan !~ 'Index Cond: \(fp <@' OR plan !~ 'Order By: \(fp <~>' THEN
        RAISE 'the index is not used: %', plan;
    END IF;
    EXECUTE statement INTO result;
    RETURN result;
END
$$;

-- The same for searches within a scope, the column `kind`, by an index (kind, (fp # 0)): no other index can serve them.
CREATE FUNCTION differences_of_kinds(tab regclass, seed int DEFAULT 0, queries int DEFAULT 12) RETURNS bigint LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_sort = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
    result bigint;
    statement text;
    plan text;
BEGIN
    statement := format(
        'WITH q AS MATERIALIZED (SELECT id AS q, kind, fp # (hashint8extended(id, %2$s) & hashint8extended(id, %2$s + 1) & 4919131752989213764) AS fp
                FROM %1$s WHERE fp IS NOT NULL AND kind IS NOT NULL ORDER BY hashint8extended(id, %2$s) LIMIT %3$s),
            ks AS MATERIALIZED (SELECT unnest(''{0,3,7,13}''::int[]) AS k),
            found AS (SELECT q.q, ks.k, d.id::bigint FROM q, ks, %1$s d WHERE d.kind = q.kind AND simhash_near(d.fp # 0, q.fp, ks.k)),
            scanned AS (SELECT q.q, ks.k, d.id::bigint FROM q, ks, %1$s d WHERE d.kind + 0 = q.kind AND bit_count((d.fp # q.fp)::bit(64)) <= ks.k),
            nearest AS (SELECT q.q, -1, n.distance FROM q, LATERAL (SELECT bit_count((x.fp # q.fp)::bit(64)) AS distance
                FROM (SELECT d.fp FROM %1$s d WHERE d.kind = q.kind ORDER BY (d.fp # 0) <~> q.fp LIMIT 5) x) n),
            sorted AS (SELECT q.q, -1, n.distance FROM q, LATERAL (SELECT bit_count((d.fp # q.fp)::bit(64)) AS distance
                FROM %1$s d WHERE d.kind + 0 = q.kind ORDER BY 1 LIMIT 5) n),
            ours AS MATERIALIZED (TABLE found UNION ALL TABLE nearest),
            theirs AS MATERIALIZED (TABLE scanned UNION ALL TABLE sorted)
        SELECT count(*) FROM (TABLE ours EXCEPT ALL TABLE theirs UNION ALL (TABLE theirs EXCEPT ALL TABLE ours)) x',
        tab, seed, queries);
    plan := plan_of(statement);
    IF plan !~ 'Index Cond: \(\(kind = q.kind\) AND \(\(fp # ''0''::bigint\) <@' OR plan !~ 'Index Cond: \(kind = q[_0-9]*.kind\)\n *Order By: \(\(fp # ''0''::bigint\) <~>' THEN
        RAISE 'the index is not used: %', plan;
    END IF;
    EXECUTE statement INTO result;
    RETURN result;
END
$$;

-- A fingerprint of 128 bits. Its second half is near that of another one only if both fingerprints differ in their last three bits
-- alone.
CREATE FUNCTION wide(fp bigint) RETURNS bit varying LANGUAGE sql IMMUTABLE AS
    $$ SELECT fp::bit(64) || hashint8extended(fp >> 3, 9)::bit(64) $$;

-- The same for fingerprints of 128 bits, by an index on (wide(fp)::bit(128)).
CREATE FUNCTION differences_of_wide(tab regclass, seed int DEFAULT 0, queries int DEFAULT 12) RETURNS bigint LANGUAGE plpgsql
    SET enable_seqscan = off SET jit = off AS $$
DECLARE
    result bigint;
    statement text;
    plan text;
BEGIN
    statement := format(
        'WITH q AS MATERIALIZED (SELECT id AS q, wide(fp)::bit(128) # (hashint8extended(id, %2$s) & 4919131752989213764)::bit(64)::bit(128) AS fp
                FROM %1$s WHERE fp IS NOT NULL ORDER BY hashint8extended(id, %2$s) LIMIT %3$s),
            ks AS MATERIALIZED (SELECT unnest(''{0,8,16,36}''::int[]) AS k),
            found AS MATERIALIZED (SELECT q.q, ks.k, d.id::bigint FROM q, ks, %1$s d WHERE simhash_bit_near(wide(d.fp)::bit(128), q.fp, ks.k)),
            scanned AS MATERIALIZED (SELECT q.q, ks.k, d.id::bigint FROM q, ks, %1$s d WHERE bit_count(wide(d.fp)::bit(128) # q.fp) <= ks.k)
        SELECT count(*) FROM (TABLE found EXCEPT ALL TABLE scanned UNION ALL (TABLE scanned EXCEPT ALL TABLE found)) x',
        tab, seed, queries);
    plan := plan_of(statement);
    IF plan !~ 'Index Cond: .* <@ simhash_bit_ball' THEN
        RAISE 'the index is not used: %', plan;
    END IF;
    EXECUTE statement INTO result;
    RETURN result;
END
$$;

-- The same for searches by four bands, on a table without an index USING simhash: k = 0 is one probe, and k = 3 is four probes.
CREATE FUNCTION differences_of_bands(tab regclass, seed int DEFAULT 0, queries int DEFAULT 12) RETURNS bigint LANGUAGE plpgsql
    SET enable_seqscan = off SET jit = off AS $$
DECLARE
    result bigint;
    statement text;
    plan text;
BEGIN
    statement := format(
        'WITH q AS MATERIALIZED (SELECT id AS q, fp # (hashint8extended(id, %2$s) & hashint8extended(id, %2$s + 1) & 1152930300704063520) AS fp
                FROM %1$s WHERE fp IS NOT NULL ORDER BY hashint8extended(id, %2$s) LIMIT %3$s),
            found AS MATERIALIZED (SELECT q.q, 3, d.id::bigint FROM q, %1$s d WHERE simhash_near(d.fp, q.fp, 3)
                UNION ALL SELECT q.q, 0, d.id::bigint FROM q, %1$s d WHERE simhash_near(d.fp, q.fp, 0)),
            scanned AS MATERIALIZED (SELECT q.q, k, d.id::bigint FROM q, %1$s d, unnest(''{0,3}''::int[]) k
                WHERE bit_count((d.fp # q.fp)::bit(64)) <= k)
        SELECT count(*) FROM (TABLE found EXCEPT ALL TABLE scanned UNION ALL (TABLE scanned EXCEPT ALL TABLE found)) x',
        tab, seed, queries);
    plan := plan_of(statement);
    IF (SELECT count(*) FROM regexp_matches(plan, 'Index Cond: \(simhash_band\(fp, [0-3], 4\) = ', 'g')) <> 5 THEN
        RAISE 'the bands are not used: %', plan;
    END IF;
    EXECUTE statement INTO result;
    RETURN result;
END
$$;

-- A fingerprint that has others near it: one of a number of families, with up to three bits flipped.
CREATE FUNCTION fingerprint(i bigint, families bigint DEFAULT 20000) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT hashint8extended(i % families, 77) # (1::bigint << (x.n & 63)::int) # (1::bigint << (x.n >> 8 & 63)::int)
        # (1::bigint << (x.n >> 16 & 63)::int)
    FROM (SELECT hashint8extended(i, 78)) x(n)
$$;
