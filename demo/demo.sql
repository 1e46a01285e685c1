\pset linestyle unicode
\pset border 1
\echo '━━ A text becomes 64 bits: its fingerprint. A small edit moves few of them, another text about half.'
\echo
SELECT name, simhash(body) AS fingerprint, simhash(body) <~> simhash(original) AS distance
FROM (VALUES
    ('original', '数据库里有一千万篇文章，其中许多只改动了几个字。给每篇文章算出六十四位指纹，指纹相近的文章就是近似重复的文章。'),
    ('edited',   '数据库里有一千万篇文章，其中很多只改动了几个字。给每篇文章算出六十四位指纹，指纹相近的文章就是近似重复的文章！'),
    ('other',    '清晨的集市上，卖豆腐的老人把木板擦得干干净净，热气从锅里升起来，巷子里都是豆香。')
) AS t(name, body),
(VALUES ('数据库里有一千万篇文章，其中许多只改动了几个字。给每篇文章算出六十四位指纹，指纹相近的文章就是近似重复的文章。')) AS o(original);

\echo '━━ What was hashed: words, pairs of neighbouring words, and in a short text runs of four characters.'
\echo
SELECT feature, round(weight::numeric, 2) AS weight, hash FROM simhash_features('指纹相近的文章，就是近似重复的文章。') LIMIT 14;

\echo '━━ The documents of this demo: articles with edited copies, and what this machine has under /usr/share.'
\echo '   The column fp is GENERATED ALWAYS AS (simhash(body)) STORED.'
\echo
SELECT source, count(*) AS documents, pg_size_pretty(sum(octet_length(body))) AS text FROM docs GROUP BY source ORDER BY source;

\echo '━━ Which articles are near-duplicates of each other? Distance 0 to 7, nearest first.'
\echo
SELECT a.title, b.title AS near_duplicate, a.fp <~> b.fp AS distance
FROM docs a JOIN docs b ON a.id < b.id AND a.fp <~> b.fp <= 7
WHERE a.source = 'article' AND b.source = 'article'
ORDER BY distance, a.id, b.id LIMIT 12;

\echo '━━ And among the copyright files of the installed packages, those that are not simply equal?'
\echo
SELECT a.title AS package, b.title AS other_package, a.fp <~> b.fp AS distance
FROM docs a JOIN docs b ON a.id < b.id AND a.fp <~> b.fp <= 3 AND a.body <> b.body
WHERE a.source = 'copyright' AND b.source = 'copyright'
ORDER BY distance DESC, a.id, b.id LIMIT 10;

\echo '━━ Among 300,000 rows: one B-tree for each of four 16-bit bands. Two fingerprints within 3 bits share a band.'
\echo
SELECT simhash_create_index('archive', 'fp');
SELECT a.title, a.fp FROM docs a JOIN docs b ON a.id < b.id AND a.fp <~> b.fp BETWEEN 1 AND 3
WHERE a.source = 'article' AND b.source = 'article' ORDER BY a.id LIMIT 1 \gset
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT id FROM archive WHERE simhash_near(fp, :fp, 3);

\echo '━━ The same search with the indexes, and by reading every row.'
\echo
\timing on
SELECT id, fp <~> :fp AS distance FROM archive WHERE simhash_near(fp, :fp, 3) ORDER BY distance, id;
SELECT id, fp <~> :fp AS distance FROM archive WHERE bit_count((fp # :fp)::bit(64)) <= 3 ORDER BY distance, id;
\timing off

\echo '━━ A trigger fingerprints rows as they come, and a guard says which earlier row they are near to.'
\echo
CREATE TABLE posts (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text, fp bigint, duplicate_of int, bits int);
CREATE TRIGGER a_fingerprint BEFORE INSERT OR UPDATE ON posts
    FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
CREATE TRIGGER b_guard BEFORE INSERT OR UPDATE ON posts
    FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '7', 'link', 'into=duplicate_of', 'distance=bits');
INSERT INTO posts (body) SELECT body FROM docs WHERE source = 'article' ORDER BY id;
SELECT id, left(body, 40) AS body, duplicate_of, bits FROM posts WHERE duplicate_of IS NOT NULL ORDER BY id LIMIT 6;

\echo '━━ The same guard with the action reject: an error, as from a UNIQUE constraint.'
\echo
DROP TRIGGER b_guard ON posts;
CREATE TRIGGER b_guard BEFORE INSERT OR UPDATE ON posts
    FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
\set ON_ERROR_STOP off
INSERT INTO posts (body) SELECT body || ' – an edited copy' FROM docs WHERE source = 'article' ORDER BY id LIMIT 1;
\set ON_ERROR_STOP on

\echo '━━ The whole table at once: clusters of documents within 3 bits, the largest first.'
\echo
SELECT source, cluster, count(*) AS documents, min(title) AS first, max(title) AS last
FROM (SELECT source, title, simhash_cluster(fp) OVER (PARTITION BY source ORDER BY id) AS cluster FROM docs WHERE fp IS NOT NULL) c
GROUP BY source, cluster HAVING count(*) > 1 ORDER BY documents DESC, source, cluster LIMIT 8;

\echo '━━ One of each to keep: leaders, without chains.'
\echo
SELECT source, count(*) AS documents, count(*) FILTER (WHERE keep) AS kept
FROM (SELECT source, simhash_leader(fp) OVER w = row_number() OVER w AS keep
      FROM docs WHERE fp IS NOT NULL WINDOW w AS (PARTITION BY source ORDER BY id)) d
GROUP BY source ORDER BY source;

\echo '━━ Why are these two only near and not equal? What they share, what they do not, and the bits it moved.'
\echo
\set one '数据库里有一千万篇文章，其中许多只改动了几个字。'
\set other '数据库里有一千万篇文章，其中很多只改动了几个字！'
SELECT distance, round(cosine::numeric, 3) AS cosine, round(simhash_edit(:'one', :'other')::numeric, 3) AS edit, bits
FROM simhash_compare(:'one', :'other');
SELECT feature, round(weight_a::numeric, 1) AS weight_a, round(weight_b::numeric, 1) AS weight_b, side, round(influence::numeric, 1) AS influence
FROM simhash_explain(:'one', :'other') LIMIT 6;
