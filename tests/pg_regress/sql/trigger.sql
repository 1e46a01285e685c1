-- simhash_trigger: fingerprints of text columns on INSERT and UPDATE.
\set SHOW_CONTEXT never

CREATE TABLE docs (id int PRIMARY KEY, title text, body text, note text, fp bigint);
CREATE TRIGGER docs_fp BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'title', 'body');
-- The oracle: the columns as one document, each on a line.
CREATE VIEW wrong AS SELECT id FROM docs WHERE fp IS DISTINCT FROM simhash(nullif(concat_ws(E'\n', title, body), ''));

INSERT INTO docs VALUES (1, 'A title', 'and a body of some words'), (2, NULL, 'only a body'), (3, 'only a title', NULL),
    (4, NULL, NULL), (5, '', ''), (6, '标题', '数据库里的文章'), (7, '!', '?');
SELECT id, fp IS NULL AS has_none FROM docs ORDER BY id;
SELECT * FROM wrong;

-- UPDATE: the fingerprint is computed if a text changes, and only then.
UPDATE docs SET body = 'another body altogether' WHERE id = 1;
SELECT * FROM wrong;
UPDATE docs SET fp = 42 WHERE id = 1;
UPDATE docs SET note = 'x', title = title WHERE id = 1;
SELECT fp FROM docs WHERE id = 1;
UPDATE docs SET title = NULL, body = NULL WHERE id = 1;
SELECT fp FROM docs WHERE id = 1;
-- A long text: stored out of line, unchanged by an UPDATE of another column.
INSERT INTO docs (id, body) SELECT 8, string_agg(md5(i::text), ' ') FROM generate_series(1, 10000) i;
UPDATE docs SET fp = 43 WHERE id = 8;
UPDATE docs SET note = 'y' WHERE id = 8;
UPDATE docs SET body = (SELECT string_agg(md5(i::text), ' ') FROM generate_series(1, 10000) i) WHERE id = 8;
SELECT fp FROM docs WHERE id = 8;
UPDATE docs SET body = body || ' more' WHERE id = 8;
SELECT fp = simhash(body) AS computed FROM docs WHERE id = 8;

-- COPY, INSERT … SELECT, ON CONFLICT, MERGE.
COPY docs (id, title, body) FROM stdin;
20	copied	by COPY
21	\N	有中文的一行
\.
INSERT INTO docs (id, title, body) SELECT 30 + i, 'row ' || i, 'selected' FROM generate_series(1, 3) i;
INSERT INTO docs (id, title, body) VALUES (31, 'row 1', 'on conflict') ON CONFLICT (id) DO UPDATE SET body = excluded.body;
MERGE INTO docs d USING (VALUES (32, 'merged'), (40, 'not matched')) v (id, body) ON d.id = v.id
    WHEN MATCHED THEN UPDATE SET body = v.body WHEN NOT MATCHED THEN INSERT (id, body) VALUES (v.id, v.body);
SELECT * FROM wrong;
SELECT count(*) FROM docs WHERE id >= 20 AND fp IS NOT NULL;

-- A dropped column before the others, and one that is added.
ALTER TABLE docs DROP COLUMN note;
ALTER TABLE docs ADD COLUMN added int DEFAULT 7;
INSERT INTO docs (id, title, body) VALUES (50, 'after', 'a column was dropped');
SELECT * FROM wrong;

-- A renamed column: an error that names it, and nothing is stored.
ALTER TABLE docs RENAME body TO content;
INSERT INTO docs (id, title) VALUES (51, 'renamed');
ALTER TABLE docs RENAME content TO body;
DROP VIEW wrong;
DROP TABLE docs;

-- Types.
CREATE DOMAIN short_text AS varchar(40);
CREATE DOMAIN small_fingerprint AS bigint CHECK (VALUE <> 0);
CREATE TABLE kinds (t text, v varchar(20), c char(20), n name, d short_text, i int, fp small_fingerprint);
CREATE TRIGGER kinds_fp BEFORE INSERT OR UPDATE ON kinds FOR EACH ROW
    EXECUTE FUNCTION simhash_trigger('fp', 't', 'v', 'c', 'n', 'd');
INSERT INTO kinds VALUES ('one text', 'two varchar', 'three char', 'four_name', 'five domain', 6);
SELECT fp = simhash(concat_ws(E'\n', t, v, c::text, n::text, d)) AS computed FROM kinds;
DROP TABLE kinds;
DROP DOMAIN short_text, small_fingerprint;

-- Options.
CREATE TABLE options (body text, fp bigint);
CREATE TRIGGER options_fp BEFORE INSERT OR UPDATE ON options FOR EACH ROW
    EXECUTE FUNCTION simhash_trigger('fp', 'body', '{"features": "characters", "runs": 3}');
INSERT INTO options VALUES ('some text of characters');
SELECT fp = simhash(body, '{"features": "characters", "runs": 3}') AS computed FROM options;
DROP TRIGGER options_fp ON options;
CREATE TRIGGER options_fp BEFORE INSERT OR UPDATE ON options FOR EACH ROW
    EXECUTE FUNCTION simhash_trigger('fp', 'body', '{"feature": "characters"}');
INSERT INTO options VALUES ('some text of characters');
DROP TABLE options;

-- Errors at first use.
CREATE TABLE wrong (id int, body text, fp bigint, number int, gen bigint GENERATED ALWAYS AS (simhash(body)) STORED);
CREATE FUNCTION try_trigger(definition text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text; hint text;
BEGIN
    EXECUTE replace(definition, '!', 'CREATE TRIGGER t');
    INSERT INTO wrong (id, body) VALUES (1, 'x y z');
    RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(' | ', SQLSTATE, SQLERRM, nullif(detail, ''), nullif(hint, ''));
END
$$;
\pset format unaligned
\pset tuples_only on
SELECT try_trigger('! AFTER INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger(''fp'', ''body'')');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH STATEMENT EXECUTE FUNCTION simhash_trigger(''fp'', ''body'')');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger()');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger(''fp'')');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger(''fp'', ''{}'')');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger(''fpp'', ''body'')');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger(''fp'', ''bodyy'')');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger(''number'', ''body'')');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger(''fp'', ''number'')');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger(''gen'', ''body'')');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger(''fp'', ''body'', ''{"runs": 0}'')');
SELECT try_trigger('! BEFORE INSERT ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger(''fp'', ''body'', ''{broken'')');
CREATE TRIGGER t BEFORE DELETE ON wrong FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
INSERT INTO wrong (id) VALUES (1);
DELETE FROM wrong;
SELECT simhash_trigger();
\pset format aligned
\pset tuples_only off
DROP TABLE wrong;
DROP FUNCTION try_trigger;

-- Partitions, with columns in another order, and other schemas.
CREATE SCHEMA "Other";
CREATE TABLE "Other".parts (id int, "标题" text, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE "Other".parts_1 (fp bigint, gone int, "标题" text, id int);
ALTER TABLE "Other".parts_1 DROP COLUMN gone;
ALTER TABLE "Other".parts ATTACH PARTITION "Other".parts_1 FOR VALUES FROM (0) TO (10);
CREATE TRIGGER parts_fp BEFORE INSERT OR UPDATE ON "Other".parts FOR EACH ROW
    EXECUTE FUNCTION simhash_trigger('fp', '标题');
CREATE TABLE "Other".parts_2 PARTITION OF "Other".parts FOR VALUES FROM (10) TO (20);
INSERT INTO "Other".parts VALUES (1, '第一个标题'), (11, '第二个标题');
UPDATE "Other".parts SET id = 12 WHERE id = 1;
SELECT tableoid::regclass, id, fp = simhash("标题") AS computed FROM "Other".parts ORDER BY id;
SET client_min_messages = warning;
DROP SCHEMA "Other" CASCADE;
RESET client_min_messages;
