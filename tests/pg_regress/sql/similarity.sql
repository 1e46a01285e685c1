-- The second stage: exact similarities, sentences, explanations, notations.

-- Equal texts, different texts, texts without features.
SELECT simhash_cosine(a, b), simhash_jaccard(a, b), simhash_euclidean(a, b), simhash_edit(a, b), simhash_lcs(a, b)
    FROM (VALUES ('the same text', 'the same text'), ('apples', 'quince'), ('', ''), ('words', '...'), ('abcd', 'abxd'), ('数据库的文章', '数据库文章')) v (a, b);
SELECT simhash_cosine(NULL, 'a'), simhash_edit('a', NULL), simhash_edit_within('a', 'b', NULL), simhash_lcs(NULL, 'a'), simhash_lcs('a', 'b', NULL);
-- By the listed features: the oracle in SQL.
CREATE TABLE texts (i int, body text);
INSERT INTO texts VALUES (1, 'The harbour master counted the boats twice before the storm.'), (2, 'The harbour master counted his boats before the great storm!'),
    (3, '数据库里有一千万篇文章，其中许多只改动了几个字。'), (4, '数据库里有一百万篇文章，其中很多只改动了几个字！'), (5, 'unrelated');
CREATE FUNCTION oracle(a text, b text, options jsonb, OUT cosine float8, OUT jaccard float8, OUT euclidean float8) LANGUAGE sql AS $$
    SELECT sum(wa * wb) / sqrt(sum(wa * wa)) / sqrt(sum(wb * wb)), avg((wa > 0 AND wb > 0)::int),
           1 - sqrt(sum((wa / na - wb / nb) ^ 2)) / sqrt(2) FROM (
        SELECT coalesce(x.weight, 0) AS wa, coalesce(y.weight, 0) AS wb, sqrt(sum(x.weight * x.weight) OVER ()) AS na, sqrt(sum(y.weight * y.weight) OVER ()) AS nb
        FROM simhash_features(a, options) x FULL JOIN simhash_features(b, options) y USING (hash)) f
$$;
SELECT options, count(*) AS pairs, count(*) FILTER (WHERE abs(simhash_cosine(a.body, b.body, options) - cosine) > 1e-9
    OR abs(simhash_jaccard(a.body, b.body, options) - jaccard) > 1e-9 OR abs(simhash_euclidean(a.body, b.body, options) - euclidean) > 1e-7) AS wrong
    FROM texts a, texts b, (VALUES ('{}'::jsonb), ('{"features": "characters"}'), ('{"weights": "tfidf", "runs": 1}')) o (options), oracle(a.body, b.body, options)
    GROUP BY options ORDER BY options::text;
SELECT simhash_cosine('a b c', 'a b d', '{"unknown": 1}');
-- The threshold: the result is the same as a comparison of the similarity itself.
SELECT count(*) AS wrong FROM texts a, texts b, generate_series(0, 100) s
    WHERE simhash_edit_within(a.body, b.body, s / 100.0) <> (simhash_edit(a.body, b.body) >= s / 100.0);
SELECT simhash_edit_within('a', 'b', 'NaN'), simhash_edit_within('a', 'b', '-Infinity'), simhash_edit_within('a', 'a', 'Infinity');
-- The longest passage, also at the end and at the beginning; one of several passages of equal length.
SELECT a, b, round(simhash_lcs(a, b)::numeric, 4) AS a_b, simhash_lcs(b, a) = simhash_lcs(a, b) AS symmetric
    FROM (VALUES ('a', ''), ('a', 'b'), ('a', 'a'), ('ab', 'ba'), ('abcab', 'cabca'), ('banana', 'bandana'), ('xxabc', 'abc'), ('abc', 'abcxx'),
          ('one passage, other words', 'another text with one passage'), ('数据库里的近似重复文章', '近似重复的文章'), ('Case', 'case'),
          (E'e\u0301t\u00e9', E'\u00e9t\u00e9'), ('😀👍🏽', '👍🏽😀')) v (a, b);
-- The oracle: searches all substrings of one text in the other.
CREATE FUNCTION lcs_oracle(a text, b text) RETURNS float8 LANGUAGE sql AS $$
    SELECT CASE WHEN a = '' AND b = '' THEN 1 ELSE coalesce(max(n), 0)::float8 / greatest(length(a), length(b)) END
    FROM generate_series(1, length(a)) at, generate_series(1, length(a) - at + 1) n WHERE strpos(b, substr(a, at, n)) > 0
$$;
CREATE FUNCTION random_text(length int, letters text, seed int) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(substr(letters, 1 + abs(hashint8extended(i, seed) % length(letters))::int, 1), ''), '') FROM generate_series(1, length) i
$$;
SELECT letters, count(*) AS pairs, count(*) FILTER (WHERE abs(simhash_lcs(a, b) - lcs_oracle(a, b)) > 1e-12) AS wrong
    FROM (SELECT letters, random_text(seed % 14, letters, seed) AS a, random_text(seed % 17, letters, seed + 1000) AS b
          FROM unnest('{a,ab,a数,abc数据库😀}'::text[]) letters, generate_series(0, 250) seed) t GROUP BY letters ORDER BY letters COLLATE "C";
-- Long texts: a passage of 10,000 characters among others, and texts that repeat themselves.
SELECT simhash_lcs(a || '<' || p || '>' || b, c || '(' || p || ')' || c) = 10000 / 50002.0 AS passage
    FROM (SELECT random_text(20000, 'abc数据库', 1) AS a, random_text(20000, 'abc数据库', 2) AS b, random_text(20000, '里的文章', 3) AS c,
                 random_text(10000, '数据库里的文章abc', 4) AS p) t;
SELECT simhash_lcs(repeat('ab数', 100000), repeat('b数a', 100000)) = 299999 / 300000.0 AS repeated,
       simhash_lcs(repeat('a', 100000), repeat('a', 50000)) AS half, simhash_lcs(repeat('a', 100000), repeat('b', 50000)) AS nothing;
-- The options script and markup apply to the texts.
SELECT simhash_lcs('<p>The harbour <b>master</b> counted</p>', 'The harbour master counted', '{"markup": "html"}') AS html,
       simhash_lcs('臺灣的電腦', '台湾的电脑') AS folded, simhash_lcs('臺灣的電腦', '台湾的电脑', '{"script": "keep"}') AS kept;
SELECT simhash_lcs('a', 'b', '{"unknown": 1}');
SELECT round(simhash_edit(repeat('数据库的文章。', 2000), repeat('数据库的文章！', 2000))::numeric, 6);

-- The longest sentences; texts that share one.
SELECT simhash_sentences('短。这是一个比较长的句子。And a sentence in English, longer than the others!', 2),
       simhash_sentences('这是一个比较长的句子！', 1), simhash_sentences('...'), simhash_sentences('');
SELECT simhash_sentences('a', 0);
SELECT simhash_sentences('a', 65);
CREATE INDEX texts_sentences ON texts USING gin (simhash_sentences(body));
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT i FROM texts WHERE simhash_sentences(body) && simhash_sentences('A new start. The harbour master counted the boats twice before the storm?');
SELECT i FROM texts WHERE simhash_sentences(body) && simhash_sentences('A new start. The harbour master counted the boats twice before the storm?');
RESET enable_seqscan;

-- The explanation: features and their influence.
SELECT feature, round(weight_a::numeric, 2) AS a, round(weight_b::numeric, 2) AS b, side, round(influence::numeric, 2) AS influence
    FROM simhash_explain('The quick brown fox', 'The quick red fox', '{"runs": 1}');
SELECT count(*), count(*) FILTER (WHERE side = 'both') AS of_both FROM simhash_explain('The quick brown fox', 'The quick red fox');
SELECT count(*) FROM simhash_explain('', '');

-- Notations, in both directions.
SELECT simhash_hex(-2), simhash_unsigned(-1), simhash_unsigned(7);
SELECT count(*) AS wrong FROM (SELECT hashint8extended(i, 1) AS fp FROM generate_series(1, 1000) i) f
    WHERE simhash_from_hex(simhash_hex(fp)) <> fp OR simhash_from_unsigned(simhash_unsigned(fp)) <> fp OR simhash_hex(fp) <> lpad(to_hex(fp), 16, '0');
\set SHOW_CONTEXT never
SELECT simhash_from_hex('12 34');
SELECT simhash_from_unsigned(-1);
SELECT simhash_from_unsigned(18446744073709551616);
SELECT simhash_from_unsigned(1.5);
SELECT simhash_from_unsigned('NaN');
DROP TABLE texts;
DROP FUNCTION oracle, lcs_oracle, random_text;
