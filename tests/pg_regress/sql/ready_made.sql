-- Fingerprints of ready-made features, full-text vectors and numeric vectors; the aggregate
SELECT simhash_terms(ARRAY['a', 'b', 'c']) = simhash_terms(ARRAY['c', 'a', 'b']) AS order_does_not_matter,
       simhash_terms(ARRAY['a', 'b', 'c']) = simhash_terms(ARRAY['a', 'b', 'c'], ARRAY[1, 1, 1]) AS weight_one,
       simhash_terms(ARRAY['a', 'b'], NULL) = simhash_terms(ARRAY['a', 'b']) AS no_weights,
       simhash_terms(ARRAY['a', 'a', 'b']) = simhash_terms(ARRAY['a', 'b'], ARRAY[2, 1]) AS repeated,
       simhash_terms(ARRAY['a', 'b'], ARRAY[4, 2]) = simhash_terms(ARRAY['a', 'b'], ARRAY[2e-300, 1e-300]) AS scale_does_not_matter,
       simhash_terms(ARRAY['word']) = simhash('word', '{"runs": 1}') AS one_word;

-- Without a type: what a client sends as a parameter of unknown type.
SELECT simhash_terms('{harbour,master}') = simhash_terms(ARRAY['harbour', 'master']) AS features,
       simhash_terms('{harbour,master}', '{2,1}') = simhash_terms(ARRAY['harbour', 'master']::varchar[], ARRAY[2, 1]::real[]) AS weighted,
       simhash('{harbour,master}') = simhash('{harbour,master}'::text) AS text;
SELECT simhash(ARRAY['harbour', 'master']);

SELECT simhash_terms(NULL) AS null, simhash_terms(NULL, ARRAY[1]) AS null_weighted, simhash_terms('{}') AS empty, simhash_terms('{}', '{}') AS empty_weighted,
       simhash_terms(ARRAY['a'], ARRAY[0]) AS weightless, simhash_terms(ARRAY['a', 'a'], ARRAY[1, -1]) AS cancelled,
       simhash_terms(ARRAY['']) IS NOT NULL AS empty_string_is_a_feature;

SELECT simhash_terms(ARRAY['a', NULL]);
SELECT simhash_terms(ARRAY[['a', 'b'], ['c', 'd']]);
SELECT simhash_terms(ARRAY['a', 'b'], ARRAY[1]);
SELECT simhash_terms(ARRAY['a', 'b'], '{}');
SELECT simhash_terms(ARRAY['a'], ARRAY['NaN'::float8]);
SELECT simhash_terms(ARRAY['a'], ARRAY['-infinity'::float8]);
SELECT simhash_terms(ARRAY['a'], ARRAY[NULL::float8]);

-- tsvector: positions count, labels weigh.
SELECT simhash('fat:1,2 cat:3'::tsvector) = simhash_terms(ARRAY['fat', 'cat'], ARRAY[2, 1]) AS positions,
       simhash('fat:1A cat:3B dog:4C rat:5'::tsvector) = simhash_terms(ARRAY['fat', 'cat', 'dog', 'rat'], ARRAY[10, 4, 2, 1]) AS labels,
       simhash(strip('fat:1,2 cat:3A'::tsvector)) = simhash_terms(ARRAY['fat', 'cat']) AS stripped,
       simhash(''::tsvector) AS empty;
SELECT simhash(to_tsvector('simple', body)) = simhash_terms(words, counts) AS adds_up
FROM (SELECT string_agg('w' || i % 37 || repeat('é', i % 4), ' ') AS body FROM generate_series(1, 500) i) b,
     LATERAL (SELECT array_agg(lexeme) AS words, array_agg(cardinality(positions)::float8) AS counts
              FROM unnest(to_tsvector('simple', body))) w;

-- Vectors: the angle decides, not the length; numbers of other types are cast.
SELECT simhash_vector(v) = simhash_vector(w) AS scaled, hamming(simhash_vector(v), simhash_vector(n)) AS opposite,
       simhash_vector(v) = simhash_vector(v::real[]) AS real, simhash_vector(v) = simhash_vector(v::numeric[]) AS numeric,
       simhash_vector(v) = simhash_vector(i) AS integer
FROM (SELECT array_agg(x) AS v, array_agg(4 * x) AS w, array_agg(-x) AS n, array_agg((8 * x)::int) AS i
      FROM (SELECT ((i * 7919) % 101 - 50)::float8 / 8 AS x FROM generate_series(1, 300) i) s) t;
SELECT simhash_vector('{0.1,0.2,-3}') = simhash_vector(ARRAY[0.1, 0.2, -3]) AS literal, simhash_vector('{0,0,0}') AS zero, simhash_vector('{}') AS empty,
       simhash_vector(NULL) AS null;
SELECT simhash_vector('{1,NaN}');
SELECT simhash_vector('{1,NaN}'::real[]);
SELECT simhash_vector('{1,NULL}');
SELECT simhash_vector('{1e308,1e308,-1e308,1}') IS NOT NULL AS no_overflow;

-- Vectors at an angle of 60 degrees differ in about a third of the bits.
SELECT avg(d) BETWEEN 64 / 3.0 - 2 AND 64 / 3.0 + 2 AS sixty_degrees
FROM (SELECT hamming(simhash_vector(array_agg(a)), simhash_vector(array_agg(a / 2 + b * sqrt(3) / 2))) AS d
      FROM (SELECT t, hashint8extended(i, t)::float8 AS a, hashint8extended(i, t + 1000)::float8 AS b
            FROM generate_series(1, 200) t, generate_series(1, 128) i) s GROUP BY t) d;

-- The aggregate: NULLs do not count, order and parallel workers do not matter.
CREATE TABLE words AS SELECT 'w' || i % 5000 AS word, (i % 7) * 10.0 ^ (i % 40 - 20) AS weight FROM generate_series(1, 200000) i;
ANALYZE words;
SELECT simhash_agg(word) = simhash_terms(array_agg(word)) AS plain,
       simhash_agg(word, weight) = simhash_terms(array_agg(word), array_agg(weight::float8)) AS weighted,
       simhash_agg(word ORDER BY weight) = simhash_agg(word) AS ordered
FROM words;
SELECT simhash_agg(w) AS nothing, simhash_agg(w, 1) AS nothing_weighted FROM unnest('{NULL}'::text[]) w;
SELECT simhash_agg(w, n) = simhash_terms(ARRAY['a']) AS null_weight FROM (VALUES ('a', 1.0::float8), ('b', NULL), (NULL, 3)) v(w, n);
SELECT simhash_agg(w, 'NaN') FROM unnest('{a}'::text[]) w;

SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT simhash_agg(word), simhash_agg(word, weight) FROM words;
CREATE TEMP TABLE parallel AS SELECT simhash_agg(word) AS plain, simhash_agg(word, weight) AS weighted FROM words;
SET max_parallel_workers_per_gather = 0;
SELECT simhash_agg(word) = (SELECT plain FROM parallel) AS plain,
       simhash_agg(word, weight) = (SELECT weighted FROM parallel) AS weighted FROM words;

-- As a window function, and grouped.
SELECT i, simhash_agg('w' || i) OVER (ORDER BY i ROWS 1 PRECEDING) = simhash_terms(ARRAY['w' || greatest(i - 1, 1), 'w' || i]) OR i = 1 AS window
FROM generate_series(1, 3) i;
SELECT count(*) FILTER (WHERE fp = simhash_terms(ARRAY['g' || g, 'x'])) AS groups
FROM (SELECT g, simhash_agg(w) AS fp FROM generate_series(1, 1000) g, LATERAL unnest(ARRAY['g' || g, 'x']) w GROUP BY g) s;
DROP TABLE words;
RESET ALL;

-- simhash(text) itself runs in parallel plans.
CREATE TABLE texts AS SELECT 'text number ' || i AS body FROM generate_series(1, 20000) i;
ANALYZE texts;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT count(*) FROM texts WHERE simhash(body) = 0;
DROP TABLE texts;
