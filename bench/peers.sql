-- What bench/peers measures with.

CREATE EXTENSION simhash;
CREATE EXTENSION vector;
\ir passages.sql
\ir timed.sql

-- One row for both: a bigint for this extension, the same bits for pgvector.
CREATE TABLE docs (id int, fp bigint, bits bit(64) GENERATED ALWAYS AS (fp::bit(64)) STORED, filler text);
-- Fingerprints of further texts, to be inserted.
CREATE TABLE pool (n int PRIMARY KEY, fp bigint);
-- All rows within ten bits of a query, and the distance of the tenth nearest row, found by reading the whole table.
CREATE TABLE truth (q int, id int, distance int);
CREATE TABLE tenth (q int, distance int);

-- A copy after an edit: 1 to 12 consecutive characters are missing.
CREATE FUNCTION edited(body text, n bigint, seed int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT overlay(body PLACING '' FROM 1 + (dice(n, seed) % length(body))::int FOR 1 + (dice(n, seed + 1) % 12)::int)
$$;

-- Four fifths of the rows are drawn texts. One fifth are copies of a tenth of these texts, so that a text with copies has 2.5 of
-- them on average. A query is a further copy.
CREATE PROCEDURE fill(rows int, spare int, searches int) LANGUAGE plpgsql AS $$
DECLARE
    originals int := rows - rows / 5;
    copied int := originals / 10;
BEGIN
    CALL cut_passages();
    CREATE TABLE sources AS SELECT n, body FROM drawn(originals + spare) WHERE n <= copied;
    INSERT INTO docs (id, fp, filler)
        SELECT row_number() OVER (), fp, repeat('x', 40)
        FROM (SELECT n, simhash(body) AS fp FROM drawn(originals + spare) WHERE n <= originals
              UNION ALL SELECT i, simhash(edited(body, i, 11))
              FROM generate_series(1, rows / 5) i JOIN sources ON n = 1 + dice(i, 10) % copied) r
        WHERE fp IS NOT NULL;
    INSERT INTO pool SELECT row_number() OVER (), fp
        FROM (SELECT simhash(body) AS fp FROM drawn(originals + spare) WHERE n > originals) p WHERE fp IS NOT NULL;
    INSERT INTO queries SELECT row_number() OVER (), fp, fp::bit(64)
        FROM (SELECT simhash(edited(body, i, 21)) AS fp
              FROM generate_series(1, searches) i JOIN sources ON n = 1 + dice(i, 20) % copied) c WHERE fp IS NOT NULL;
    DROP TABLE sources;
END $$;

CREATE PROCEDURE find_truth(nearest int) LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO truth SELECT q, id, hamming(d.fp, queries.fp) FROM docs d, queries WHERE hamming(d.fp, queries.fp) <= 10;
    INSERT INTO tenth SELECT q, max(distance)
        FROM (SELECT * FROM queries ORDER BY q LIMIT nearest) q,
             LATERAL (SELECT hamming(d.fp, q.fp) AS distance FROM docs d ORDER BY distance LIMIT 10) n GROUP BY q;
    ANALYZE truth;
END $$;

-- A row of the table of searches. `k` is the largest distance that the statement asks for: rows at larger distances are not
-- expected of it.
CREATE FUNCTION search_row(name text, k int, statement text, expected text, planned text DEFAULT NULL) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    t record;
    recall text[];
BEGIN
    SELECT * INTO t FROM timed(statement, expected, planned, 500);
    SELECT array_agg(CASE WHEN r > k THEN '' ELSE (
               SELECT percent(count(f.id), count(*)) FROM truth LEFT JOIN (SELECT DISTINCT q, id FROM found) f USING (q, id)
               WHERE q <= t.queries AND distance <= r) END ORDER BY r)
    INTO recall FROM unnest('{3, 7, 10}'::int[]) r;
    RETURN format('| %s%s | %s | %s | %s | %s | %s |', name, CASE WHEN t.forced THEN ' *' END, shown(t.median),
        shown(t.mean), shown(t.replanned), array_to_string(recall, ' | '), t.queries);
END $$;

-- A row of the table of the ten nearest. A row that was found counts if it is no farther than the tenth nearest.
CREATE FUNCTION nearest_row(name text, statement text, expected text, planned text DEFAULT NULL) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    t record;
    hits bigint;
BEGIN
    SELECT * INTO t FROM timed(statement, expected, planned, (SELECT count(*)::int FROM tenth));
    SELECT count(*) INTO hits FROM found JOIN docs USING (id) JOIN queries USING (q) JOIN tenth USING (q)
    WHERE hamming(docs.fp, queries.fp) <= distance;
    RETURN format('| %s%s | %s | %s | %s | %s | %s |', name, CASE WHEN t.forced THEN ' *' END, shown(t.median),
        shown(t.mean), shown(t.replanned), percent(hits, 10 * t.queries), t.queries);
END $$;

-- All rows within k, by pgvector: reads in the order of the index until the distance is too large.
CREATE FUNCTION vector_within(query bit(64), k int) RETURNS SETOF int LANGUAGE plpgsql STABLE AS $$
DECLARE
    r record;
BEGIN
    FOR r IN SELECT id, bits <~> query AS distance FROM docs ORDER BY distance LIMIT 1000 LOOP
        EXIT WHEN r.distance > k;
        RETURN NEXT r.id;
    END LOOP;
END $$;
