-- simhash_backfill continues after rows that a constraint rejects, or a trigger leaves out, and counts them.
\set SHOW_CONTEXT never
CREATE TABLE docs (id int PRIMARY KEY, body text, fp bigint);
INSERT INTO docs SELECT i, CASE WHEN i IN (7, 8, 19) THEN 'the same words' WHEN i = 12 THEN '...' ELSE 'the words of text ' || md5(i::text) END
    FROM generate_series(1, 20) i;
ALTER TABLE docs ADD CONSTRAINT docs_not_near EXCLUDE USING simhash (fp WITH ~=);
CALL simhash_backfill('docs', 'fp', 'body', batch_rows => 6);
SELECT id FROM docs WHERE fp IS NULL ORDER BY id;
CALL simhash_backfill('docs', 'fp', 'body');
ALTER TABLE docs DROP CONSTRAINT docs_not_near;

-- A unique index, in which two rows of one batch conflict.
UPDATE docs SET fp = NULL;
CREATE UNIQUE INDEX docs_fp ON docs (fp);
CALL simhash_backfill('docs', 'fp', 'body');
SELECT id FROM docs WHERE fp IS NULL ORDER BY id;
DROP INDEX docs_fp;

-- Rows that a trigger leaves out, or whose fingerprint a trigger sets to NULL, are not counted as locked by others.
UPDATE docs SET fp = NULL;
CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    CASE new.id WHEN 3 THEN RETURN NULL; WHEN 4 THEN new.fp := NULL; RETURN new; ELSE RETURN new; END CASE;
END
$$;
CREATE TRIGGER leave_out BEFORE UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION leave_out();
CALL simhash_backfill('docs', 'fp', 'body', batch_rows => 2);
SELECT id FROM docs WHERE fp IS NULL ORDER BY id;
-- A row that was written without a fingerprint has another tid, and is not read again.
CREATE OR REPLACE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN new.fp := NULL; RETURN new; END';
UPDATE docs SET fp = NULL;
CALL simhash_backfill('docs', 'fp', 'body', batch_rows => 1);
-- A trigger's RAISE EXCEPTION rejects the row. An error with another SQLSTATE ends the procedure.
CREATE OR REPLACE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.id = 3 THEN
        RAISE EXCEPTION 'no fingerprint for %', new.id;
    ELSIF new.id = 4 THEN
        RAISE EXCEPTION 'wait' USING ERRCODE = 'lock_not_available';
    END IF;
    RETURN new;
END
$$;
CALL simhash_backfill('docs', 'fp', 'body', batch_rows => 2);
DELETE FROM docs WHERE id = 4;
CALL simhash_backfill('docs', 'fp', 'body', batch_rows => 2);
SELECT id FROM docs WHERE fp IS NULL ORDER BY id;
DROP TRIGGER leave_out ON docs;
DROP FUNCTION leave_out;
DROP TABLE docs;
