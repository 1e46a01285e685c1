-- Fingerprints that are bit strings: distances, and balls around them.
SELECT bit_hamming(B'10101', B'00110'), bit_hamming(B'', B''), bit_hamming(B'1', NULL);
SELECT count(*) AS lengths, count(*) FILTER (WHERE bit_hamming(a, b) = bit_count(a # b)) AS same
FROM generate_series(1, 700) n,
    LATERAL (SELECT string_agg((hashint4extended(i, n) & 1)::text, '')::bit varying AS a,
                    string_agg((hashint4extended(i, n + 1000) & 1)::text, '')::bit varying AS b FROM generate_series(1, n) i) bits;
SELECT bit_hamming(B'1', B'11');
SELECT count(*) AS pairs, count(*) FILTER (WHERE simhash_bit_near(a, b, k) = (bit_count(a # b) <= k)) AS same
FROM (SELECT hashint8extended(i, 1)::bit(64) || hashint8extended(i, 2)::bit(64) AS a,
             hashint8extended(i, 3)::bit(64) || hashint8extended(i, 2)::bit(64) AS b FROM generate_series(1, 50) i) t,
    unnest('{-2147483648, -1, 0, 20, 32, 40, 127, 128, 2147483647}'::int[]) k;
-- Bit strings of different lengths are not near.
SELECT simhash_bit_near(B'1', B'11', 100), simhash_bit_near(B'', B'', 0), simhash_bit_near(B'', B'', -1), simhash_bit_near(B'1', NULL, 3),
    simhash_bit_near(B'1', B'1', NULL);

-- Calls of the functions for bigint with arguments of unknown type are not ambiguous.
SELECT hamming('1', '2'), simhash_near('1', '2'), simhash_near('1', '2', 3), simhash_ball('1', '2');
PREPARE distance AS SELECT hamming($1, $2), simhash_near($1, $2, $3), simhash_ball($1, $3);
EXECUTE distance (1, 2, 3);
DEALLOCATE distance;
PREPARE distance AS SELECT bit_hamming($1, $2), simhash_bit_near($1, $2, $3);
EXECUTE distance (B'10', B'01', 2);
DEALLOCATE distance;

-- Balls.
SELECT simhash_bit_ball(B'01101110', 2), ' < 1 , -3 > '::simhash_bit_ball, simhash_bit_ball(NULL, 2), simhash_bit_ball(B'1', NULL);
SELECT simhash_bit_ball(B'', 2) IS NULL AS empty, simhash_bit_ball(repeat('1', 513)::bit(513), 2) IS NULL AS too_long,
    length(simhash_bit_ball(repeat('1', 512)::bit(512), 2)::text) AS longest;
SELECT '<,3>'::simhash_bit_ball;
SELECT '<012,3>'::simhash_bit_ball;
SELECT '<01>'::simhash_bit_ball;
SELECT '<01,99999999999>'::simhash_bit_ball;
SELECT ('<' || repeat('0', 513) || ',3>')::simhash_bit_ball;
SELECT count(*) AS balls, count(*) FILTER (WHERE ball::text::simhash_bit_ball::text = ball::text AND ball::text = format('<%s,%s>', bits, n)) AS same
FROM (SELECT n, simhash_bit_ball(bits, n) AS ball, bits
      FROM generate_series(1, 512) n, LATERAL (SELECT string_agg((hashint4extended(i, n) & 1)::text, '')::bit varying AS bits
                                               FROM generate_series(1, n) i) b) t;
-- The binary protocol, by a function that each type has.
SELECT simhash_bit_ball_send(simhash_bit_ball(B'1', 3));
SELECT simhash_bit_ball_send(simhash_bit_ball(repeat('10', 33)::bit(66), -1));
-- A ball contains what is near, and balls overlap within the smaller radius.
SELECT count(*) AS pairs, count(*) FILTER (WHERE in_ball IS DISTINCT FROM simhash_bit_near(a, b, k)) AS different,
    count(*) FILTER (WHERE overlap IS DISTINCT FROM simhash_bit_near(a, b, least(k, l))) AS different_overlaps
FROM (SELECT k, l, a, b, a <@ simhash_bit_ball(b, k) AS in_ball, simhash_bit_ball(a, k) && simhash_bit_ball(b, l) AS overlap
      FROM generate_series(1, 40) i, unnest('{-1, 0, 3, 20, 70, 512}'::int[]) k, unnest('{-1, 2, 30}'::int[]) l,
          LATERAL (SELECT (hashint8extended(i, 1)::bit(64) || hashint8extended(i, 2)::bit(64))::bit varying(100) AS a) a,
          LATERAL (SELECT CASE WHEN i % 7 = 0 THEN substring(a, 2) ELSE a # (1::bit(100) << (i % 90)) # (7::bit(100) << i) END AS b) b) t;
SELECT proname, proleakproof FROM pg_proc WHERE proname ~ 'bit_(hamming|near|ball|balls_overlap)$' ORDER BY 1;
