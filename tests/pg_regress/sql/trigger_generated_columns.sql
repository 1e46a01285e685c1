-- Generated columns are computed after BEFORE triggers: none of the columns that a trigger reads or fills can be one.
\set SHOW_CONTEXT never
CREATE TABLE docs (id int PRIMARY KEY, body text, fp bigint, lower_body text GENERATED ALWAYS AS (lower(body)) STORED,
    tenant int, tenant_group int GENERATED ALWAYS AS (tenant / 10) STORED, near int, near_twice int GENERATED ALWAYS AS (near) STORED);
CREATE TRIGGER t BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'lower_body');
INSERT INTO docs (id, body) VALUES (1, 'Some words of a text');
DROP TRIGGER t ON docs;
CREATE TRIGGER t BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body', 'lower_body');
INSERT INTO docs (id, body) VALUES (1, 'Some words of a text');
DROP TRIGGER t ON docs;
CREATE TRIGGER t BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject', 'scope=tenant_group');
INSERT INTO docs (id, tenant, fp) VALUES (1, 10, 0), (2, 20, 0);
DROP TRIGGER t ON docs;
CREATE TRIGGER t BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'link', 'into=near_twice');
INSERT INTO docs (id, tenant, fp) VALUES (1, 10, 0), (2, 20, 0);
DROP TRIGGER t ON docs;
CREATE TRIGGER t BEFORE INSERT OR UPDATE ON docs FOR EACH ROW
    EXECUTE FUNCTION simhash_guard('fp', '3', 'link', 'into=near', 'distance=tenant_group');
INSERT INTO docs (id, tenant, fp) VALUES (1, 10, 0), (2, 20, 0);
SELECT count(*) FROM docs;
DROP TABLE docs;
