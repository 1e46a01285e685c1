-- A cancel is answered in the middle of a long text, whatever is being done with it. A function that did not look at
-- interrupts would run to its end, and the cancel would come only then: the sequence, which is asked as soon as the
-- function has returned, tells. Nothing here is a constant, so that the planner leaves it alone; and texts are made of
-- long pieces, which is quick, and queries are not compiled, which takes time, so that the time is up in the function.
SET jit = off;
CREATE SEQUENCE finished;
CREATE TABLE long_texts AS SELECT
    1 AS one,
    (SELECT array_agg(i::text) FROM generate_series(1, 2000000) i) AS words,
    (SELECT string_agg(md5(i::text), ' ') FROM generate_series(1, 300000) i) AS a,
    (SELECT string_agg(md5(i::text), ' ') FROM generate_series(300000, 600000) i) AS b,
    repeat('a', 10000000) AS same,
    repeat('Ещё́ одно предложе́ние. ', 100000) AS sentences,
    repeat('数据库里的文章，', 10000) AS han,
    repeat('word and another word ', 10000) AS english,
    repeat('<p class="text">word <b>and</b> another<br></p>', 10000) AS html,
    repeat('&amp;', 2000000) AS entities;
ALTER TABLE long_texts ALTER a SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL;
SET statement_timeout = '250ms';
SELECT simhash(repeat(english, 1000 * one)) IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash(repeat(han, 500 * one)) IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash(repeat(han, 500 * one), '{"own_words": ["里的文", "的"], "own_noise": ["里的文"]}') IS NULL OR nextval('finished') > 0
    FROM long_texts;
SELECT simhash(repeat(han, 500 * one), '{"features": "characters", "weights": "log"}') IS NULL OR nextval('finished') > 0
    FROM long_texts;
SELECT simhash(repeat(a, 5 * one), '{"weights": "tfidf"}') IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_terms(array_cat(words, words)) IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_terms(array_cat(words, words), array_fill(0.5::float8, ARRAY[4000000 * one])) IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_vector(array_fill(0.5::float8, ARRAY[20000000 * one])) IS NULL OR nextval('finished') > 0 FROM long_texts;
-- Markup: much of it, and parts that have no end
SELECT simhash(repeat(html, 400 * one), '{"markup": "html"}') IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash('<p title="' || repeat(entities, 20 * one), '{"markup": "html"}') IS NULL AND nextval('finished') > 0 FROM long_texts;
SELECT simhash('<title></' || repeat(same, 20 * one), '{"markup": "html"}') IS NULL AND nextval('finished') > 0 FROM long_texts;
SELECT simhash_sentences(repeat(html, 400 * one), 3, '{"markup": "html"}') IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_edit('<title>' || repeat(entities, 20 * one), 'x', '{"markup": "html"}') IS NULL OR nextval('finished') > 0 FROM long_texts;
-- Sentences: many, or one that has no end
SELECT simhash_sentences(repeat(sentences, 10 * one)) IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_sentences(repeat(translate(sentences, '.', ''), 10 * one)) IS NULL OR nextval('finished') > 0
    FROM long_texts;
-- Characters: equal texts, nearly equal ones, and others
SELECT simhash_edit(repeat(same, 10 * one), repeat(same, 10 * one)) IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_edit('b' || same || same, same || same || 'b') IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_edit(a, b) IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_edit_within(a, b, 0.5) IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_lcs(a, b) IS NULL OR nextval('finished') > 0 FROM long_texts;
-- Features of two texts
SELECT simhash_cosine(repeat(a, 3 * one), b) IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_jaccard(repeat(a, 10 * one), b) IS NULL OR nextval('finished') > 0 FROM long_texts;
SELECT simhash_euclidean(repeat(a, 10 * one), b) IS NULL OR nextval('finished') > 0 FROM long_texts;
-- Functions that return rows: between the first row and setval nothing else looks at interrupts
SELECT setval('finished', 1, (simhash_features(repeat(english, 1000 * one))).weight IS NOT NULL) FROM long_texts;
SELECT setval('finished', 1, (simhash_explain(repeat(a, 10 * one), b)).side IS NOT NULL) FROM long_texts;
-- Rows that belong together
SELECT simhash_cluster(i * 7919, 30) OVER () IS NULL OR nextval('finished') > 0 FROM generate_series(1, 100000) i;
SELECT simhash_leader(i * 7919, 30) OVER () IS NULL OR nextval('finished') > 0 FROM generate_series(1, 100000) i;
RESET statement_timeout;
RESET jit;
SELECT is_called AS finished FROM finished;
SELECT simhash('the buffers are fine afterwards') IS NOT NULL AS works;
DROP TABLE long_texts;
DROP SEQUENCE finished;
