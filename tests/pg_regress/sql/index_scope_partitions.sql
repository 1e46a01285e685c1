-- Partitioned tables: an index on the parent, and from PostgreSQL 17 on a constraint whose scope includes the partition key.
SELECT current_setting('server_version_num')::int >= 170000 AS has_constraint \gset
CREATE TABLE posts (tenant int, day date, fp bigint) PARTITION BY LIST (tenant);
CREATE TABLE posts_1 PARTITION OF posts FOR VALUES IN (1);
CREATE TABLE posts_2 PARTITION OF posts FOR VALUES IN (2, 3) PARTITION BY HASH (day);
CREATE TABLE posts_2_0 PARTITION OF posts_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE posts_2_1 PARTITION OF posts_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE INDEX posts_fp ON posts USING simhash (tenant, fp);
INSERT INTO posts SELECT 1 + i % 3, '2026-01-01'::date + i % 5, hashint8extended(i % 100, 4) # (i % 8) FROM generate_series(1, 3000) i;
CREATE TABLE posts_4 PARTITION OF posts FOR VALUES IN (4);
INSERT INTO posts SELECT 4, '2026-01-01', hashint8extended(i, 4) FROM generate_series(1, 100) i;
ANALYZE posts;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM posts WHERE tenant = 2 AND simhash_near(fp, 42, 3);
EXPLAIN (COSTS OFF) SELECT * FROM posts WHERE tenant = 4 ORDER BY fp <~> 42 LIMIT 3;
SELECT t, k, count(*) = (SELECT count(*) FROM posts WHERE tenant = t AND bit_count((fp # hashint8extended(5, 4))::bit(64)) <= k) AS same, count(*)
FROM generate_series(1, 4) t, unnest('{0,2,20}'::int[]) k, posts WHERE tenant = t AND simhash_near(fp, hashint8extended(5, 4), k) GROUP BY t, k ORDER BY t, k;
-- For a parent without partitions nothing is built: an invalid index is refused with the first partition.
CREATE TABLE empty (tenant int, fp bigint) PARTITION BY LIST (tenant);
CREATE INDEX empty_fp ON empty USING simhash (fp, tenant);
CREATE TABLE empty_1 PARTITION OF empty FOR VALUES IN (1);
DROP TABLE empty;
DROP TABLE posts;

\if :has_constraint
CREATE TABLE posts (tenant int, day date, fp bigint, CONSTRAINT posts_apart EXCLUDE USING simhash (tenant WITH =, fp WITH ~=)) PARTITION BY LIST (tenant);
CREATE TABLE posts_1 PARTITION OF posts FOR VALUES IN (1);
CREATE TABLE posts_2 PARTITION OF posts FOR VALUES IN (2, 3);
INSERT INTO posts VALUES (1, '2026-01-01', 0), (2, '2026-01-01', 0), (3, '2026-01-01', 1);
INSERT INTO posts VALUES (2, '2026-01-02', 1);
INSERT INTO posts VALUES (1, '2026-01-02', 1), (1, '2026-01-02', -1) ON CONFLICT DO NOTHING;
UPDATE posts SET tenant = 2 WHERE tenant = 1 AND fp = 0;
UPDATE posts SET tenant = 2 WHERE tenant = 1 AND fp = -1;
CREATE TABLE posts_4 (tenant int, day date, fp bigint);
INSERT INTO posts_4 VALUES (4, '2026-01-01', 0), (4, '2026-01-01', 1);
ALTER TABLE posts ATTACH PARTITION posts_4 FOR VALUES IN (4);
DELETE FROM posts_4 WHERE fp = 1;
ALTER TABLE posts ATTACH PARTITION posts_4 FOR VALUES IN (4);
INSERT INTO posts VALUES (4, '2026-01-01', 3);
TABLE posts ORDER BY tenant, fp;
-- Without the key, or with another operator on it.
ALTER TABLE posts ADD EXCLUDE USING simhash (fp WITH ~=);
ALTER TABLE posts ADD EXCLUDE USING simhash (day WITH =, fp WITH ~=);
DROP TABLE posts;
\endif
