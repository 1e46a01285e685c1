-- The table of the example clients: fingerprinted, indexed, and guarded against rows within 3 bits of one that is there.
CREATE EXTENSION IF NOT EXISTS simhash;

CREATE TABLE docs (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    body text NOT NULL,
    fp   bigint
);
SELECT simhash_create_index('docs', 'fp');

-- Triggers fire in the order of their names.
CREATE TRIGGER docs_1_fingerprint BEFORE INSERT OR UPDATE ON docs
    FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
CREATE TRIGGER docs_2_guard BEFORE INSERT OR UPDATE ON docs
    FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'skip');
