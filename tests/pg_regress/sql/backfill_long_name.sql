-- simhash_backfill shows its progress within the 63 bytes that application_name has: no notice for each batch.
\set SHOW_CONTEXT never
CREATE TABLE "一张表 with a name that is as long as names can be, 63 byte" (id int PRIMARY KEY, body text, fp bigint, shown text);
INSERT INTO "一张表 with a name that is as long as names can be, 63 byte" SELECT i, 'the words of row ' || i FROM generate_series(1, 5) i;
CREATE FUNCTION show_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    new.shown := substring(current_setting('application_name') FROM ': .*');
    RETURN new;
END
$$;
CREATE TRIGGER show_name BEFORE UPDATE ON "一张表 with a name that is as long as names can be, 63 byte"
    FOR EACH ROW EXECUTE FUNCTION show_name();
CALL simhash_backfill('"一张表 with a name that is as long as names can be, 63 byte"', 'fp', 'body', batch_rows => 2);
SELECT id, shown FROM "一张表 with a name that is as long as names can be, 63 byte" ORDER BY id;
DROP TABLE "一张表 with a name that is as long as names can be, 63 byte";
DROP FUNCTION show_name;
