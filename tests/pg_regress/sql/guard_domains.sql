-- The guard looks for near rows with the rights of the table's owner. Functions and operators that somebody else has made
-- for the domains of its columns must not match better than the extension's and the server's own.
\set SHOW_CONTEXT never
CREATE ROLE simhash_owner;
CREATE ROLE simhash_inserter;
CREATE SCHEMA hostile;
GRANT ALL ON SCHEMA hostile TO simhash_owner, simhash_inserter;
SELECT n.nspname AS own FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'simhash' \gset
GRANT ALL ON SCHEMA :own TO simhash_owner, simhash_inserter;

SET ROLE simhash_owner;
CREATE DOMAIN hostile.fingerprint AS bigint;
CREATE DOMAIN hostile.tenant AS int;
CREATE DOMAIN hostile.code AS varchar(10);
CREATE DOMAIN hostile.padded AS char(5);
CREATE DOMAIN hostile.band AS :own.simhash_band;
CREATE TABLE hostile.docs (id hostile.code PRIMARY KEY, tenant hostile.tenant, kind hostile.padded, band hostile.band DEFAULT '0/4:1', fp hostile.fingerprint);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON hostile.docs FOR EACH ROW
    EXECUTE FUNCTION simhash_guard('fp', '3', 'reject', 'scope=tenant', 'scope=kind', 'scope=band');
CREATE TABLE hostile.keyless (fp hostile.fingerprint);
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON hostile.keyless FOR EACH ROW EXECUTE FUNCTION simhash_guard('fp', '3', 'reject');
GRANT SELECT, INSERT, UPDATE ON hostile.docs, hostile.keyless TO simhash_inserter;
RESET ROLE;

-- Each trap tells who runs it.
SET ROLE simhash_inserter;
CREATE FUNCTION hostile.spring(trap text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING '% runs %', current_user, trap; RETURN true; END $$;
CREATE FUNCTION :own.simhash_near(hostile.fingerprint, bigint, int) RETURNS boolean LANGUAGE sql AS $$ SELECT hostile.spring('near') $$;
CREATE FUNCTION :own.simhash_near(hostile.fingerprint, hostile.fingerprint, int) RETURNS boolean LANGUAGE sql AS $$ SELECT hostile.spring('near, both') $$;
CREATE FUNCTION :own.hamming(hostile.fingerprint, bigint) RETURNS int LANGUAGE sql AS $$ SELECT hostile.spring('hamming')::int $$;
-- Operators in the schemas of the search path, and where the operators of citext and the like would be.
DO $do$
DECLARE
    schema text;
    operands text[];
    name text;
BEGIN
    FOREACH schema IN ARRAY ARRAY['hostile', (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'simhash')] LOOP
        FOREACH operands SLICE 1 IN ARRAY '{{hostile.tenant,int},{hostile.tenant,hostile.tenant},{hostile.code,varchar},{hostile.code,text},{hostile.code,hostile.code},
            {hostile.padded,bpchar},{hostile.padded,hostile.padded},{varchar,varchar},{hostile.fingerprint,bigint},{tid,tid},{oid,oid},
            {hostile.band,simhash_band},{hostile.band,hostile.band}}'::text[][] LOOP
            name := 'trap_' || md5(operands::text);
            EXECUTE format('CREATE FUNCTION %s.%s(%s, %s) RETURNS boolean LANGUAGE sql AS $$ SELECT hostile.spring(%L) $$',
                schema, name, operands[1], operands[2], operands::text);
            EXECUTE format('CREATE OPERATOR %1$s.= (LEFTARG = %2$s, RIGHTARG = %3$s, FUNCTION = %1$s.%4$s)', schema, operands[1], operands[2], name);
            EXECUTE format('CREATE OPERATOR %1$s.< (LEFTARG = %2$s, RIGHTARG = %3$s, FUNCTION = %1$s.%4$s)', schema, operands[1], operands[2], name);
        END LOOP;
    END LOOP;
END
$do$;

-- The guard does its work, and no trap is sprung.
INSERT INTO hostile.docs (id, tenant, kind, fp) VALUES ('a', 1, 'x', 0), ('b', 2, 'x', 0), ('c', NULL, 'x', 0), ('d', 1, NULL, 0), ('e', 1, 'xy', 0);
INSERT INTO hostile.docs (id, tenant, kind, fp) VALUES ('f', 1, 'x', 1);
SET search_path = hostile, :own, pg_catalog;
INSERT INTO docs (id, tenant, kind, fp) VALUES ('f', 1, 'x', 1);
UPDATE docs SET fp = 7 WHERE id OPERATOR(pg_catalog.=) 'b'::text;
UPDATE docs SET tenant = 2, fp = 6 WHERE id OPERATOR(pg_catalog.=) 'a'::text;
INSERT INTO keyless VALUES (0), (-1);
INSERT INTO keyless VALUES (1);
UPDATE keyless SET fp = -2 WHERE fp OPERATOR(pg_catalog.=) 0::bigint;
RESET search_path;
-- They do work.
SELECT :own.hamming(fp, 0::bigint) FROM hostile.keyless LIMIT 1;
SELECT band OPERATOR(:own.=) '0/4:1'::simhash_band FROM hostile.docs LIMIT 1;
RESET ROLE;

\set VERBOSITY terse
SET client_min_messages = error;
DROP SCHEMA hostile CASCADE;
DROP OWNED BY simhash_inserter, simhash_owner CASCADE;
DROP ROLE simhash_inserter, simhash_owner;
