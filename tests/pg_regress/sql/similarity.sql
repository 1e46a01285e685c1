-- The second stage: exact similarities, sentences, explanations, notations.

-- Equal, different, nothing to compare.
SELECT simhash_cosine(a, b), simhash_jaccard(a, b), simhash_euclidean(a, b), simhash_edit(a, b), simhash_lcs(a, b)
    FROM (VALUES ('the same text', 'the same text'), ('apples', 'quince'), ('', ''), ('words', '...'), ('abcd', 'abxd'), ('数据库的文章', '数据库文章')) v (a, b);
SELECT simhash_cosine(NULL, 'a'), simhash_edit('a', NULL), simhash_edit_within('a', 'b', NULL), simhash_similarity(1, NULL);
-- By the features that are listed: the oracle in SQL.
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
-- The threshold: the same as the similarity itself.
SELECT count(*) AS wrong FROM texts a, texts b, generate_series(0, 100) s
    WHERE simhash_edit_within(a.body, b.body, s / 100.0) <> (simhash_edit(a.body, b.body) >= s / 100.0);
SELECT simhash_edit_within('a', 'b', 'NaN'), simhash_edit_within('a', 'b', '-Infinity'), simhash_edit_within('a', 'a', 'Infinity');
-- Long texts: a cancel takes effect.
SET statement_timeout = '300ms';
SELECT simhash_edit(repeat('ab数', 300000), repeat('xy库', 300000));
SELECT simhash_lcs(repeat('ab数', 300000), repeat('b数a', 300000));
RESET statement_timeout;
SELECT round(simhash_edit(repeat('数据库的文章。', 2000), repeat('数据库的文章！', 2000))::numeric, 6);

-- What a distance implies.
SELECT d, round(simhash_similarity(0, (2::numeric ^ d - 1)::bigint)::numeric, 6) FROM unnest('{0, 1, 3, 7, 16, 32, 48}'::int[]) d;

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

-- Why: one row, and the features.
SELECT fp_a = simhash(a.body) AS fp_a, fp_b = simhash(b.body) AS fp_b, distance = simhash(a.body) <~> simhash(b.body) AS distance,
       cosine = simhash_cosine(a.body, b.body) AS cosine, cardinality(bits) = distance AS bits,
       (SELECT bool_and(substr((fp_a # fp_b)::bit(64)::text, bit + 1, 1) = '1' AND (ma > 0) <> (mb > 0))
        FROM unnest(bits, margins_a, margins_b) u (bit, ma, mb)) AS margins
    FROM texts a, texts b, simhash_compare(a.body, b.body) WHERE a.i = 1 AND b.i = 2;
SELECT * FROM simhash_compare('...', 'words');
SELECT feature, round(weight_a::numeric, 2) AS a, round(weight_b::numeric, 2) AS b, side, round(influence::numeric, 2) AS influence
    FROM simhash_explain('The quick brown fox', 'The quick red fox', '{"runs": 1}');
SELECT count(*) FROM simhash_explain('', '');

-- Notations, there and back.
SELECT simhash_bits(81985529216486895), simhash_bits(-1, 3), simhash_hex(-2), simhash_unsigned(-1), simhash_unsigned(7);
SELECT count(*) AS wrong FROM (SELECT hashint8extended(i, 1) AS fp FROM generate_series(1, 1000) i) f
    WHERE simhash_from_bits(simhash_bits(fp, 5)) <> fp OR simhash_from_hex(simhash_hex(fp)) <> fp OR simhash_from_unsigned(simhash_unsigned(fp)) <> fp
       OR replace(simhash_bits(fp), ' ', '') <> fp::bit(64)::text OR simhash_hex(fp) <> lpad(to_hex(fp), 16, '0');
\set SHOW_CONTEXT never
SELECT simhash_from_bits('0101');
SELECT simhash_from_hex('12 34');
SELECT simhash_from_unsigned(-1);
SELECT simhash_from_unsigned(18446744073709551616);
SELECT simhash_from_unsigned(1.5);
SELECT simhash_from_unsigned('NaN');
SELECT simhash_bits(1, 0);
DROP TABLE texts;
DROP FUNCTION oracle;
