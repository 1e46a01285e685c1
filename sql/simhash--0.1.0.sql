-- simhash 0.1.0: near-duplicate texts by 64-bit SimHash fingerprints

\echo Use "CREATE EXTENSION simhash" to load this file. \quit

-- Fingerprints of texts ------------------------------------------------------

CREATE FUNCTION simhash(text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_text_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

COMMENT ON FUNCTION simhash(text) IS
    '64-bit SimHash fingerprint of a text; NULL where the text has no words';

CREATE FUNCTION simhash(text, options jsonb) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_text_options_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

COMMENT ON FUNCTION simhash(text, jsonb) IS
    'fingerprint of a text with options: features, runs, weights, noise, hmm';

-- Without this one, simhash('text', '{}') of two bare literals could not be told from simhash(text[], float8[]).
CREATE FUNCTION simhash(text, options text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_text_options_literal_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

COMMENT ON FUNCTION simhash(text, text) IS
    'fingerprint of a text with options, as simhash(text, jsonb)';

CREATE FUNCTION simhash_features(text)
    RETURNS TABLE (feature text, weight double precision, hash bigint)
    AS 'MODULE_PATHNAME', 'simhash_features_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 500;

COMMENT ON FUNCTION simhash_features(text) IS
    'the features that simhash(text) hashes, with their weights and hashes';

CREATE FUNCTION simhash_features(text, options jsonb)
    RETURNS TABLE (feature text, weight double precision, hash bigint)
    AS 'MODULE_PATHNAME', 'simhash_features_options_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 500;

COMMENT ON FUNCTION simhash_features(text, jsonb) IS
    'the features that simhash(text, options) hashes, with their weights and hashes';

CREATE FUNCTION simhash_version() RETURNS text
    AS 'MODULE_PATHNAME', 'simhash_version_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_version() IS
    'algorithm, dictionary and noise words; fingerprints of equal versions can be compared';

-- Fingerprints of other things -----------------------------------------------

CREATE FUNCTION simhash(tsvector) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_tsvector_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash(tsvector) IS
    'fingerprint of a full-text vector; positions count, labels D, C, B, A weigh 1, 2, 4, 10';

CREATE FUNCTION simhash(features text[]) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_array_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash(text[]) IS
    'fingerprint of ready-made features, each with weight 1';

CREATE FUNCTION simhash(features text[], weights double precision[]) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_array_weighted_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash(text[], double precision[]) IS
    'fingerprint of ready-made features with their weights';

CREATE FUNCTION simhash(vector real[]) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_real_vector_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash(real[]) IS
    'fingerprint of a numeric vector by 64 random hyperplanes';

CREATE FUNCTION simhash(vector double precision[]) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_float8_vector_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash(double precision[]) IS
    'fingerprint of a numeric vector by 64 random hyperplanes';

-- The aggregate --------------------------------------------------------------

CREATE FUNCTION simhash_agg_add(internal, text) RETURNS internal
    AS 'MODULE_PATHNAME', 'simhash_agg_add_wrapper'
    LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION simhash_agg_add(internal, text) IS
    'transition function of simhash_agg(text)';

CREATE FUNCTION simhash_agg_add(internal, text, double precision) RETURNS internal
    AS 'MODULE_PATHNAME', 'simhash_agg_add_weighted_wrapper'
    LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION simhash_agg_add(internal, text, double precision) IS
    'transition function of simhash_agg(text, double precision)';

CREATE FUNCTION simhash_agg_combine(internal, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'simhash_agg_combine_wrapper'
    LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION simhash_agg_combine(internal, internal) IS
    'combine function of simhash_agg';

CREATE FUNCTION simhash_agg_serialize(internal) RETURNS bytea
    AS 'MODULE_PATHNAME', 'simhash_agg_serialize_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_agg_serialize(internal) IS
    'serialization function of simhash_agg';

CREATE FUNCTION simhash_agg_deserialize(bytea, internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'simhash_agg_deserialize_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_agg_deserialize(bytea, internal) IS
    'deserialization function of simhash_agg';

CREATE FUNCTION simhash_agg_final(internal) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_agg_final_wrapper'
    LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION simhash_agg_final(internal) IS
    'final function of simhash_agg';

CREATE AGGREGATE simhash_agg(feature text) (
    SFUNC = simhash_agg_add,
    STYPE = internal,
    SSPACE = 2048,
    FINALFUNC = simhash_agg_final,
    COMBINEFUNC = simhash_agg_combine,
    SERIALFUNC = simhash_agg_serialize,
    DESERIALFUNC = simhash_agg_deserialize,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE simhash_agg(text) IS
    'fingerprint of features, one a row, each with weight 1';

CREATE AGGREGATE simhash_agg(feature text, weight double precision) (
    SFUNC = simhash_agg_add,
    STYPE = internal,
    SSPACE = 4096,
    FINALFUNC = simhash_agg_final,
    COMBINEFUNC = simhash_agg_combine,
    SERIALFUNC = simhash_agg_serialize,
    DESERIALFUNC = simhash_agg_deserialize,
    PARALLEL = SAFE
);

COMMENT ON AGGREGATE simhash_agg(text, double precision) IS
    'fingerprint of features with their weights, one a row';

-- Distance -------------------------------------------------------------------

CREATE FUNCTION hamming(bigint, bigint) RETURNS integer
    AS 'MODULE_PATHNAME', 'hamming_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION hamming(bigint, bigint) IS
    'number of bits, 0 to 64, in which two fingerprints differ';

CREATE OPERATOR <~> (
    LEFTARG = bigint,
    RIGHTARG = bigint,
    FUNCTION = hamming,
    COMMUTATOR = <~>
);

COMMENT ON OPERATOR <~> (bigint, bigint) IS
    'Hamming distance of two fingerprints';

-- Bands ----------------------------------------------------------------------

-- A band value has the eight bytes of a bigint and is compared, sorted and hashed as one.
CREATE TYPE simhash_band;

CREATE FUNCTION simhash_band_in(cstring) RETURNS simhash_band
    AS 'MODULE_PATHNAME', 'simhash_band_in_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_in(cstring) IS
    'input function of simhash_band';

CREATE FUNCTION simhash_band_out(simhash_band) RETURNS cstring
    AS 'MODULE_PATHNAME', 'simhash_band_out_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_out(simhash_band) IS
    'output function of simhash_band';

CREATE FUNCTION simhash_band_recv(internal) RETURNS simhash_band
    AS 'MODULE_PATHNAME', 'simhash_band_recv_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_recv(internal) IS
    'binary input function of simhash_band';

CREATE FUNCTION simhash_band_send(simhash_band) RETURNS bytea
    AS 'int8send'
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_send(simhash_band) IS
    'binary output function of simhash_band';

CREATE TYPE simhash_band (
    INPUT = simhash_band_in,
    OUTPUT = simhash_band_out,
    RECEIVE = simhash_band_recv,
    SEND = simhash_band_send,
    LIKE = bigint
);

COMMENT ON TYPE simhash_band IS
    'one band of a fingerprint: which band, of how many, and its bits, such as 0/4:6d3a';

CREATE FUNCTION simhash_band(fp bigint, band integer, bands integer DEFAULT 4) RETURNS simhash_band
    AS 'MODULE_PATHNAME', 'simhash_band_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band(bigint, integer, integer) IS
    'a band of a fingerprint, counted from 0 at the highest bits; NULL where there is no such band';

CREATE FUNCTION simhash_neighbours(fp bigint, band integer, bands integer, radius integer) RETURNS simhash_band[]
    AS 'MODULE_PATHNAME', 'simhash_neighbours_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE COST 100;

COMMENT ON FUNCTION simhash_neighbours(bigint, integer, integer, integer) IS
    'all values of a band within radius bits of the one of a fingerprint; NULL where there is no such band or they are more than 65536';

-- Not the server's int8eq as below: it looks internal functions up by name, anew in every query.
CREATE FUNCTION simhash_band_eq(simhash_band, simhash_band) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_band_eq_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_eq(simhash_band, simhash_band) IS
    'implementation of = operator';

CREATE FUNCTION simhash_band_ne(simhash_band, simhash_band) RETURNS boolean
    AS 'int8ne'
    LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_ne(simhash_band, simhash_band) IS
    'implementation of <> operator';

CREATE FUNCTION simhash_band_lt(simhash_band, simhash_band) RETURNS boolean
    AS 'int8lt'
    LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_lt(simhash_band, simhash_band) IS
    'implementation of < operator';

CREATE FUNCTION simhash_band_le(simhash_band, simhash_band) RETURNS boolean
    AS 'int8le'
    LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_le(simhash_band, simhash_band) IS
    'implementation of <= operator';

CREATE FUNCTION simhash_band_gt(simhash_band, simhash_band) RETURNS boolean
    AS 'int8gt'
    LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_gt(simhash_band, simhash_band) IS
    'implementation of > operator';

CREATE FUNCTION simhash_band_ge(simhash_band, simhash_band) RETURNS boolean
    AS 'int8ge'
    LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_ge(simhash_band, simhash_band) IS
    'implementation of >= operator';

CREATE FUNCTION simhash_band_cmp(simhash_band, simhash_band) RETURNS integer
    AS 'btint8cmp'
    LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_cmp(simhash_band, simhash_band) IS
    'less, equal or greater: -1, 0 or 1';

CREATE FUNCTION simhash_band_sortsupport(internal) RETURNS void
    AS 'btint8sortsupport'
    LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_sortsupport(internal) IS
    'sort support';

CREATE FUNCTION simhash_band_hash(simhash_band) RETURNS integer
    AS 'hashint8'
    LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_hash(simhash_band) IS
    'hash';

CREATE FUNCTION simhash_band_hash(simhash_band, bigint) RETURNS bigint
    AS 'hashint8extended'
    LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_hash(simhash_band, bigint) IS
    'hash with a seed';

CREATE FUNCTION simhash_band_eqsel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_band_eqsel_wrapper'
    LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_eqsel(internal, oid, internal, integer) IS
    'restriction selectivity of = of bands: by statistics, or by the width of the band';

CREATE FUNCTION simhash_band_eqjoinsel(internal, oid, internal, smallint, internal) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_band_eqjoinsel_wrapper'
    LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_band_eqjoinsel(internal, oid, internal, smallint, internal) IS
    'join selectivity of = of bands: by statistics, or by the width of the band';

CREATE OPERATOR = (
    LEFTARG = simhash_band,
    RIGHTARG = simhash_band,
    FUNCTION = simhash_band_eq,
    COMMUTATOR = =,
    NEGATOR = <>,
    HASHES,
    MERGES,
    RESTRICT = simhash_band_eqsel,
    JOIN = simhash_band_eqjoinsel
);

COMMENT ON OPERATOR = (simhash_band, simhash_band) IS
    'equal';

CREATE OPERATOR <> (
    LEFTARG = simhash_band,
    RIGHTARG = simhash_band,
    FUNCTION = simhash_band_ne,
    COMMUTATOR = <>,
    NEGATOR = =,
    RESTRICT = neqsel,
    JOIN = neqjoinsel
);

COMMENT ON OPERATOR <> (simhash_band, simhash_band) IS
    'not equal';

CREATE OPERATOR < (
    LEFTARG = simhash_band,
    RIGHTARG = simhash_band,
    FUNCTION = simhash_band_lt,
    COMMUTATOR = >,
    NEGATOR = >=,
    RESTRICT = scalarltsel,
    JOIN = scalarltjoinsel
);

COMMENT ON OPERATOR < (simhash_band, simhash_band) IS
    'less than';

CREATE OPERATOR <= (
    LEFTARG = simhash_band,
    RIGHTARG = simhash_band,
    FUNCTION = simhash_band_le,
    COMMUTATOR = >=,
    NEGATOR = >,
    RESTRICT = scalarlesel,
    JOIN = scalarlejoinsel
);

COMMENT ON OPERATOR <= (simhash_band, simhash_band) IS
    'less than or equal';

CREATE OPERATOR > (
    LEFTARG = simhash_band,
    RIGHTARG = simhash_band,
    FUNCTION = simhash_band_gt,
    COMMUTATOR = <,
    NEGATOR = <=,
    RESTRICT = scalargtsel,
    JOIN = scalargtjoinsel
);

COMMENT ON OPERATOR > (simhash_band, simhash_band) IS
    'greater than';

CREATE OPERATOR >= (
    LEFTARG = simhash_band,
    RIGHTARG = simhash_band,
    FUNCTION = simhash_band_ge,
    COMMUTATOR = <=,
    NEGATOR = <,
    RESTRICT = scalargesel,
    JOIN = scalargejoinsel
);

COMMENT ON OPERATOR >= (simhash_band, simhash_band) IS
    'greater than or equal';

CREATE OPERATOR CLASS simhash_band_ops
    DEFAULT FOR TYPE simhash_band USING btree AS
    OPERATOR 1 <,
    OPERATOR 2 <=,
    OPERATOR 3 =,
    OPERATOR 4 >=,
    OPERATOR 5 >,
    FUNCTION 1 simhash_band_cmp(simhash_band, simhash_band),
    FUNCTION 2 simhash_band_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);

COMMENT ON OPERATOR FAMILY simhash_band_ops USING btree IS
    'bands of fingerprints';

COMMENT ON OPERATOR CLASS simhash_band_ops USING btree IS
    'what band indexes are made with';

CREATE OPERATOR CLASS simhash_band_ops
    DEFAULT FOR TYPE simhash_band USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 simhash_band_hash(simhash_band),
    FUNCTION 2 simhash_band_hash(simhash_band, bigint);

COMMENT ON OPERATOR FAMILY simhash_band_ops USING hash IS
    'bands of fingerprints';

COMMENT ON OPERATOR CLASS simhash_band_ops USING hash IS
    'hash index and hash join on bands';

-- Search ---------------------------------------------------------------------

CREATE FUNCTION simhash_near_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'simhash_near_support_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_near_support(internal) IS
    'planner support of simhash_near: writes it as probes of band indexes and an exact filter';

CREATE FUNCTION simhash_near(fp bigint, query bigint, k integer DEFAULT 3) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_near_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT simhash_near_support;

COMMENT ON FUNCTION simhash_near(bigint, bigint, integer) IS
    'whether two fingerprints differ in at most k bits; uses band indexes';

-- Indexes --------------------------------------------------------------------

CREATE FUNCTION simhash_indexes(rel regclass)
    RETURNS TABLE (index regclass, fp text, band integer, bands integer, place integer, is_partial boolean)
    AS 'MODULE_PATHNAME', 'simhash_indexes_wrapper'
    LANGUAGE C STABLE STRICT PARALLEL SAFE ROWS 4;

COMMENT ON FUNCTION simhash_indexes(regclass) IS
    'the valid band indexes of a table: of which expression, which band of how many, and at which place in the key';

CREATE FUNCTION simhash_check_column(rel regclass, fp_column name) RETURNS void
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kind "char" := (SELECT relkind FROM pg_class WHERE oid = rel);
    type_name text;
    base_type oid;
BEGIN
    IF kind IS NULL OR kind NOT IN ('r', 'p', 'm') THEN
        RAISE EXCEPTION '% is not a table or materialized view', rel USING ERRCODE = 'wrong_object_type';
    END IF;
    SELECT format_type(a.atttypid, a.atttypmod), CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END
        INTO type_name, base_type
        FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = rel AND a.attname = fp_column AND a.attnum > 0 AND NOT a.attisdropped;
    IF type_name IS NULL THEN
        RAISE EXCEPTION 'column "%" of relation % does not exist', fp_column, rel USING ERRCODE = 'undefined_column';
    ELSIF base_type <> 'bigint'::regtype THEN
        RAISE EXCEPTION 'column "%" of relation % is of type %, not bigint', fp_column, rel, type_name
            USING ERRCODE = 'datatype_mismatch',
                  HINT = 'Fingerprints are of type bigint, as simhash(text) returns them.';
    END IF;
END
$$;

COMMENT ON FUNCTION simhash_check_column(regclass, name) IS
    'raises an error where a relation has no indexes or a column is no bigint';

CREATE FUNCTION simhash_index_ddl(
    rel regclass, fp_column name, bands integer DEFAULT 4, concurrent boolean DEFAULT false
) RETURNS SETOF text
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
    own_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'simhash');
    table_schema name;
    table_name name;
    kind "char";
    stem text;
    suffix text;
    index_name name;
    further integer;
BEGIN
    EXECUTE format('SELECT %s.simhash_check_column($1, $2)', own_schema) USING rel, fp_column;
    IF bands NOT BETWEEN 1 AND 16 THEN
        RAISE EXCEPTION 'number of bands is out of range: %', bands
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'A fingerprint is cut into 1 to 16 bands.';
    END IF;
    SELECT n.nspname, c.relname, c.relkind INTO table_schema, table_name, kind
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = rel;
    IF concurrent AND kind = 'p' THEN
        RAISE EXCEPTION 'cannot create indexes on partitioned table % concurrently', rel
            USING ERRCODE = 'feature_not_supported',
                  HINT = 'Create them concurrently on each partition, then on the partitioned table itself.';
    END IF;
    FOR band IN 0 .. bands - 1 LOOP
        suffix := format('_band_%s_of_%s_idx', band, bands);
        further := 0;
        LOOP
            -- Names have 63 bytes; the table's and the column's are cut so that the band stays readable.
            stem := table_name || '_' || fp_column;
            WHILE octet_length(stem || suffix) > 63 LOOP
                stem := left(stem, -1);
            END LOOP;
            index_name := stem || suffix;
            EXIT WHEN NOT EXISTS (
                SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relname = index_name AND n.nspname = table_schema);
            further := further + 1;
            suffix := format('_band_%s_of_%s_idx%s', band, bands, further);
        END LOOP;
        RETURN NEXT format(
            'CREATE INDEX %s%I ON %I.%I USING btree (%s.simhash_band(%I, %s, %s))',
            CASE WHEN concurrent THEN 'CONCURRENTLY ' ELSE '' END,
            index_name, table_schema, table_name, own_schema, fp_column, band, bands);
    END LOOP;
END
$$;

COMMENT ON FUNCTION simhash_index_ddl(regclass, name, integer, boolean) IS
    'the statements that create the band indexes of a column, one a band';

CREATE FUNCTION simhash_create_index(rel regclass, fp_column name, bands integer DEFAULT 4) RETURNS SETOF regclass
    LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
    own_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'simhash');
    statement text;
    band integer := 0;
    found regclass;
    find text := format(
        'SELECT min(index::oid)::regclass FROM %s.simhash_indexes($1)
         WHERE fp = quote_ident($2) AND band = $3 AND bands = $4 AND place = 1 AND NOT is_partial', own_schema);
BEGIN
    FOR statement IN EXECUTE format('SELECT * FROM %s.simhash_index_ddl($1, $2, $3)', own_schema)
        USING rel, fp_column, bands
    LOOP
        EXECUTE find INTO found USING rel, fp_column, band, bands;
        IF found IS NULL THEN
            EXECUTE statement;
            EXECUTE find INTO found USING rel, fp_column, band, bands;
        END IF;
        RETURN NEXT found;
        band := band + 1;
    END LOOP;
END
$$;

COMMENT ON FUNCTION simhash_create_index(regclass, name, integer) IS
    'creates the band indexes of a column that are not there yet, and returns all of them';

CREATE FUNCTION simhash_probe_cost(
    k integer, bands integer, total_rows double precision, shares double precision[],
    OUT probes bigint, OUT candidates double precision, OUT cost double precision
) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'simhash_probe_cost_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 1;

COMMENT ON FUNCTION simhash_probe_cost(integer, integer, double precision, double precision[]) IS
    'what a search takes where one value of each band finds such a share of the rows; cost is in rows fetched';

CREATE FUNCTION simhash_index_advice(rel regclass, fp_column name)
    RETURNS TABLE (
        k integer, bands integer, indexes bigint, probes bigint, candidates numeric, cost numeric,
        skew numeric, hottest text, hottest_rows bigint, advice text
    )
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    own_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'simhash');
    table_sql text;
    total_rows double precision;
    full_scan double precision;
BEGIN
    EXECUTE format('SELECT %s.simhash_check_column($1, $2)', own_schema) USING rel, fp_column;
    SELECT format('%I.%I', n.nspname, c.relname) INTO table_sql
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = rel;
    -- The planner's own figures, of all partitions; a table that was never analysed is counted.
    SELECT sum(reltuples), sum(relpages + reltuples / 100) INTO total_rows, full_scan
        FROM pg_partition_tree(rel) t JOIN pg_class c ON c.oid = t.relid WHERE t.isleaf
        HAVING bool_and(reltuples >= 0);
    IF total_rows IS NULL THEN
        SELECT reltuples, relpages + reltuples / 100 INTO total_rows, full_scan
            FROM pg_class WHERE oid = rel AND reltuples >= 0;
    END IF;
    IF total_rows IS NULL THEN
        EXECUTE format('SELECT count(*), count(*) * 0.02 FROM %s', table_sql) INTO total_rows, full_scan;
    END IF;
    RETURN QUERY EXECUTE format($query$
        WITH sample AS MATERIALIZED (
            SELECT %2$I::bigint AS fp FROM %3$s TABLESAMPLE SYSTEM (least(100, 3e6 / greatest($3, 1))) REPEATABLE (1)
            WHERE %2$I IS NOT NULL
        ), total AS (
            SELECT count(*)::double precision AS n FROM sample
        ), value AS (
            SELECT m AS bands, b AS band, %1$s.simhash_band(fp, b, m) AS value, count(*)::double precision AS c
            FROM generate_series(2, 4) m, generate_series(0, m - 1) b, sample GROUP BY 1, 2, 3
        ), band AS (
            -- Of two random rows, how often they agree, and how often they would if all values were equally common.
            SELECT bands, band, coalesce(sum(c * (c - 1)) / nullif(n * (n - 1), 0), 0) AS seen,
                   2.0 ^ -(64 / bands + (band < 64 %% bands)::integer) AS even,
                   (array_agg(value::text ORDER BY c DESC, value))[1] AS hottest, max(c) / n AS hottest_share,
                   max(c) >= 10 AS is_hot
            FROM value, total GROUP BY bands, band, n
        ), family AS (
            SELECT bands, array_agg(greatest(seen, even) ORDER BY band) AS shares, avg(seen / even) AS skew,
                   (array_agg(hottest ORDER BY hottest_share DESC) FILTER (WHERE is_hot))[1] AS hottest,
                   max(hottest_share) FILTER (WHERE is_hot) AS hottest_share
            FROM band GROUP BY bands
        ), plan AS (
            SELECT k, f.*, p.*, rank() OVER (PARTITION BY k ORDER BY p.cost) AS place,
                   (SELECT count(DISTINCT i.band) FROM %1$s.simhash_indexes($1) i
                    WHERE i.fp = quote_ident($2) AND i.bands = f.bands AND i.place = 1 AND NOT i.is_partial) AS indexes
            FROM (VALUES (3), (7)) v (k), family f, %1$s.simhash_probe_cost(k, f.bands, $3, f.shares) p
        )
        SELECT k, bands, indexes, probes, round(candidates::numeric, 1), round(cost::numeric, 1),
               round(skew::numeric, 1), hottest, (hottest_share * $3)::bigint,
               CASE WHEN cost * current_setting('random_page_cost')::double precision > $4
                    THEN 'reading the whole table is cheaper'
                    WHEN place > 1 THEN 'dearer'
                    WHEN indexes = bands THEN 'best, and there'
                    ELSE format('best: SELECT simhash_create_index(%%L, %%L, %%s)', $1, $2, bands) END
        FROM plan ORDER BY k, bands$query$, own_schema, fp_column, table_sql)
        USING rel, fp_column, total_rows, full_scan;
END
$$;

COMMENT ON FUNCTION simhash_index_advice(regclass, name) IS
    'which number of bands suits a table, for k = 3 and 7, by its size and a sample of its fingerprints; and its hottest bands';

-- Triggers -------------------------------------------------------------------

CREATE FUNCTION simhash_trigger() RETURNS trigger
    AS 'MODULE_PATHNAME', 'simhash_trigger_wrapper'
    LANGUAGE C;

COMMENT ON FUNCTION simhash_trigger() IS
    'simhash_trigger(''fp'', ''title'', ''body''): before INSERT or UPDATE, the fingerprint of text columns as one document; options as a last argument';

CREATE FUNCTION simhash_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'simhash_guard_wrapper'
    LANGUAGE C;

COMMENT ON FUNCTION simhash_guard() IS
    'simhash_guard(''fp'', ''3'', ''reject''): before INSERT or UPDATE, rejects, skips or links a row whose fingerprint is within k of one that is there';

-- Back-fill ------------------------------------------------------------------

-- It commits, so it cannot have a SET clause: settings are made anew in each transaction, and end with it. Types are
-- written out because they are looked up in the caller's path.
CREATE PROCEDURE simhash_backfill(
    rel regclass,
    fp_column name,
    text_column name,
    more_columns name[] DEFAULT '{}',
    options jsonb DEFAULT '{}',
    batch_rows integer DEFAULT 1000,
    INOUT filled bigint DEFAULT 0,
    INOUT without_features bigint DEFAULT 0,
    INOUT locked bigint DEFAULT 0
)
    LANGUAGE plpgsql
AS $$
DECLARE
    safe_path constant pg_catalog.text := 'pg_catalog, pg_temp';
    started constant pg_catalog.timestamptz := pg_catalog.clock_timestamp();
    reported pg_catalog.timestamptz := started;
    own_schema pg_catalog.text;
    table_sql pg_catalog.text;
    text_sql pg_catalog.text;
    todo_sql pg_catalog.text;
    keys pg_catalog.text[];
    key_sql pg_catalog.text;
    key_list pg_catalog.text;
    operator_schemas pg_catalog.text[];
    last_key pg_catalog.text;
    range_sql pg_catalog.text := 'true';
    batch record;
    left_over bigint;
    total bigint;
    done bigint := 0;
    speed double precision;
BEGIN
    PERFORM pg_catalog.set_config('search_path', safe_path, true);
    IF rel IS NULL OR fp_column IS NULL OR text_column IS NULL OR more_columns IS NULL OR options IS NULL THEN
        RAISE EXCEPTION 'arguments of simhash_backfill must not be null' USING ERRCODE = 'null_value_not_allowed';
    ELSIF batch_rows IS NULL OR batch_rows < 1 THEN
        RAISE EXCEPTION 'batch_rows of simhash_backfill must be positive: %', batch_rows
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    filled := 0; without_features := 0; locked := 0;
    own_schema := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'simhash');
    EXECUTE format('SELECT %s.simhash_check_column($1, $2)', own_schema) USING rel, fp_column;
    SELECT format('%I.%I', n.nspname, c.relname) INTO table_sql
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = rel;
    -- Several columns are one document, a line each, as simhash_trigger reads them.
    text_sql := format('%I::text', text_column);
    IF more_columns <> '{}' THEN
        text_sql := format('nullif(concat_ws(chr(10), %s, %s), %L)', text_sql,
                           (SELECT string_agg(format('%I::text', c), ', ') FROM unnest(more_columns) c), '');
    END IF;
    todo_sql := format('%I IS NULL AND %s IS NOT NULL', fp_column, text_sql);
    -- The key's columns, and where the > is that the index sorts them by.
    SELECT array_agg(quote_ident(a.attname) ORDER BY k.place), array_agg(DISTINCT o.oprnamespace::regnamespace::text)
        INTO keys, operator_schemas
        FROM pg_index i, unnest(i.indkey, i.indclass) WITH ORDINALITY k (number, class, place), pg_attribute a,
             pg_opclass c, pg_amop m, pg_operator o
        WHERE i.indrelid = rel AND i.indisprimary AND k.place <= i.indnkeyatts
          AND a.attrelid = rel AND a.attnum = k.number AND c.oid = k.class AND m.amopfamily = c.opcfamily
          AND m.amoplefttype = c.opcintype AND m.amoprighttype = c.opcintype AND m.amopstrategy = 5 AND o.oid = m.amopopr;
    IF keys IS NULL THEN
        RAISE EXCEPTION 'simhash_backfill needs a primary key on %', rel
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'Rows are filled in the order of the key, so that it can stop and go on at any moment.';
    ELSIF cardinality(operator_schemas) > 1 THEN
        RAISE EXCEPTION 'simhash_backfill cannot follow the primary key of %', rel
            USING ERRCODE = 'feature_not_supported',
                  DETAIL = format('The operators of its types are in several schemas: %s.',
                                  array_to_string(operator_schemas, ', '));
    END IF;
    key_sql := array_to_string(keys, ', ');
    key_list := (SELECT string_agg(format('key_%s', i), ', ') FROM generate_subscripts(keys, 1) i);

    EXECUTE format('SELECT count(*) FROM %s WHERE %s', table_sql, todo_sql) INTO total;
    RAISE NOTICE 'simhash_backfill of %: % rows to do', rel, total;
    LOOP
        PERFORM set_config('application_name', format('simhash_backfill %s: %s of %s', rel, done, total), true);
        -- A batch goes along the key's index. By what ANALYZE knows of a new column, reading the whole table each time
        -- would seem cheaper.
        PERFORM set_config(setting, 'off', true) FROM unnest('{enable_seqscan,enable_sort,jit}'::text[]) setting;
        -- Locks rows that nobody else has locked, and writes the fingerprints of those that have one.
        EXECUTE format($sql$
            WITH free (part, place, fp, %11$s) AS MATERIALIZED (
                SELECT tableoid, ctid, %1$s.simhash(%2$s, %3$L::jsonb), %4$s
                FROM %5$s WHERE %6$s AND %7$s ORDER BY %4$s LIMIT %8$s FOR UPDATE SKIP LOCKED
            ), written AS (
                UPDATE %5$s t SET %9$I = free.fp FROM free
                WHERE t.ctid = free.place AND t.tableoid = free.part AND free.fp IS NOT NULL RETURNING 1
            )
            SELECT count(*) AS seen, count(fp) AS with_features, (SELECT count(*) FROM written) AS written,
                   (SELECT format(%10$L, %11$s) FROM free ORDER BY ROW(%11$s) DESC LIMIT 1) AS last_key
            FROM free$sql$,
            own_schema, text_sql, options, key_sql, table_sql, todo_sql, range_sql, batch_rows, fp_column,
            '(' || array_to_string(array_fill('%L'::text, ARRAY[cardinality(keys)]), ', ') || ')', key_list)
            INTO batch;
        last_key := batch.last_key;
        -- What is left in this stretch of the key is what has no features, and what others have locked.
        EXECUTE format('SELECT count(*) FROM %s WHERE %s AND %s AND %s', table_sql, todo_sql, range_sql,
                       CASE WHEN last_key IS NULL THEN 'true'
                            ELSE format('(%s) OPERATOR(%s.<=) %s', key_sql, operator_schemas[1], last_key) END)
            INTO left_over;
        filled := filled + batch.written;
        without_features := without_features + batch.seen - batch.with_features;
        locked := locked + left_over - (batch.seen - batch.with_features);
        done := done + batch.written + left_over;
        speed := done / greatest(extract(epoch FROM clock_timestamp() - started), 0.001);
        IF clock_timestamp() - reported > interval '5 seconds' THEN
            reported := clock_timestamp();
            RAISE NOTICE 'simhash_backfill of %: % of % rows, % a second, % left', rel, done, total, speed::bigint,
                make_interval(secs => round((greatest(total - done, 0) / speed)::numeric)::double precision);
        END IF;
        EXIT WHEN last_key IS NULL;
        range_sql := format('(%s) OPERATOR(%s.>) %s', key_sql, operator_schemas[1], last_key);
        COMMIT;
        PERFORM pg_catalog.set_config('search_path', safe_path, true);
    END LOOP;
    RAISE NOTICE 'simhash_backfill of %: % rows filled, % without features, % locked by others', rel, filled,
        without_features, locked;
    COMMIT;
END
$$;

COMMENT ON PROCEDURE simhash_backfill(regclass, name, name, name[], jsonb, integer, bigint, bigint, bigint) IS
    'fills a fingerprint column where it is NULL and the text is not, in batches that commit, in the order of the primary key';

-- Clusters -------------------------------------------------------------------

CREATE FUNCTION simhash_cluster(fp bigint, k integer DEFAULT 3) RETURNS integer
    AS 'MODULE_PATHNAME', 'simhash_cluster_wrapper'
    LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION simhash_cluster(bigint, integer) IS
    'window function: rows connected by steps of at most k bits have the same number, counted from 0 by first rows';

CREATE FUNCTION simhash_leader(fp bigint, k integer DEFAULT 3) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_leader_wrapper'
    LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION simhash_leader(bigint, integer) IS
    'window function: the row number of the nearest earlier leader within k bits, or its own: then the row is a leader';

-- Second stage: exact similarities --------------------------------------------

CREATE FUNCTION simhash_cosine(text, text) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_cosine_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;

COMMENT ON FUNCTION simhash_cosine(text, text) IS
    'cosine of the weighted features of two texts, 0 to 1; NULL where one has none';

CREATE FUNCTION simhash_cosine(text, text, options jsonb) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_cosine_options_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;

COMMENT ON FUNCTION simhash_cosine(text, text, jsonb) IS
    'cosine of the weighted features of two texts, 0 to 1; NULL where one has none';

CREATE FUNCTION simhash_jaccard(text, text) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_jaccard_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;

COMMENT ON FUNCTION simhash_jaccard(text, text) IS
    'share of the features of two texts that both have, 0 to 1; NULL where one has none';

CREATE FUNCTION simhash_jaccard(text, text, options jsonb) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_jaccard_options_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;

COMMENT ON FUNCTION simhash_jaccard(text, text, jsonb) IS
    'share of the features of two texts that both have, 0 to 1; NULL where one has none';

CREATE FUNCTION simhash_euclidean(text, text) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_euclidean_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;

COMMENT ON FUNCTION simhash_euclidean(text, text) IS
    '1 - d / sqrt(2), d being the distance of the feature vectors of two texts scaled to length 1; NULL where one has none';

CREATE FUNCTION simhash_euclidean(text, text, options jsonb) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_euclidean_options_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;

COMMENT ON FUNCTION simhash_euclidean(text, text, jsonb) IS
    '1 - d / sqrt(2), d being the distance of the feature vectors of two texts scaled to length 1; NULL where one has none';

CREATE FUNCTION simhash_edit(text, text) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_edit_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

COMMENT ON FUNCTION simhash_edit(text, text) IS
    '1 - edit distance / length of the longer text, in characters';

CREATE FUNCTION simhash_edit_within(a text, b text, min_similarity double precision) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_edit_within_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash_edit_within(text, text, double precision) IS
    'whether simhash_edit(a, b) is at least min_similarity; stops as soon as that is known';

CREATE FUNCTION simhash_lcs(text, text) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_lcs_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

COMMENT ON FUNCTION simhash_lcs(text, text) IS
    'length of the longest common subsequence / length of the longer text, in characters';

CREATE FUNCTION simhash_similarity(bigint, bigint) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_similarity_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_similarity(bigint, bigint) IS
    'the cosine that the distance of two fingerprints implies: cos(pi * distance / 64)';

CREATE FUNCTION simhash_sentences(text, n integer DEFAULT 3) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'simhash_sentences_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash_sentences(text, integer) IS
    'hashes of the n longest sentences, the longest first; NULL where there is none';

-- Explanation ----------------------------------------------------------------

CREATE FUNCTION simhash_explain(a text, b text)
    RETURNS TABLE (
        feature text, weight_a double precision, weight_b double precision, hash bigint, side text,
        influence double precision
    )
    AS 'MODULE_PATHNAME', 'simhash_explain_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 1000;

COMMENT ON FUNCTION simhash_explain(text, text) IS
    'the features of two texts, those first that push their fingerprints apart';

CREATE FUNCTION simhash_explain(a text, b text, options jsonb)
    RETURNS TABLE (
        feature text, weight_a double precision, weight_b double precision, hash bigint, side text,
        influence double precision
    )
    AS 'MODULE_PATHNAME', 'simhash_explain_options_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 1000;

COMMENT ON FUNCTION simhash_explain(text, text, jsonb) IS
    'the features of two texts, those first that push their fingerprints apart';

CREATE FUNCTION simhash_compare(a text, b text)
    RETURNS TABLE (
        fp_a bigint, fp_b bigint, distance integer, cosine double precision, bits integer[],
        margins_a double precision[], margins_b double precision[]
    )
    AS 'MODULE_PATHNAME', 'simhash_compare_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 1;

COMMENT ON FUNCTION simhash_compare(text, text) IS
    'two texts in one row: fingerprints, distance, cosine, and the bits that differ (0 is the highest) with their votes';

CREATE FUNCTION simhash_compare(a text, b text, options jsonb)
    RETURNS TABLE (
        fp_a bigint, fp_b bigint, distance integer, cosine double precision, bits integer[],
        margins_a double precision[], margins_b double precision[]
    )
    AS 'MODULE_PATHNAME', 'simhash_compare_options_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 1;

COMMENT ON FUNCTION simhash_compare(text, text, jsonb) IS
    'two texts in one row: fingerprints, distance, cosine, and the bits that differ (0 is the highest) with their votes';

-- Notation -------------------------------------------------------------------

CREATE FUNCTION simhash_bits(fp bigint, bands integer DEFAULT 4) RETURNS text
    AS 'MODULE_PATHNAME', 'simhash_bits_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_bits(bigint, integer) IS
    '64 binary digits, a space between two bands';

CREATE FUNCTION simhash_from_bits(text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_from_bits_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_from_bits(text) IS
    'the fingerprint of 64 binary digits; spaces do not matter';

CREATE FUNCTION simhash_hex(bigint) RETURNS text
    AS 'MODULE_PATHNAME', 'simhash_hex_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_hex(bigint) IS
    '16 hexadecimal digits';

CREATE FUNCTION simhash_from_hex(text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_from_hex_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_from_hex(text) IS
    'the fingerprint of 16 hexadecimal digits, with 0x before them or without';

CREATE FUNCTION simhash_unsigned(bigint) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN $1 < 0 THEN $1 + 18446744073709551616 ELSE $1::numeric END;

COMMENT ON FUNCTION simhash_unsigned(bigint) IS
    'the fingerprint as a number from 0 to 18446744073709551615, as other systems have it';

CREATE FUNCTION simhash_from_unsigned(numeric) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF $1 = 'NaN' OR $1 < 0 OR $1 > 18446744073709551615 OR $1 <> trunc($1) THEN
        RAISE EXCEPTION 'invalid fingerprint: %', $1
            USING ERRCODE = 'numeric_value_out_of_range', DETAIL = 'Expected a whole number from 0 to 18446744073709551615.';
    END IF;
    RETURN CASE WHEN $1 > 9223372036854775807 THEN $1 - 18446744073709551616 ELSE $1 END::bigint;
END
$$;

COMMENT ON FUNCTION simhash_from_unsigned(numeric) IS
    'the fingerprint of a number from 0 to 18446744073709551615';
