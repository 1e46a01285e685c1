-- How many rows the planner expects for fingerprints that are bit strings: within a factor of ten of what is found.
\pset tuples_only on
\pset format unaligned
\getenv tests PG_ABS_SRCDIR
\i :tests/include/compare_rows.sql
CREATE FUNCTION compare(query text) RETURNS text LANGUAGE sql AS $$
    SELECT regexp_replace(compare_rows(query, '%docs_simhash%', 'of the index'), '[01]{64,}', '0...1', 'g')
$$;

CREATE FUNCTION wide(i bigint, words int) RETURNS bit varying LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(hashint8extended(i, w)::bit(64)::text, '')::bit varying FROM generate_series(1, words) w
$$;
-- All rows are sampled, so that estimates are the same each time.
SET default_statistics_target = 200;
CREATE TABLE docs (id int PRIMARY KEY, fp bit(256)) WITH (autovacuum_enabled = off);
\set restrictions 'SELECT compare(format(\'SELECT * FROM docs WHERE %s\', format(condition, q))) FROM unnest(ARRAY[\'simhash_bit_near(fp, %L, 0)\', \'simhash_bit_near(fp, %L, 15)\', \'simhash_bit_near(fp, %L, 31)\', \'fp <@ simhash_bit_ball(%L, 31)\', \'fp = %L\']) WITH ORDINALITY c (condition, n), unnest(:queries) q ORDER BY n, q'

\qecho == evenly spread, two rows in three having a near one
INSERT INTO docs SELECT i, wide(i, 4) FROM generate_series(1, 30000) i;
INSERT INTO docs SELECT 30000 + id, fp # x'f0f'::bit(256) FROM docs WHERE id % 2 = 0;
INSERT INTO docs SELECT 60000 + i, NULL FROM generate_series(1, 5000) i;
CREATE INDEX docs_simhash ON docs USING simhash (fp);
ANALYZE docs;
\set queries '(SELECT array_agg(fp) FROM docs WHERE id IN (1000, 1001))'
:restrictions;
SELECT compare('SELECT * FROM docs WHERE simhash_bit_near(fp, (SELECT fp FROM docs WHERE id = 1000), 31)');
SELECT compare('SELECT * FROM docs WHERE simhash_bit_near(fp, B''101'', 31)');
SELECT compare('SELECT * FROM docs WHERE simhash_bit_near(fp, (SELECT fp FROM docs WHERE id = 1000), -1)');
SELECT compare('SELECT * FROM docs WHERE simhash_bit_near(fp, (SELECT fp FROM docs WHERE id = 1000), 256)');
SELECT compare('SELECT * FROM docs WHERE fp IS NULL');
SELECT compare('SELECT a.id FROM docs a JOIN docs b ON simhash_bit_near(a.fp, b.fp, 31) WHERE a.id <= 1000');
SELECT compare('SELECT a.id FROM docs a JOIN docs b ON a.fp <@ simhash_bit_ball(b.fp, 31) WHERE a.id <= 1000');
SELECT compare('SELECT a.id FROM docs a JOIN docs b ON a.fp = b.fp WHERE a.id <= 1000');
PREPARE near (bit) AS SELECT * FROM docs WHERE simhash_bit_near(fp, $1, 31);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE near (wide(1, 4));
RESET plan_cache_mode;

\qecho == many rows near a few centers
TRUNCATE docs;
INSERT INTO docs SELECT i, (wide(i % 50, 4) # (1::bit(256) << i % 256) # (1::bit(256) << i / 50 % 256))::bit(256) FROM generate_series(1, 20000) i;
ANALYZE docs;
:restrictions;
SELECT compare('SELECT * FROM docs WHERE simhash_bit_near(fp, (SELECT fp FROM docs WHERE id = 1000), 31)');
SELECT compare('SELECT a.id FROM docs a JOIN docs b ON simhash_bit_near(a.fp, b.fp, 31) WHERE a.id <= 100');

\qecho == rows near the query in one word only are read, too
DROP TABLE docs;
CREATE TABLE docs (id int PRIMARY KEY, fp bit(128)) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, wide(i, 2) FROM generate_series(1, 20000) i;
CREATE INDEX docs_simhash ON docs USING simhash (fp);
ANALYZE docs;
\set restrictions 'SELECT compare(format(\'SELECT * FROM docs WHERE %s\', format(condition, q))) FROM unnest(ARRAY[\'simhash_bit_near(fp, %L, 6)\', \'simhash_bit_near(fp, %L, 40)\', \'simhash_bit_near(fp, %L, 64)\', \'simhash_bit_near(fp, %L, 127)\']) WITH ORDINALITY c (condition, n), unnest(:queries) q ORDER BY n, q'
:restrictions;
DROP TABLE docs;
DROP FUNCTION wide, compare, compare_rows;
