-- Documents for the demo: articles with edited copies, and the copyright files and common licences
-- of this machine's packages.
CREATE EXTENSION simhash;

CREATE TABLE docs (
    id     int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source text NOT NULL,
    title  text NOT NULL,
    body   text,
    fp     bigint GENERATED ALWAYS AS (simhash(body)) STORED
);

CREATE TEMP TABLE articles (lang text, title text, body text);
\set copy_articles '\\copy articles FROM ' :'articles' ' CSV HEADER'
:copy_articles
INSERT INTO docs (source, title, body) SELECT 'article', title, body FROM articles;

-- NULL for a file that does not exist, is not UTF-8 or is very large.
CREATE FUNCTION pg_temp.read_text(path text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce((pg_stat_file(path, true)).size, 0) NOT BETWEEN 1 AND 1000000 THEN
        RETURN NULL;
    END IF;
    RETURN convert_from(pg_read_binary_file(path), 'UTF8');
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END $$;

INSERT INTO docs (source, title, body)
SELECT 'copyright', package, body
FROM pg_ls_dir('/usr/share/doc', true, false) AS package,
     pg_temp.read_text('/usr/share/doc/' || package || '/copyright') AS body
WHERE body IS NOT NULL ORDER BY package;

INSERT INTO docs (source, title, body)
SELECT 'licence', name, body
FROM pg_ls_dir('/usr/share/common-licenses', true, false) AS name,
     pg_temp.read_text('/usr/share/common-licenses/' || name) AS body
WHERE body IS NOT NULL ORDER BY name;

CREATE INDEX docs_fp ON docs USING simhash (fp);

-- A table large enough for an index to pay: the same fingerprints among 300,000 others.
CREATE TABLE archive (id int PRIMARY KEY, fp bigint);
INSERT INTO archive SELECT id, fp FROM docs;
INSERT INTO archive SELECT 1000000 + i, hashint8extended(i, 0) FROM generate_series(1, 300000) i;

VACUUM ANALYZE docs, archive;
