-- simhash_backfill reports progress after five seconds, also if there is nothing to do: reading the text takes long here.
\set SHOW_CONTEXT never
CREATE TYPE slow AS (body text);
CREATE FUNCTION slow_text(slow) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_catalog.pg_sleep(2.6);
    RETURN NULL;
END
$$;
CREATE CAST (slow AS text) WITH FUNCTION slow_text(slow);
CREATE TABLE docs (id int PRIMARY KEY, body slow, fp bigint);
INSERT INTO docs VALUES (1, ROW('text'));
CALL simhash_backfill('docs', 'fp', 'body');
DROP TABLE docs;
DROP TYPE slow CASCADE;
