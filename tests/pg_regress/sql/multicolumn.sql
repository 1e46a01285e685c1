-- Band columns after other columns of an index, and before them. The plan for a band whose first column has no condition depends on
-- the server version, so that the test compares only the rows there.

\getenv tests PG_ABS_SRCDIR
\i :tests/include/check_plan.sql
\pset tuples_only on
\pset format unaligned

CREATE TABLE docs (id int PRIMARY KEY, tenant_id int, fp bigint) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, i % 20, hashint8extended(i, 1) FROM generate_series(1, 20000) i;
INSERT INTO docs SELECT 20000 + i * 10 + d, i % 20, fp # (((1::bigint << d) - 1) << i)
    FROM (SELECT id AS i, fp FROM docs WHERE id <= 40) o, generate_series(1, 8) d;
INSERT INTO docs SELECT 30000 + i, i % 20, NULL FROM generate_series(1, 100) i;
-- Rows whose tenant is NULL, which no equality finds.
INSERT INTO docs SELECT 31000 + i, NULL, fp FROM (SELECT id AS i, fp FROM docs WHERE id <= 40) o;

CREATE FUNCTION check_rows(query text) RETURNS text LANGUAGE sql AS
    $$ SELECT line FROM check_plan(query) line WHERE line LIKE '% wrong' $$;

\qecho == the tenant before the band
CREATE INDEX docs_tenant_0 ON docs (tenant_id, simhash_band(fp, 0));
CREATE INDEX docs_tenant_1 ON docs (tenant_id, simhash_band(fp, 1));
CREATE INDEX docs_tenant_2 ON docs (tenant_id, simhash_band(fp, 2));
CREATE INDEX docs_tenant_3 ON docs (tenant_id, simhash_band(fp, 3));
ANALYZE docs;
SELECT check_plan('SELECT id FROM docs WHERE tenant_id = 7 AND simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT id FROM docs WHERE tenant_id = 7 AND simhash_near(fp, -3604598377573523768, 0)');
SELECT check_plan('SELECT id FROM docs WHERE tenant_id IS NULL AND simhash_near(fp, -3604598377573523768, 3)');
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON a.tenant_id = b.tenant_id AND simhash_near(a.fp, b.fp, 3) WHERE a.id < 30');
\qecho == several tenants, none, and more bits than there are bands
SELECT check_rows('SELECT id FROM docs WHERE tenant_id IN (3, 7) AND simhash_near(fp, -3604598377573523768, 3)');
SELECT check_rows('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 3)');
SELECT check_rows('SELECT id FROM docs WHERE tenant_id = 7 AND simhash_near(fp, -3604598377573523768, 5)');
\qecho == a tenant that the server finds out
SELECT check_plan('SELECT a.id, b.id FROM docs a JOIN docs b ON a.tenant_id = b.tenant_id AND simhash_near(a.fp, b.fp, 3) WHERE a.tenant_id = 7 AND a.id = 27');
DROP INDEX docs_tenant_0, docs_tenant_1, docs_tenant_2, docs_tenant_3;

\qecho == the band before the tenant
CREATE INDEX docs_band_0 ON docs (simhash_band(fp, 0), tenant_id) INCLUDE (id);
CREATE INDEX docs_band_1 ON docs (simhash_band(fp, 1), tenant_id) INCLUDE (id);
ANALYZE docs;
SELECT check_plan('SELECT id FROM docs WHERE tenant_id = 7 AND simhash_near(fp, -3604598377573523768, 1)');
DROP INDEX docs_band_0, docs_band_1;

\qecho == several bands in one index
CREATE INDEX docs_bands ON docs (simhash_band(fp, 0, 2), simhash_band(fp, 1, 2));
ANALYZE docs;
SELECT check_plan('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 0)');
SELECT check_rows('SELECT id FROM docs WHERE simhash_near(fp, -3604598377573523768, 1)');
DROP INDEX docs_bands;

\qecho == on partitions
CREATE TABLE parts (id int, tenant_id int, fp bigint) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10000);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10000) TO (40000);
INSERT INTO parts SELECT id, tenant_id, fp FROM docs;
CREATE INDEX parts_tenant_0 ON parts (tenant_id, simhash_band(fp, 0, 2));
CREATE INDEX parts_tenant_1 ON parts (tenant_id, simhash_band(fp, 1, 2));
ANALYZE parts;
SELECT check_plan('SELECT id FROM parts WHERE tenant_id = 7 AND simhash_near(fp, -3604598377573523768, 1)');
SELECT check_rows('SELECT id FROM parts WHERE simhash_near(fp, -3604598377573523768, 1)');
DROP TABLE parts, docs;
DROP FUNCTION check_rows, near_oracle, show_plan, check_plan;
