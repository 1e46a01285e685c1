-- simhash_backfill: old rows get their fingerprints.
\set SHOW_CONTEXT never

CREATE TABLE docs (id int PRIMARY KEY, title text, body text, fp bigint);
INSERT INTO docs SELECT i, 'title ' || i, CASE WHEN i % 10 = 0 THEN NULL WHEN i % 10 = 1 THEN '...' ELSE 'a body with words ' || i END
    FROM generate_series(1, 2500) i;
UPDATE docs SET fp = 42 WHERE id = 5;
CALL simhash_backfill('docs', 'fp', 'body');
SELECT count(*) FILTER (WHERE fp IS NOT NULL) AS filled,
       count(*) FILTER (WHERE fp IS DISTINCT FROM simhash(body) AND id <> 5) AS wrong, min(fp) FILTER (WHERE id = 5) AS kept FROM docs;
-- A second call: only rows without features are left.
CALL simhash_backfill('docs', 'fp', 'body', batch_rows => 100);
SHOW application_name;
-- Several columns, with options, as the trigger has them. The trigger does not compute the fingerprints again.
UPDATE docs SET fp = NULL;
CREATE TRIGGER docs_fp BEFORE INSERT OR UPDATE ON docs FOR EACH ROW
    EXECUTE FUNCTION simhash_trigger('fp', 'title', 'body', '{"weights": "count"}');
CALL simhash_backfill('docs', 'fp', 'title', more_columns => '{body}', options => '{"weights": "count"}', batch_rows => 70);
SELECT count(*) FILTER (WHERE fp IS DISTINCT FROM simhash(concat_ws(E'\n', title, body), '{"weights": "count"}')) AS wrong FROM docs;
UPDATE docs SET title = title || '';
INSERT INTO docs SELECT 10000 + id, title, body FROM docs;
SELECT count(*) AS wrong FROM docs a JOIN docs b ON b.id = a.id + 10000 WHERE a.fp IS DISTINCT FROM b.fp;
DROP TABLE docs;

-- A key of two columns, unusual names, partitions.
CREATE TABLE "Odd ""table" ("Key 1" text, "键" int, "正文" varchar(100), "fp fp" bigint, PRIMARY KEY ("Key 1", "键"))
    PARTITION BY RANGE ("键");
CREATE TABLE odd_1 PARTITION OF "Odd ""table" FOR VALUES FROM (0) TO (50);
CREATE TABLE odd_2 PARTITION OF "Odd ""table" FOR VALUES FROM (50) TO (100);
INSERT INTO "Odd ""table" SELECT 'it''s ' || i % 3, i, '第' || i || '篇文章的正文' FROM generate_series(1, 99) i;
CALL simhash_backfill('"Odd ""table"', 'fp fp', '正文', batch_rows => 10);
SELECT count(*) AS wrong FROM "Odd ""table" WHERE "fp fp" IS DISTINCT FROM simhash("正文");
DROP TABLE "Odd ""table";

-- A key with the names that the procedure uses internally.
CREATE TABLE names (fp text, part int, tid int, key_1 int, body text, "print" bigint, PRIMARY KEY (fp, part, tid, key_1));
INSERT INTO names SELECT 'x', i, i, i, 'the words of row ' || i FROM generate_series(1, 30) i;
CALL simhash_backfill('names', 'print', 'body', batch_rows => 7);
DROP TABLE names;

-- The caller's search_path and application_name are restored, also within one transaction, and after an error.
CREATE TABLE one (id int PRIMARY KEY, body text, fp bigint);
INSERT INTO one SELECT i, 'the words of row ' || i FROM generate_series(1, 10) i;
CREATE TABLE two AS TABLE one;
ALTER TABLE two ADD PRIMARY KEY (id);
SET application_name = 'caller';
DO $$
DECLARE
    filled bigint; without_features bigint; locked bigint; rejected bigint;
BEGIN
    CALL simhash_backfill('one', 'fp', 'body', batch_rows => 4, filled => filled, without_features => without_features,
        locked => locked, rejected => rejected);
    CALL simhash_backfill('two', 'fp', 'body', batch_rows => 4, filled => filled, without_features => without_features,
        locked => locked, rejected => rejected);
    RAISE NOTICE '% by %', filled, current_setting('application_name');
END
$$;
UPDATE two SET fp = NULL;
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'not row % (%)', new.id, current_setting('application_name') USING ERRCODE = 'lock_not_available';
END
$$;
CREATE TRIGGER fail BEFORE UPDATE ON two FOR EACH ROW WHEN (new.id = 6) EXECUTE FUNCTION fail();
CALL simhash_backfill('two', 'fp', 'body', batch_rows => 2);
SHOW application_name;
SELECT count(fp) FROM two;
RESET application_name;
DROP TABLE one, two;
DROP FUNCTION fail;

-- Errors.
CREATE TABLE keyless (body text, fp bigint, n int);
CALL simhash_backfill('keyless', 'fp', 'body');
CALL simhash_backfill('keyless', 'missing', 'body');
CALL simhash_backfill('keyless', 'n', 'body');
ALTER TABLE keyless ADD id int PRIMARY KEY;
CALL simhash_backfill('keyless', 'fp', 'missing');
CALL simhash_backfill('keyless', 'fp', 'body', batch_rows => 0);
CALL simhash_backfill('keyless', NULL, 'body');
CALL simhash_backfill('keyless', 'fp', 'body', options => '{"unknown": 1}');
INSERT INTO keyless VALUES ('x', NULL, 1, 1);
CALL simhash_backfill('keyless', 'fp', 'body', options => '{"unknown": 1}');
DROP TABLE keyless;
