-- CREATE EXTENSION in any schema, with any search_path, again after DROP in the same connection
DROP EXTENSION simhash;
CREATE SCHEMA "Other ""Schema""";
CREATE EXTENSION simhash SCHEMA "Other ""Schema""";
SELECT "Other ""Schema""".hamming(1, 2);
SELECT 1::bigint OPERATOR("Other ""Schema""".<~>) 2::bigint AS operator;

SET search_path = '';
DROP EXTENSION simhash;
CREATE EXTENSION simhash SCHEMA public;
SELECT public.hamming(1, 2), public.simhash('the same connection') IS NOT NULL AS computed;
ALTER EXTENSION simhash SET SCHEMA "Other ""Schema""";
SELECT "Other ""Schema""".simhash('moved') = "Other ""Schema""".simhash('moved') AS moved;
RESET search_path;
ALTER EXTENSION simhash SET SCHEMA public;

-- A role without special privileges may install the extension: it is trusted.
CREATE ROLE simhash_regress_user;
CREATE DATABASE simhash_regression_trusted OWNER simhash_regress_user;
\c simhash_regression_trusted
SET ROLE simhash_regress_user;
CREATE SCHEMA own;
CREATE EXTENSION simhash SCHEMA own;
SELECT own.hamming(0, 7);
RESET ROLE;
\c simhash_regression
DROP DATABASE simhash_regression_trusted;
DROP ROLE simhash_regress_user;

-- All functions with their arguments, and all operators.
\pset format unaligned
SELECT p.proname || '(' || pg_get_function_arguments(p.oid) || ')' || coalesce(' → ' || pg_get_function_result(p.oid), '') AS function
FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'simhash')
ORDER BY p.oid::regprocedure::text COLLATE "C";
SELECT o.oid::regoperator AS operator, o.oprcode AS function, o.oprrest AS restrict, o.oprjoin AS join
FROM pg_depend d JOIN pg_operator o ON o.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.classid = 'pg_operator'::regclass
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'simhash')
ORDER BY o.oid::regoperator::text COLLATE "C";
\pset format aligned

-- Every object has a comment, and every function is IMMUTABLE, STRICT and PARALLEL SAFE unless it is listed here.
SELECT p.oid::regprocedure AS function, p.provolatile, p.proisstrict, p.proparallel
FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'simhash')
  AND (p.provolatile <> 'i' OR NOT p.proisstrict OR p.proparallel <> 's') AND p.prokind <> 'a'
ORDER BY p.oid::regprocedure::text COLLATE "C";

-- An array type, which is a member from PostgreSQL 17 on, comes with its element type.
SELECT pg_describe_object(d.classid, d.objid, d.objsubid) AS without_comment
FROM pg_depend d
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'simhash')
  AND obj_description(d.objid, d.classid::regclass::name) IS NULL
  AND NOT EXISTS (SELECT FROM pg_type WHERE typarray = d.objid AND d.classid = 'pg_type'::regclass)
ORDER BY 1;
