\pset linestyle unicode
\pset border 1
\set original '数据库里有一千万篇文章，其中许多只改动了几个字。给每篇文章算出六十四位指纹，指纹相近的文章就是近似重复的文章。'

\echo '━━ A text becomes 64 bits: its fingerprint. A small edit moves few of them, another text about half.'
\echo '   The same text in traditional Chinese has the same fingerprint.'
\echo
SELECT name, simhash(body) AS fingerprint, simhash(body) <~> simhash(:'original') AS distance
FROM (VALUES
    ('original',    :'original'),
    ('edited',      '数据库里有一千万篇文章，其中很多只改动了几个字。给每篇文章算出六十四位指纹，指纹相近的文章就是近似重复的文章！'),
    ('traditional', '數據庫裡有一千萬篇文章，其中許多只改動了幾個字。給每篇文章算出六十四位指紋，指紋相近的文章就是近似重複的文章。'),
    ('other',       '清晨的集市上，卖豆腐的老人把木板擦得干干净净，热气从锅里升起来，巷子里都是豆香。')
) AS t(name, body);

\echo '━━ What was hashed: words, pairs of neighbouring words, and in a short text runs of four characters.'
\echo
SELECT feature, round(weight::numeric, 2) AS weight, hash FROM simhash_features('指紋相近的文章，就是近似重複的文章。') LIMIT 14;

\echo '━━ The documents of this demo: articles with edited copies, and what this machine has under /usr/share.'
\echo '   The column fp is GENERATED ALWAYS AS (simhash(body)) STORED, with an index USING simhash (fp).'
\echo
SELECT source, count(*) AS documents, pg_size_pretty(sum(octet_length(body))) AS text FROM docs GROUP BY source ORDER BY source;

\echo '━━ Which articles are near-duplicates of each other? Up to 7 bits, nearest first.'
\echo
SELECT a.title, b.title AS near_duplicate, a.fp <~> b.fp AS distance
FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 7) AND a.id < b.id
WHERE a.source = 'article' AND b.source = 'article'
ORDER BY distance, a.id, b.id LIMIT 12;

\echo '━━ And among the copyright files of the installed packages, those that are not simply equal?'
\echo
SELECT a.title AS package, b.title AS other_package, a.fp <~> b.fp AS distance
FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 3) AND a.id < b.id AND a.body <> b.body
WHERE a.source = 'copyright' AND b.source = 'copyright'
ORDER BY distance DESC, a.id, b.id LIMIT 10;

\echo '━━ A larger table: the same fingerprints among 300,000 others. One index answers every k.'
\echo
CREATE INDEX archive_fp ON archive USING simhash (fp);
SELECT a.title, a.fp FROM docs a JOIN docs b ON simhash_near(a.fp, b.fp, 3) AND a.id < b.id AND a.fp <> b.fp
WHERE a.source = 'article' AND b.source = 'article' ORDER BY a.id LIMIT 1 \gset
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT id FROM archive WHERE simhash_near(fp, :fp, 3);

\echo '━━ The same search with the index, and by reading every row.'
\echo
\timing on
SELECT id, fp <~> :fp AS distance FROM archive WHERE simhash_near(fp, :fp, 3) ORDER BY distance, id;
SELECT id, fp <~> :fp AS distance FROM archive WHERE bit_count((fp # :fp)::bit(64)) <= 3 ORDER BY distance, id;
\timing off

\echo '━━ The five nearest rows, however far: exact, and in order by the index.'
\echo
\timing on
SELECT id, fp <~> :fp AS distance FROM archive ORDER BY fp <~> :fp LIMIT 5;
\timing off

\echo '━━ Four bands: the same search by B-trees alone. Each band of 16 bits is an index on an expression; four equality probes'
\echo '   find the candidates, and the filter computes their exact distance.'
\echo
DROP INDEX archive_fp;
SELECT simhash_create_index('archive', 'fp');
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT id FROM archive WHERE simhash_near(fp, :fp, 3);

\echo '━━ A constraint: no two posts that differ in at most 3 bits. A trigger fingerprints the rows.'
\echo
CREATE TABLE posts (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text, fp bigint);
CREATE TRIGGER a_fingerprint BEFORE INSERT OR UPDATE ON posts
    FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
ALTER TABLE posts ADD CONSTRAINT posts_not_near EXCLUDE USING simhash (fp WITH ~=);
INSERT INTO posts (body) SELECT body FROM docs WHERE source = 'article' ORDER BY id ON CONFLICT DO NOTHING;
SELECT (SELECT count(*) FROM docs WHERE source = 'article') AS articles, count(*) AS stored FROM posts;
\set ON_ERROR_STOP off
INSERT INTO posts (body) SELECT upper(body) FROM posts ORDER BY id LIMIT 1;
\set ON_ERROR_STOP on

\echo '━━ A trigger of ten lines stores near rows, and says to which row they are near. Here within 7 bits.'
\echo
CREATE TABLE linked (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text, fp bigint, duplicate_of int);
CREATE INDEX ON linked USING simhash (fp);
CREATE TRIGGER a_fp BEFORE INSERT OR UPDATE ON linked FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
CREATE FUNCTION link_duplicate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT id INTO NEW.duplicate_of FROM linked
        WHERE simhash_near(fp, NEW.fp, 7) AND id <> NEW.id ORDER BY fp <~> NEW.fp, id LIMIT 1;
    RETURN NEW;
END
$$;
CREATE TRIGGER b_link BEFORE INSERT ON linked FOR EACH ROW EXECUTE FUNCTION link_duplicate();
INSERT INTO linked (body) SELECT body FROM docs WHERE source = 'article' ORDER BY id;
SELECT l.id, left(l.body, 40) AS body, l.duplicate_of, l.fp <~> o.fp AS bits
FROM linked l JOIN linked o ON o.id = l.duplicate_of ORDER BY l.id LIMIT 6;

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
SELECT simhash(:'one') <~> simhash(:'other') AS distance, round(simhash_cosine(:'one', :'other')::numeric, 3) AS cosine,
       round(simhash_edit(:'one', :'other')::numeric, 3) AS edit, (simhash(:'one') # simhash(:'other'))::bit(64) AS bits_that_differ;
SELECT feature, round(weight_a::numeric, 1) AS weight_a, round(weight_b::numeric, 1) AS weight_b, side, round(influence::numeric, 1) AS influence
FROM simhash_explain(:'one', :'other') LIMIT 6;
