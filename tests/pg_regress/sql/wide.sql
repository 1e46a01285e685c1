-- simhash128 and simhash256: fingerprints with more bits.
\set SHOW_CONTEXT never
CREATE TABLE texts (id int PRIMARY KEY, body text);
INSERT INTO texts VALUES (1, 'The quick brown fox jumps over the lazy dog.'), (2, '数据库里有一千万篇文章，其中许多只改动了几个字。'),
    (3, 'the of and'), (4, '的了在是和'), (5, '<p>a page &amp; its text</p>'), (6, ''), (7, '!'), (8, NULL),
    (9, (SELECT string_agg('word ' || i, ' ') FROM generate_series(1, 20000) i));

-- Values.
SELECT id, simhash256(body) FROM texts WHERE id <= 2 ORDER BY id;
-- The narrower fingerprints are the first bits of the wider ones, with all options. Without features there is none.
CREATE TABLE given (options jsonb);
INSERT INTO given VALUES ('{}'), ('{"runs": [1, 2, 4]}'), ('{"weights": "once"}'), ('{"weights": "count"}'), ('{"weights": "log"}'),
    ('{"weights": "tfidf"}'), ('{"weights": "levels"}'), ('{"weights": "tfidf", "runs": 2}'), ('{"noise": "keep"}'),
    ('{"features": "characters"}'), ('{"markup": "html"}'), ('{"own_words": ["quick brown"], "own_noise": ["fox"]}');
SELECT id, length(simhash128(body)) AS bits_128, length(simhash256(body)) AS bits_256 FROM texts ORDER BY id;
SELECT t.id, options FROM texts t, given
WHERE simhash256(body, options)::bit(128) IS DISTINCT FROM simhash128(body, options)
   OR simhash128(body, options)::bit(64)::bigint IS DISTINCT FROM simhash(body, options)
   OR (options = '{}' AND simhash256(body) IS DISTINCT FROM simhash256(body, options));
SELECT count(DISTINCT simhash256(body, options)) > 6 AS options_matter FROM texts, given WHERE id = 1;
SELECT simhash256('some words', NULL) IS NULL AS strict;
SELECT simhash128('some words', '{"weight": "log"}');
SELECT simhash256('some words', '[]');

-- Generated columns, and an index on an expression: the result of a function has no length of its own.
CREATE TABLE docs (id int PRIMARY KEY, body text, fp bit(256) GENERATED ALWAYS AS (simhash256(body)) STORED,
    half bit(128) GENERATED ALWAYS AS (simhash128(body)) STORED);
INSERT INTO docs SELECT * FROM texts;
SELECT count(fp), count(*) FILTER (WHERE fp IS DISTINCT FROM simhash256(body) OR half IS DISTINCT FROM fp::bit(128)) AS wrong FROM docs;
CREATE INDEX ON docs ((simhash256(body)::bit(256)));
CREATE TABLE too_short (body text, fp bit(128) GENERATED ALWAYS AS (simhash256(body)) STORED);
INSERT INTO too_short VALUES ('some words');
DROP TABLE docs, too_short;

-- The trigger, on columns of these types and of domains over them.
CREATE DOMAIN wide AS bit(256) CHECK (VALUE <> repeat('0', 256)::bit(256));
CREATE DOMAIN of_domain AS wide CHECK (get_bit(VALUE, 0) = 0);
CREATE TABLE docs (id int PRIMARY KEY, title text, body text, fp64 bigint, fp128 bit(128), fp256 bit(256), domain wide);
CREATE TRIGGER fp64 BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp64', 'title', 'body');
CREATE TRIGGER fp128 BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp128', 'title', 'body');
CREATE TRIGGER fp256 BEFORE INSERT OR UPDATE ON docs FOR EACH ROW
    EXECUTE FUNCTION simhash_trigger('fp256', 'body', '{"weights": "log"}');
CREATE TRIGGER domain BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('domain', 'body');
CREATE VIEW wrong AS SELECT id FROM docs
    WHERE (fp64, fp128) IS DISTINCT FROM (simhash(title || E'\n' || body), simhash128(title || E'\n' || body))
       OR (fp256, domain) IS DISTINCT FROM (simhash256(body, '{"weights": "log"}'), simhash256(body));
INSERT INTO docs (id, title, body) SELECT id, '', coalesce(body, '') FROM texts;
SELECT count(fp64), count(fp128), count(fp256), count(domain) FROM docs;
SELECT * FROM wrong;
UPDATE docs SET body = body || ' changed' WHERE id IN (1, 6);
UPDATE docs SET body = '' WHERE id = 2;
SELECT * FROM wrong;
SELECT fp256 IS NULL AS no_features FROM docs WHERE id = 2;
-- The trigger computes nothing if the text is the same.
UPDATE docs SET fp128 = repeat('1', 128)::bit(128) WHERE id = 1;
SELECT id FROM wrong;
DROP VIEW wrong;
DROP TABLE docs;
CREATE TABLE docs (body text, fp of_domain);
CREATE TRIGGER fp BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
INSERT INTO docs SELECT body FROM texts WHERE id = 1;
SELECT fp = simhash256(body) AS computed FROM docs;
INSERT INTO docs SELECT body FROM texts WHERE id = 2;
DROP TABLE docs;

-- Other types and lengths.
CREATE DOMAIN half_wide AS bit(64);
CREATE TABLE docs (id int PRIMARY KEY, body text, number int, short bit(64), long bit(512), one bit, varying bit varying(256),
    domain half_wide, gen bit(256) GENERATED ALWAYS AS (simhash256(body)) STORED);
INSERT INTO docs VALUES (1, 'some words');
DO $$
DECLARE
    wrong text;
    code text; message text; detail text; hint text;
BEGIN
    FOREACH wrong IN ARRAY '{number,short,long,one,varying,domain,gen}'::text[] LOOP
        EXECUTE format('CREATE TRIGGER fp BEFORE UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger(%L, ''body'')', wrong);
        BEGIN
            UPDATE docs SET body = 'other words';
        EXCEPTION WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
            RAISE INFO '%', concat_ws(' | ', code, message, nullif(detail, ''), nullif(hint, ''));
        END;
        DROP TRIGGER fp ON docs;
    END LOOP;
END
$$;
CALL simhash_backfill('docs', 'short', 'body');
CALL simhash_backfill('docs', 'varying', 'body');
CALL simhash_backfill('docs', 'domain', 'body');
DROP TABLE docs;

-- The back-fill, for columns of several types in one session.
CREATE TABLE docs (id int PRIMARY KEY, title text, body text, fp64 bigint, fp128 bit(128), fp256 bit(256), domain wide);
INSERT INTO docs SELECT id, 'title', body FROM texts;
CALL simhash_backfill('docs', 'fp256', 'body', batch_rows => 2);
CALL simhash_backfill('docs', 'fp64', 'body');
CALL simhash_backfill('docs', 'fp128', 'title', more_columns => '{body}', options => '{"weights": "log"}');
CALL simhash_backfill('docs', 'domain', 'body');
SELECT id FROM docs WHERE (fp64, fp256, domain) IS DISTINCT FROM (simhash(body), simhash256(body), simhash256(body))
    OR fp128 IS DISTINCT FROM simhash128(concat_ws(E'\n', title, body), '{"weights": "log"}') ORDER BY id;
SELECT count(fp64), count(fp128), count(fp256), count(domain) FROM docs;
-- A row that is rejected.
UPDATE docs SET fp256 = NULL;
ALTER TABLE docs ADD CHECK (id <> 2 OR fp256 IS NULL);
CALL simhash_backfill('docs', 'fp256', 'body');
SELECT id FROM docs WHERE fp256 IS DISTINCT FROM simhash256(body);
DROP TABLE docs, texts, given;
DROP DOMAIN of_domain, wide, half_wide;
