-- A primary key that only the partitions have is no key of the partitioned table: rows of two partitions can have the same.
\set SHOW_CONTEXT never
CREATE TABLE parts (id int NOT NULL, part int, fp bigint, near int) PARTITION BY LIST (part);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2);
ALTER TABLE parts_1 ADD PRIMARY KEY (id);
ALTER TABLE parts_2 ADD PRIMARY KEY (id);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
INSERT INTO parts VALUES (1, 1, 0);
INSERT INTO parts VALUES (1, 2, 0);
INSERT INTO parts VALUES (1, 2, 255);
UPDATE parts SET fp = 1 WHERE part = 2;
UPDATE parts SET fp = 1 WHERE part = 1;
UPDATE parts SET part = 2, id = 2 WHERE part = 1;
SELECT * FROM parts ORDER BY id;
DROP TRIGGER guard ON parts;
-- A link needs a key of the whole.
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'link', 'into=near');
INSERT INTO parts VALUES (3, 1, 0);
DROP TABLE parts;
