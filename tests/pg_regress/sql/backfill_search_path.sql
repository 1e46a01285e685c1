-- Triggers of a table that simhash_backfill fills run with the caller's search_path, as they do for any other UPDATE.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE SCHEMA elsewhere;
SET search_path = elsewhere, public;
CREATE TABLE docs (id int PRIMARY KEY, body text, fp bigint);
CREATE TABLE changes (id int);
INSERT INTO docs SELECT i, 'the words of row ' || i FROM generate_series(1, 10) i;
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes VALUES (new.id);
    RETURN new;
END
$$;
CREATE TRIGGER note BEFORE UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION note();
CALL simhash_backfill('docs', 'fp', 'body', batch_rows => 4);
SELECT count(*) FROM changes;
SHOW search_path;

-- Policies do so, too, also when a row that a constraint rejects is read.
CREATE TABLE readers (name text);
CREATE FUNCTION may_read(who text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN EXISTS (SELECT FROM readers WHERE name = who);
END
$$;
CREATE ROLE simhash_filler;
INSERT INTO readers VALUES ('simhash_filler');
TRUNCATE docs;
INSERT INTO docs SELECT i, 'the words of row ' || i / 2 FROM generate_series(1, 10) i;
ALTER TABLE docs ADD CONSTRAINT docs_differ EXCLUDE USING simhash (fp WITH =);
ALTER TABLE docs ENABLE ROW LEVEL SECURITY;
CREATE POLICY readers ON docs USING (may_read(current_user));
GRANT USAGE ON SCHEMA elsewhere TO simhash_filler;
GRANT ALL ON docs, changes, readers TO simhash_filler;
SET ROLE simhash_filler;
CALL simhash_backfill('docs', 'fp', 'body', batch_rows => 4);
RESET ROLE;
RESET search_path;
DROP SCHEMA elsewhere CASCADE;
DROP ROLE simhash_filler;
