-- A near-duplicate constraint on bit strings: an index on balls.
\set VERBOSITY terse
CREATE TABLE pictures (
    id int PRIMARY KEY, pdq bit(256),
    CONSTRAINT no_near_pictures EXCLUDE USING simhash (simhash_bit_ball(pdq, 31) WITH &&)
);
SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'no_near_pictures';
INSERT INTO pictures VALUES (1, 0::bit(256)), (2, NULL), (3, NULL), (4, ~0::bit(256));
INSERT INTO pictures VALUES (5, (x'ffff')::bit(256));
INSERT INTO pictures VALUES (6, x'ffff000f0000f0000000ff'::bit(256));
INSERT INTO pictures VALUES (7, x'ffff000f0000f0000000fe'::bit(256)) ON CONFLICT DO NOTHING RETURNING id;
INSERT INTO pictures VALUES (8, x'ffffffffffff00000000ff'::bit(256)) ON CONFLICT ON CONSTRAINT no_near_pictures DO NOTHING RETURNING id;
UPDATE pictures SET pdq = pdq # x'1'::bit(256) WHERE id = 6;
UPDATE pictures SET pdq = 1::bit(256) WHERE id = 6;
SELECT a.id, b.id FROM pictures a, pictures b WHERE a.id < b.id AND bit_count(a.pdq # b.pdq) <= 31;
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('no_near_pictures');

-- Many rows: what is refused has a near row, and what is stored has none.
CREATE FUNCTION noisy(i int, words int) RETURNS bit varying LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg((hashint8extended(i % 300, w) # (1::bigint << (hashint8extended(i, w + 10) & 63)::int)
        # CASE WHEN i % 3 = 0 THEN hashint8extended(i, 5) & hashint8extended(i, 6) & hashint8extended(i, w) ELSE 0 END)::bit(64)::text, '')::bit varying
    FROM generate_series(1, words) w
$$;
CREATE TABLE candidates AS SELECT i AS id, i % 7 AS tenant, noisy(i, 4)::bit(256) AS pdq FROM generate_series(1, 3000) i;
TRUNCATE pictures;
INSERT INTO pictures SELECT id, pdq FROM candidates ORDER BY id ON CONFLICT DO NOTHING;
SELECT count(*) AS near_pairs FROM pictures a JOIN pictures b ON a.id < b.id AND bit_count(a.pdq # b.pdq) <= 31;
SELECT count(*) AS refused_without_reason FROM candidates c
WHERE NOT EXISTS (SELECT FROM pictures p WHERE p.id = c.id)
  AND NOT EXISTS (SELECT FROM pictures p WHERE p.id < c.id AND bit_count(p.pdq # c.pdq) <= 31);
SELECT count(*) BETWEEN 300 AND 2999 AS some_were_refused FROM pictures;
SELECT missing_downlinks, rows = (SELECT count(*) FROM pictures) AS has_all FROM simhash_index_check('no_near_pictures');

-- Within a scope, deferred, and with two words.
CREATE TABLE posts (id int, tenant int, fp bit(128),
    CONSTRAINT no_near_posts EXCLUDE USING simhash (tenant WITH =, simhash_bit_ball(fp, 14) WITH &&) DEFERRABLE);
INSERT INTO posts SELECT DISTINCT ON (id % 300, tenant) id, tenant, pdq::bit(128) FROM candidates WHERE id % 3 > 0;
SELECT count(*) AS near_pairs_within_a_tenant FROM posts a JOIN posts b ON a.id < b.id AND a.tenant = b.tenant AND bit_count(a.fp # b.fp) <= 14;
SELECT count(*) > 100 AS near_pairs_of_two_tenants FROM posts a JOIN posts b ON a.id < b.id AND a.tenant <> b.tenant AND bit_count(a.fp # b.fp) <= 14;
BEGIN;
SET CONSTRAINTS no_near_posts DEFERRED;
INSERT INTO posts SELECT 5000, tenant, fp FROM posts WHERE id = (SELECT min(id) FROM posts);
DELETE FROM posts WHERE id = (SELECT min(id) FROM posts);
COMMIT;
BEGIN;
SET CONSTRAINTS no_near_posts DEFERRED;
INSERT INTO posts SELECT 5001, tenant, fp FROM posts WHERE id = 5000;
COMMIT;
SELECT count(*) FROM posts WHERE id >= 5000;

-- Radii that differ: the smaller one counts. With the index and without it.
CREATE TABLE circles AS SELECT id, simhash_bit_ball(pdq, id % 40 - 1) AS ball, pdq, id % 40 - 1 AS k FROM candidates;
ALTER TABLE circles ADD EXCLUDE USING simhash (ball WITH &&);
CREATE INDEX circles_idx ON circles USING simhash (simhash_bit_ball(pdq, k));
ANALYZE circles;
CREATE FUNCTION pairs() RETURNS bigint LANGUAGE sql AS
    'SELECT count(*) FROM circles a JOIN circles b ON a.ball && simhash_bit_ball(b.pdq, b.k) WHERE a.id <= 200';
EXPLAIN (COSTS OFF) SELECT b.id FROM circles a, circles b WHERE a.ball && simhash_bit_ball(b.pdq, b.k) AND a.id = 7;
SET enable_seqscan = off;
SELECT pairs() AS by_index;
SET enable_indexscan = off;
SELECT pairs() AS by_bitmap;
SET enable_bitmapscan = off;
SET enable_seqscan = on;
SELECT pairs() AS by_scan;
SELECT count(*) AS by_bit_count FROM circles a JOIN circles b ON bit_count(a.pdq # b.pdq) <= least(a.k, b.k) WHERE a.id <= 200;
DROP TABLE pictures, candidates, posts, circles;
DROP FUNCTION noisy, pairs;
