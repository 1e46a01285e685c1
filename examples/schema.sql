-- The table of the example clients: fingerprinted, and without two rows that differ in at most 3 bits. The constraint's index
-- serves all searches.
CREATE EXTENSION IF NOT EXISTS simhash;

CREATE TABLE docs (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    body text NOT NULL,
    fp   bigint GENERATED ALWAYS AS (simhash(body)) STORED,
    CONSTRAINT docs_not_near EXCLUDE USING simhash (fp WITH ~=)
);
