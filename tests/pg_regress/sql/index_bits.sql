-- Indexes on fingerprints of 64 to 512 bits: the same rows with and without them, for every length and k.
\getenv tests PG_ABS_SRCDIR
\i :tests/include/index_oracle.sql
SET jit = off;

-- n words of 64 bits: those of one of a few fingerprints with up to d bits flipped; of every fifth fingerprint some words are others.
CREATE FUNCTION words(i int, n int, d int) RETURNS bit varying LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(CASE WHEN i % 5 = 0 AND w % 2 = i % 2 THEN hashint8extended(i, w)
        ELSE flipped(hashint8extended(i % 40, w), abs(hashint4(i * 10 + w)) % (d + 1), i) END::bit(64)::text, '' ORDER BY w)::bit varying
    FROM generate_series(1, n) w
$$;

-- What a column of `words` words finds for all k, with an index on `indexed`.
CREATE FUNCTION compare_all(words int, indexed text, condition text, options text)
    RETURNS TABLE (ks bigint, index_scans bigint, bitmap_scans bigint, matches bigint, same boolean) LANGUAGE plpgsql AS $f$
DECLARE
    bits int := 64 * words;
BEGIN
    EXECUTE format('CREATE TABLE corpus (id int, tenant int, fp bit(%s)) WITH (autovacuum_enabled = off)', bits);
    INSERT INTO corpus SELECT i, nullif(i % 7, 0), CASE WHEN i % 23 > 0 THEN words(i, words, 4) END FROM generate_series(1, 1500) i;
    EXECUTE format('CREATE INDEX corpus_fp ON corpus USING simhash (%s) %s', indexed, options);
    INSERT INTO corpus SELECT i, nullif(i % 7, 0), CASE WHEN i % 23 > 0 THEN words(i, words, 4) END FROM generate_series(1501, 3000) i;
    DELETE FROM corpus WHERE id % 9 = 0;
    ANALYZE corpus;
    SET LOCAL enable_seqscan = off;
    RETURN QUERY SELECT count(*), count(*) FILTER (WHERE c.index_scan = 'yes'), count(*) FILTER (WHERE c.bitmap_scan = 'yes'), sum(c.matches)::bigint,
            bool_and(c.same)
        FROM (SELECT k, words(k * 3 + 1, words, 2) AS q FROM generate_series(-1, bits + 1) k WHERE k < 40 OR k % 11 = 0 OR k >= bits - 1) s,
            compare(format(condition, q, k)) c;
    -- PostgreSQL's own functions find the same rows.
    IF (SELECT bool_and(simhash_bit_near(fp, q, k) = (bit_count(fp # q) <= k))
        FROM corpus, LATERAL (SELECT words(7, words, 2) AS q) q, generate_series(0, bits, 13) k WHERE fp IS NOT NULL) IS NOT TRUE THEN
        RAISE 'simhash_bit_near differs from bit_count';
    END IF;
    IF (SELECT rows + nulls FROM simhash_index_check('corpus_fp')) < (SELECT count(*) FROM corpus) THEN
        RAISE 'the index lacks rows';
    END IF;
    DROP TABLE corpus;
END
$f$;
SELECT words, c.* FROM generate_series(1, 8) words, compare_all(words, 'fp', 'simhash_bit_near(fp, %L, %s)', '') c;
SELECT rotations, c.* FROM unnest('{1,2,4}'::int[]) rotations,
    compare_all(4, 'fp', 'simhash_bit_near(fp, %L, %s)', format('WITH (rotations = %s, fillfactor = 60)', rotations)) c;
SELECT words, c.* FROM unnest('{1,2,4}'::int[]) words,
    compare_all(words, 'tenant, fp', 'tenant = 3 AND simhash_bit_near(fp, %L, %s)', '') c;
SELECT c.* FROM compare_all(4, 'tenant, fp', 'tenant IS NULL AND simhash_bit_near(%L, fp, %s)', 'WITH (rotations = 2)') c;
SELECT c.* FROM compare_all(2, '(fp::bit(64))', 'simhash_bit_near(fp::bit(64), %L::bit(64), %s)', '') c;

-- All kinds of conditions.
CREATE TABLE corpus (id int, tenant int, fp bit(256)) WITH (autovacuum_enabled = off);
INSERT INTO corpus SELECT i, i % 5, CASE WHEN i % 23 > 0 THEN words(i, 4, 4) END FROM generate_series(1, 5000) i;
CREATE INDEX corpus_fp ON corpus USING simhash (fp);
ANALYZE corpus;
\d corpus_fp
SELECT * FROM simhash_index_check('corpus_fp');
SELECT words(8, 4, 2)::bit(256) AS query \gset
SET enable_seqscan = off;
SELECT * FROM compare(format($$simhash_bit_near(fp, %L, 31)$$, :'query'));
SELECT * FROM compare(format($$simhash_bit_near(%L, fp, 31)$$, :'query'));
SELECT * FROM compare(format($$simhash_bit_near(fp, (SELECT %L::bit(256)), (SELECT 31))$$, :'query'));
SELECT * FROM compare(format($$fp <@ simhash_bit_ball(%L, 31)$$, :'query'));
SELECT * FROM compare(format($$fp = %L$$, (SELECT fp FROM corpus WHERE id = 8)));
SELECT * FROM compare($$fp = (SELECT fp FROM corpus c WHERE c.id = 8)$$);
SELECT * FROM compare(format($$fp IN (%L, %L)$$, (SELECT fp FROM corpus WHERE id = 8), (SELECT fp FROM corpus WHERE id = 9)));
SELECT * FROM compare(format($$simhash_bit_near(fp, %L, 31) AND simhash_bit_near(fp, %L, 40)$$, :'query', words(48, 4, 3)));
SELECT * FROM compare(format($$simhash_bit_near(fp, %L, 31) OR fp IS NULL$$, :'query'));
SELECT * FROM compare(format($$simhash_bit_near(fp, %L, 31) AND fp IS NOT NULL$$, :'query'));
SELECT * FROM compare(format($$simhash_bit_near(fp, %L, 31) AND fp IS NULL$$, :'query'));
SELECT * FROM compare($$fp IS NULL$$);
SELECT * FROM compare($$fp IS NOT NULL$$);
SELECT * FROM compare($$simhash_bit_near(fp, NULL, 31)$$);
SELECT * FROM compare(format($$simhash_bit_near(fp, %L, NULL)$$, :'query'));
-- A query of another length is near nothing, whether the index is used or not.
SELECT * FROM compare($$simhash_bit_near(fp, B'1010', 31)$$);
SELECT * FROM compare($$simhash_bit_near(fp, 5::bit(128), 300)$$);
SELECT * FROM compare($$fp = 5::bit(128)$$);
SELECT * FROM compare($$fp <@ simhash_bit_ball(repeat('1', 600)::bit(600), 300)$$);

-- Plans: constants, parameters, joins, subqueries, costly queries, row-level security, partitions.
-- A plan in the form of PostgreSQL 17 and newer, with short constants.
CREATE FUNCTION plan(query text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT replace(replace(regexp_replace(line, '[01]{64,}', '0...1'), ' (returns $0)', ''), '$0', '(InitPlan 1).col1') FROM plan_of(query) line
$$;
SELECT plan(format($$SELECT id FROM corpus WHERE simhash_bit_near(fp, %L, 31)$$, :'query'));
PREPARE near (bit, int) AS SELECT count(*) FROM corpus WHERE simhash_bit_near(fp, $1, $2);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE near (:'query', 31);
EXECUTE near (:'query', 31);
EXECUTE near (:'query', -1);
EXECUTE near (NULL, 31);
EXECUTE near (B'1', 31);
RESET plan_cache_mode;
SELECT plan('SELECT a.id, b.id FROM corpus a JOIN corpus b ON simhash_bit_near(a.fp, b.fp, 31) AND a.id < b.id WHERE a.id < 20');
SELECT count(*) FROM corpus a JOIN corpus b ON simhash_bit_near(a.fp, b.fp, 31) AND a.id < b.id WHERE a.id < 60;
SELECT count(*) FROM corpus a JOIN corpus b ON bit_count(a.fp # b.fp) <= 31 AND a.id < b.id WHERE a.id < 60;
SELECT plan('SELECT id FROM corpus WHERE simhash_bit_near(fp, (SELECT c.fp FROM corpus c WHERE c.id = 8 LIMIT 1), 31)');
CREATE FUNCTION costly(bit) RETURNS bit LANGUAGE plpgsql STABLE COST 1000 AS 'BEGIN RETURN $1; END';
SELECT plan(format($$SELECT id FROM corpus WHERE simhash_bit_near(fp, costly(%L), 31)$$, :'query'));
SELECT plan(format($$SELECT id FROM corpus ORDER BY bit_hamming(fp, %L) LIMIT 3$$, :'query'));
CREATE ROLE simhash_reader;
GRANT SELECT ON corpus TO simhash_reader;
ALTER TABLE corpus ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON corpus USING (tenant % 2 = 1);
SET ROLE simhash_reader;
SELECT plan(format($$SELECT id FROM corpus WHERE simhash_bit_near(fp, %L, 31)$$, :'query'));
SELECT count(*) FROM corpus WHERE simhash_bit_near(fp, :'query', 31);
RESET ROLE;
SELECT count(*) FROM corpus WHERE bit_count(fp # :'query') <= 31 AND tenant % 2 = 1;
DROP OWNED BY simhash_reader;
DROP ROLE simhash_reader;
DROP TABLE corpus;
CREATE TABLE corpus (id int, tenant int, fp bit(256)) PARTITION BY LIST (tenant);
CREATE TABLE corpus_1 PARTITION OF corpus FOR VALUES IN (1);
CREATE TABLE corpus_2 PARTITION OF corpus FOR VALUES IN (2);
CREATE INDEX ON corpus USING simhash (fp);
INSERT INTO corpus SELECT i, 1 + i % 2, words(i, 4, 4) FROM generate_series(1, 4000) i;
ANALYZE corpus;
SELECT plan(format($$SELECT id FROM corpus WHERE simhash_bit_near(fp, %L, 31)$$, :'query'));
SELECT count(*), (SELECT count(*) FROM corpus WHERE bit_count(fp # :'query') <= 31) FROM corpus WHERE simhash_bit_near(fp, :'query', 31);
DROP TABLE corpus;

-- Values that the server stores out of line.
DO $$
DECLARE
    columns text := (SELECT string_agg(format('fp%s bit(512)', n), ', ') FROM generate_series(1, 60) n);
    storage text := (SELECT string_agg(format('ALTER fp%s SET STORAGE EXTERNAL', n), ', ') FROM generate_series(1, 60) n);
    bits text := (SELECT string_agg(format('(i * %s)::bit(512) # (''x'' || repeat(md5(i::text), 4))::bit(512)', n), ', ') FROM generate_series(1, 60) n);
BEGIN
    EXECUTE format('CREATE TABLE corpus (id int, %s)', columns);
    EXECUTE format('ALTER TABLE corpus %s', storage);
    CREATE INDEX corpus_fp ON corpus USING simhash (fp60);
    EXECUTE format('INSERT INTO corpus SELECT i, %s FROM generate_series(1, 200) i', bits);
    CREATE INDEX corpus_fp1 ON corpus USING simhash (fp1);
END
$$;
ANALYZE corpus;
SELECT pg_relation_size(reltoastrelid) > 100000 AS out_of_line FROM pg_class WHERE relname = 'corpus';
SELECT c.rows, i.rows FROM simhash_index_check('corpus_fp') c, simhash_index_check('corpus_fp1') i;
SELECT * FROM compare($$simhash_bit_near(fp60, (7 * 60)::bit(512) # ('x' || repeat(md5('7'), 4))::bit(512), 9)$$);
SELECT * FROM compare($$simhash_bit_near(fp1, (SELECT fp1 FROM corpus WHERE id = 9), 230)$$);
DROP TABLE corpus;

-- Columns that cannot be indexed.
CREATE TABLE wrong (a bit, b bit(100), c bit(576), d bit varying(256), e simhash_bit_ball, f bit(256), body text);
ALTER TABLE wrong ADD g bit varying, ADD h int;
CREATE TABLE without_length AS SELECT f || B'' AS fp FROM wrong;
CREATE INDEX ON wrong USING simhash (a);
CREATE INDEX ON wrong USING simhash (b);
CREATE INDEX ON wrong USING simhash (c);
CREATE INDEX ON wrong USING simhash (d);
CREATE INDEX ON wrong USING simhash (g);
CREATE INDEX ON wrong USING simhash (e);
CREATE INDEX ON wrong USING simhash ((f || f));
CREATE INDEX ON wrong USING simhash ((simhash_bit_ball(f || f, 3)));
CREATE INDEX ON wrong USING simhash (f, h);
CREATE INDEX ON wrong USING simhash (f, f);
CREATE INDEX ON without_length USING simhash (fp);
ALTER TABLE without_length ALTER fp TYPE bit(256);
CREATE INDEX ON without_length USING simhash (fp);
CREATE INDEX ON wrong USING simhash (((f || f)::bit(512)));
CREATE INDEX ON wrong USING simhash (h, (simhash_bit_ball((f || f)::bit(512), 3)));
CREATE DOMAIN picture AS bit(256) CHECK (VALUE <> 0::bit(256));
CREATE TABLE pictures (id int, pdq picture);
CREATE INDEX pictures_pdq ON pictures USING simhash (pdq);
INSERT INTO pictures SELECT i, words(i, 4, 4) FROM generate_series(1, 2000) i;
ANALYZE pictures;
SELECT plan(format($$SELECT id FROM pictures WHERE simhash_bit_near(pdq, %L, 31)$$, :'query'));
SELECT count(*), (SELECT count(*) FROM pictures WHERE bit_count(pdq # :'query') <= 31) FROM pictures WHERE simhash_bit_near(pdq, :'query', 31);
-- A constraint on a column of a domain, and an expression before a column of balls.
CREATE TABLE album (pdq picture, EXCLUDE USING simhash (simhash_bit_ball(pdq, 31) WITH &&));
INSERT INTO album VALUES (7::bit(256)), (3::bit(256)), (x'ffffffffffff'::bit(256)) ON CONFLICT DO NOTHING;
SELECT count(*) FROM album;
ALTER TABLE wrong ADD ball simhash_bit_ball;
CREATE INDEX ON wrong USING simhash ((bit_hamming(f, f::bit(128)::bit(256))), ball);
-- A change of the type that keeps the index: the index works, and cannot be built again.
ALTER TABLE without_length ALTER fp TYPE bit varying;
INSERT INTO without_length VALUES (B'101');
INSERT INTO without_length VALUES (5::bit(256));
SET enable_seqscan = off;
SELECT plan('SELECT * FROM without_length WHERE simhash_bit_near(fp, 4::bit(256), 3)');
SELECT count(*) FROM without_length WHERE simhash_bit_near(fp, 4::bit(256), 3);
VACUUM FULL without_length;
ALTER TABLE without_length ALTER fp TYPE bit(256);
VACUUM FULL without_length;
SELECT count(*) FROM without_length WHERE simhash_bit_near(fp, 4::bit(256), 3);
-- A value that appears where the index has none.
CREATE FUNCTION appearing(bit) RETURNS bit LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN NULL; END';
CREATE INDEX pictures_appearing ON pictures USING simhash (((appearing(pdq) || appearing(pdq))::bit(512)));
CREATE OR REPLACE FUNCTION appearing(bit) RETURNS bit LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
SELECT * FROM simhash_index_check('pictures_appearing');
DROP TABLE wrong, without_length, pictures, album;
DROP FUNCTION appearing;
DROP DOMAIN picture;
DROP FUNCTION compare_all, words, costly, plan, compare, compare_join, plan_of, scan_of, flipped, near_oracle;
