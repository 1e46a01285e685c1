-- The type simhash_band, its operators and operator classes, and the planner's estimates for them.

-- Four bands of 0123456789abcdef.
SELECT band, simhash_band(81985529216486895, band) FROM generate_series(0, 3) band;
-- Every number of bands covers all 64 bits, except one band, which leaves out the lowest bit.
SELECT bands, string_agg(length(split_part(simhash_band(-1, band, bands)::text, ':', 2))::text, ' ' ORDER BY band) AS digits,
       string_agg(split_part(simhash_band(-1, band, bands)::text, ':', 2), ' ' ORDER BY band) AS bits
    FROM generate_series(1, 16) bands, generate_series(0, bands - 1) band GROUP BY bands ORDER BY bands;
-- The oracle: shifts and masks of PostgreSQL.
SELECT count(*) FROM (SELECT hashint8extended(i, 0) AS fp FROM generate_series(1, 1000) i) f, generate_series(0, 3) band
    WHERE simhash_band(fp, band)::text
          IS DISTINCT FROM format('%s/4:%s', band, lpad(to_hex(fp >> (48 - 16 * band) & 65535), 4, '0'));
-- NULL if there is no such band, never an error.
SELECT simhash_band(1, -1), simhash_band(1, 4), simhash_band(1, 0, 0), simhash_band(1, 0, 17),
       simhash_band(1, 2147483647, -2147483648), simhash_band(NULL, 0);

-- Input and output.
SELECT '0/4:6D3A'::simhash_band, '15/16:f'::simhash_band, '0/1:7fffffffffffffff'::simhash_band, '1/2:0'::simhash_band;
SELECT '0/4'::simhash_band;
SELECT '4/4:0'::simhash_band;
SELECT '0/4:10000'::simhash_band;
SELECT ''::simhash_band;
DO $$ BEGIN PERFORM 'x'::simhash_band; EXCEPTION WHEN invalid_text_representation THEN RAISE NOTICE '%', SQLSTATE; END $$;
-- The binary format, in both directions.
CREATE TABLE bands AS SELECT i, simhash_band(hashint8extended(i, 0), i % m, m) AS band
    FROM generate_series(1, 2000) i, LATERAL (SELECT 1 + i % 16 AS m) m;
SELECT simhash_band_send('0/4:6d3a');
SELECT current_setting('data_directory') || '/band.bin' AS file \gset
COPY bands TO :'file' (FORMAT binary);
CREATE TABLE copies (LIKE bands);
COPY copies FROM :'file' (FORMAT binary);
SELECT count(*) FROM bands FULL JOIN copies USING (i) WHERE bands.band IS DISTINCT FROM copies.band;
-- Eight bytes that are not a band.
CREATE TABLE numbers AS SELECT 1 AS i, 42::bigint AS band;
COPY numbers TO :'file' (FORMAT binary);
COPY copies FROM :'file' (FORMAT binary);
SELECT 'rm ' || quote_literal(:'file') AS remove \gset
COPY (SELECT) TO PROGRAM :'remove';
DROP TABLE copies, numbers;

-- Order: by number of bands, band and value, and the same by sorting, merging and hashing.
SELECT band FROM bands WHERE i <= 20 ORDER BY band;
SELECT '0/4:0001'::simhash_band < '0/4:0002', '0/4:0002'::simhash_band <= '1/4:0001', '0/4:1'::simhash_band = '0/5:1',
       '0/4:1'::simhash_band <> '0/4:1', '3/4:0'::simhash_band > '0/4:ffff', '0/4:1'::simhash_band >= '0/4:1';
SELECT count(DISTINCT band), min(band::text) IS NOT NULL FROM bands;
SET enable_hashjoin = off;
SELECT count(*) FROM bands a JOIN bands b USING (band);
SET enable_hashjoin = on;
SET enable_mergejoin = off;
SET enable_nestloop = off;
SELECT count(*) FROM bands a JOIN bands b USING (band);
RESET ALL;

-- The operator classes are complete.
SELECT amname, opcname, opcdefault, amvalidate(c.oid) FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod
    WHERE opcname = 'simhash_band_ops' ORDER BY amname;
SELECT amname, amprocnum, proname FROM pg_amproc JOIN pg_proc p ON p.oid = amproc
    JOIN pg_opfamily f ON f.oid = amprocfamily JOIN pg_am a ON a.oid = opfmethod WHERE opfname = 'simhash_band_ops' ORDER BY 1, 2;
SELECT typlen, typbyval, typalign FROM pg_type WHERE oid = 'simhash_band'::regtype;

-- Equal values are stored once: an index of one value is far smaller than one of all values.
CREATE TABLE docs AS SELECT i AS id, hashint8extended(i, 1) AS fp FROM generate_series(1, 20000) i;
CREATE INDEX docs_same ON docs (simhash_band(fp & 0, 0));
CREATE INDEX docs_different ON docs (simhash_band(fp, 0, 1));
SELECT pg_relation_size('docs_same') * 2 < pg_relation_size('docs_different') AS deduplicated;
CREATE INDEX docs_hash ON docs USING hash (simhash_band(fp, 1));

-- Estimates: by the width of the band before ANALYZE, by the statistics after it.
CREATE FUNCTION estimate(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END
$$;
CREATE TABLE many AS SELECT i AS id, hashint8extended(i % 1000, 1) AS fp FROM generate_series(1, 200000) i;
CREATE INDEX many_band ON many (simhash_band(fp, 0));
SELECT estimate('SELECT * FROM many WHERE simhash_band(fp, 0) = ''0/4:1234''') AS of_16_bits,
       estimate('SELECT * FROM many WHERE ''0/8:12'' = simhash_band(fp, 0, 8)') AS of_8_bits,
       estimate('SELECT * FROM many WHERE simhash_band(fp, 0, 2) = simhash_band(1, 0, 2)') AS of_32_bits,
       estimate('SELECT * FROM many WHERE simhash_band(fp, 0, 8) = ANY (''{0/8:00,0/8:01,0/8:02}'')') AS of_3_values;
ANALYZE many;
SELECT estimate(format('SELECT * FROM many WHERE simhash_band(fp, 0) = %L', simhash_band(fp, 0))) BETWEEN 50 AND 800 AS seen
    FROM many WHERE id = 1;
SELECT estimate('SELECT * FROM many a JOIN many b ON simhash_band(a.fp, 0) = simhash_band(b.fp, 0)') > 20000000 AS seen;

DROP TABLE bands, docs, many;
DROP FUNCTION estimate;
