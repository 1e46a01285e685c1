-- The error of the guard names schema, table and constraint, as that of a UNIQUE constraint.
CREATE SCHEMA "an app";
CREATE TABLE "an app"."Docs 表" (id int PRIMARY KEY, fp bigint);
CREATE TRIGGER "The guard" BEFORE INSERT OR UPDATE ON "an app"."Docs 表" FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
DO $$
DECLARE
    state text; schema_name text; table_name text; constraint_name text; column_name text; message text; context text;
BEGIN
    INSERT INTO "an app"."Docs 表" VALUES (1, 0), (2, 1);
EXCEPTION WHEN unique_violation THEN
    GET STACKED DIAGNOSTICS schema_name = SCHEMA_NAME, table_name = TABLE_NAME, constraint_name = CONSTRAINT_NAME, message = MESSAGE_TEXT,
        state = RETURNED_SQLSTATE, column_name = COLUMN_NAME;
    RAISE NOTICE '% | % | % | % | % | %', state, schema_name, table_name, constraint_name, column_name, message;
    -- The next error has none of them.
    BEGIN
        PERFORM simhash_from_hex('x');
    EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS schema_name = SCHEMA_NAME, table_name = TABLE_NAME, constraint_name = CONSTRAINT_NAME, message = MESSAGE_TEXT;
        RAISE NOTICE '% | % | % | %', schema_name, table_name, constraint_name, message;
    END;
END
$$;
-- A partition: the table that the guard was created on.
CREATE TABLE parts (id int PRIMARY KEY, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts DEFAULT;
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
DO $$
DECLARE
    table_name text; constraint_name text;
BEGIN
    INSERT INTO parts_1 VALUES (1, 0), (2, 1);
EXCEPTION WHEN unique_violation THEN
    GET STACKED DIAGNOSTICS table_name = TABLE_NAME, constraint_name = CONSTRAINT_NAME;
    RAISE NOTICE '% | %', table_name, constraint_name;
END
$$;
DROP TABLE parts, "an app"."Docs 表";
DROP SCHEMA "an app";
