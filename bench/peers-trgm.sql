-- What bench/peers-trgm measures with, in addition to passages.sql and timed.sql.

CREATE TABLE all_texts (corpus text, key text, body text);
CREATE TABLE all_gold (jaccard float8, key1 text, key2 text, same_group int, corpus text);
-- The gold pairs of the current corpus, in both directions, and the lines of the table of corpora.
CREATE TABLE gold (id1 int, id2 int, jaccard float8);
CREATE TABLE corpora (n int GENERATED ALWAYS AS IDENTITY, line text);

-- Without corpora: the articles of the demo and their sentences, and a copy of each that lacks 1 to 6 characters.
CREATE PROCEDURE make_texts() LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO all_texts
        SELECT corpus, format('%s %s-%s', corpus, n, copy), CASE copy WHEN 0 THEN body ELSE
            overlay(body PLACING '' FROM 1 + (dice(n, 1) % length(body))::int FOR 1 + (dice(n, 2) % 6)::int) END
        FROM (SELECT row_number() OVER () AS n, * FROM (
                  SELECT 'articles' AS corpus, body FROM raw
                  UNION ALL SELECT 'sentences', sentence FROM raw, regexp_split_to_table(body, '[.。]\s*') sentence
                  WHERE length(sentence) > 10) t) t, generate_series(0, 1) copy;
    INSERT INTO all_gold
        SELECT 1, a.key, b.key, 1, corpus FROM all_texts a JOIN all_texts b USING (corpus)
        WHERE a.key LIKE '%-0' AND b.key = replace(a.key, '-0', '-1');
END $$;

-- Makes docs, its gold pairs and its queries: 150 texts that have a pair with J of 0.8 or more, and 100 others.
CREATE PROCEDURE take(a_corpus text) LANGUAGE plpgsql AS $$
BEGIN
    CREATE TABLE docs (id int PRIMARY KEY, body text, fp bigint GENERATED ALWAYS AS (simhash(body)) STORED);
    DROP TABLE texts;
    -- The order is random, so that the first texts are a sample.
    CREATE TABLE texts AS
        SELECT row_number() OVER (ORDER BY dice(hashtext(key), 5), key)::int AS id, key, body
        FROM all_texts WHERE corpus = a_corpus;
    ALTER TABLE texts ADD PRIMARY KEY (id);
    INSERT INTO docs SELECT id, body FROM texts;
    TRUNCATE gold, queries;
    INSERT INTO gold
        SELECT a.id, b.id, jaccard
        FROM (SELECT key1, key2, jaccard FROM all_gold UNION SELECT key2, key1, jaccard FROM all_gold) g
        JOIN texts a ON a.key = key1 JOIN texts b ON b.key = key2;
    INSERT INTO queries (q, body)
        SELECT id, body
        FROM (SELECT *, row_number() OVER (PARTITION BY has_pair ORDER BY id) AS n
              FROM (SELECT id, body, id IN (SELECT id1 FROM gold WHERE jaccard >= 0.8) AS has_pair FROM docs) d) d
        WHERE n <= CASE WHEN has_pair THEN 150 ELSE 100 END;
    INSERT INTO corpora (line)
        SELECT format('| %s | %s | %s | %s | %s | %s | %s |', a_corpus, to_char(count(*), 'FM999,999'),
            to_char(percentile_disc(0.5) WITHIN GROUP (ORDER BY length(body)), 'FM999,999'), shown(sum(octet_length(body)) / 1e6),
            (SELECT count(*) FROM queries), (SELECT count(*) FROM gold JOIN queries ON q = id1 WHERE jaccard >= 0.9),
            (SELECT count(*) FROM gold JOIN queries ON q = id1 WHERE jaccard >= 0.8))
        FROM texts;
END $$;

-- A row of the table of searches. A text that finds itself does not count.
CREATE FUNCTION text_row(name text, statement text, expected text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    t record;
    line text;
BEGIN
    SELECT * INTO t FROM timed(statement, expected, NULL, 250);
    WITH run AS (SELECT q FROM queries ORDER BY q LIMIT t.queries),
    pairs AS (SELECT id1, id2, jaccard, f.id IS NOT NULL AS is_found
              FROM gold JOIN run ON q = id1 LEFT JOIN found f ON f.q = id1 AND f.id = id2)
    SELECT format('%s | %s | %s',
        percent(count(*) FILTER (WHERE is_found AND jaccard >= 0.9), count(*) FILTER (WHERE jaccard >= 0.9)),
        percent(count(*) FILTER (WHERE is_found AND jaccard >= 0.8), count(*) FILTER (WHERE jaccard >= 0.8)),
        -- Texts made from the demo have near-duplicates other than the known ones.
        CASE WHEN EXISTS (SELECT FROM gold WHERE jaccard < 1) THEN
            percent(count(*) FILTER (WHERE is_found AND jaccard >= 0.5), (SELECT count(*) FROM found WHERE q <> id)) END)
    INTO line FROM pairs;
    RETURN format('| %s%s | %s | %s | %s | %s | %s |', name, CASE WHEN t.forced THEN ' *' END, shown(t.median / 1000),
        shown(t.mean / 1000), shown(t.replanned / 1000), line, t.queries);
END $$;
