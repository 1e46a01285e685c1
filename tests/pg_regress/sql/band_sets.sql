-- Several sets of bands, some with indexes that do not serve every query: the sets whose indexes do are probed first.
\pset tuples_only on
\pset format unaligned
\getenv tests PG_ABS_SRCDIR
\i :tests/include/check_plan.sql
CREATE TABLE docs (id int PRIMARY KEY, tenant_id int, published boolean, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, i % 20, i % 10 = 7, hashint8extended(i, 1) FROM generate_series(1, 20000) i;
INSERT INTO docs SELECT 20000 + id, tenant_id, published, fp # 2305843009213693961 FROM docs WHERE id <= 100;

\qecho == four bands in partial indexes, eight in whole ones: the eight
CREATE INDEX published_0 ON docs (simhash_band(fp, 0)) WHERE published;
CREATE INDEX published_1 ON docs (simhash_band(fp, 1)) WHERE published;
CREATE INDEX published_2 ON docs (simhash_band(fp, 2)) WHERE published;
CREATE INDEX published_3 ON docs (simhash_band(fp, 3)) WHERE published;
SELECT count(*) FROM simhash_create_index('docs', 'fp', 8);
ANALYZE docs;
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)');
\qecho == four in partial indexes alone
DO $$ DECLARE name text; BEGIN FOR name IN SELECT indexname FROM pg_indexes WHERE indexname LIKE 'docs_fp_band%' LOOP EXECUTE 'DROP INDEX ' || name; END LOOP; END $$;
SELECT check_plan('SELECT id FROM docs WHERE published AND simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)');
\qecho == one set, of which some bands are in partial indexes: the others first
CREATE INDEX docs_2 ON docs (simhash_band(fp, 2));
CREATE INDEX docs_3 ON docs USING hash (simhash_band(fp, 3));
ANALYZE docs;
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 1)');
SELECT check_plan('SELECT id FROM docs WHERE published AND simhash_near(fp, -3604598377573523768, 3)');
\qecho == bands behind another column, and two bands in whole indexes
DROP INDEX published_0, published_1, published_2, published_3, docs_2, docs_3;
CREATE INDEX tenant_0 ON docs (tenant_id, simhash_band(fp, 0));
CREATE INDEX tenant_1 ON docs (tenant_id, simhash_band(fp, 1));
CREATE INDEX tenant_2 ON docs (tenant_id, simhash_band(fp, 2));
CREATE INDEX tenant_3 ON docs (tenant_id, simhash_band(fp, 3));
SELECT count(*) FROM simhash_create_index('docs', 'fp', 2);
ANALYZE docs;
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 1)');
SELECT check_plan('SELECT id FROM docs WHERE tenant_id = 7 AND simhash_near(fp, -3604598377573523768, 3)');

\qecho == a column of a domain with an index of the fingerprint alone, and bands: the index serves the call, which is left alone
CREATE DOMAIN fingerprint AS bigint;
CREATE TABLE domains (id int, fp fingerprint) WITH (autovacuum_enabled = off);
INSERT INTO domains SELECT id, fp FROM docs;
SELECT count(*) FROM simhash_create_index('domains', 'fp');
CREATE INDEX domains_fp ON domains USING simhash (fp);
ANALYZE domains;
SELECT check_plan('SELECT id FROM domains WHERE simhash_near(fp, -3604598377573523768, 3)');
DROP TABLE docs, domains;
DROP DOMAIN fingerprint;
DROP FUNCTION near_oracle, show_plan, check_plan;
