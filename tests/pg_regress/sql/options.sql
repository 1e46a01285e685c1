-- simhash(text, jsonb): every option, and its errors
\set text 'The quick brown fox jumps over the lazy dog. 敏捷的棕色狐狸跳过了懒狗，the quick fox, the lazy dog and a quick dog; 狐狸和狗。'

SELECT simhash(:'text', '{}') = simhash(:'text') AS empty_is_default,
       simhash(:'text', '{"features": "words", "runs": [1, 2], "weights": "balanced", "noise": "drop", "hmm": false, "script": "fold", "markup": "none"}')
           = simhash(:'text') AS default_spelled_out,
       simhash(:'text', '{"features": "characters"}') = simhash(:'text', '{"features": "characters", "runs": [4]}')
           AS characters_come_in_fours,
       simhash(NULL, '{}') IS NULL AND simhash('x', NULL) IS NULL AS strict;

SELECT count(DISTINCT simhash(:'text', o)) AS different_options
FROM unnest(ARRAY[
    '{}', '{"features": "characters"}', '{"runs": 1}', '{"runs": 2}', '{"runs": [1, 2, 3]}', '{"weights": "count"}',
    '{"weights": "log"}', '{"weights": "tfidf"}', '{"weights": "levels"}', '{"noise": "keep"}']::jsonb[]) o;

-- What was hashed: the features, and their sum is the fingerprint, for every kind of weight.
SELECT feature, weight, hash FROM simhash_features('指纹相近的文章，就是近似重复的文章。Near-duplicates!');
SELECT feature, weight FROM simhash_features('a b a, a c', '{"runs": 1, "weights": "log", "noise": "keep"}');
SELECT feature, weight FROM simhash_features('美国51区雇员称内部有9架飞碟，曾看见灰色外星人', '{"runs": 1, "weights": "levels"}');
SELECT o AS options,
       (SELECT simhash_agg(feature, weight) FROM simhash_features(:'text', o)) = simhash(:'text', o) AS adds_up
FROM unnest(ARRAY[
    '{}', '{"weights": "once"}', '{"features": "characters", "runs": [2, 3]}', '{"weights": "count"}', '{"weights": "log"}',
    '{"weights": "tfidf"}', '{"weights": "levels"}', '{"noise": "keep", "runs": 5}', '{"hmm": true}']::jsonb[]) o;

-- Shorter than the shortest run: the text is one feature. Without features: no rows.
SELECT feature FROM simhash_features('two words', '{"runs": 5}');
SELECT feature FROM simhash_features('ab', '{"features": "characters"}');
SELECT count(*) FROM simhash_features(' ... ');
SELECT feature FROM simhash_features('of the and');

-- A short text also has runs of four characters, including punctuation. Their weight decreases as the text gets longer.
SELECT length, count(*) FILTER (WHERE feature !~ '^word') AS runs, max(weight) FILTER (WHERE feature !~ '^word') AS weight
FROM unnest(ARRAY[1, 10, 79, 80]) AS words,
     LATERAL (SELECT rtrim(repeat('word ', words)) || '!') AS t(body), LATERAL (SELECT length(body)) AS l(length),
     LATERAL simhash_features(body)
GROUP BY length ORDER BY length;

-- Options may differ from row to row.
SELECT count(*) FILTER (WHERE simhash(:'text', o) = expected) AS right
FROM (SELECT o, CASE i % 2 WHEN 0 THEN simhash(:'text') ELSE simhash(:'text', '{"runs": 3}') END AS expected
      FROM generate_series(1, 100) i, LATERAL (SELECT (ARRAY['{}', '{"runs": 3}']::jsonb[])[i % 2 + 1]) AS t(o)) s;

SELECT simhash('x', 'no json');
SELECT simhash('x', '{}'::text);
SELECT simhash('x', '[1]'::jsonb);
SELECT simhash('x', '"words"');
SELECT simhash('x', '{"weight": "log"}');
SELECT simhash('x', '{"weights": "idf"}');
SELECT simhash('x', '{"runs": 17}'::jsonb);
SELECT simhash(body, '{"runs": 17}') FROM (VALUES ('x'::varchar)) v(body);
SELECT simhash('x', '{"runs": []}');
SELECT simhash('x', '{"features": 1}');
SELECT simhash('x', '{"noise": null}');
SELECT simhash('x', '{"hmm": "yes"}');
SELECT * FROM simhash_features('x', '{"词": 1}');

-- Options and messages have a limited length, for every input
SELECT simhash('a text', ('{"runs": [' || repeat('1, ', 400) || '0]}')::jsonb);
SELECT simhash('a text', jsonb_build_object(repeat('x', 1000), 1));
SELECT simhash('a text', ('{"runs": [' || repeat('1, ', 90000) || '1]}')::jsonb);
SELECT simhash_from_hex(repeat('x', 1000));
SELECT repeat('x', 1000)::simhash_band;
