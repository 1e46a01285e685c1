-- The table docs with fingerprints of real texts: overlapping passages of the demo's articles, each without changes, in capitals,
-- with its title after it, and without its last characters.
CREATE TABLE articles (lang text, title text, body text);
\set articles :tests '/../../demo/articles.csv'
\set copy_articles '\\copy articles FROM ' :'articles' ' CSV HEADER'
:copy_articles
TRUNCATE docs;
INSERT INTO docs (id, fp)
    SELECT row_number() OVER (ORDER BY title COLLATE "C", body COLLATE "C", at, n), simhash(version)
    FROM articles JOIN (VALUES ('en', 300), ('zh', 100)) l (lang, length) USING (lang),
         generate_series(1, length(body) - length, length / 10) at, substr(body, at, length) passage,
         unnest(ARRAY[passage, upper(passage), passage || ' ' || title, left(passage, -8)]) WITH ORDINALITY v (version, n);
ANALYZE docs;
DROP TABLE articles;
SELECT count(*) AS rows, count(DISTINCT fp) AS fingerprints FROM docs;
-- For each k, the number of searches for every fiftieth row that are as expected, and the other ones.
CREATE FUNCTION compare_searches() RETURNS SETOF text LANGUAGE sql AS $$
    SELECT format('k = %s: %s of %s as expected%s', k, count(*) FILTER (WHERE is_expected), count(*),
                  string_agg(E'\n' || compared, '') FILTER (WHERE NOT is_expected))
    FROM docs, unnest(ARRAY[0, 3, 7]) k, compare(format('SELECT * FROM docs WHERE simhash_near(fp, %s, %s)', fp, k)) compared,
         LATERAL (SELECT compared LIKE '%: as expected%') c (is_expected)
    WHERE id % 50 = 0 GROUP BY k ORDER BY k
$$;
