-- Traditional and simplified Chinese are one text, unless the options say otherwise.
\set simplified '数据库里有一千万篇文章，其中许多只改动了几个字；网络上的资讯也是如此，头发和发现都写成发。'
\set traditional '數據庫裡有一千萬篇文章，其中許多只改動了幾個字；網絡上的資訊也是如此，頭髮和發現都寫成發。'
SELECT simhash(:'simplified') = simhash(:'traditional') AS one, simhash(:'simplified', '{"script": "fold"}') = simhash(:'simplified') AS by_default,
    simhash(:'simplified', '{"script": "keep"}') = simhash(:'simplified') AS simplified_stays,
    simhash(:'simplified', '{"script": "keep"}') <~> simhash(:'traditional', '{"script": "keep"}') > 7 AS kept_apart;
-- What was hashed
SELECT feature, weight FROM simhash_features('電腦與資料庫', '{"runs": 1, "weights": "once"}');
SELECT feature, weight FROM simhash_features('電腦與資料庫', '{"runs": 1, "weights": "once", "script": "keep"}');
-- A character of several meanings has one form, the first of OpenCC's table; characters outside the basic plane change, too.
SELECT feature FROM simhash_features('乾坤 乾淨 著名 看著 瞭解 𠌥 㑮', '{"runs": 1, "weights": "once", "features": "characters"}');
-- The second stage
SELECT o AS options, simhash_cosine(:'simplified', :'traditional', o) AS cosine, simhash_jaccard(:'simplified', :'traditional', o) > 0.99 AS jaccard,
    simhash_euclidean(:'simplified', :'traditional', o) > 0.99 AS euclidean,
    simhash_edit(:'simplified', :'traditional', o) AS edit, simhash_lcs(:'simplified', :'traditional', o) AS lcs,
    simhash_edit_within(:'simplified', :'traditional', 0.9, o) AS within,
    simhash_sentences(:'simplified', 2, o) = simhash_sentences(:'traditional', 2, o) AS sentences
FROM (VALUES ('{}'::jsonb)) v (o);
SELECT simhash_edit('臺灣電腦', '台湾电脑'), simhash_edit('臺灣電腦', '台湾电脑', '{"script": "keep"}'),
    simhash_lcs('臺灣電腦', '台湾电脑'), simhash_lcs('臺灣電腦', '台湾电脑', '{"script": "keep"}'),
    simhash_edit_within('臺灣電腦', '台湾电脑', 1), simhash_edit_within('臺灣電腦', '台湾电脑', 1, '{"script": "keep"}'),
    simhash_sentences('臺灣電腦') = simhash_sentences('台湾电脑') AS sentences,
    simhash_sentences('臺灣電腦', options => '{"script": "keep"}') = simhash_sentences('台湾电脑', 3, '{"script": "keep"}') AS sentences_kept;
SELECT DISTINCT side FROM simhash_explain(:'simplified', :'traditional');
-- Only Chinese changes.
SELECT simhash(t) = simhash(t, '{"script": "keep"}') AS same FROM (VALUES ('The quick brown fox.'), ('Ещё одно предложение'), ('안녕하세요 세계')) v (t);
SELECT simhash('x', '{"script": "traditional"}');
SELECT simhash_sentences('x', 3, '{"script": "traditional"}');
