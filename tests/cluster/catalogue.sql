-- All entries of the extension in the catalogue, one per line, with names instead of object identifiers. Two databases with the
-- same extension have the same entries.

-- The columns of a catalogue as an expression: references to other catalogues as names, expressions as SQL.
CREATE FUNCTION pg_temp.readable(catalogue regclass) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(
        format('%L, ', attname) || CASE
            WHEN attname = 'proargdefaults' THEN 'pg_get_function_arguments(oid)'
            WHEN attname = 'prosqlbody' THEN 'pg_get_function_sqlbody(oid)'
            WHEN atttypid = 'pg_node_tree'::regtype THEN format('pg_get_expr(%I, 0)', attname)
            WHEN NOT is_array THEN format('(pg_identify_object(%L::regclass, %I::oid, 0)).identity', pktable, attname)
            WHEN is_array THEN format('ARRAY(SELECT (pg_identify_object(%L::regclass, o, 0)).identity
                FROM unnest(%I::oid[]) WITH ORDINALITY u(o, n) ORDER BY n)', pktable, attname)
            ELSE format('%I::text', attname)
        END, ', ' ORDER BY attnum)
    FROM pg_attribute a
    LEFT JOIN pg_get_catalog_foreign_keys() f ON f.fktable = a.attrelid AND f.fkcols = ARRAY[a.attname::text]
    WHERE a.attrelid = catalogue AND attnum > 0 AND attname <> 'oid'
$$;

CREATE FUNCTION pg_temp.catalogue() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    object record;
    entry jsonb;
BEGIN
    FOR object IN
        WITH RECURSIVE objects AS (
            SELECT 'pg_extension'::regclass::oid AS classid, oid AS objid FROM pg_extension WHERE extname = 'simhash'
            UNION
            SELECT d.classid, d.objid FROM pg_depend d JOIN objects o ON d.refclassid = o.classid AND d.refobjid = o.objid
        )
        SELECT classid, objid, pg_describe_object(classid, objid, 0) AS name FROM objects
    LOOP
        EXECUTE format('SELECT jsonb_build_object(%s) FROM %s WHERE oid = %s',
                       pg_temp.readable(object.classid), object.classid::regclass, object.objid) INTO STRICT entry;
        RETURN QUERY SELECT format('%s: %s = %s', object.name, key, value) FROM jsonb_each(entry);
        RETURN QUERY SELECT format('%s: comment = %s', object.name, description) FROM pg_description
            WHERE classoid = object.classid AND objoid = object.objid;
        RETURN QUERY SELECT format('%s: first rights = %s', object.name, initprivs) FROM pg_init_privs
            WHERE classoid = object.classid AND objoid = object.objid;
        RETURN QUERY SELECT format('%s: needs (%s) %s', object.name, deptype, pg_describe_object(refclassid, refobjid, refobjsubid))
            FROM pg_depend WHERE classid = object.classid AND objid = object.objid;
    END LOOP;
END
$$;

SELECT line FROM pg_temp.catalogue() line ORDER BY line COLLATE "C";
