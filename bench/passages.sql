-- Any number of texts drawn from real ones, for bench/search and bench/peers, after CREATE EXTENSION simhash.

-- Real texts; load_texts of passages.sh fills the table.
CREATE TABLE texts (id int GENERATED ALWAYS AS IDENTITY, body text);
CREATE TABLE passages (n bigint, text int, passage text);

-- A random number, the same in every run.
CREATE FUNCTION dice(n bigint, seed int) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS 'SELECT hashint8extended(n, seed) & 9007199254740991';

CREATE PROCEDURE cut_passages() LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE passages;
    INSERT INTO passages
        SELECT row_number() OVER (ORDER BY t.id, at), t.id, substr(body, at, 100)
        FROM texts t, generate_series(1, length(body) - 100, 100) at;
    ANALYZE passages;
END $$;

-- Texts of three passages of 100 characters each, drawn from one document. There are fewer passages than rows. To repeat passages,
-- or to flip bits of their fingerprints, would change how often two rows have a band in common. This method keeps it, as skew()
-- shows.
CREATE FUNCTION drawn(rows int) RETURNS TABLE (n bigint, body text) LANGUAGE sql STABLE AS $$
    SELECT picked.n, concat_ws(' ', a.passage, b.passage, c.passage)
    FROM (SELECT row_number() OVER (ORDER BY dice(seed, 4)) AS n, first + dice(seed, 1) % count AS a,
                 first + dice(seed, 2) % count AS b, first + dice(seed, 3) % count AS c
          FROM (SELECT min(n) AS first, count(*) FROM passages GROUP BY text) t,
               generate_series(1, ceil(count * rows / (SELECT count(*)::float8 FROM passages))::bigint) i,
               LATERAL (SELECT (first << 32) + i AS seed) s
          ORDER BY dice(seed, 4) LIMIT rows) picked
    JOIN passages a ON a.n = picked.a JOIN passages b ON b.n = picked.b JOIN passages c ON c.n = picked.c
$$;

-- How often two of these fingerprints have a band of 16 bits in common, relative to uniform fingerprints. Pairs within 10 bits
-- are not counted: they are copies.
CREATE FUNCTION skew(fps bigint[]) RETURNS float8 LANGUAGE sql AS $$
    WITH bands AS MATERIALIZED (SELECT fp, simhash_band(fp, b) AS band FROM unnest(fps) fp, generate_series(0, 3) b)
    SELECT 65536 / 4.0 * count(*) / cardinality(fps) ^ 2
    FROM bands a JOIN bands b USING (band) WHERE hamming(a.fp, b.fp) > 10
$$;

-- The skew of passages of 300 characters without changes, and of the table docs.
CREATE FUNCTION skews(OUT passages float8, OUT docs float8) LANGUAGE plpgsql AS $$
BEGIN
    SELECT skew(array_agg(fp)) INTO passages FROM (
        SELECT simhash(substr(body, at, 300)) AS fp FROM texts, generate_series(1, length(body) - 300, 300) at) cut
    WHERE fp IS NOT NULL;
    SELECT skew(array_agg(fp)) INTO docs FROM (SELECT fp FROM docs WHERE fp IS NOT NULL LIMIT 25000) rows;
END $$;
