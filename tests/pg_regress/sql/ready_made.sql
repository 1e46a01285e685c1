-- simhash of ready-made features, full-text vectors and numeric vectors; the aggregate
SELECT simhash(ARRAY['a', 'b', 'c']) = simhash(ARRAY['c', 'a', 'b']) AS order_does_not_matter,
       simhash(ARRAY['a', 'b', 'c']) = simhash(ARRAY['a', 'b', 'c'], ARRAY[1, 1, 1]) AS weight_one,
       simhash(ARRAY['a', 'a', 'b']) = simhash(ARRAY['a', 'b'], ARRAY[2, 1]) AS repeated,
       simhash(ARRAY['a', 'b'], ARRAY[4, 2]) = simhash(ARRAY['a', 'b'], ARRAY[2e-300, 1e-300]) AS scale_does_not_matter,
       simhash(ARRAY['word']) = simhash('word', '{"runs": 1}') AS one_word;

SELECT simhash('{}'::text[]) AS empty, simhash('{}'::text[], '{}'::float8[]) AS empty_weighted,
       simhash(ARRAY['a'], ARRAY[0]) AS weightless, simhash(ARRAY['a', 'a'], ARRAY[1, -1]) AS cancelled,
       simhash(ARRAY['']) IS NOT NULL AS empty_string_is_a_feature;

SELECT simhash(ARRAY['a', NULL]);
SELECT simhash(ARRAY[['a', 'b'], ['c', 'd']]);
SELECT simhash(ARRAY['a', 'b'], ARRAY[1]);
SELECT simhash(ARRAY['a'], ARRAY['NaN'::float8]);
SELECT simhash(ARRAY['a'], ARRAY['-infinity'::float8]);
SELECT simhash(ARRAY['a'], ARRAY[NULL::float8]);

-- tsvector: positions count, labels weigh.
SELECT simhash('fat:1,2 cat:3'::tsvector) = simhash(ARRAY['fat', 'cat'], ARRAY[2, 1]) AS positions,
       simhash('fat:1A cat:3B dog:4C rat:5'::tsvector) = simhash(ARRAY['fat', 'cat', 'dog', 'rat'], ARRAY[10, 4, 2, 1]) AS labels,
       simhash(strip('fat:1,2 cat:3A'::tsvector)) = simhash(ARRAY['fat', 'cat']) AS stripped,
       simhash(''::tsvector) AS empty;
SELECT simhash(to_tsvector('simple', body)) = simhash(words, counts) AS adds_up
FROM (SELECT string_agg('w' || i % 37 || repeat('é', i % 4), ' ') AS body FROM generate_series(1, 500) i) b,
     LATERAL (SELECT array_agg(lexeme) AS words, array_agg(cardinality(positions)::float8) AS counts
              FROM unnest(to_tsvector('simple', body))) w;

-- Vectors: the angle decides, not the length; real and double precision agree where the numbers do.
SELECT simhash(v) = simhash(w) AS scaled, simhash(v) = simhash(v::real[]) AS real_and_double,
       hamming(simhash(v), simhash(n)) AS opposite
FROM (SELECT array_agg(x) AS v, array_agg(4 * x) AS w, array_agg(-x) AS n
      FROM (SELECT ((i * 7919) % 101 - 50)::float8 / 8 AS x FROM generate_series(1, 300) i) s) t;
SELECT simhash('{0,0,0}'::real[]) AS zero, simhash('{}'::float8[]) AS empty;
SELECT simhash('{1,NaN}'::real[]);
SELECT simhash('{1,NULL}'::float8[]);
SELECT simhash('{1e308,1e308,-1e308,1}'::float8[]) IS NOT NULL AS no_overflow;

-- Vectors at an angle of 60 degrees differ in about a third of the bits.
SELECT avg(d) BETWEEN 64 / 3.0 - 2 AND 64 / 3.0 + 2 AS sixty_degrees
FROM (SELECT hamming(simhash(array_agg(a)), simhash(array_agg(a / 2 + b * sqrt(3) / 2))) AS d
      FROM (SELECT t, hashint8extended(i, t)::float8 AS a, hashint8extended(i, t + 1000)::float8 AS b
            FROM generate_series(1, 200) t, generate_series(1, 128) i) s GROUP BY t) d;

-- The aggregate: NULLs do not count, order and parallel workers do not matter.
CREATE TABLE words AS SELECT 'w' || i % 5000 AS word, (i % 7) * 10.0 ^ (i % 40 - 20) AS weight FROM generate_series(1, 200000) i;
ANALYZE words;
SELECT simhash_agg(word) = simhash(array_agg(word)) AS plain,
       simhash_agg(word, weight) = simhash(array_agg(word), array_agg(weight::float8)) AS weighted,
       simhash_agg(word ORDER BY weight) = simhash_agg(word) AS ordered
FROM words;
SELECT simhash_agg(w) AS nothing, simhash_agg(w, 1) AS nothing_weighted FROM unnest('{NULL}'::text[]) w;
SELECT simhash_agg(w, n) = simhash(ARRAY['a']) AS null_weight FROM (VALUES ('a', 1.0::float8), ('b', NULL), (NULL, 3)) v(w, n);
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
SELECT i, simhash_agg('w' || i) OVER (ORDER BY i ROWS 1 PRECEDING) = simhash(ARRAY['w' || greatest(i - 1, 1), 'w' || i]) OR i = 1 AS window
FROM generate_series(1, 3) i;
SELECT count(*) FILTER (WHERE fp = simhash(ARRAY['g' || g, 'x'])) AS groups
FROM (SELECT g, simhash_agg(w) AS fp FROM generate_series(1, 1000) g, LATERAL unnest(ARRAY['g' || g, 'x']) w GROUP BY g) s;
DROP TABLE words;
RESET ALL;

-- simhash(text) itself runs in parallel plans.
CREATE TABLE texts AS SELECT 'text number ' || i AS body FROM generate_series(1, 20000) i;
ANALYZE texts;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT count(*) FROM texts WHERE simhash(body) = 0;
DROP TABLE texts;
