-- link tells nobody of rows that they may not see.
\set SHOW_CONTEXT never
CREATE ROLE simhash_alice;
CREATE ROLE simhash_bob;
CREATE ROLE simhash_feeder;
CREATE ROLE simhash_clerk;
CREATE TABLE docs (id int PRIMARY KEY, who name DEFAULT current_user, fp bigint, near int, bits int);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'link', 'into=near', 'distance=bits');
GRANT SELECT, INSERT, UPDATE ON docs TO simhash_alice, simhash_bob;
GRANT INSERT ON docs TO simhash_feeder;
GRANT INSERT, SELECT (id, near) ON docs TO simhash_clerk;

-- Without row-level security all rows count, also for one who may only insert, or may read keys.
INSERT INTO docs VALUES (1, 'simhash_alice', 0);
SET ROLE simhash_bob;
INSERT INTO docs VALUES (2, DEFAULT, 1) RETURNING near, bits;
SET ROLE simhash_feeder;
INSERT INTO docs VALUES (3, DEFAULT, 2);
SET ROLE simhash_clerk;
INSERT INTO docs VALUES (4, DEFAULT, 4) RETURNING near;
RESET ROLE;
SELECT id, near, bits FROM docs ORDER BY id;

-- With it, a link leads to the nearest row that the user may see.
ALTER TABLE docs ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON docs USING (who = current_user);
TRUNCATE docs;
SET ROLE simhash_alice;
INSERT INTO docs VALUES (1, DEFAULT, 0) RETURNING near, bits;
SET ROLE simhash_bob;
INSERT INTO docs VALUES (2, DEFAULT, 0) RETURNING near, bits;
INSERT INTO docs VALUES (3, DEFAULT, 1) RETURNING near, bits;
UPDATE docs SET fp = 3 WHERE id = 3 RETURNING near, bits;
SET ROLE simhash_alice;
INSERT INTO docs VALUES (4, DEFAULT, 3) RETURNING near, bits;
BEGIN ISOLATION LEVEL REPEATABLE READ;
INSERT INTO docs VALUES (5, DEFAULT, 2) RETURNING near, bits;
COMMIT;
-- Who may insert, and read keys or nothing, but not search: no link, or one that is not to be read.
SET ROLE simhash_clerk;
INSERT INTO docs VALUES (6, DEFAULT, 0) RETURNING near;
SET ROLE simhash_feeder;
INSERT INTO docs VALUES (7, DEFAULT, 0);
-- The owner sees everything, unless forced not to: nor does the connection mix up the plans.
RESET ROLE;
INSERT INTO docs VALUES (8, DEFAULT, 0) RETURNING near, bits;
ALTER TABLE docs OWNER TO simhash_alice;
SET ROLE simhash_alice;
INSERT INTO docs VALUES (9, DEFAULT, 1) RETURNING near, bits;
ALTER TABLE docs FORCE ROW LEVEL SECURITY;
DELETE FROM docs WHERE who = 'simhash_alice';
INSERT INTO docs VALUES (10, DEFAULT, 1) RETURNING near, bits;
RESET ROLE;
-- reject and skip count hidden rows, and do not name them.
DROP TRIGGER guard ON docs;
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
SET ROLE simhash_alice;
INSERT INTO docs VALUES (11, DEFAULT, 0);
RESET ROLE;
DROP TABLE docs;

-- A partition with row-level security of its own, and a user who may use the partition alone.
CREATE TABLE parts (id int PRIMARY KEY, fp bigint, near int) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'link', 'into=near');
INSERT INTO parts VALUES (11, 0), (1, 1);
GRANT SELECT, INSERT ON parts_1 TO simhash_bob;
SET ROLE simhash_bob;
INSERT INTO parts_1 VALUES (2, 0) RETURNING near;
RESET ROLE;
GRANT SELECT ON parts TO simhash_bob;
SET ROLE simhash_bob;
INSERT INTO parts_1 VALUES (3, 0) RETURNING near;
RESET ROLE;
DROP TABLE parts;
DROP ROLE simhash_alice, simhash_bob, simhash_feeder, simhash_clerk;
