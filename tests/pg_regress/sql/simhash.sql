-- simhash(text): properties of the fingerprint
SELECT pg_typeof(simhash('a text')), simhash('a text') = simhash('a text'::text) AS literal_is_text;
PREPARE untyped AS SELECT simhash($1);
EXECUTE untyped('a text');
SELECT simhash('a text');
DEALLOCATE untyped;

-- Nothing to hash: NULL, never 0.
SELECT t AS text, simhash(t) FROM unnest(ARRAY['', ' ', E' \t\n', '。，！？——……', '!!! ... ???', '　']) t;
SELECT simhash(NULL) IS NULL AS strict;

-- Only noise words: then they are features.
SELECT simhash('of the') IS NOT NULL AS english, simhash('的 和') IS NOT NULL AS chinese,
       simhash('of the') <> simhash('and a') AS different;

-- Case, width, the amount of white space and invisible characters do not matter.
SELECT simhash('ＰｏｓｔｇｒｅＳＱＬ　１５，全文检索！') = simhash('postgresql 15,全文检索!') AS same_width,
       simhash(E' The quick\tbrown  fox\njumps.') = simhash('the QUICK brown fox jumps. ') AS same_case,
       simhash(E'caf\u00e9 cre\u0300me') = simhash(E'cafe\u0301 cr\u00e8me') AS same_composition,
       simhash(E'zero\u200bwidth') = simhash('zerowidth') AS same_invisible;

-- Punctuation does not matter either, unless the text is short; then it changes a few bits.
SELECT simhash(repeat('每个字都一样，标点不同。', 40)) = simhash(repeat('每个字都一样；标点不同！', 40)) AS long_text,
       hamming(simhash('新手入坑原神，应该注意些什么？'), simhash('新手入坑原神，应该注意些什么')) BETWEEN 1 AND 12 AS short_text;

-- An edited copy is near, another text is far.
WITH texts(name, body) AS (VALUES
    ('original', 'The harbour master counted the boats twice before the storm, and wrote the number on the slate by the door. Forty-one boats had gone out that morning, and by dusk thirty-nine were tied along the quay. The two that were missing belonged to brothers who fished the deep water north of the reef. Nobody spoke of it, but the lamps were left burning in every house that faced the sea, and the bell was rung each quarter of an hour until the wind fell.'),
    ('edited', 'The harbour master counted the boats twice before the storm, and wrote the number on the slate by the gate. Forty-one boats had gone out that morning, and by dusk thirty-nine were tied along the quay. The two that were missing belonged to brothers who fished the deep water north of the reef. Nobody spoke of it, but the lamps were left burning in every house that faced the sea; and the bell was rung each quarter of an hour until the wind fell.'),
    ('other', 'Bread wants time more than it wants kneading. Mix flour, water, salt and a spoon of the old dough in the evening, cover the bowl with a cloth, and leave it on the cool shelf of the larder. In the morning it has doubled, smells faintly sour, and needs only to be folded, shaped and set on a floured board while the oven heats.'))
SELECT a.name, b.name, hamming(simhash(a.body), simhash(b.body)) <= 7 AS near
FROM texts a JOIN texts b ON a.name < b.name ORDER BY 1, 2;

-- Toasted, compressed and long values, in a generated column and an expression index.
CREATE TABLE docs (
    id int PRIMARY KEY,
    body text,
    fp bigint GENERATED ALWAYS AS (simhash(body)) STORED
);
ALTER TABLE docs ALTER body SET STORAGE EXTERNAL;
INSERT INTO docs SELECT 1, string_agg('word' || i, ' ') FROM generate_series(1, 50000) i;
ALTER TABLE docs ALTER body SET STORAGE EXTENDED;
INSERT INTO docs SELECT 2, string_agg('word' || i, ' ') FROM generate_series(1, 50000) i;
INSERT INTO docs SELECT 3, repeat('字', 100000);
INSERT INTO docs VALUES (4, NULL), (5, '');
CREATE INDEX ON docs (simhash(body));
SELECT id, fp IS NULL AS no_fingerprint, fp = simhash(body) AS same FROM docs ORDER BY id;
SELECT count(DISTINCT fp) FROM docs WHERE id IN (1, 2);
DROP TABLE docs;

SELECT simhash(42);
