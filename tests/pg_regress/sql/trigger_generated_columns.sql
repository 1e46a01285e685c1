-- Generated columns are computed after BEFORE triggers: none of the columns that simhash_trigger reads can be one.
\set SHOW_CONTEXT never
CREATE TABLE docs (id int PRIMARY KEY, body text, fp bigint, lower_body text GENERATED ALWAYS AS (lower(body)) STORED);
CREATE TRIGGER t BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'lower_body');
INSERT INTO docs (id, body) VALUES (1, 'Some words of a text');
DROP TRIGGER t ON docs;
CREATE TRIGGER t BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body', 'lower_body');
INSERT INTO docs (id, body) VALUES (1, 'Some words of a text');
SELECT count(*) FROM docs;
DROP TABLE docs;
