-- The type simhash_ball: what an index with access method simhash searches for.
SELECT '<42,3>'::simhash_ball, ' < -1 , 64 > '::simhash_ball, simhash_ball(42, 3), simhash_ball((-9223372036854775808)::bigint, -2147483648);
SELECT simhash_ball(NULL, 3) IS NULL AS no_center, simhash_ball(3, NULL) IS NULL AS no_radius;
SELECT simhash_ball_send('<42,3>') AS sent, pg_column_size('<42,3>'::simhash_ball) AS bytes;

-- Bad input.
SELECT ''::simhash_ball;
SELECT '42'::simhash_ball;
SELECT '<42>'::simhash_ball;
SELECT '<42,3'::simhash_ball;
SELECT '42,3'::simhash_ball;
SELECT '<42,3,4>'::simhash_ball;
SELECT '<,>'::simhash_ball;
SELECT '<9223372036854775808,3>'::simhash_ball;
SELECT '<1,2147483648>'::simhash_ball;
SELECT '<1.5,3>'::simhash_ball;
SELECT '<0x1,3>'::simhash_ball;
SELECT '<ä,3>'::simhash_ball;
SELECT '<1,3>>'::simhash_ball;

-- Operators, at the borders.
SELECT k, 0::bigint <@ simhash_ball(0, k) AS at_0, 7::bigint <@ simhash_ball(0, k) AS at_3, (-1)::bigint <@ simhash_ball(0, k) AS at_64
FROM unnest('{-2147483648,-1,0,2,3,63,64,65,2147483647}'::int[]) k;
SELECT NULL::bigint <@ '<1,64>'::simhash_ball AS null_fp, 1::bigint <@ NULL::simhash_ball AS null_ball;
SELECT o.oprname, c.oprname AS commutator, n.oprname AS negator FROM pg_operator o
    LEFT JOIN pg_operator c ON c.oid = o.oprcom LEFT JOIN pg_operator n ON n.oid = o.oprnegate
WHERE 'simhash_ball'::regtype IN (o.oprleft, o.oprright) OR o.oprname IN ('~=', '~~=') AND o.oprleft = 'bigint'::regtype
ORDER BY o.oprname COLLATE "C";
SELECT a ~= b AS near, a ~~= b AS similar FROM (VALUES (0::bigint, 7::bigint), (0, 15), (0, 127), (0, 255), (0, NULL)) v (a, b);
SELECT count(*) FILTER (WHERE (a ~= b) IS DISTINCT FROM bit_count((a # b)::bit(64)) <= 3) AS wrong_near,
       count(*) FILTER (WHERE (a ~~= b) IS DISTINCT FROM bit_count((a # b)::bit(64)) <= 7) AS wrong_similar,
       count(*) FILTER (WHERE a <@ simhash_ball(b, k) IS DISTINCT FROM bit_count((a # b)::bit(64)) <= k) AS wrong_ball
FROM generate_series(0, 64) d, generate_series(-1, 65) k,
    LATERAL (SELECT hashint8extended(d, 1) AS a, hashint8extended(d, 1) # CASE WHEN d < 64 THEN ~(-1::bigint << d) ELSE -1 END AS b) v;

-- Stored, in arrays, in composite types, and as a column that a search uses.
CREATE TABLE balls (ball simhash_ball, flag boolean, many simhash_ball[]);
INSERT INTO balls VALUES ('<0,1>', true, '{"<1,2>","<3,4>"}'), ('<5,64>', false, NULL), (NULL, true, ARRAY[simhash_ball(-1, 1), NULL]);
SELECT * FROM balls;
SELECT (b).ball FROM balls b WHERE 1::bigint <@ (b).ball;
CREATE TABLE docs (id int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, hashint8extended(i, 1) FROM generate_series(1, 100) i;
INSERT INTO docs VALUES (101, 0), (102, 1), (103, 3), (104, NULL);
CREATE INDEX docs_fp ON docs USING simhash (fp);
ANALYZE docs, balls;
SET enable_seqscan = off; SET enable_hashjoin = off; SET jit = off;
SELECT ball::text, count(id) FROM balls LEFT JOIN docs ON fp <@ ball GROUP BY ball::text ORDER BY ball::text;
SELECT count(*) FROM docs WHERE fp <@ ANY (SELECT unnest(many) FROM balls);
SELECT count(*) FROM docs WHERE fp <@ ANY ((SELECT many FROM balls WHERE flag AND ball IS NOT NULL)::simhash_ball[]);
PREPARE within(simhash_ball) AS SELECT count(*) FROM docs WHERE fp <@ $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE within('<0,1>');
EXECUTE within('<0,-1>');
EXECUTE within('<0,64>');
EXECUTE within(NULL);
DEALLOCATE within;
RESET plan_cache_mode;

-- The binary format, in both directions; too short, too long.
\getenv builddir PG_ABS_BUILDDIR
\set file :builddir '/results/index_ball.data'
COPY (SELECT ball FROM balls) TO STDOUT (FORMAT binary) \g :file
CREATE TABLE back (ball simhash_ball);
\set copy '\\copy back FROM ' :'file' ' (FORMAT binary)'
:copy
SELECT ball FROM back;
COPY (SELECT 42::bigint) TO STDOUT (FORMAT binary) \g :file
:copy
COPY (SELECT '\x000000000000002a0000000300'::bytea) TO STDOUT (FORMAT binary) \g :file
:copy
\! rm -f "$PG_ABS_BUILDDIR/results/index_ball.data"

SELECT rows, nulls, missing_downlinks FROM simhash_index_check('docs_fp');
DROP TABLE balls, docs, back;
