-- A near-duplicate constraint for any k: an index on balls.
CREATE TABLE pages (
    id int PRIMARY KEY, fp bigint,
    CONSTRAINT no_near_pages EXCLUDE USING simhash (simhash_ball(fp, 5) WITH &&)
);
SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'no_near_pages';
INSERT INTO pages VALUES (1, 0), (2, NULL), (3, NULL), (4, -1);
INSERT INTO pages VALUES (5, 31);
INSERT INTO pages VALUES (6, 63);
INSERT INTO pages VALUES (7, 62) ON CONFLICT DO NOTHING RETURNING id;
INSERT INTO pages VALUES (8, 65535) ON CONFLICT ON CONSTRAINT no_near_pages DO NOTHING RETURNING id;
UPDATE pages SET fp = 65534 WHERE id = 6;
SELECT a.id, b.id FROM pages a, pages b WHERE a.id < b.id AND bit_count((a.fp # b.fp)::bit(64)) <= 5;
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('no_near_pages');

-- Many rows: what is refused has a near row, and what is stored has none.
CREATE TABLE candidates AS
    SELECT i AS id, hashint8extended(i % 300, 0) # (1::bigint << (hashint8extended(i, 1) & 63)::int)
        # (1::bigint << (hashint8extended(i, 2) & 63)::int) # (1::bigint << (hashint8extended(i, 3) & 63)::int) AS fp
    FROM generate_series(1, 3000) i;
TRUNCATE pages;
INSERT INTO pages SELECT * FROM candidates ORDER BY id ON CONFLICT DO NOTHING;
SELECT count(*) AS near_pairs FROM pages a JOIN pages b ON a.id < b.id AND bit_count((a.fp # b.fp)::bit(64)) <= 5;
SELECT count(*) AS refused_without_reason FROM candidates c
WHERE NOT EXISTS (SELECT FROM pages p WHERE p.id = c.id)
  AND NOT EXISTS (SELECT FROM pages p WHERE p.id < c.id AND bit_count((p.fp # c.fp)::bit(64)) <= 5);
SELECT count(*) BETWEEN 300 AND 2999 AS some_were_refused FROM pages;

-- Radii that differ: the smaller one counts. With the index and without it.
CREATE TABLE circles AS
    SELECT i AS id, simhash_ball(fp, (i % 9)::int - 1) AS ball FROM (SELECT id AS i, fp FROM candidates) c;
CREATE INDEX circles_idx ON circles USING simhash (ball);
ANALYZE circles;
CREATE FUNCTION pairs() RETURNS bigint LANGUAGE sql AS
    'SELECT count(*) FROM circles a JOIN circles b ON a.ball && b.ball WHERE a.id <= 200';
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM circles WHERE ball && '<42,3>';
SELECT pairs() AS by_index;
SET enable_indexscan = off;
SELECT pairs() AS by_bitmap;
RESET enable_seqscan;
RESET enable_indexscan;
SET enable_bitmapscan = off;
SET enable_indexscan = off;
SELECT pairs() AS by_scan;
RESET enable_bitmapscan;
RESET enable_indexscan;
SELECT a && b AS here, b && a AS there FROM (VALUES ('<0,2>'::simhash_ball, '<7,9>'::simhash_ball)) v (a, b);
SELECT simhash_ball(1, 3) && simhash_ball(2, 3) AS near, simhash_ball(1, 1) && simhash_ball(2, 1) AS far,
    simhash_ball(0, -1) && simhash_ball(0, 64) AS never;
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('circles_idx');
SELECT opcname, amvalidate(oid) FROM pg_opclass WHERE opcname IN ('simhash_ops', 'simhash_ball_ops') ORDER BY 1;
DROP TABLE pages, candidates, circles;
DROP FUNCTION pairs;
