-- A cancel is heard in the middle of a long text, whatever is being done with it
SET statement_timeout = '150ms';
SELECT simhash(repeat('word and another word ', 5000000));
SELECT simhash(repeat('数据库里的文章，', 5000000));
SELECT simhash(repeat('数据', 20000000), '{"features": "characters", "weights": "log"}');
SELECT count(*) FROM simhash_features(repeat('one two three ', 10000000));
SELECT simhash(array_agg(i::text)) FROM generate_series(1, 10000000) i;
RESET statement_timeout;
SELECT simhash('the buffers are fine afterwards') IS NOT NULL AS works;
