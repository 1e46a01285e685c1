-- The golden vectors, from the file that the core's tests read: mismatches only
\getenv srcdir PG_ABS_SRCDIR
CREATE TEMP TABLE golden (kind text, options text, times int, input text, fingerprint bigint, further text);
\set file :srcdir '/../data/golden.csv'
\set copy '\\copy golden FROM ' :'file' ' CSV HEADER FORCE NOT NULL input, options'
:copy
SELECT count(*) > 300 AS enough, count(DISTINCT kind) AS kinds FROM golden;

SELECT kind, options, times, left(input, 60) AS input, fingerprint, now
FROM (
    SELECT g.*, CASE kind
        WHEN 'text' THEN simhash(repeat(input, times), options::jsonb)
        WHEN 'features' THEN (SELECT simhash_terms(coalesce(array_agg(f), '{}')) FROM jsonb_array_elements_text(input::jsonb) f)
        WHEN 'weighted' THEN (SELECT simhash_terms(array_agg(f->>0), array_agg((f->>1)::float8)) FROM jsonb_array_elements(input::jsonb) f)
        WHEN 'vector' THEN (SELECT simhash_vector(coalesce(array_agg(v::float8 ORDER BY i), '{}'))
                            FROM jsonb_array_elements_text(input::jsonb) WITH ORDINALITY f(v, i))
        WHEN 'tsvector' THEN simhash(input::tsvector)
    END AS now
    FROM golden g
) g
WHERE fingerprint IS DISTINCT FROM now;

-- Fingerprints of 128 and 256 bits.
SELECT options, times, left(input, 60) AS input, bits, now_128, now_256
FROM (
    SELECT g.*, (fingerprint::bit(64) || ('x' || further)::bit varying)::bit(256) AS bits,
        simhash128(repeat(input, times), options::jsonb) AS now_128, simhash256(repeat(input, times), options::jsonb) AS now_256
    FROM golden g WHERE kind = 'text'
) g
WHERE now_128 IS DISTINCT FROM bits::bit(128) OR now_256 IS DISTINCT FROM bits;

-- The default options are those of simhash(text).
SELECT count(*) FROM golden WHERE kind = 'text' AND options = '{}' AND simhash(repeat(input, times)) IS DISTINCT FROM fingerprint;

SELECT simhash_version();
