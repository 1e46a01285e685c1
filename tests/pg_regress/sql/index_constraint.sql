-- The near-duplicate constraint: EXCLUDE USING simhash (fp WITH ~=), no two rows within 3 bits, and ~~=, within 7.
\getenv tests PG_ABS_SRCDIR
\i :tests/include/index_oracle.sql
SET jit = off;

-- Runs a command and returns how many rows it changed, or its error with all fields that a client gets.
CREATE FUNCTION attempt(command text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    changed bigint;
    state text;
    message text;
    detail text;
    hint text;
    name text;
    relation text;
BEGIN
    EXECUTE command;
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN NEXT format('%s rows', changed);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
        hint = PG_EXCEPTION_HINT, name = CONSTRAINT_NAME, relation = TABLE_NAME;
    RETURN NEXT format('ERROR %s: %s', state, message);
    IF detail <> '' THEN RETURN NEXT 'DETAIL: ' || detail; END IF;
    IF hint <> '' THEN RETURN NEXT 'HINT: ' || hint; END IF;
    IF name <> '' THEN RETURN NEXT format('constraint "%s" of table "%s"', name, relation); END IF;
END
$$;

CREATE TABLE pages (
    url text PRIMARY KEY, fp bigint, note text, live boolean DEFAULT true,
    CONSTRAINT pages_no_near EXCLUDE USING simhash (fp WITH ~=)
) WITH (autovacuum_enabled = off);
SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'pages_no_near';
-- How many pairs of rows are closer than the constraint allows.
CREATE FUNCTION near_pairs(k int DEFAULT 3) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM pages a JOIN pages b ON a.url < b.url AND near_oracle(a.fp, b.fp, k)
$$;

INSERT INTO pages VALUES ('a', 0), ('b', -1);
SELECT attempt($$INSERT INTO pages VALUES ('c', 7)$$);
SELECT attempt($$INSERT INTO pages VALUES ('c', 15)$$);
SELECT attempt($$INSERT INTO pages VALUES ('d', -8)$$);
SELECT attempt($$INSERT INTO pages VALUES ('d', 0)$$);
-- Every distance from 0 to 8, in all parts of the fingerprint.
DELETE FROM pages;
INSERT INTO pages VALUES ('center', hashint8extended(5, 5));
SELECT d, count(*) FILTER (WHERE attempt LIKE 'ERROR 23P01%') AS refused, count(*) FILTER (WHERE attempt = '1 rows') AS accepted
FROM generate_series(0, 8) d, generate_series(1, 20) seed,
    attempt(format($$WITH i AS (INSERT INTO pages VALUES ('%s %s', flipped(hashint8extended(5, 5), %1$s, %2$s)) RETURNING 1)
        SELECT FROM i$$, d, seed)) WHERE attempt !~ '^(DETAIL|constraint)' GROUP BY d ORDER BY d;
SELECT count(*) > 10 AS filled, near_pairs() FROM pages;
-- NULLs are near nothing.
SELECT attempt($$INSERT INTO pages SELECT 'null ' || i, NULL FROM generate_series(1, 5) i$$);
UPDATE pages SET fp = NULL WHERE url = 'null 1';
SELECT missing_downlinks FROM simhash_index_check('pages_no_near');

-- Several rows in one command, near each other.
TRUNCATE pages;
SELECT attempt($$INSERT INTO pages VALUES ('a', 0), ('b', -1), ('c', 1)$$);
SELECT count(*) FROM pages;
SELECT attempt($$INSERT INTO pages SELECT i::text, hashint8extended(i % 40, 1) FROM generate_series(1, 60) i ON CONFLICT DO NOTHING$$);
SELECT count(*), near_pairs() FROM pages;
COPY pages (url, fp) FROM stdin;
x	1000000
y	1000001
\.
SELECT count(*) FROM pages WHERE url IN ('x', 'y');

-- ON CONFLICT.
SELECT attempt($$INSERT INTO pages VALUES ('near 1', hashint8extended(1, 1) # 3) ON CONFLICT DO NOTHING$$);
SELECT attempt($$INSERT INTO pages VALUES ('near 1', hashint8extended(1, 1) # 3) ON CONFLICT ON CONSTRAINT pages_no_near DO NOTHING$$);
SELECT attempt($$INSERT INTO pages VALUES ('far', 123456789) ON CONFLICT ON CONSTRAINT pages_no_near DO NOTHING$$);
SELECT attempt($$INSERT INTO pages VALUES ('far', 123456789) ON CONFLICT ON CONSTRAINT pages_no_near DO NOTHING$$);
-- Conflicts with another constraint than the named one, and ON CONFLICT clauses that the server refuses.
SELECT attempt($$INSERT INTO pages VALUES ('far', 5555555555555) ON CONFLICT ON CONSTRAINT pages_no_near DO NOTHING$$);
SELECT attempt($$INSERT INTO pages VALUES ('new', 123456789) ON CONFLICT (url) DO NOTHING$$);
SELECT attempt($$INSERT INTO pages VALUES ('new', 123456789) ON CONFLICT ON CONSTRAINT pages_no_near DO UPDATE SET note = 'again'$$);
SELECT attempt($$INSERT INTO pages VALUES ('new', 123456789) ON CONFLICT (fp) DO NOTHING$$);
-- The same page again with a small change updates its own row. Another page that is near is refused.
SELECT attempt($$INSERT INTO pages VALUES ('far', 123456788, 'again') ON CONFLICT (url) DO UPDATE SET fp = excluded.fp, note = excluded.note$$);
SELECT url, fp, note FROM pages WHERE url = 'far';
SELECT attempt($$INSERT INTO pages VALUES ('mirror', 123456788) ON CONFLICT (url) DO UPDATE SET fp = excluded.fp$$);
SELECT attempt($$INSERT INTO pages VALUES ('far', hashint8extended(1, 1)) ON CONFLICT (url) DO UPDATE SET fp = excluded.fp$$);
SELECT near_pairs();

-- Updates are compared with all other rows, also with those of the same command, but not with the row itself.
SELECT attempt($$UPDATE pages SET note = 'touched'$$);
SELECT attempt($$UPDATE pages SET fp = fp$$);
SELECT attempt($$UPDATE pages SET fp = fp # 1 WHERE url = 'far'$$);
SELECT attempt($$UPDATE pages SET fp = hashint8extended(2, 1) WHERE url = 'far'$$);
SELECT attempt($$UPDATE pages SET fp = 42 WHERE url IN ('1', '2')$$);
CREATE INDEX pages_note ON pages (note);
SELECT attempt($$UPDATE pages SET note = 'no HOT update ' || url$$);
DROP INDEX pages_note;
SELECT near_pairs();

-- Rows that are gone do not conflict: deleted, rolled back, vacuumed, with their tids used again.
SELECT attempt($$INSERT INTO pages VALUES ('again', 123456788)$$);
DELETE FROM pages WHERE url = 'far';
SELECT attempt($$INSERT INTO pages VALUES ('again', 123456788)$$);
BEGIN;
SAVEPOINT a;
INSERT INTO pages VALUES ('rolled back', 777777777777);
ROLLBACK TO a;
SELECT attempt($$INSERT INTO pages VALUES ('kept', 777777777777)$$);
COMMIT;
DELETE FROM pages WHERE url ~ '^[1-3]';
VACUUM pages;
SELECT attempt($$INSERT INTO pages SELECT 'second ' || i, hashint8extended(i, 2) FROM generate_series(1, 50) i$$);
SELECT attempt($$INSERT INTO pages SELECT 'third ' || i, hashint8extended(i, 1) FROM generate_series(10, 39) i$$);
SELECT near_pairs();
SELECT missing_downlinks FROM simhash_index_check('pages_no_near');
-- One command deletes a row and inserts a near one.
SELECT attempt($$WITH gone AS (DELETE FROM pages WHERE url = 'kept' RETURNING fp) INSERT INTO pages SELECT 'kept again', fp # 1 FROM gone$$);

-- Searches use the constraint's index.
SET enable_seqscan = off;
SELECT plan_of($$SELECT url FROM pages WHERE fp ~= 123456789$$);
SELECT url FROM pages WHERE fp ~= 123456789;
SELECT plan_of($$SELECT url FROM pages ORDER BY fp <~> 123456789 LIMIT 1$$);
SELECT url FROM pages ORDER BY fp <~> 123456789 LIMIT 1;
RESET enable_seqscan;

-- REINDEX, and commands that the server refuses.
REINDEX TABLE pages;
SELECT attempt($$INSERT INTO pages VALUES ('x', 123456788)$$);
REINDEX INDEX CONCURRENTLY pages_no_near;
DROP INDEX pages_no_near;

-- Added to a table with near rows, and to one without.
ALTER TABLE pages DROP CONSTRAINT pages_no_near;
INSERT INTO pages VALUES ('x', 123456788);
SELECT attempt($$ALTER TABLE pages ADD CONSTRAINT pages_near EXCLUDE USING simhash (fp WITH ~=)$$);
DELETE FROM pages WHERE url = 'x';
SELECT attempt($$ALTER TABLE pages ADD CONSTRAINT pages_near EXCLUDE USING simhash (fp WITH ~=) WITH (rotations = 2)$$);
SELECT attempt($$INSERT INTO pages VALUES ('x', 123456788)$$);
ALTER TABLE pages DROP CONSTRAINT pages_near;

-- Within 7 bits; equal; the whole text by an expression.
TRUNCATE pages;
ALTER TABLE pages ADD CONSTRAINT pages_similar EXCLUDE USING simhash (fp WITH ~~=);
INSERT INTO pages VALUES ('a', 0);
SELECT attempt($$INSERT INTO pages VALUES ('b', 127)$$);
SELECT attempt($$INSERT INTO pages VALUES ('b', 255)$$);
ALTER TABLE pages DROP CONSTRAINT pages_similar;
ALTER TABLE pages ADD CONSTRAINT pages_equal EXCLUDE USING simhash (fp WITH =);
SELECT attempt($$INSERT INTO pages VALUES ('c', 255)$$);
SELECT attempt($$INSERT INTO pages VALUES ('c', 254)$$);
ALTER TABLE pages DROP CONSTRAINT pages_equal;
TRUNCATE pages;
ALTER TABLE pages ADD CONSTRAINT pages_text EXCLUDE USING simhash ((simhash(note)) WITH ~=);
INSERT INTO pages (url, note) VALUES ('a', 'the quick brown fox jumps over the lazy dog'), ('b', NULL), ('c', NULL);
SELECT attempt($$INSERT INTO pages (url, note) VALUES ('d', 'The Quick BROWN fox jumps over the lazy DOG')$$);
SELECT attempt($$INSERT INTO pages (url, note) VALUES ('d', 'something else altogether')$$);
SELECT missing_downlinks FROM simhash_index_check('pages_text');
ALTER TABLE pages DROP CONSTRAINT pages_text;

-- Only some of the rows.
TRUNCATE pages;
ALTER TABLE pages ADD CONSTRAINT pages_live EXCLUDE USING simhash (fp WITH ~=) WHERE (live);
SELECT attempt($$INSERT INTO pages VALUES ('a', 0, NULL, true), ('b', 0, NULL, false), ('c', 1, NULL, false), ('d', 1, NULL, NULL)$$);
SELECT attempt($$UPDATE pages SET live = true WHERE url = 'c'$$);
UPDATE pages SET live = false WHERE url = 'a';
SELECT attempt($$UPDATE pages SET live = true WHERE url = 'c'$$);
SELECT attempt($$UPDATE pages SET live = true$$);
SELECT rows, missing_downlinks FROM simhash_index_check('pages_live');
ALTER TABLE pages DROP CONSTRAINT pages_live;

-- Deferred: near rows in between, none at the end.
TRUNCATE pages;
ALTER TABLE pages ADD CONSTRAINT pages_deferred EXCLUDE USING simhash (fp WITH ~=) DEFERRABLE INITIALLY DEFERRED;
INSERT INTO pages VALUES ('a', 0), ('b', -1);
BEGIN;
UPDATE pages SET fp = ~fp;
INSERT INTO pages VALUES ('c', 1);
DELETE FROM pages WHERE url = 'b';
COMMIT;
SELECT url, fp FROM pages ORDER BY url;
BEGIN;
INSERT INTO pages VALUES ('d', 3);
SELECT count(*) FROM pages WHERE fp ~= 3;
COMMIT;
BEGIN;
INSERT INTO pages VALUES ('d', 3);
SELECT attempt('SET CONSTRAINTS pages_deferred IMMEDIATE');
DELETE FROM pages WHERE url = 'c';
SELECT attempt('SET CONSTRAINTS pages_deferred IMMEDIATE');
SELECT attempt($$INSERT INTO pages VALUES ('e', 3)$$);
COMMIT;
SELECT near_pairs();
SELECT attempt($$INSERT INTO pages VALUES ('e', 3) ON CONFLICT DO NOTHING$$);
SELECT missing_downlinks FROM simhash_index_check('pages_deferred');
ALTER TABLE pages DROP CONSTRAINT pages_deferred;

-- Operators that cannot be in a constraint, and columns after the fingerprint. From PostgreSQL 17 on, the server names the schema.
SELECT attempt($$ALTER TABLE pages ADD EXCLUDE USING simhash (fp WITH <@)$$);
SELECT replace(attempt, 'public.', '') AS attempt FROM attempt($$ALTER TABLE pages ADD EXCLUDE USING simhash (fp WITH <~>)$$);
SELECT attempt($$ALTER TABLE pages ADD EXCLUDE USING simhash (fp WITH <>)$$);
SELECT attempt($$ALTER TABLE pages ADD EXCLUDE USING simhash (fp WITH ~=, url WITH =)$$);
SELECT replace(attempt, 'public.', '') AS attempt FROM attempt($$ALTER TABLE pages ADD EXCLUDE USING btree (fp WITH ~=)$$);

-- A copy of the table has the constraint.
ALTER TABLE pages ADD CONSTRAINT pages_no_near EXCLUDE USING simhash (fp WITH ~=);
CREATE TABLE twin (LIKE pages INCLUDING ALL);
INSERT INTO twin VALUES ('a', 0);
SELECT attempt($$INSERT INTO twin VALUES ('b', 1)$$);
DROP TABLE twin;

-- Partitions: each can have a constraint, with every server version. On the parent the server accepts an exclusion constraint from
-- PostgreSQL 17 on, and only if it compares the columns of the partition key for equality: only equal fingerprints conflict then.
CREATE TABLE parted (id int, fp bigint) PARTITION BY LIST (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
ALTER TABLE parted_1 ADD CONSTRAINT parted_1_near EXCLUDE USING simhash (fp WITH ~=);
ALTER TABLE parted_2 ADD CONSTRAINT parted_2_near EXCLUDE USING simhash (fp WITH ~=);
SELECT attempt($$INSERT INTO parted VALUES (1, 0), (2, 0)$$);
SELECT attempt($$INSERT INTO parted VALUES (1, 1)$$);
SELECT attempt($$INSERT INTO parted VALUES (1, 1), (2, -1) ON CONFLICT DO NOTHING$$);
SELECT attempt($$UPDATE parted SET id = 2 WHERE id = 1$$);
SELECT tableoid::regclass, fp FROM parted ORDER BY 1, 2;
CREATE TABLE parted_by_fp (fp bigint) PARTITION BY HASH (fp);
CREATE FUNCTION parent_constraint(command text, from_17_on text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN array_agg(a) = ARRAY[CASE
            WHEN current_setting('server_version_num')::int < 170000
                THEN 'ERROR 0A000: exclusion constraints are not supported on partitioned tables'
            ELSE from_17_on END] THEN 'as expected' ELSE string_agg(a, ' ') END
    FROM attempt(command) a WHERE a ~ '^(ERROR|\d+ rows)'
$$;
SELECT parent_constraint($$ALTER TABLE parted ADD EXCLUDE USING simhash (fp WITH ~=)$$,
    'ERROR 0A000: unique constraint on partitioned table must include all partitioning columns');
SELECT parent_constraint($$ALTER TABLE parted_by_fp ADD EXCLUDE USING simhash (fp WITH ~=)$$,
    'ERROR 0A000: cannot match partition key to index on column "fp" using non-equal operator "~="');
SELECT parent_constraint($$ALTER TABLE parted_by_fp ADD EXCLUDE USING simhash (fp WITH =)$$, '0 rows');
SELECT missing_downlinks FROM simhash_index_check('parted_1_near');
DROP TABLE parted, parted_by_fp;

-- Rows that a user may not see cause conflicts, but are not shown.
TRUNCATE pages;
INSERT INTO pages VALUES ('a', 0, 'of the owner');
CREATE ROLE simhash_writer;
GRANT INSERT ON pages TO simhash_writer;
SET ROLE simhash_writer;
SELECT attempt($$INSERT INTO pages VALUES ('b', 1, 'simhash_writer')$$);
RESET ROLE;
GRANT SELECT ON pages TO simhash_writer;
SET ROLE simhash_writer;
SELECT attempt($$INSERT INTO pages VALUES ('b', 1, 'simhash_writer')$$);
RESET ROLE;
ALTER TABLE pages ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON pages USING (note = current_user);
SET ROLE simhash_writer;
SELECT attempt($$INSERT INTO pages VALUES ('b', 1, 'simhash_writer')$$);
SELECT attempt($$INSERT INTO pages VALUES ('b', 1, 'simhash_writer') ON CONFLICT DO NOTHING$$);
SELECT attempt($$INSERT INTO pages VALUES ('b', -1, 'simhash_writer')$$);
SELECT url FROM pages WHERE simhash_near(fp, 0, 64);
RESET ROLE;
DROP POLICY own ON pages;
ALTER TABLE pages DISABLE ROW LEVEL SECURITY;
REVOKE ALL ON pages FROM simhash_writer;
DROP ROLE simhash_writer;

-- In a serializable transaction, which sees its own rows.
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT attempt($$INSERT INTO pages VALUES ('c', 255), ('d', 254), ('e', 65280) ON CONFLICT DO NOTHING$$);
SELECT attempt($$INSERT INTO pages VALUES ('f', 65281)$$);
COMMIT;
SELECT url, fp FROM pages ORDER BY url;

SELECT near_pairs();
SELECT missing_downlinks FROM simhash_index_check('pages_no_near');
DROP TABLE pages;
DROP FUNCTION attempt, near_pairs, parent_constraint, compare, compare_join, plan_of, scan_of, flipped, near_oracle;
