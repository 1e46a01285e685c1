-- simhash_cluster and simhash_leader: clusters of near rows, and their leaders.

SELECT id, fp, simhash_cluster(fp) OVER (), simhash_cluster(fp, 0) OVER w, simhash_leader(fp) OVER w AS leader,
       simhash_leader(fp) OVER w = row_number() OVER w AS keep
    FROM (VALUES (1, 0), (2, NULL), (3, 7), (4, 63), (5, -1), (6, 0), (7, NULL), (8, 1), (9, -2)) v (id, fp)
    WINDOW w AS (ORDER BY id);
-- No row, one row, only NULLs; k NULL, negative, very large.
SELECT simhash_cluster(fp) OVER (), simhash_leader(fp) OVER () FROM (SELECT 1::bigint WHERE false) v (fp);
SELECT simhash_cluster(fp) OVER (), simhash_leader(fp) OVER () FROM (VALUES (1::bigint)) v (fp);
SELECT simhash_cluster(fp) OVER (), simhash_leader(fp) OVER () FROM (VALUES (NULL::bigint), (NULL)) v (fp);
SELECT simhash_cluster(fp, NULL) OVER (), simhash_leader(fp, NULL) OVER (), simhash_cluster(fp, -1) OVER (),
       simhash_leader(fp, -1) OVER (), simhash_cluster(fp, 64) OVER (), simhash_leader(fp, 2147483647) OVER ()
    FROM (VALUES (1::bigint), (1), (-1)) v (fp);
-- Only as window functions.
SELECT simhash_cluster(1);
SELECT simhash_leader(1, 3);

-- Partitions are independent of each other.
CREATE TABLE docs (id int PRIMARY KEY, tenant_id int, fp bigint);
INSERT INTO docs SELECT i, i % 3, hashint8extended(i / 2, 1) # (i % 2) FROM generate_series(1, 1000) i;
INSERT INTO docs SELECT 1000 + i, i % 3, NULL FROM generate_series(1, 30) i;
INSERT INTO docs SELECT 2000 + i, 0, hashint8extended(1, 1) # (1::bigint << i) FROM generate_series(0, 63) i;
SELECT tenant_id, count(DISTINCT c) AS clusters, count(*) FILTER (WHERE c IS NULL) AS without, max(c) + 1 AS numbered
    FROM (SELECT tenant_id, simhash_cluster(fp) OVER (PARTITION BY tenant_id ORDER BY id) AS c FROM docs) d GROUP BY 1 ORDER BY 1;

-- The oracle, in SQL: rows that are connected by near pairs, and leaders by their definition.
CREATE FUNCTION oracle_clusters(k int) RETURNS TABLE (id int, first int) LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE component ON COMMIT DROP AS SELECT d.id, d.fp, d.id AS first FROM docs d WHERE d.fp IS NOT NULL;
    LOOP
        UPDATE component c SET first = n.first
            FROM (SELECT a.id, min(b.first) AS first FROM component a JOIN component b
                  ON bit_count((a.fp # b.fp)::bit(64)) <= k GROUP BY a.id) n
            WHERE n.id = c.id AND n.first < c.first;
        EXIT WHEN NOT FOUND;
    END LOOP;
    RETURN QUERY SELECT c.id, c.first FROM component c;
    DROP TABLE component;
END
$$;
CREATE FUNCTION oracle_leaders(k int) RETURNS TABLE (id int, leader bigint) LANGUAGE plpgsql AS $$
DECLARE
    d record;
BEGIN
    CREATE TEMP TABLE leaders (place bigint, fp bigint);
    FOR d IN SELECT docs.id, fp, row_number() OVER (ORDER BY docs.id) AS place FROM docs ORDER BY docs.id LOOP
        id := d.id;
        leader := NULL;
        IF d.fp IS NOT NULL THEN
            SELECT l.place INTO leader FROM leaders l WHERE bit_count((l.fp # d.fp)::bit(64)) <= k
                ORDER BY bit_count((l.fp # d.fp)::bit(64)), l.place LIMIT 1;
            IF leader IS NULL THEN
                leader := d.place;
                INSERT INTO leaders VALUES (d.place, d.fp);
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;
    DROP TABLE leaders;
END
$$;
SELECT k, (SELECT count(*) FROM (
        SELECT d.id, first_value(d.id) OVER (PARTITION BY c ORDER BY d.id) AS first FROM (
            SELECT docs.id, simhash_cluster(fp, k) OVER (ORDER BY docs.id) AS c FROM docs WHERE fp IS NOT NULL) d) m
        FULL JOIN oracle_clusters(k) o USING (id) WHERE m.first IS DISTINCT FROM o.first) AS wrong_clusters,
    (SELECT count(*) FROM (SELECT docs.id, simhash_leader(fp, k) OVER (ORDER BY docs.id) AS leader FROM docs) m
        FULL JOIN oracle_leaders(k) o USING (id) WHERE m.leader IS DISTINCT FROM o.leader) AS wrong_leaders
    FROM generate_series(0, 8) k;

-- A cancel takes effect. The setting for progress messages changes nothing.
SET simhash.progress = off;
CREATE TABLE many AS SELECT hashint8extended(i, 1) AS fp FROM generate_series(1, 300000) i;
SET statement_timeout = '300ms';
SELECT count(c) FROM (SELECT simhash_cluster(fp, 10) OVER () AS c FROM many) d;
RESET statement_timeout;
RESET simhash.progress;

-- Recipes: pairs from clusters; delete all but the oldest; keep the longest; fill a column.
WITH c AS (SELECT id, fp, simhash_cluster(fp) OVER (ORDER BY id) AS cluster FROM docs WHERE id <= 100)
SELECT count(*) FROM c a JOIN c b USING (cluster) WHERE a.id < b.id AND simhash_near(a.fp, b.fp, 3);
SELECT count(*) FROM docs a JOIN docs b ON a.id < b.id AND simhash_near(a.fp, b.fp, 3) WHERE a.id <= 100 AND b.id <= 100;
ALTER TABLE docs ADD duplicate_of int, ADD body text;
WITH c AS (SELECT id, first_value(id) OVER (PARTITION BY leader ORDER BY id) AS first FROM (
    SELECT id, simhash_leader(fp) OVER (ORDER BY id) AS leader FROM docs WHERE fp IS NOT NULL) l)
UPDATE docs SET duplicate_of = first FROM c WHERE c.id = docs.id AND first <> c.id;
SELECT count(duplicate_of) FROM docs;
DELETE FROM docs USING (SELECT id, simhash_leader(fp) OVER w = row_number() OVER w AS keep FROM docs WINDOW w AS (ORDER BY id)) d
    WHERE d.id = docs.id AND NOT keep;
SELECT count(*) AS left, (SELECT count(*) FROM docs a JOIN docs b ON a.id < b.id AND simhash_near(a.fp, b.fp, 3)) AS near_pairs FROM docs;
DROP TABLE docs, many;
DROP FUNCTION oracle_clusters, oracle_leaders;
