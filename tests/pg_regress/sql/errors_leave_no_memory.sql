-- Errors of the server in calls of the extension leave nothing behind in the session.
CREATE FUNCTION fails_if_told(bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF current_setting('simhash_test.fails', true) = 'yes' THEN RAISE 'as told'; END IF;
    RETURN $1;
END
$$;
CREATE TABLE docs (fp bigint);
INSERT INTO docs SELECT i FROM generate_series(1, 10) i;
CREATE INDEX docs_fp ON docs USING simhash (fails_if_told(fp));
CREATE FUNCTION bytes_after(errors int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    raised int := 0;
BEGIN
    PERFORM set_config('simhash_test.fails', 'yes', true);
    FOR i IN 1 .. errors LOOP
        BEGIN
            PERFORM simhash_index_check('docs_fp');
        EXCEPTION WHEN raise_exception THEN
            raised := raised + 1;
        END;
    END LOOP;
    IF raised <> errors THEN RAISE '% errors', raised; END IF;
    RETURN (SELECT sum(used_bytes) FROM pg_backend_memory_contexts WHERE name = 'simhash errors');
END
$$;
SELECT bytes_after(1) AS one \gset
SELECT bytes_after(1000) - :one AS more_after_a_thousand;
DROP TABLE docs;
DROP FUNCTION fails_if_told, bytes_after;
