-- simhash_backfill does not convert keys to text and back: the caller's settings do not change them.
\set SHOW_CONTEXT never
SET DateStyle = 'SQL, DMY';
SET TimeZone = 'Asia/Kolkata';
SET IntervalStyle = 'sql_standard';
SET extra_float_digits = -9;
SET standard_conforming_strings = off;
SET escape_string_warning = off;
SET client_min_messages = warning;

CREATE TABLE at_times (at timestamptz PRIMARY KEY, body text, fp bigint);
INSERT INTO at_times SELECT '2024-10-27 00:00:00+00'::timestamptz + i * interval '1 minute 1.000001 seconds', 'the words of row ' || i
    FROM generate_series(1, 300) i;
CALL simhash_backfill('at_times', 'fp', 'body', batch_rows => 7);

CREATE TABLE numbers (number float8 PRIMARY KEY, body text, fp bigint);
INSERT INTO numbers SELECT 1000000 + i, 'the words of row ' || i FROM generate_series(1, 300) i;
CALL simhash_backfill('numbers', 'fp', 'body', batch_rows => 7);

CREATE TABLE durations (duration interval, day date, body text, fp bigint, PRIMARY KEY (duration, day));
INSERT INTO durations SELECT make_interval(months => i % 7 - 3, days => i % 5, secs => -i / 10.0), date '2024-01-31' + i, 'the words of row ' || i
    FROM generate_series(1, 300) i;
CALL simhash_backfill('durations', 'fp', 'body', batch_rows => 7);

-- The text of a function name that is not unique cannot be converted back.
CREATE TABLE functions (function regproc PRIMARY KEY, body text, fp bigint);
INSERT INTO functions SELECT oid, 'the words of row ' || oid FROM pg_proc WHERE proname IN ('abs', 'length', 'round', 'sum') ORDER BY oid LIMIT 20;
CALL simhash_backfill('functions', 'fp', 'body', batch_rows => 3);

-- Types with polymorphic operators, types that are compared as another type, domains over all of them, unusual names.
CREATE TYPE colour AS ENUM ('red', 'green', 'blue');
CREATE DOMAIN numbers_of AS int[];
CREATE DOMAIN positive AS int CHECK (value > 0);
CREATE DOMAIN small_positive AS positive CHECK (value < 1000);
CREATE TYPE pair AS (a int, b text);
CREATE TABLE "of %s kinds" ("%L \ it's" varchar(9) COLLATE "C", "%" colour, "a" numbers_of, "b" small_positive, "c" "char", "d" char(4), "e" bit(9),
    "f" int4range, "g" pair, "h" name, body text, fp bigint, PRIMARY KEY ("%L \ it's", "%", "a", "b", "c", "d", "e", "f", "g", "h"));
INSERT INTO "of %s kinds" SELECT i % 2 || E'\\\'', (enum_range(NULL::colour))[1 + i % 3], ARRAY[i % 5, NULL], 1 + i % 2, 'c', i % 7, (i % 2)::bit(9),
    int4range(i % 11, NULL), ROW(i % 2, i)::pair, 'name ' || i, 'the words of row ' || i FROM generate_series(1, 300) i;
CALL simhash_backfill('"of %s kinds"', 'fp', 'body', batch_rows => 7);

SELECT count(*) AS wrong FROM (SELECT body, fp FROM at_times UNION ALL SELECT body, fp FROM numbers UNION ALL SELECT body, fp FROM durations
    UNION ALL SELECT body, fp FROM functions UNION ALL SELECT body, fp FROM "of %s kinds") x WHERE fp IS DISTINCT FROM simhash(body);
DROP TABLE at_times, numbers, durations, functions, "of %s kinds";
DROP TYPE pair, small_positive, positive, numbers_of, colour;
