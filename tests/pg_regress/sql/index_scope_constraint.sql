-- The near-duplicate constraint within a scope: EXCLUDE USING simhash (tenant WITH =, fp WITH ~=).
CREATE TABLE posts (
    id int GENERATED ALWAYS AS IDENTITY, tenant bigint, lang text, fp bigint, live boolean DEFAULT true,
    CONSTRAINT posts_apart EXCLUDE USING simhash (tenant WITH =, fp WITH ~=)
) WITH (autovacuum_enabled = off);
SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'posts_apart';
INSERT INTO posts (tenant, fp) VALUES (1, 0), (2, 0), (3, 7);
INSERT INTO posts (tenant, fp) VALUES (1, 7);
INSERT INTO posts (tenant, fp) VALUES (1, 15);
INSERT INTO posts (tenant, fp) VALUES (2, 1), (4, 0);
INSERT INTO posts (tenant, fp) VALUES (4, 0), (4, -1);
-- NULL is equal to nothing.
INSERT INTO posts (tenant, fp) VALUES (NULL, 0), (NULL, 0), (5, NULL), (5, NULL);
-- ON CONFLICT, without the name of the constraint and with it.
INSERT INTO posts (tenant, fp) VALUES (1, 1), (6, 1) ON CONFLICT DO NOTHING;
INSERT INTO posts (tenant, fp) VALUES (2, 3), (7, 1) ON CONFLICT ON CONSTRAINT posts_apart DO NOTHING;
-- An update that moves a row to another tenant.
UPDATE posts SET tenant = 2 WHERE tenant = 1 AND fp = 0;
UPDATE posts SET tenant = 8 WHERE tenant = 1 AND fp = 0;
UPDATE posts SET fp = fp # 1 WHERE tenant = 2;
SELECT tenant, fp FROM posts ORDER BY tenant, fp;
SELECT rows, nulls, missing_downlinks FROM simhash_index_check('posts_apart');
-- Random rows of few tenants: no near pair within a tenant, and no row is refused without one.
TRUNCATE posts;
INSERT INTO posts (tenant, fp) SELECT i % 7, hashint8extended(i % 300, 3) # (1::bigint << (i % 64)) FROM generate_series(1, 4000) i ON CONFLICT DO NOTHING;
SELECT count(*) AS rows, count(DISTINCT tenant) AS tenants FROM posts;
SELECT count(*) AS near_pairs FROM posts a JOIN posts b ON a.id < b.id AND a.tenant = b.tenant AND bit_count((a.fp # b.fp)::bit(64)) <= 3;
SELECT count(*) > 1000 AS near_pairs_of_different_tenants FROM posts a JOIN posts b ON a.id < b.id AND a.tenant <> b.tenant AND bit_count((a.fp # b.fp)::bit(64)) <= 3;
SELECT count(DISTINCT (i % 7, i % 300)) AS expected FROM generate_series(1, 4000) i;
ALTER TABLE posts DROP CONSTRAINT posts_apart;

-- Within 7 bits, with any number of bits, several columns, expressions, a predicate.
TRUNCATE posts;
ALTER TABLE posts ADD CONSTRAINT posts_similar EXCLUDE USING simhash (tenant WITH =, fp WITH ~~=),
    ADD CONSTRAINT posts_ball EXCLUDE USING simhash (lower(lang) WITH =, simhash_ball(fp, 10) WITH &&) WHERE (live);
INSERT INTO posts (tenant, lang, fp) VALUES (1, 'de', 0), (2, 'EN', 0);
INSERT INTO posts (tenant, lang, fp) VALUES (1, 'fr', 127);
INSERT INTO posts (tenant, lang, fp) VALUES (1, 'fr', 255);
INSERT INTO posts (tenant, lang, fp) VALUES (3, 'dE', 1023);
INSERT INTO posts (tenant, lang, fp) VALUES (3, 'dE', 2047);
INSERT INTO posts (tenant, lang, fp, live) VALUES (4, 'De', 1023, false);
UPDATE posts SET live = true WHERE tenant = 4;
SELECT tenant, lang, fp, live FROM posts ORDER BY tenant, fp;
ALTER TABLE posts DROP CONSTRAINT posts_similar, DROP CONSTRAINT posts_ball;

-- Deferred: rows that are near at the end of the transaction count.
TRUNCATE posts;
ALTER TABLE posts ADD CONSTRAINT posts_late EXCLUDE USING simhash (tenant WITH =, fp WITH ~=) DEFERRABLE INITIALLY DEFERRED;
BEGIN;
INSERT INTO posts (tenant, fp) VALUES (1, 0), (1, 1), (2, 1);
UPDATE posts SET tenant = 3 WHERE fp = 0;
COMMIT;
BEGIN;
INSERT INTO posts (tenant, fp) VALUES (3, 3);
COMMIT;
SELECT tenant, fp FROM posts ORDER BY tenant, fp;
ALTER TABLE posts DROP CONSTRAINT posts_late;

-- Added to a table that has near rows of one tenant, and after they were deleted.
INSERT INTO posts (tenant, fp) VALUES (3, 3);
ALTER TABLE posts ADD CONSTRAINT posts_apart EXCLUDE USING simhash (tenant WITH =, fp WITH ~=);
DELETE FROM posts WHERE fp = 3;
ALTER TABLE posts ADD CONSTRAINT posts_apart EXCLUDE USING simhash (tenant WITH =, fp WITH ~=) WITH (rotations = 1);
-- Its index serves searches.
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM posts WHERE tenant = 3 AND simhash_near(fp, 1, 3);
RESET enable_seqscan;
DROP TABLE posts;

-- Changes of the scope by a foreign key are checked as well: no row is left that refers to a missing row.
CREATE TABLE tenants (id int PRIMARY KEY);
INSERT INTO tenants VALUES (1), (2), (3);
CREATE TABLE posts (id int, tenant int DEFAULT 3 REFERENCES tenants ON DELETE SET DEFAULT ON UPDATE CASCADE, fp bigint,
    CONSTRAINT posts_apart EXCLUDE USING simhash (tenant WITH =, fp WITH ~=));
INSERT INTO posts VALUES (1, 1, 0), (2, 2, -1), (3, 3, 1);
DELETE FROM tenants WHERE id = 1;
DELETE FROM tenants WHERE id = 2;
UPDATE tenants SET id = 5 WHERE id = 3;
SELECT p.*, t.id IS NULL AS dangling FROM posts p LEFT JOIN tenants t ON t.id = p.tenant ORDER BY p.id;
DROP TABLE posts, tenants;

-- Equal values that are written differently, infinities and NaN.
CREATE TABLE posts (id int GENERATED ALWAYS AS IDENTITY, amount numeric, day date, fp bigint,
    CONSTRAINT posts_amount EXCLUDE USING simhash (amount WITH =, fp WITH ~=), CONSTRAINT posts_day EXCLUDE USING simhash (day WITH =, fp WITH ~=))
    WITH (autovacuum_enabled = off);
INSERT INTO posts (amount, fp) VALUES (1.0, 0), ('NaN', 0), ('Infinity', 0), ('-Infinity', 0), (0, 0), (1.01, 0);
INSERT INTO posts (amount, fp) VALUES (1.00, 1);
INSERT INTO posts (amount, fp) VALUES ('nan', 1);
INSERT INTO posts (amount, fp) VALUES ('inf', 1);
INSERT INTO posts (amount, fp) VALUES ('-0.00', 1);
INSERT INTO posts (amount, fp) VALUES ('0e10', 1), (1e0, 1), (1.001, 1), (1, 15) ON CONFLICT DO NOTHING;
INSERT INTO posts (day, fp) VALUES ('infinity', 0), ('-infinity', 0), ('2026-01-01', 0);
INSERT INTO posts (day, fp) VALUES ('infinity', 1);
INSERT INTO posts (day, fp) VALUES ('-infinity', 1), ('2026-01-02', 1) ON CONFLICT DO NOTHING;
SELECT amount, day, fp FROM posts ORDER BY id;
DROP TABLE posts;
