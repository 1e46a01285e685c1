-- simhash_backfill of a table with inheritance children, whose keys are not unique together: no row is skipped and counted as
-- locked.
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE TABLE docs (id int PRIMARY KEY, body text, fp bigint);
CREATE TABLE child_1 (CHECK (id > 0)) INHERITS (docs);
CREATE TABLE child_2 (more text) INHERITS (docs);
CREATE INDEX ON child_1 (id);
INSERT INTO docs SELECT i, 'words of the parent ' || i FROM generate_series(1, 40) i;
INSERT INTO child_1 SELECT 1 + i % 10, 'words of the first child ' || i FROM generate_series(1, 200) i;
INSERT INTO child_2 (id, body) SELECT 1 + i % 10, CASE WHEN i % 4 > 0 THEN 'words of the second child ' || i ELSE '?' END FROM generate_series(1, 200) i;
CALL simhash_backfill('docs', 'fp', 'body', batch_rows => 7);
SELECT count(*) AS wrong FROM docs WHERE fp IS DISTINCT FROM simhash(body);
DROP TABLE docs CASCADE;
