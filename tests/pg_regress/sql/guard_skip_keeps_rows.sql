-- skip is for new rows: a row that is there is never lost, and what a foreign key does is never undone.
\set SHOW_CONTEXT never

-- Near rows that are older than the guard, moved to other partitions.
CREATE TABLE parts (id int, part int, fp bigint, note text, PRIMARY KEY (id, part)) PARTITION BY LIST (part);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
-- Columns in another order.
CREATE TABLE parts_2 (note text, fp bigint, part int NOT NULL, id int NOT NULL);
ALTER TABLE parts ATTACH PARTITION parts_2 FOR VALUES IN (2);
INSERT INTO parts VALUES (1, 1, 0), (2, 1, 1), (3, 2, 3), (4, 2, -1);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
UPDATE parts SET part = 2 WHERE id = 1;
UPDATE parts SET part = 3 - part;
SELECT tableoid::regclass, id, part, fp FROM parts ORDER BY id;
-- Moved and changed at once: an error, as for every UPDATE that makes a row near another.
UPDATE parts SET part = 3 - part, fp = -2 WHERE id = 1;
UPDATE parts SET fp = -2 WHERE id = 1;
UPDATE parts SET part = 3 - part, fp = 255 WHERE id = 1;
-- MERGE, and a statement that moves rows and inserts others: new rows are still skipped.
MERGE INTO parts p USING (VALUES (2, 1)) v (id, part) ON p.id = v.id WHEN MATCHED THEN UPDATE SET part = v.part;
WITH moved AS (UPDATE parts SET part = 3 - part RETURNING id, fp)
    INSERT INTO parts SELECT id + 100, 1, fp FROM moved;
WITH kept AS (UPDATE parts SET note = 'x' RETURNING id, fp)
    INSERT INTO parts SELECT id + 100, 1, fp FROM kept;
INSERT INTO parts VALUES (200, 1, 0), (201, 1, 3840);
SELECT tableoid::regclass, id, part, fp FROM parts ORDER BY id;
-- A trigger in between that changes the row, and one that runs statements of its own.
CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE parts SET note = 'meddled' WHERE id = 4;
    INSERT INTO parts VALUES (300 + NEW.id, 1, 0);
    NEW.fp = NEW.fp # 1;
    RETURN NEW;
END
$$;
CREATE TRIGGER b_before_guard BEFORE INSERT ON parts FOR EACH ROW WHEN (NEW.id < 300) EXECUTE FUNCTION meddle();
UPDATE parts SET part = 3 - part WHERE id = 1;
UPDATE parts SET part = 3 - part WHERE id = 3;
SELECT tableoid::regclass, id, part, fp FROM parts ORDER BY id;
DROP TABLE parts;
DROP FUNCTION meddle;

-- Where the guard cannot see the UPDATE, it refuses to skip: for INSERT alone, for some columns, with a condition, on a partition.
CREATE TABLE parts (id int, part int, fp bigint) PARTITION BY LIST (part);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2);
INSERT INTO parts VALUES (1, 1, 0), (2, 2, 1);
CREATE TRIGGER guard BEFORE INSERT ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
UPDATE parts SET part = 2 WHERE id = 1;
INSERT INTO parts VALUES (3, 1, 0);
DROP TRIGGER guard ON parts;
CREATE TRIGGER guard BEFORE INSERT OR UPDATE OF fp ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
UPDATE parts SET part = 2 WHERE id = 1;
DROP TRIGGER guard ON parts;
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON parts FOR EACH ROW WHEN (NEW.part = 2) EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
UPDATE parts SET part = 2 WHERE id = 1;
DROP TRIGGER guard ON parts;
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON parts_2 FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
UPDATE parts SET part = 2 WHERE id = 1;
DROP TRIGGER guard ON parts_2;
-- Disabled on one partition, or applied as a subscriber does it, without the triggers of the UPDATE.
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
ALTER TABLE parts_1 DISABLE TRIGGER guard;
UPDATE parts SET part = 2 WHERE id = 1;
INSERT INTO parts VALUES (3, 2, 255), (4, 2, 0);
ALTER TABLE parts_1 ENABLE TRIGGER guard;
INSERT INTO parts VALUES (3, 2, 255), (4, 2, 0), (5, 2, 1);
DELETE FROM parts WHERE id = 3;
ALTER TABLE parts ENABLE ALWAYS TRIGGER guard;
SET session_replication_role = replica;
INSERT INTO parts VALUES (3, 2, 255), (4, 2, 0);
RESET session_replication_role;
DROP TRIGGER guard ON parts;
-- The same with reject: a guard for INSERT alone rejects the move, and nothing is lost.
CREATE TRIGGER guard BEFORE INSERT ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
UPDATE parts SET part = 2 WHERE id = 1;
SELECT * FROM parts ORDER BY id;
DROP TABLE parts;

-- Without a key.
CREATE TABLE parts (part int, fp bigint) PARTITION BY LIST (part);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2);
INSERT INTO parts VALUES (1, 0), (1, 1), (2, 3);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
UPDATE parts SET part = 3 - part;
SELECT * FROM parts ORDER BY fp;
DROP TABLE parts;

-- Referential actions.
CREATE TABLE tenants (id int PRIMARY KEY);
INSERT INTO tenants VALUES (1), (2), (3);
CREATE TABLE docs (id int PRIMARY KEY, tenant int REFERENCES tenants ON DELETE SET NULL ON UPDATE CASCADE, fp bigint);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip', 'scope=tenant');
INSERT INTO docs VALUES (1, 1, 0), (2, 2, 1), (3, 3, -1), (4, NULL, 3);
DELETE FROM tenants WHERE id = 1;
DELETE FROM tenants WHERE id = 3;
UPDATE tenants SET id = 5 WHERE id = 2;
SELECT d.*, t.id IS NULL AND tenant IS NOT NULL AS dangling FROM docs d LEFT JOIN tenants t ON t.id = d.tenant ORDER BY d.id;
INSERT INTO docs VALUES (5, 5, 0) RETURNING id;
DROP TABLE docs, tenants;
