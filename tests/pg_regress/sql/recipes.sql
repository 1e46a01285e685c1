-- The recipes of the README, as they stand there.

-- A generated column beside a trigger; the trigger on two columns; old rows.
CREATE TABLE posts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tenant_id int DEFAULT 1, title text, body text,
    created_at timestamptz DEFAULT now(), duplicate_of bigint, bits int);
INSERT INTO posts (title, body) SELECT 'Post ' || i, string_agg(md5((i * 100 + j)::text), ' ')
    FROM generate_series(1, 300) i, generate_series(1, 12) j GROUP BY i;
ALTER TABLE posts ADD body_fp bigint GENERATED ALWAYS AS (simhash(body)) STORED;
ALTER TABLE posts ADD fp bigint;
CREATE TRIGGER a_fingerprint BEFORE INSERT OR UPDATE ON posts
    FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'title', 'body');
CALL simhash_backfill('posts', 'fp', 'title', more_columns => '{body}');
SELECT count(*) FROM simhash_create_index('posts', 'fp');
SELECT count(*) FILTER (WHERE fp = simhash(concat_ws(E'\n', title, body))) AS filled, count(*) FILTER (WHERE body_fp = simhash(body)) AS generated FROM posts;

-- Duplicates of this row.
INSERT INTO posts (title, body) SELECT title, body || '!' FROM posts WHERE id IN (7, 8);
PREPARE duplicates_of(bigint) AS
SELECT d.id, d.fp <~> q.fp AS distance
FROM posts q JOIN posts d ON simhash_near(d.fp, q.fp, 3) AND d.id <> q.id
WHERE q.id = $1 ORDER BY distance;
EXECUTE duplicates_of(7);

-- Insert unless something like it is there, and return the match.
DROP TRIGGER a_fingerprint ON posts;
CREATE TRIGGER a_fingerprint BEFORE INSERT OR UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
UPDATE posts SET fp = simhash(body);
PREPARE insert_unless(text) AS
WITH new AS (SELECT $1::text AS body, simhash($1) AS fp),
     found AS (SELECT p.id FROM new JOIN posts p ON simhash_near(p.fp, new.fp, 3) ORDER BY p.fp <~> new.fp LIMIT 1),
     stored AS (INSERT INTO posts (body) SELECT body FROM new WHERE NOT EXISTS (SELECT FROM found) RETURNING id)
SELECT id, true AS is_new FROM stored UNION ALL SELECT id, false FROM found;
SELECT body FROM posts WHERE id = 11 \gset
EXECUTE insert_unless('A text that nobody has written so far, about tides, timber and the price of rope.');
EXECUTE insert_unless('A text that nobody has written so far, about tides, timber and the price of rope.');
EXECUTE insert_unless(:'body');

-- Every night: of each pair found since yesterday, mark the younger.
UPDATE posts p SET duplicate_of = o.id
FROM posts o WHERE simhash_near(p.fp, o.fp, 3) AND o.id < p.id AND p.created_at > now() - interval '1 day';
SELECT id, duplicate_of FROM posts WHERE duplicate_of IS NOT NULL ORDER BY id;

-- The guard: one action after the other.
\set SHOW_CONTEXT never
CREATE TRIGGER b_guard BEFORE INSERT OR UPDATE ON posts
    FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
INSERT INTO posts (body) VALUES (:'body');
DROP TRIGGER b_guard ON posts;
CREATE TRIGGER b_guard BEFORE INSERT OR UPDATE ON posts
    FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
INSERT INTO posts (body) VALUES (:'body');
DROP TRIGGER b_guard ON posts;
CREATE TRIGGER b_guard BEFORE INSERT OR UPDATE ON posts
    FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'link', 'into=duplicate_of', 'distance=bits');
INSERT INTO posts (body) VALUES (:'body') RETURNING duplicate_of, bits;
DROP TRIGGER b_guard ON posts;
CREATE TRIGGER b_guard BEFORE INSERT OR UPDATE ON posts
    FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject', 'scope=tenant_id');
INSERT INTO posts (tenant_id, body) VALUES (2, :'body') RETURNING tenant_id;
INSERT INTO posts (tenant_id, body) VALUES (2, :'body');

-- Nothing stored.
CREATE TABLE bare (id int PRIMARY KEY, body text);
INSERT INTO bare SELECT id, body FROM posts;
CREATE INDEX ON bare (simhash_band(simhash(body), 0));
CREATE INDEX ON bare (simhash_band(simhash(body), 1));
CREATE INDEX ON bare (simhash_band(simhash(body), 2));
CREATE INDEX ON bare (simhash_band(simhash(body), 3));
PREPARE near_bare(text) AS SELECT count(*) FROM bare WHERE simhash_near(simhash(body), simhash($1), 3);
EXECUTE near_bare(:'body');

-- Many tenants.
DROP INDEX posts_fp_band_0_of_4_idx, posts_fp_band_1_of_4_idx, posts_fp_band_2_of_4_idx, posts_fp_band_3_of_4_idx;
CREATE INDEX ON posts (tenant_id, simhash_band(fp, 0));
CREATE INDEX ON posts (tenant_id, simhash_band(fp, 1));
CREATE INDEX ON posts (tenant_id, simhash_band(fp, 2));
CREATE INDEX ON posts (tenant_id, simhash_band(fp, 3));
PREPARE of_tenant(int, bigint) AS SELECT count(*) FROM posts WHERE tenant_id = $1 AND simhash_near(fp, $2, 3);
SELECT fp FROM posts WHERE id = 11 \gset
EXECUTE of_tenant(1, :fp);
EXECUTE of_tenant(2, :fp);
DROP TABLE posts, bare;
