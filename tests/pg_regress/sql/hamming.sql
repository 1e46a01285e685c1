-- hamming against PostgreSQL's own bit_count

SELECT hamming(0, 0), hamming(0, -1), hamming(21, 6), 21::bigint <~> 6::bigint AS operator;

-- The sign bit counts as any other bit.
SELECT hamming((-9223372036854775808)::bigint, 0), hamming(9223372036854775807, -1);

SELECT hamming(NULL, 1) IS NULL AS left_null, hamming(1, NULL) IS NULL AS right_null;

-- Every single bit, and a thousand pairs from the whole range.
SELECT count(*) FILTER (WHERE hamming(0, 1::bigint << b) <> 1) AS wrong FROM generate_series(0, 63) b;

WITH numbers AS (
    SELECT hashint8extended(i, 1) AS a, hashint8extended(i, 2) AS b FROM generate_series(1, 1000) i
)
SELECT count(*) AS pairs,
       count(*) FILTER (WHERE hamming(a, b) <> bit_count((a # b)::bit(64))) AS wrong,
       count(*) FILTER (WHERE hamming(a, b) <> hamming(b, a)) AS asymmetric
FROM numbers;

SELECT hamming(1, 'x');

-- Near: at most k bits, 3 by default; no k is an error.
SELECT simhash_near(0, 7), simhash_near(0, 15), simhash_near(0, 0, 0), simhash_near(0, 0, -1),
       simhash_near(0, -1, 63), simhash_near(0, -1, 64), simhash_near(0, -1, 2147483647), simhash_near(0, 0, -2147483648);
SELECT simhash_near(NULL, 1), simhash_near(1, NULL), simhash_near(1, 1, NULL);
