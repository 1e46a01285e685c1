-- The primary key of a table is no key of the tables that inherit from it: their rows can have the same values, and count.
\set SHOW_CONTEXT never
CREATE TABLE docs (id int PRIMARY KEY, fp bigint, near int);
CREATE TABLE child () INHERITS (docs);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
INSERT INTO child VALUES (1, 0), (2, 255);
INSERT INTO docs VALUES (1, 0);
INSERT INTO docs VALUES (1, -1);
UPDATE docs SET fp = 1 WHERE id = 1 AND tableoid = 'docs'::regclass;
-- The row itself does not count: an UPDATE, and an upsert by the key.
UPDATE docs SET fp = -2 WHERE id = 1 AND tableoid = 'docs'::regclass;
INSERT INTO docs VALUES (1, -1) ON CONFLICT (id) DO UPDATE SET fp = excluded.fp;
SELECT tableoid::regclass, id, fp FROM docs ORDER BY 1, 2;
-- A link to a row of the child.
DROP TRIGGER guard ON docs;
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'link', 'into=near');
INSERT INTO docs VALUES (2, 254) RETURNING near;
UPDATE docs SET fp = 4095 WHERE id = 2 AND tableoid = 'docs'::regclass RETURNING near;
DROP TABLE docs CASCADE;
