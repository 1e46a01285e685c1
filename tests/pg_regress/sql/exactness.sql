-- A search returns the same rows with band indexes and without: every number of bands, every k up to one that is too large for
-- them, hot bands, equal values, NULLs, and planted neighbours at every distance in every combination of bands. The oracle is
-- PostgreSQL's own bit_count.

-- A random number from 0 to n - 1, the same in every run.
CREATE FUNCTION chance(n int, VARIADIC seed int[]) RETURNS int LANGUAGE sql IMMUTABLE AS
    $$ SELECT abs(hashtextextended(seed::text, 0) % n)::int $$;

-- fp with d bits flipped, in those of four bands that the bits of mask select.
CREATE FUNCTION flipped(fp bigint, mask int, d int, seed int) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT fp # coalesce(bit_xor(1::bigint << bit), 0)
    FROM (SELECT bit FROM generate_series(0, 63) bit WHERE mask >> (bit / 16) & 1 = 1
          ORDER BY chance(1000000, seed, mask, d, bit), bit LIMIT d) chosen
$$;

CREATE TABLE queries (q int PRIMARY KEY, fp bigint);
INSERT INTO queries SELECT q, hashint8extended(q, 7) FROM generate_series(1, 2) q;
INSERT INTO queries VALUES (7, 0), (8, -1), (9, 9223372036854775807), (10, (-9223372036854775808)::bigint);

CREATE TABLE corpus (id serial PRIMARY KEY, fp bigint) WITH (autovacuum_enabled = off);
-- Uniform.
INSERT INTO corpus (fp) SELECT hashint8extended(i, 1) FROM generate_series(1, 4000) i;
-- Planted neighbours.
INSERT INTO corpus (fp)
    SELECT flipped(fp, mask, d, q) FROM queries, generate_series(1, 15) mask, generate_series(0, 13) d;
-- Hot bands: many rows that share one or two bands with a query.
INSERT INTO corpus (fp)
    SELECT (hashint8extended(i, 2) & 281474976710655) | (fp & -281474976710656)
    FROM queries, generate_series(1, 150) i;
INSERT INTO corpus (fp)
    SELECT (hashint8extended(i, 3) & -4294967296) | (fp & 4294967295) FROM queries, generate_series(1, 50) i;
-- Equal values, and NULLs.
INSERT INTO corpus (fp) SELECT fp FROM queries, generate_series(1, 20) i WHERE q % 2 = 0;
INSERT INTO corpus (fp) SELECT NULL FROM generate_series(1, 100);

-- The rows within k of each query, without an index and without the extension.
CREATE TABLE oracle AS
    SELECT q, k, coalesce(array_agg(id ORDER BY id) FILTER (WHERE id IS NOT NULL), '{}') AS ids
    FROM queries CROSS JOIN generate_series(0, 12) k
    LEFT JOIN corpus ON bit_count((corpus.fp # queries.fp)::bit(64)) <= k GROUP BY q, k;
SELECT k, sum(cardinality(ids)) AS rows FROM oracle GROUP BY k ORDER BY k;

-- How many indexes the plan of a query scans.
CREATE FUNCTION scans(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    line text;
    count int := 0;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        count := count + (line LIKE '%Index Scan%band%')::int;
    END LOOP;
    RETURN count;
END
$$;

-- All searches with one number of bands: how many indexes are scanned, and how many searches return other rows than the oracle.
CREATE FUNCTION search(bands int, OUT k int, OUT searches int, OUT scans int, OUT wrong int)
    RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
    o record;
    query text;
    ids int[];
BEGIN
    PERFORM simhash_create_index('corpus', 'fp', bands);
    FOR the_k IN 0 .. least(bands, 12) LOOP
        k := the_k; searches := 0; wrong := 0;
        FOR o IN SELECT oracle.ids, queries.fp FROM oracle JOIN queries USING (q) WHERE oracle.k = the_k LOOP
            query := format('SELECT id FROM corpus WHERE simhash_near(fp, %L, %s)', o.fp, k);
            EXECUTE format('SELECT coalesce(array_agg(id ORDER BY id), ''{}'') FROM (%s) r', query) INTO ids;
            searches := searches + 1;
            wrong := wrong + (ids IS DISTINCT FROM o.ids)::int;
        END LOOP;
        scans := scans(query);
        RETURN NEXT;
    END LOOP;
    EXECUTE (SELECT string_agg(format('DROP INDEX %I', indexname), ';') FROM pg_indexes WHERE indexname LIKE 'corpus_fp_band%');
END
$$;

SET enable_seqscan = off;
SELECT 1 AS bands, * FROM search(1);
SELECT 2 AS bands, * FROM search(2);
SELECT 3 AS bands, * FROM search(3);
SELECT 4 AS bands, * FROM search(4);
SELECT 5 AS bands, * FROM search(5);
SELECT 8 AS bands, * FROM search(8);
SELECT 16 AS bands, * FROM search(16);

-- The same in a join, with parameters that are known only at run time, and with the index on either side.
SELECT count(*) FROM simhash_create_index('corpus', 'fp', 4);
SELECT count(*) FROM simhash_create_index('corpus', 'fp', 3);
ANALYZE corpus;
CREATE FUNCTION join_search(k int, sides text, OUT scans int, OUT wrong bigint) LANGUAGE plpgsql AS $$
DECLARE
    query text := format('SELECT q, id FROM queries JOIN corpus ON simhash_near(%s, %s)', sides, k);
BEGIN
    scans := scans(query);
    EXECUTE format($q$
        SELECT count(*) FROM (
            SELECT q, array_agg(id ORDER BY id) AS ids FROM (%s) r GROUP BY q) found
        FULL JOIN (SELECT * FROM oracle WHERE k = %s AND ids <> '{}') o USING (q)
        WHERE found.ids IS DISTINCT FROM o.ids$q$, query, k) INTO wrong;
END
$$;
SELECT k, s.* FROM generate_series(0, 4) k, join_search(k, 'corpus.fp, queries.fp') s;
SELECT k, s.* FROM generate_series(0, 4) k, join_search(k, 'queries.fp, corpus.fp') s;

-- A generic plan.
SET plan_cache_mode = force_generic_plan;
CREATE FUNCTION generic_search(k int, OUT wrong int) LANGUAGE plpgsql AS $$
DECLARE
    o record;
    ids int[];
BEGIN
    wrong := 0;
    EXECUTE format('PREPARE s(bigint) AS SELECT coalesce(array_agg(id ORDER BY id), ''{}'') FROM corpus
                    WHERE simhash_near(fp, $1, %s)', k);
    FOR o IN SELECT * FROM oracle JOIN queries USING (q) WHERE oracle.k = generic_search.k LOOP
        EXECUTE format('EXECUTE s(%L)', o.fp) INTO ids;
        wrong := wrong + (ids IS DISTINCT FROM o.ids)::int;
    END LOOP;
    DEALLOCATE s;
END
$$;
SELECT k, generic_search(k) FROM generate_series(0, 4) k;
RESET plan_cache_mode;

-- If an index of the set is missing, the others serve a smaller k.
DROP INDEX corpus_fp_band_0_of_3_idx, corpus_fp_band_1_of_3_idx, corpus_fp_band_2_of_3_idx, corpus_fp_band_2_of_4_idx;
SELECT k, s.* FROM generate_series(0, 3) k, join_search(k, 'corpus.fp, queries.fp') s;

-- Hash indexes.
DROP INDEX corpus_fp_band_0_of_4_idx, corpus_fp_band_1_of_4_idx, corpus_fp_band_3_of_4_idx;
CREATE INDEX corpus_hash_band_0 ON corpus USING hash (simhash_band(fp, 0));
CREATE INDEX corpus_hash_band_1 ON corpus USING hash (simhash_band(fp, 1));
SELECT k, s.* FROM generate_series(0, 2) k, join_search(k, 'corpus.fp, queries.fp') s;

DROP TABLE corpus, queries, oracle;
DROP FUNCTION chance, flipped, scans, search, join_search, generic_search;
