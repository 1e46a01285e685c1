-- own_words are kept whole, own_noise are noise words
\set own '{"own_words": ["数字藏品", "藏品", "new york", "new york city", "C++", "T恤", "食べ"]}'
\set words '{"runs": 1, "weights": "once"}'

-- The leftmost word is chosen; of several at one position, the longest. Without own_words and with them.
SELECT string_agg(feature, ' | ') FROM simhash_features('数字藏品市场的藏品', :'words');
SELECT string_agg(feature, ' | ') FROM simhash_features('数字藏品市场的藏品', :'words'::jsonb || :'own');
SELECT string_agg(feature, ' | ') FROM simhash_features('In NEW YORK City; New York State', :'words'::jsonb || :'own');

-- In scripts with spaces own_words begin and end at word boundaries. All text is in normal form.
SELECT string_agg(feature, ' | ') FROM simhash_features('new yorker, anew york, new-york, new york', :'words'::jsonb || :'own');
SELECT string_agg(feature, ' | ') FROM simhash_features('Ｃ＋＋ and c++11 on a t恤 or at恤, 食べる', :'words'::jsonb || :'own');
SELECT simhash('在Ｎｅｗ York看数字藏品', '{"own_words": ["ＮＥＷ  york"]}') = simhash('在new york看数字藏品', '{"own_words": ["new york"]}')
    AS normal_form;

-- The features add up to the fingerprint, for all kinds of weights, and words that do not occur change nothing.
SELECT o AS options,
       (SELECT simhash_agg(feature, weight) FROM simhash_features(body, o || :'own')) = simhash(body, o || :'own') AS adds_up,
       simhash(body, o || :'own') <> simhash(body, o) AS differs,
       simhash(body, o || '{"own_words": ["天外来客"], "own_noise": ["nowhere"]}') = simhash(body, o) AS same
FROM unnest(ARRAY['{}', '{"weights": "count"}', '{"weights": "tfidf"}', '{"weights": "levels"}', '{"runs": [1, 2, 3], "weights": "log"}',
                  '{"hmm": true}']::jsonb[]) o,
     (VALUES ('数字藏品市场的藏品在 New York City 展出，T恤和 C++ 也在那里')) v(body);

-- Noise words are not features on their own, unless there are no other words.
SELECT string_agg(feature, ' | ') FROM simhash_features('记者在北京报道，新闻记者也报道', :'words'::jsonb || '{"own_noise": ["记者", "报道"]}');
SELECT string_agg(feature, ' | ') FROM simhash_features('记者报道', :'words'::jsonb || '{"own_noise": ["记者", "报道"]}');
SELECT string_agg(feature, ' | ') FROM simhash_features('记者报道', :'words'::jsonb || '{"own_noise": ["记者", "报道"], "noise": "keep"}');
SELECT string_agg(feature, ' | ')
FROM simhash_features('Breaking News from New York about databases', :'words'::jsonb || '{"own_words": ["new york"], "own_noise": ["BREAKING", "news", "new_york"]}');

-- Features of characters use neither own_words nor own_noise.
SELECT simhash(body, '{"features": "characters", "own_words": ["数字藏品"], "own_noise": ["市场"]}') = simhash(body, '{"features": "characters"}')
    AS characters_know_none
FROM (VALUES ('数字藏品市场')) v(body);

-- Empty lists are the default.
SELECT simhash('数字藏品', '{"own_words": [], "own_noise": []}') = simhash('数字藏品') AS empty_is_default;

-- The second stage.
SELECT round(simhash_jaccard('数字藏品', '数字市场', '{"runs": 1, "weights": "once"}')::numeric, 2) AS in_pieces,
       simhash_jaccard('数字藏品', '数字市场', '{"runs": 1, "weights": "once", "own_words": ["数字藏品"]}') AS whole;

-- A profile: a function, an index on it, a generated column, a trigger.
CREATE FUNCTION my_simhash(text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN simhash($1, '{"own_words": ["数字藏品", "new york"], "own_noise": ["记者"]}'::jsonb);
CREATE TABLE own_articles (id int PRIMARY KEY, body text, fp bigint GENERATED ALWAYS AS (my_simhash(body)) STORED, by_trigger bigint);
CREATE TRIGGER fingerprint BEFORE INSERT OR UPDATE ON own_articles FOR EACH ROW
    EXECUTE FUNCTION simhash_trigger('by_trigger', 'body', '{"own_words": ["数字藏品", "new york"], "own_noise": ["记者"]}');
INSERT INTO own_articles (id, body) VALUES
    (1, '记者看到数字藏品在 New York 展出'), (2, '记者看到数字藏品在 new york 展出。'), (3, '今天没有展览');
CREATE INDEX ON own_articles (my_simhash(body));
SELECT id, fp = by_trigger AND fp = my_simhash(body) AS same, fp <> simhash(body) AS differs FROM own_articles ORDER BY id;
SELECT a.id, b.id FROM own_articles a JOIN own_articles b ON a.id < b.id AND simhash_near(a.fp, b.fp, 7);
DROP TABLE own_articles;
DROP FUNCTION my_simhash;

-- Thousands of words, in a constant, in a parameter and in a column.
SELECT jsonb_build_object('own_words', jsonb_agg('词' || i), 'own_noise', jsonb_agg('noise' || i)) AS many FROM generate_series(1, 5000) i \gset
SELECT octet_length(:'many') > 100000 AS long, count(DISTINCT simhash('这是词' || i || '和 noise' || i, :'many')) AS distinct_texts,
       bool_and((SELECT array_agg(feature ORDER BY feature) FROM simhash_features('词' || i || ' noise' || i || ' x', :'words'::jsonb || :'many'))
           = ARRAY['x', '词' || i]::text[]) AS found
FROM generate_series(1, 20) i;
PREPARE with_words(jsonb) AS SELECT string_agg(to_hex(simhash('数字藏品', $1)), ' ') FROM generate_series(1, 2);
SET plan_cache_mode = force_generic_plan;
EXECUTE with_words('{"own_words": ["数字藏品"]}');
EXECUTE with_words('{}');
RESET plan_cache_mode;
DEALLOCATE with_words;
DO $$
DECLARE options jsonb; fps bigint[];
BEGIN
    FOREACH options IN ARRAY ARRAY['{"own_words": ["数字藏品"]}', '{}', '{"own_noise": ["数字"]}']::jsonb[] LOOP
        fps := fps || simhash('数字藏品', options);
    END LOOP;
    RAISE NOTICE 'different: %', (SELECT count(DISTINCT fp) FROM unnest(fps) fp);
END $$;

-- Errors.
SELECT simhash('x', '{"own_words": "x"}');
SELECT simhash('x', '{"own_words": {"x": 1}}'::jsonb);
SELECT simhash('x', '{"own_words": ["x", 1]}');
SELECT simhash('x', '{"own_words": ["x", null]}');
SELECT simhash('x', '{"own_words": [""]}');
SELECT simhash('x', '{"own_words": ["x", " 。… "]}');
SELECT simhash('x', '{"own_noise": ["!"]}');
SELECT simhash('x', '{"own_noise": true}');
SELECT simhash('x', jsonb_build_object('own_noise', ARRAY[repeat('字', 65)]));
SELECT simhash('x', jsonb_build_object('own_words', array_fill('x'::text, ARRAY[10001])));
