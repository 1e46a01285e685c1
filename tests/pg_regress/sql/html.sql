-- Texts in HTML: the fingerprint of a page is that of its text.
CREATE TABLE articles (id int, body text);
INSERT INTO articles VALUES
    (1, E'The harbour master counted the boats twice before the storm & wrote the number on the slate.\nForty-one had gone out; 39 < 41 were tied along the quay.'),
    (2, E'数据库里有一千万篇文章，其中许多只改动了几个字。\n指纹相近的文章，就是近似重复的文章。'),
    (3, (SELECT string_agg(format('Paragraph %s of a long article, 第%s段。', i, i), E'\n') FROM generate_series(1, 2000) i));
CREATE FUNCTION in_paragraphs(body text) RETURNS text LANGUAGE sql AS $$
    SELECT '<p>' || replace(replace(replace(body, '&', '&amp;'), '<', '&lt;'), E'\n', E'</p>\n<p class="text">') || '</p>' $$;
CREATE FUNCTION in_page(body text) RETURNS text LANGUAGE sql AS $$
    SELECT '<!DOCTYPE html><html lang=en><head><title>Site name</title><style>p { margin: 0 }</style></head><body>'
        '<nav><ul><li><a href="/">Home</a><li><a href="/a?b=1&c=2">Archive</a></ul></nav><main><article>' || in_paragraphs(body) ||
        '</article></main><aside>Read also: <a href=x>something else</a></aside><footer><p>All rights reserved</footer>'
        '<script>if (a < b && c > d) document.write("<p>no</p>")</script></body></html>' $$;
SELECT id, simhash(in_paragraphs(body), '{"markup": "html"}') = simhash(body) AS paragraphs, simhash(in_page(body), '{"markup": "html"}') = simhash(body) AS page,
    simhash(in_page(body)) = simhash(body) AS without, simhash(body, '{"markup": "none"}') = simhash(body) AS default_spelled_out
FROM articles ORDER BY id;
SELECT o, bool_and(simhash(in_page(body), o || '{"markup": "html"}') = simhash(body, o)) AS equal FROM articles,
    (VALUES ('{"weights": "log"}'::jsonb), ('{"weights": "tfidf", "runs": [1, 3]}'), ('{"features": "characters"}'), ('{"noise": "keep", "hmm": true}')) v (o) GROUP BY o ORDER BY o::text;
-- What was hashed: entities are decoded, blocks are separated, inline elements are not; elements that HTML marks as not content are
-- left out.
SELECT string_agg(feature, ' ') FROM simhash_features(
    '<title>no</title><nav>no</nav>in<b>ter</b>national<p>caf&eacute; &#20013;&#x6587;<br>A<td>B</td><!-- no --><script>no</script><ul><li>one<li>two</ul><aside>no</aside>end',
    '{"markup": "html", "runs": 1, "weights": "once", "noise": "keep"}');
-- Broken markup: an element ends with the one around it, or where the content begins; an element that never ends is not left out.
SELECT html, (SELECT string_agg(feature, ' ') FROM simhash_features(html, '{"markup": "html", "runs": 1, "weights": "once", "noise": "keep"}')) AS words
FROM (VALUES ('<div><nav>left</div>kept'), ('<nav>left<main>kept'), ('one<nav>two<aside>left</aside>three'), ('<table><tr><td><nav>left<td>kept</table>'),
    ('<p title="a > b">kept</p'), ('1 < 2 & 3 > 2'), ('<script>left'), ('<nav>left'), ('<svg><style/><text>kept</text></svg>'), ('')) v (html);
-- The second stage
SELECT id, simhash_cosine(in_page(body), in_paragraphs(body), '{"markup": "html"}') AS cosine, simhash_jaccard(in_page(body), in_paragraphs(body), '{"markup": "html"}') AS jaccard,
    simhash_euclidean(in_page(body), in_paragraphs(body), '{"markup": "html"}') AS euclidean, simhash_edit(in_page(body), in_paragraphs(body), '{"markup": "html"}') AS edit,
    simhash_lcs(in_page(body), in_paragraphs(body), '{"markup": "html"}') AS lcs, simhash_edit_within(in_page(body), in_paragraphs(body), 1, '{"markup": "html"}') AS within,
    simhash_sentences(in_page(body), 3, '{"markup": "html"}') = simhash_sentences(body) AS sentences
FROM articles ORDER BY id;
SELECT DISTINCT side FROM articles, simhash_explain(in_page(body), in_paragraphs(body), '{"markup": "html"}') WHERE id < 3;
-- A line break in the source does not begin a line, except in preformatted text.
SELECT simhash_sentences(E'<p>one\n sentence</p><p>another', 3, '{"markup": "html"}') = simhash_sentences(E'one sentence\nanother') AS lines,
    simhash_sentences(E'<pre>one\nsentence</pre>', 3, '{"markup": "html"}') = simhash_sentences(E'one\nsentence') AS preformatted;
-- The trigger and the back-fill
CREATE TABLE pages (id int PRIMARY KEY, html text, fp bigint);
INSERT INTO pages SELECT id, in_page(body) FROM articles WHERE id < 3;
CREATE TRIGGER fingerprint BEFORE INSERT OR UPDATE ON pages FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'html', '{"markup": "html"}');
INSERT INTO pages SELECT id, in_page(body) FROM articles WHERE id = 3;
SELECT id, fp = simhash(body) AS equal FROM pages JOIN articles USING (id) ORDER BY id;
CALL simhash_backfill('pages', 'fp', 'html', options => '{"markup": "html"}');
SELECT id, fp = simhash(body) AS equal FROM pages JOIN articles USING (id) ORDER BY id;
-- Expressions of indexes and generated columns
CREATE TABLE generated (id int, html text, fp bigint GENERATED ALWAYS AS (simhash(html, '{"markup": "html"}'::jsonb)) STORED);
INSERT INTO generated SELECT id, in_page(body) FROM articles;
SELECT id FROM generated g WHERE simhash_near(fp, (SELECT simhash(body) FROM articles a WHERE a.id = 2), 0);
SELECT simhash('x', '{"markup": "xml"}');
DROP TABLE articles, pages, generated;
DROP FUNCTION in_page, in_paragraphs;
