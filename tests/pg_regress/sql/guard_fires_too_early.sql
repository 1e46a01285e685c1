-- A guard whose name sorts before that of simhash_trigger would see no fingerprint, or the old one.
\set SHOW_CONTEXT never
CREATE TABLE docs (id int PRIMARY KEY, body text, fp bigint, other bigint);
CREATE TRIGGER a_guard BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
CREATE TRIGGER b_fp BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
INSERT INTO docs VALUES (1, 'Some words of a text that comes twice');
ALTER TABLE docs DISABLE TRIGGER b_fp;
INSERT INTO docs VALUES (1, 'Some words of a text that comes twice', 0);
ALTER TABLE docs ENABLE TRIGGER b_fp;
UPDATE docs SET body = 'Other words';
-- Only where it fills the guard's column, at the same event.
DROP TRIGGER b_fp ON docs;
CREATE TRIGGER b_fp BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('other', 'body');
INSERT INTO docs VALUES (2, 'Some words of a text that comes twice', -1);
DROP TRIGGER b_fp ON docs;
CREATE TRIGGER b_fp BEFORE UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
INSERT INTO docs VALUES (3, 'Some words of a text that comes twice', 255);
UPDATE docs SET body = 'Other words' WHERE id = 3;
DROP TRIGGER b_fp ON docs;
-- The hint helps.
CREATE TRIGGER b_fp BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
ALTER TRIGGER a_guard ON docs RENAME TO c_guard;
TRUNCATE docs;
INSERT INTO docs VALUES (1, 'Some words of a text that comes twice');
INSERT INTO docs VALUES (2, 'Some words of a text that comes twice');
DROP TABLE docs;

-- On partitions.
CREATE TABLE parts (id int, body text, fp bigint) PARTITION BY LIST (id);
CREATE TABLE parts_1 PARTITION OF parts DEFAULT;
CREATE TRIGGER a_guard BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
CREATE TRIGGER b_fp BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
INSERT INTO parts VALUES (1, 'Some words of a text that comes twice');
DROP TABLE parts;
