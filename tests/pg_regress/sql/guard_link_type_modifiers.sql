-- A link is a key as it is: a column that cannot hold every key is refused.
\set SHOW_CONTEXT never
CREATE TABLE docs (id varchar(20) PRIMARY KEY, fp bigint, shorter varchar(3), longer varchar(30), same varchar(20), any_length varchar);
CREATE FUNCTION try_into(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard(''fp'', ''3'', ''link'', ''into=%s'')', name);
    EXECUTE 'INSERT INTO docs (id, fp) VALUES (''0123456789'', 0), (''22'', 1)';
    EXECUTE format('SELECT pg_typeof(%1$I) || '' '' || %1$I FROM docs WHERE fp = 1', name) INTO name;
    TRUNCATE docs;
    DROP TRIGGER guard ON docs;
    RETURN name;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;
SELECT try_into(name) FROM unnest('{shorter,longer,same,any_length}'::text[]) name;
DROP TABLE docs;
-- Numbers are not rounded, characters not padded; domains have modifiers as well.
CREATE DOMAIN short_code AS varchar(3);
CREATE TABLE docs (id numeric(20, 2) PRIMARY KEY, fp bigint, whole numeric(20, 0), wider numeric(30, 2), same numeric(20, 2), any_number numeric);
SELECT try_into(name) FROM unnest('{whole,wider,same,any_number}'::text[]) name;
DROP TABLE docs;
CREATE TABLE docs (id char(12) PRIMARY KEY, fp bigint, wider char(20), same char(12));
SELECT try_into(name) FROM unnest('{wider,same}'::text[]) name;
DROP TABLE docs;
CREATE TABLE docs (id varchar(20) PRIMARY KEY, fp bigint, near short_code);
SELECT try_into('near');
DROP TABLE docs;
DROP FUNCTION try_into;
DROP DOMAIN short_code;
