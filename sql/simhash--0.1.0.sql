-- simhash 0.1.0: near-duplicate texts by SimHash fingerprints
--
-- The extension is trusted: this script runs as a superuser in a schema that another role may own. Therefore it calls operators and
-- functions of the server with their exact types, with pg_catalog before their names, or in functions whose search_path is
-- pg_catalog. It calls functions of the extension with all their arguments.

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
    'fingerprint of a text with options: features, runs, weights, noise, hmm, script, markup, own_words, own_noise';

CREATE FUNCTION simhash128(text, options jsonb DEFAULT '{}') RETURNS bit
    AS 'MODULE_PATHNAME', 'simhash128_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2300;

COMMENT ON FUNCTION simhash128(text, jsonb) IS
    'fingerprint of 128 bits for a column of type bit(128), and simhash128(text)::bit(128) in an expression index; the first 64 bits are those of simhash(text, options)';

CREATE FUNCTION simhash256(text, options jsonb DEFAULT '{}') RETURNS bit
    AS 'MODULE_PATHNAME', 'simhash256_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2600;

COMMENT ON FUNCTION simhash256(text, jsonb) IS
    'fingerprint of 256 bits for a column of type bit(256), and simhash256(text)::bit(256) in an expression index; the first 64 bits are those of simhash(text, options)';

CREATE FUNCTION simhash_features(text, options jsonb DEFAULT '{}')
    RETURNS TABLE (feature text, weight double precision, hash bigint)
    AS 'MODULE_PATHNAME', 'simhash_features_wrapper'
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

-- These are not overloads of simhash: an array that a client sends without its type would be taken for a text.
CREATE FUNCTION simhash_terms(features text[], weights double precision[] DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_terms_wrapper'
    LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash_terms(text[], double precision[]) IS
    'fingerprint of ready-made features with their weights, or with weight 1 each; NULL without features';

CREATE FUNCTION simhash_vector(vector double precision[]) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_vector_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash_vector(double precision[]) IS
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
    'fingerprint of features, one for each row, with weight 1';

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
    'fingerprint of features with their weights, one for each row';

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

-- These are not overloads of hamming and simhash_near: hamming($1, $2) with parameters of unknown type would be ambiguous.
CREATE FUNCTION bit_hamming(bit, bit) RETURNS integer
    AS 'MODULE_PATHNAME', 'bit_hamming_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION bit_hamming(bit, bit) IS
    'number of bits in which two bit strings of the same length differ';

-- Bands ----------------------------------------------------------------------

-- A band value has eight bytes, as a bigint has. It is compared, sorted and hashed as a bigint.
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
    'a band of a fingerprint, counted from 0 at the highest bits; NULL if there is no such band';

-- This is not the server's int8eq, unlike the functions below: the server looks up internal functions by name in every query.
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
    RESTRICT = pg_catalog.neqsel,
    JOIN = pg_catalog.neqjoinsel
);

COMMENT ON OPERATOR <> (simhash_band, simhash_band) IS
    'not equal';

CREATE OPERATOR < (
    LEFTARG = simhash_band,
    RIGHTARG = simhash_band,
    FUNCTION = simhash_band_lt,
    COMMUTATOR = >,
    NEGATOR = >=,
    RESTRICT = pg_catalog.scalarltsel,
    JOIN = pg_catalog.scalarltjoinsel
);

COMMENT ON OPERATOR < (simhash_band, simhash_band) IS
    'less than';

CREATE OPERATOR <= (
    LEFTARG = simhash_band,
    RIGHTARG = simhash_band,
    FUNCTION = simhash_band_le,
    COMMUTATOR = >=,
    NEGATOR = >,
    RESTRICT = pg_catalog.scalarlesel,
    JOIN = pg_catalog.scalarlejoinsel
);

COMMENT ON OPERATOR <= (simhash_band, simhash_band) IS
    'less than or equal';

CREATE OPERATOR > (
    LEFTARG = simhash_band,
    RIGHTARG = simhash_band,
    FUNCTION = simhash_band_gt,
    COMMUTATOR = <,
    NEGATOR = <=,
    RESTRICT = pg_catalog.scalargtsel,
    JOIN = pg_catalog.scalargtjoinsel
);

COMMENT ON OPERATOR > (simhash_band, simhash_band) IS
    'greater than';

CREATE OPERATOR >= (
    LEFTARG = simhash_band,
    RIGHTARG = simhash_band,
    FUNCTION = simhash_band_ge,
    COMMUTATOR = <=,
    NEGATOR = <,
    RESTRICT = pg_catalog.scalargesel,
    JOIN = pg_catalog.scalargejoinsel
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
    FUNCTION 4 pg_catalog.btequalimage(oid);

COMMENT ON OPERATOR FAMILY simhash_band_ops USING btree IS
    'bands of fingerprints';

COMMENT ON OPERATOR CLASS simhash_band_ops USING btree IS
    'operator class of band indexes';

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
    'planner support of simhash_near and simhash_bit_near: rewrites a call as a condition of an index with access method simhash, or as probes of band indexes and an exact filter';

CREATE FUNCTION simhash_near(fp bigint, query bigint, k integer DEFAULT 3) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_near_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT simhash_near_support;

COMMENT ON FUNCTION simhash_near(bigint, bigint, integer) IS
    'whether two fingerprints differ in at most k bits; uses an index with access method simhash, or band indexes';

CREATE FUNCTION simhash_bit_near(fp bit, query bit, k integer) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_bit_near_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT simhash_near_support;

COMMENT ON FUNCTION simhash_bit_near(bit, bit, integer) IS
    'whether two bit strings have the same length and differ in at most k bits; uses an index with access method simhash';

CREATE FUNCTION simhash_within_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'simhash_within_support_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_within_support(internal) IS
    'planner support of simhash_within: estimates the share of near rows among those that probes have found, and writes it as a condition of an index with access method simhash';

CREATE FUNCTION simhash_within(fp bigint, query bigint, k integer) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_within_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT simhash_within_support;

COMMENT ON FUNCTION simhash_within(bigint, bigint, integer) IS
    'the exact filter that the planner adds to the probes of simhash_near; it is not expanded into probes itself';

-- Band indexes ---------------------------------------------------------------

CREATE FUNCTION simhash_create_index(rel regclass, fp_column name, bands integer DEFAULT 4) RETURNS SETOF regclass
    LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
    own_schema text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'simhash');
    -- A name has at most 63 bytes. The names of the table and the column are cut, so that the band stays readable.
    stem text;
    suffix text;
    fp_sql text;
    band_sql text;
    type_oid oid;
    base_type oid;
    index regclass;
BEGIN
    IF bands NOT BETWEEN 1 AND 16 THEN
        RAISE EXCEPTION 'number of bands is out of range: %', bands
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'A fingerprint is cut into 1 to 16 bands.';
    END IF;
    SELECT atttypid INTO type_oid FROM pg_attribute
        WHERE attrelid = rel AND attname = fp_column AND attnum > 0 AND NOT attisdropped;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'column "%" of relation % does not exist', fp_column, rel USING ERRCODE = 'undefined_column';
    END IF;
    -- A domain may be over another domain.
    base_type := type_oid;
    WHILE (SELECT typbasetype <> 0 FROM pg_type WHERE oid = base_type) LOOP
        base_type := (SELECT typbasetype FROM pg_type WHERE oid = base_type);
    END LOOP;
    IF base_type <> 'bigint'::regtype THEN
        RAISE EXCEPTION 'column "%" of relation % is of type %, not bigint', fp_column, rel, type_oid::regtype
            USING ERRCODE = 'datatype_mismatch', HINT = 'Fingerprints are of type bigint, as simhash(text) returns them.';
    END IF;
    -- The cast of a domain selects the extension's simhash_band(bigint, integer, integer), whatever functions exist for the domain.
    fp_sql := format(CASE WHEN type_oid = base_type THEN '%I' ELSE '(%I)::bigint' END, fp_column);
    FOR band IN 0 .. bands - 1 LOOP
        band_sql := format('%s.simhash_band(%s, %s, %s)', own_schema, fp_sql, band, bands);
        SELECT min(indexrelid)::regclass INTO index FROM pg_index
            WHERE indrelid = rel AND indisvalid AND indpred IS NULL AND pg_get_indexdef(indexrelid, 1, false) = band_sql;
        IF index IS NULL THEN
            SELECT c.relname || '_' || fp_column, format('_band_%s_of_%s_idx', band, bands) INTO stem, suffix
                FROM pg_class c WHERE c.oid = rel;
            FOR further IN 1 .. 1000 LOOP
                WHILE octet_length(stem || suffix) > 63 LOOP
                    stem := left(stem, -1);
                END LOOP;
                EXIT WHEN NOT EXISTS (
                    SELECT FROM pg_class c JOIN pg_class t USING (relnamespace) WHERE t.oid = rel AND c.relname = stem || suffix);
                suffix := format('_band_%s_of_%s_idx%s', band, bands, further);
            END LOOP;
            EXECUTE format('CREATE INDEX %I ON %s USING btree (%s)', stem || suffix, rel, band_sql);
            SELECT i.indexrelid INTO index FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                WHERE i.indrelid = rel AND c.relname = stem || suffix;
        END IF;
        RETURN NEXT index;
    END LOOP;
END
$$;

COMMENT ON FUNCTION simhash_create_index(regclass, name, integer) IS
    'creates the band indexes of a column that are missing, and returns all of them';

-- The access method -----------------------------------------------------------

-- All fingerprints within k bits of one fingerprint. A value has 16 bytes, for a bigint and an integer.
CREATE TYPE simhash_ball;

CREATE FUNCTION simhash_ball_in(cstring) RETURNS simhash_ball
    AS 'MODULE_PATHNAME', 'simhash_ball_in_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_ball_in(cstring) IS
    'input function of simhash_ball';

CREATE FUNCTION simhash_ball_out(simhash_ball) RETURNS cstring
    AS 'MODULE_PATHNAME', 'simhash_ball_out_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_ball_out(simhash_ball) IS
    'output function of simhash_ball';

CREATE FUNCTION simhash_ball_recv(internal) RETURNS simhash_ball
    AS 'MODULE_PATHNAME', 'simhash_ball_recv_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_ball_recv(internal) IS
    'binary input function of simhash_ball';

CREATE FUNCTION simhash_ball_send(simhash_ball) RETURNS bytea
    AS 'MODULE_PATHNAME', 'simhash_ball_send_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_ball_send(simhash_ball) IS
    'binary output function of simhash_ball';

CREATE TYPE simhash_ball (
    INPUT = simhash_ball_in,
    OUTPUT = simhash_ball_out,
    RECEIVE = simhash_ball_recv,
    SEND = simhash_ball_send,
    INTERNALLENGTH = 16,
    ALIGNMENT = double
);

COMMENT ON TYPE simhash_ball IS
    'all fingerprints within k bits of one, such as <42,3>: what an index with access method simhash searches for';

CREATE FUNCTION simhash_ball(fp bigint, k integer) RETURNS simhash_ball
    AS 'MODULE_PATHNAME', 'simhash_ball_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_ball(bigint, integer) IS
    'all fingerprints within k bits of one; none for k < 0, all for k >= 64';

CREATE FUNCTION simhash_in_ball(bigint, simhash_ball) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_in_ball_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_in_ball(bigint, simhash_ball) IS
    'implementation of <@ operator';

CREATE FUNCTION simhash_balls_overlap(simhash_ball, simhash_ball) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_balls_overlap_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_balls_overlap(simhash_ball, simhash_ball) IS
    'implementation of && operator';

-- All bit strings of one length within k bits of one bit string. A value has 72 bytes: two integers and 512 bits.
CREATE TYPE simhash_bit_ball;

CREATE FUNCTION simhash_bit_ball_in(cstring) RETURNS simhash_bit_ball
    AS 'MODULE_PATHNAME', 'simhash_bit_ball_in_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_bit_ball_in(cstring) IS
    'input function of simhash_bit_ball';

CREATE FUNCTION simhash_bit_ball_out(simhash_bit_ball) RETURNS cstring
    AS 'MODULE_PATHNAME', 'simhash_bit_ball_out_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_bit_ball_out(simhash_bit_ball) IS
    'output function of simhash_bit_ball';

CREATE FUNCTION simhash_bit_ball_recv(internal) RETURNS simhash_bit_ball
    AS 'MODULE_PATHNAME', 'simhash_bit_ball_recv_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_bit_ball_recv(internal) IS
    'binary input function of simhash_bit_ball';

CREATE FUNCTION simhash_bit_ball_send(simhash_bit_ball) RETURNS bytea
    AS 'MODULE_PATHNAME', 'simhash_bit_ball_send_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_bit_ball_send(simhash_bit_ball) IS
    'binary output function of simhash_bit_ball';

CREATE TYPE simhash_bit_ball (
    INPUT = simhash_bit_ball_in,
    OUTPUT = simhash_bit_ball_out,
    RECEIVE = simhash_bit_ball_recv,
    SEND = simhash_bit_ball_send,
    INTERNALLENGTH = 72,
    ALIGNMENT = double
);

COMMENT ON TYPE simhash_bit_ball IS
    'all bit strings of one length within k bits of one, such as <01101110,2>: what an index with access method simhash searches for';

CREATE FUNCTION simhash_bit_ball(fp bit, k integer) RETURNS simhash_bit_ball
    AS 'MODULE_PATHNAME', 'simhash_bit_ball_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_bit_ball(bit, integer) IS
    'all bit strings of the same length within k bits of one; NULL for one without bits or with more than 512';

CREATE FUNCTION simhash_in_bit_ball(bit, simhash_bit_ball) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_in_bit_ball_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_in_bit_ball(bit, simhash_bit_ball) IS
    'implementation of <@ operator';

CREATE FUNCTION simhash_bit_balls_overlap(simhash_bit_ball, simhash_bit_ball) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_bit_balls_overlap_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_bit_balls_overlap(simhash_bit_ball, simhash_bit_ball) IS
    'implementation of && operator';

CREATE FUNCTION simhash_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_sel_wrapper'
    LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_sel(internal, oid, internal, integer) IS
    'restriction selectivity of <@, &&, ~= and ~~=';

CREATE FUNCTION simhash_joinsel(internal, oid, internal, smallint, internal) RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_joinsel_wrapper'
    LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_joinsel(internal, oid, internal, smallint, internal) IS
    'join selectivity of <@, &&, ~= and ~~=';

CREATE OPERATOR <@ (
    LEFTARG = bigint,
    RIGHTARG = simhash_ball,
    FUNCTION = simhash_in_ball,
    RESTRICT = simhash_sel,
    JOIN = simhash_joinsel
);

COMMENT ON OPERATOR <@ (bigint, simhash_ball) IS
    'is within k bits';

CREATE OPERATOR && (
    LEFTARG = simhash_ball,
    RIGHTARG = simhash_ball,
    FUNCTION = simhash_balls_overlap,
    COMMUTATOR = &&,
    RESTRICT = simhash_sel,
    JOIN = simhash_joinsel
);

COMMENT ON OPERATOR && (simhash_ball, simhash_ball) IS
    'the fingerprints of two balls differ in at most k bits, where k is the smaller one of the two';

CREATE OPERATOR <@ (
    LEFTARG = bit,
    RIGHTARG = simhash_bit_ball,
    FUNCTION = simhash_in_bit_ball,
    RESTRICT = simhash_sel,
    JOIN = simhash_joinsel
);

COMMENT ON OPERATOR <@ (bit, simhash_bit_ball) IS
    'has the same length and is within k bits';

CREATE OPERATOR && (
    LEFTARG = simhash_bit_ball,
    RIGHTARG = simhash_bit_ball,
    FUNCTION = simhash_bit_balls_overlap,
    COMMUTATOR = &&,
    RESTRICT = simhash_sel,
    JOIN = simhash_joinsel
);

COMMENT ON OPERATOR && (simhash_bit_ball, simhash_bit_ball) IS
    'the bit strings of two balls have the same length and differ in at most k bits, where k is the smaller one of the two';

CREATE FUNCTION simhash_near_3(bigint, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_near_3_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_near_3(bigint, bigint) IS
    'implementation of ~= operator';

CREATE OPERATOR ~= (
    LEFTARG = bigint,
    RIGHTARG = bigint,
    FUNCTION = simhash_near_3,
    COMMUTATOR = ~=,
    RESTRICT = simhash_sel,
    JOIN = simhash_joinsel
);

COMMENT ON OPERATOR ~= (bigint, bigint) IS
    'differ in at most 3 bits';

CREATE FUNCTION simhash_near_7(bigint, bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_near_7_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION simhash_near_7(bigint, bigint) IS
    'implementation of ~~= operator';

CREATE OPERATOR ~~= (
    LEFTARG = bigint,
    RIGHTARG = bigint,
    FUNCTION = simhash_near_7,
    COMMUTATOR = ~~=,
    RESTRICT = simhash_sel,
    JOIN = simhash_joinsel
);

COMMENT ON OPERATOR ~~= (bigint, bigint) IS
    'differ in at most 7 bits';

CREATE FUNCTION simhash_handler(internal) RETURNS index_am_handler
    AS 'MODULE_PATHNAME', 'simhash_handler_wrapper'
    LANGUAGE C STRICT;

COMMENT ON FUNCTION simhash_handler(internal) IS
    'handler of the index access method simhash';

CREATE ACCESS METHOD simhash TYPE INDEX HANDLER simhash_handler;

COMMENT ON ACCESS METHOD simhash IS
    'index of whole fingerprints: exact search within any number of bits';

CREATE OPERATOR FAMILY simhash_ops USING simhash;

COMMENT ON OPERATOR FAMILY simhash_ops USING simhash IS
    'fingerprints, and integer columns before them';

CREATE OPERATOR CLASS simhash_ops
    DEFAULT FOR TYPE bigint USING simhash FAMILY simhash_ops AS
    OPERATOR 1 <@ (bigint, simhash_ball),
    OPERATOR 2 pg_catalog.= (bigint, bigint),
    OPERATOR 2 pg_catalog.= (bigint, integer),
    OPERATOR 2 pg_catalog.= (bigint, smallint),
    OPERATOR 3 ~= (bigint, bigint),
    OPERATOR 4 ~~= (bigint, bigint),
    OPERATOR 5 <~> (bigint, bigint) FOR ORDER BY pg_catalog.integer_ops,
    FUNCTION 1 pg_catalog.hashint8extended(bigint, bigint);

COMMENT ON OPERATOR CLASS simhash_ops USING simhash IS
    'fingerprints, the last column of an index; also columns of type bigint before it';

CREATE OPERATOR CLASS simhash_bit_ops
    DEFAULT FOR TYPE bit USING simhash AS
    OPERATOR 1 <@ (bit, simhash_bit_ball),
    OPERATOR 2 pg_catalog.= (bit, bit);

COMMENT ON OPERATOR FAMILY simhash_bit_ops USING simhash IS
    'fingerprints of type bit(n), where n is a multiple of 64 up to 512';

COMMENT ON OPERATOR CLASS simhash_bit_ops USING simhash IS
    'fingerprints of type bit(n), the last column of an index';

-- The columns before the fingerprint are the scope. An operator class has equality and the hash that belongs to it.

CREATE OPERATOR CLASS simhash_int4_ops
    DEFAULT FOR TYPE integer USING simhash FAMILY simhash_ops AS
    OPERATOR 2 pg_catalog.= (integer, integer),
    OPERATOR 2 pg_catalog.= (integer, bigint),
    OPERATOR 2 pg_catalog.= (integer, smallint),
    FUNCTION 1 pg_catalog.hashint4extended(integer, bigint);

COMMENT ON OPERATOR CLASS simhash_int4_ops USING simhash IS
    'columns of type integer before the fingerprint';

CREATE OPERATOR CLASS simhash_int2_ops
    DEFAULT FOR TYPE smallint USING simhash FAMILY simhash_ops AS
    OPERATOR 2 pg_catalog.= (smallint, smallint),
    OPERATOR 2 pg_catalog.= (smallint, bigint),
    OPERATOR 2 pg_catalog.= (smallint, integer),
    FUNCTION 1 pg_catalog.hashint2extended(smallint, bigint);

COMMENT ON OPERATOR CLASS simhash_int2_ops USING simhash IS
    'columns of type smallint before the fingerprint';

CREATE OPERATOR CLASS simhash_text_ops
    DEFAULT FOR TYPE text USING simhash AS
    OPERATOR 2 pg_catalog.= (text, text),
    FUNCTION 1 pg_catalog.hashtextextended(text, bigint);

COMMENT ON OPERATOR FAMILY simhash_text_ops USING simhash IS
    'columns of type text or varchar before the fingerprint';

COMMENT ON OPERATOR CLASS simhash_text_ops USING simhash IS
    'columns of type text or varchar before the fingerprint';

CREATE OPERATOR CLASS simhash_bpchar_ops
    DEFAULT FOR TYPE bpchar USING simhash AS
    OPERATOR 2 pg_catalog.= (bpchar, bpchar),
    FUNCTION 1 pg_catalog.hashbpcharextended(bpchar, bigint);

COMMENT ON OPERATOR FAMILY simhash_bpchar_ops USING simhash IS
    'columns of type char(n) before the fingerprint';

COMMENT ON OPERATOR CLASS simhash_bpchar_ops USING simhash IS
    'columns of type char(n) before the fingerprint';

CREATE OPERATOR CLASS simhash_uuid_ops
    DEFAULT FOR TYPE uuid USING simhash AS
    OPERATOR 2 pg_catalog.= (uuid, uuid),
    FUNCTION 1 pg_catalog.uuid_hash_extended(uuid, bigint);

COMMENT ON OPERATOR FAMILY simhash_uuid_ops USING simhash IS
    'columns of type uuid before the fingerprint';

COMMENT ON OPERATOR CLASS simhash_uuid_ops USING simhash IS
    'columns of type uuid before the fingerprint';

CREATE OPERATOR CLASS simhash_bool_ops
    DEFAULT FOR TYPE boolean USING simhash AS
    OPERATOR 2 pg_catalog.= (boolean, boolean),
    FUNCTION 1 pg_catalog.hashcharextended("char", bigint);

COMMENT ON OPERATOR FAMILY simhash_bool_ops USING simhash IS
    'columns of type boolean before the fingerprint';

COMMENT ON OPERATOR CLASS simhash_bool_ops USING simhash IS
    'columns of type boolean before the fingerprint';

CREATE OPERATOR CLASS simhash_date_ops
    DEFAULT FOR TYPE date USING simhash AS
    OPERATOR 2 pg_catalog.= (date, date),
    FUNCTION 1 pg_catalog.hashint4extended(integer, bigint);

COMMENT ON OPERATOR FAMILY simhash_date_ops USING simhash IS
    'columns of type date before the fingerprint';

COMMENT ON OPERATOR CLASS simhash_date_ops USING simhash IS
    'columns of type date before the fingerprint';

CREATE OPERATOR CLASS simhash_timestamptz_ops
    DEFAULT FOR TYPE timestamp with time zone USING simhash AS
    OPERATOR 2 pg_catalog.= (timestamp with time zone, timestamp with time zone),
    FUNCTION 1 pg_catalog.timestamp_hash_extended(timestamp without time zone, bigint);

COMMENT ON OPERATOR FAMILY simhash_timestamptz_ops USING simhash IS
    'columns of type timestamptz before the fingerprint';

COMMENT ON OPERATOR CLASS simhash_timestamptz_ops USING simhash IS
    'columns of type timestamptz before the fingerprint';

CREATE OPERATOR CLASS simhash_enum_ops
    DEFAULT FOR TYPE anyenum USING simhash AS
    OPERATOR 2 pg_catalog.= (anyenum, anyenum),
    FUNCTION 1 pg_catalog.hashenumextended(anyenum, bigint);

COMMENT ON OPERATOR FAMILY simhash_enum_ops USING simhash IS
    'columns of an enum type before the fingerprint';

COMMENT ON OPERATOR CLASS simhash_enum_ops USING simhash IS
    'columns of an enum type before the fingerprint';

CREATE OPERATOR CLASS simhash_bytea_ops
    DEFAULT FOR TYPE bytea USING simhash AS
    OPERATOR 2 pg_catalog.= (bytea, bytea),
    FUNCTION 1 pg_catalog.hashvarlenaextended(internal, bigint);

COMMENT ON OPERATOR FAMILY simhash_bytea_ops USING simhash IS
    'columns of type bytea before the fingerprint';

COMMENT ON OPERATOR CLASS simhash_bytea_ops USING simhash IS
    'columns of type bytea before the fingerprint';

CREATE OPERATOR CLASS simhash_numeric_ops
    DEFAULT FOR TYPE numeric USING simhash AS
    OPERATOR 2 pg_catalog.= (numeric, numeric),
    FUNCTION 1 pg_catalog.hash_numeric_extended(numeric, bigint);

COMMENT ON OPERATOR FAMILY simhash_numeric_ops USING simhash IS
    'columns of type numeric before the fingerprint';

COMMENT ON OPERATOR CLASS simhash_numeric_ops USING simhash IS
    'columns of type numeric before the fingerprint';

CREATE OPERATOR CLASS simhash_ball_ops
    DEFAULT FOR TYPE simhash_ball USING simhash AS
    OPERATOR 6 && (simhash_ball, simhash_ball);

COMMENT ON OPERATOR FAMILY simhash_ball_ops USING simhash IS
    'balls of fingerprints';

COMMENT ON OPERATOR CLASS simhash_ball_ops USING simhash IS
    'for exclusion constraints with any k: EXCLUDE USING simhash (simhash_ball(fp, 5) WITH &&)';

CREATE OPERATOR CLASS simhash_bit_ball_ops
    DEFAULT FOR TYPE simhash_bit_ball USING simhash AS
    OPERATOR 6 && (simhash_bit_ball, simhash_bit_ball);

COMMENT ON OPERATOR FAMILY simhash_bit_ball_ops USING simhash IS
    'balls of bit strings';

COMMENT ON OPERATOR CLASS simhash_bit_ball_ops USING simhash IS
    'for exclusion constraints on bit strings: EXCLUDE USING simhash (simhash_bit_ball(pdq, 31) WITH &&)';

CREATE FUNCTION simhash_index_check(
    index regclass,
    OUT rows bigint, OUT nulls bigint, OUT height integer, OUT leaf_pages bigint, OUT inner_pages bigint,
    OUT unused_pages bigint, OUT missing_downlinks bigint
) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'simhash_index_check_wrapper'
    LANGUAGE C STRICT ROWS 1 COST 1000000;

COMMENT ON FUNCTION simhash_index_check(regclass) IS
    'checks the pages of an index with access method simhash, and its entries against the rows of the table, in both directions; raises an error if they differ';

-- Trigger --------------------------------------------------------------------

CREATE FUNCTION simhash_trigger() RETURNS trigger
    AS 'MODULE_PATHNAME', 'simhash_trigger_wrapper'
    LANGUAGE C;

COMMENT ON FUNCTION simhash_trigger() IS
    'simhash_trigger(''fp'', ''title'', ''body''): before INSERT or UPDATE, stores the fingerprint of text columns as one document in a column of type bigint, bit(128) or bit(256); the last argument can be options';

-- Back-fill ------------------------------------------------------------------

-- The procedure commits, so it cannot have a SET clause. It makes its settings again in each transaction, because they end with
-- the transaction. It evaluates its own expressions with a safe search_path. Its statements on the table run with the caller's
-- search_path, because the triggers and policies of the table expect it. All names in these statements are qualified. So are the
-- types of the variables.
CREATE PROCEDURE simhash_backfill(
    rel regclass,
    fp_column name,
    text_column name,
    more_columns name[] DEFAULT '{}',
    options jsonb DEFAULT '{}',
    batch_rows integer DEFAULT 1000,
    INOUT filled bigint DEFAULT 0,
    INOUT without_features bigint DEFAULT 0,
    INOUT locked bigint DEFAULT 0,
    INOUT rejected bigint DEFAULT 0
)
    LANGUAGE plpgsql
AS $$
DECLARE
    safe_path constant pg_catalog.text := 'pg_catalog, pg_temp';
    caller_path constant pg_catalog.text := pg_catalog.current_setting('search_path');
    started pg_catalog.timestamptz;
    reported pg_catalog.timestamptz;
    own_schema pg_catalog.text;
    table_sql pg_catalog.text;
    text_sql pg_catalog.text;
    todo_sql pg_catalog.text;
    operator_schemas pg_catalog.text[];
    -- The primary key: its columns, other names for them, and these names with their types.
    key_sql pg_catalog.text;
    key_names pg_catalog.text;
    key_definitions pg_catalog.text;
    start_sql pg_catalog.text;
    after_sql pg_catalog.text;
    until_sql pg_catalog.text;
    count_sql pg_catalog.text;
    read_sql pg_catalog.text;
    write_sql pg_catalog.text;
    left_sql pg_catalog.text;
    shown_sql pg_catalog.text;
    is_distributed boolean := false;
    fp_type pg_catalog.text;
    base_type pg_catalog.oid;
    base_mod integer;
    stored_type pg_catalog.text;
    function_sql pg_catalog.text;
    -- What this batch and the batch before have read, with the last key of each.
    batch pg_catalog.record;
    previous pg_catalog.record;
    with_features bigint;
    written bigint;
    one_written bigint;
    left_over bigint;
    total bigint;
    done bigint := 0;
    progress pg_catalog.text;
    title pg_catalog.text;
    speed double precision;
    rejected_row pg_catalog.text;
    message pg_catalog.text;
    detail pg_catalog.text;
BEGIN
    PERFORM pg_catalog.set_config('search_path', safe_path, true);
    IF rel IS NULL OR fp_column IS NULL OR text_column IS NULL OR more_columns IS NULL OR options IS NULL THEN
        RAISE EXCEPTION 'arguments of simhash_backfill must not be null' USING ERRCODE = 'null_value_not_allowed';
    ELSIF batch_rows IS NULL OR batch_rows < 1 THEN
        RAISE EXCEPTION 'batch_rows of simhash_backfill must be positive: %', batch_rows
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    filled := 0; without_features := 0; locked := 0; rejected := 0;
    own_schema := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'simhash');
    SELECT format_type(a.atttypid, a.atttypmod), a.atttypid, a.atttypmod INTO fp_type, base_type, base_mod FROM pg_attribute a
        WHERE a.attrelid = rel AND a.attname = fp_column AND a.attnum > 0 AND NOT a.attisdropped;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'column "%" of relation % does not exist', fp_column, rel USING ERRCODE = 'undefined_column';
    END IF;
    -- A domain may be over another domain.
    WHILE (SELECT t.typbasetype <> 0 FROM pg_type t WHERE t.oid = base_type) LOOP
        SELECT t.typbasetype, t.typtypmod INTO base_type, base_mod FROM pg_type t WHERE t.oid = base_type;
    END LOOP;
    stored_type := format_type(base_type, base_mod);
    function_sql := own_schema || CASE stored_type
        WHEN 'bigint' THEN '.simhash' WHEN 'bit(128)' THEN '.simhash128' WHEN 'bit(256)' THEN '.simhash256' END;
    IF function_sql IS NULL THEN
        RAISE EXCEPTION 'column "%" of relation % is of type %, not bigint, bit(128) or bit(256)', fp_column, rel, fp_type
            USING ERRCODE = 'datatype_mismatch',
                  HINT = 'Fingerprints have the types that simhash(text), simhash128(text) and simhash256(text) return.';
    END IF;
    -- The name has its schema for every search_path.
    SELECT o.identity INTO table_sql FROM pg_identify_object('pg_class'::regclass, rel, 0) o;
    -- Several columns are one document, each on a line, as simhash_trigger reads them.
    IF more_columns = '{}' THEN
        text_sql := format('%I::pg_catalog.text', text_column);
        todo_sql := format('%I IS NULL AND %s IS NOT NULL', fp_column, text_sql);
    ELSE
        text_sql := format('pg_catalog.concat_ws(pg_catalog.chr(10), %s)',
            (SELECT string_agg(format('%I::pg_catalog.text', c), ', ' ORDER BY ordinal)
             FROM unnest(text_column || more_columns) WITH ORDINALITY u (c, ordinal)));
        todo_sql := format('%I IS NULL AND %s OPERATOR(pg_catalog.<>) %L', fp_column, text_sql, '');
    END IF;
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        EXECUTE 'SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = $1)' INTO is_distributed USING rel;
    END IF;
    IF is_distributed THEN
        RAISE EXCEPTION 'simhash_backfill cannot fill table %, which Citus distributes', rel
            USING ERRCODE = 'feature_not_supported',
                  DETAIL = 'All shards fill their columns at the same time if you update ranges of the key.',
                  -- The statement does not use concat_ws, which Citus does not send to its shards.
                  HINT = format('Use UPDATE %1$s SET %2$I = %3$s(%4$s, %5$L) WHERE %2$I IS NULL.', table_sql, fp_column, function_sql,
                      CASE WHEN more_columns = '{}' THEN quote_ident(text_column) ELSE (
                          SELECT format('substr(%s, 2)', string_agg(format('coalesce(chr(10) || %I, '''')', c), ' || ' ORDER BY ordinal))
                          FROM unnest(text_column || more_columns) WITH ORDINALITY u (c, ordinal)) END, options);
    END IF;
    -- Each column of the key, as the type that its index compares, and the schemas of that type's operators. The operators of
    -- arrays, enums and other polymorphic types accept every such type: these columns keep their own types.
    SELECT string_agg(format('%I::%s', a.attname, type_sql), ', ' ORDER BY k.ordinal),
           string_agg(format('key_%s', k.ordinal), ', ' ORDER BY k.ordinal),
           string_agg(format('key_%s %s', k.ordinal, type_sql), ', ' ORDER BY k.ordinal),
           string_agg(format('(SELECT key_%s FROM start)', k.ordinal), ', ' ORDER BY k.ordinal),
           array_agg(DISTINCT o.oprnamespace::regnamespace::text)
        INTO key_sql, key_names, key_definitions, start_sql, operator_schemas
        FROM pg_index i, unnest(i.indkey, i.indclass) WITH ORDINALITY k (number, class, ordinal), pg_attribute a,
             pg_opclass c, pg_amop m, pg_operator o, pg_type compared, pg_type t,
             LATERAL (SELECT format('%s.%I', t.typnamespace::regnamespace, t.typname)) s (type_sql)
        WHERE i.indrelid = rel AND i.indisprimary AND k.ordinal <= i.indnkeyatts
          AND a.attrelid = rel AND a.attnum = k.number AND c.oid = k.class AND m.amopfamily = c.opcfamily
          AND m.amoplefttype = c.opcintype AND m.amoprighttype = c.opcintype AND m.amopstrategy = 5 AND o.oid = m.amopopr
          AND compared.oid = c.opcintype AND t.oid = CASE compared.typtype WHEN 'p' THEN a.atttypid ELSE compared.oid END;
    IF key_sql IS NULL THEN
        RAISE EXCEPTION 'simhash_backfill needs a primary key on %', rel
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'It processes rows in the order of the key, so that it can be stopped and resumed.';
    ELSIF cardinality(operator_schemas) > 1 THEN
        RAISE EXCEPTION 'simhash_backfill cannot use the primary key of %', rel
            USING ERRCODE = 'feature_not_supported',
                  DETAIL = format('The operators of its types are in several schemas: %s.',
                                  array_to_string(operator_schemas, ', '));
    END IF;

    -- The position of a row: its key, and in a table with inheritance children, which may have equal keys, also its table and tid.
    -- The tid is used only there, because a row that a trigger left without a fingerprint has another tid after the update.
    -- An array of one row passes the position from batch to batch, so that each part keeps its type.
    key_definitions := 'part pg_catalog.oid, tid pg_catalog.tid, ' || key_definitions;
    after_sql := format('(%1$s) OPERATOR(%2$s.>) (%3$s)', key_sql, operator_schemas[1], start_sql);
    until_sql := format('(%1$s) OPERATOR(%2$s.<=) (%3$s)', key_sql, operator_schemas[1],
        replace(start_sql, 'FROM start', 'FROM stop'));
    IF EXISTS (SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhparent WHERE i.inhparent = rel AND c.relkind = 'r') THEN
        after_sql := format('(%1$s) OPERATOR(%2$s.>=) (%3$s) AND ((%1$s) OPERATOR(%2$s.>) (%3$s)
                OR (tableoid, ctid) OPERATOR(pg_catalog.>) ((SELECT part FROM start), (SELECT tid FROM start)))',
            key_sql, operator_schemas[1], start_sql);
        until_sql := format('(%1$s) OPERATOR(%2$s.<=) (%3$s) AND ((%1$s) OPERATOR(%2$s.<) (%3$s)
                OR (tableoid, ctid) OPERATOR(pg_catalog.<=) ((SELECT part FROM stop), (SELECT tid FROM stop)))',
            key_sql, operator_schemas[1], replace(start_sql, 'FROM start', 'FROM stop'));
    END IF;
    count_sql := format('SELECT pg_catalog.count(*) FROM %s WHERE %s', table_sql, todo_sql);
    -- Locks rows that nobody else has locked, and computes their fingerprints. They are passed on as text, because a variable of the
    -- procedure keeps the type that it has in the first call of a session.
    read_sql := format($sql$
        WITH start AS MATERIALIZED (
            SELECT * FROM pg_catalog.unnest($1) AS k (%1$s)
        ), free (fp, part, tid, %2$s) AS MATERIALIZED (
            SELECT %3$s(%4$s, %5$L::pg_catalog.jsonb), tableoid, ctid, %6$s
            FROM %7$s WHERE %8$s AND ($1 IS NULL OR %9$s) ORDER BY %6$s, tableoid, ctid LIMIT $2 FOR UPDATE SKIP LOCKED
        )
        SELECT pg_catalog.count(*) AS seen, pg_catalog.array_agg(fp::pg_catalog.text) FILTER (WHERE fp IS NOT NULL) AS fps,
               pg_catalog.array_agg(part) FILTER (WHERE fp IS NOT NULL) AS parts,
               pg_catalog.array_agg(tid) FILTER (WHERE fp IS NOT NULL) AS tids,
               (SELECT ARRAY[ROW(part, tid, %2$s)] FROM free ORDER BY %10$s, part DESC, tid DESC LIMIT 1) AS last_key
        FROM free$sql$,
        key_definitions, key_names, function_sql, text_sql, options, key_sql, table_sql, todo_sql,
        after_sql, replace(key_names, ',', ' DESC,') || ' DESC');
    write_sql := format($sql$
        WITH written AS (
            UPDATE %1$s t SET %2$I = u.fp::%3$s
            FROM ROWS FROM (pg_catalog.unnest($1), pg_catalog.unnest($2), pg_catalog.unnest($3)) u (fp, part, tid)
            WHERE t.tableoid OPERATOR(pg_catalog.=) u.part AND t.ctid OPERATOR(pg_catalog.=) u.tid RETURNING t.%2$I AS fp
        )
        SELECT pg_catalog.count(fp) FROM written$sql$, table_sql, fp_column, stored_type);
    left_sql := format($sql$
        WITH start AS MATERIALIZED (
            SELECT * FROM pg_catalog.unnest($1) AS k (%1$s)
        ), stop AS MATERIALIZED (
            SELECT * FROM pg_catalog.unnest($2) AS k (%1$s)
        )
        SELECT pg_catalog.count(*) FROM %2$s WHERE %3$s AND ($1 IS NULL OR %4$s) AND ($2 IS NULL OR %5$s)$sql$,
        key_definitions, table_sql, todo_sql, after_sql, until_sql);
    shown_sql := format(
        'SELECT pg_catalog.concat_ws(%L, %s) FROM %s WHERE tableoid OPERATOR(pg_catalog.=) $1 AND ctid OPERATOR(pg_catalog.=) $2',
        ', ', key_sql, table_sql);

    PERFORM set_config('search_path', caller_path, true);
    EXECUTE count_sql INTO total;
    PERFORM pg_catalog.set_config('search_path', safe_path, true);
    RAISE NOTICE 'simhash_backfill of %: % rows to do', rel, total;
    started := clock_timestamp();
    reported := started;
    SELECT NULL::record[] AS last_key INTO previous;
    LOOP
        -- application_name has at most 63 bytes.
        progress := format(': %s of %s', done, total);
        title := format('simhash_backfill %s', rel);
        WHILE octet_length(title || progress) > 63 LOOP
            title := left(title, -1);
        END LOOP;
        PERFORM set_config('application_name', title || progress, true);
        -- A batch follows the index of the key. With the statistics that ANALYZE has of a new column, a scan of the whole table for
        -- each batch would seem cheaper.
        PERFORM set_config(setting, 'off', true) FROM unnest('{enable_seqscan,enable_sort,jit}'::text[]) setting;

        PERFORM set_config('search_path', caller_path, true);
        EXECUTE read_sql INTO batch USING previous.last_key, batch_rows;
        PERFORM pg_catalog.set_config('search_path', safe_path, true);
        with_features := coalesce(cardinality(batch.fps), 0);
        BEGIN
            PERFORM set_config('search_path', caller_path, true);
            EXECUTE write_sql INTO written USING batch.fps, batch.parts, batch.tids;
            PERFORM pg_catalog.set_config('search_path', safe_path, true);
        EXCEPTION WHEN integrity_constraint_violation OR raise_exception THEN
            -- A constraint or a trigger rejects a row of the batch: each row is written separately.
            written := 0;
            FOR i IN 1 .. with_features LOOP
                BEGIN
                    PERFORM set_config('search_path', caller_path, true);
                    EXECUTE write_sql INTO one_written USING batch.fps[i:i], batch.parts[i:i], batch.tids[i:i];
                    PERFORM pg_catalog.set_config('search_path', safe_path, true);
                    written := written + one_written;
                EXCEPTION WHEN integrity_constraint_violation OR raise_exception THEN
                    IF rejected_row IS NULL THEN
                        GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
                        PERFORM set_config('search_path', caller_path, true);
                        EXECUTE shown_sql INTO rejected_row USING batch.parts[i], batch.tids[i];
                        PERFORM pg_catalog.set_config('search_path', safe_path, true);
                        RAISE WARNING 'simhash_backfill of %: row (%) is rejected', rel, rejected_row
                            USING DETAIL = concat_ws(': ', message, nullif(detail, '')),
                                  HINT = 'Rows that are rejected keep NULL. Only the first is reported; the others are counted.';
                    END IF;
                END;
            END LOOP;
        END;
        -- The rows that are left in this range of the key have no features, were rejected, or are locked by others.
        PERFORM set_config('search_path', caller_path, true);
        EXECUTE left_sql INTO left_over USING previous.last_key, batch.last_key;
        PERFORM pg_catalog.set_config('search_path', safe_path, true);
        filled := filled + written;
        without_features := without_features + batch.seen - with_features;
        rejected := rejected + with_features - written;
        locked := locked + greatest(left_over - (batch.seen - written), 0);
        done := done + written + left_over;
        IF clock_timestamp() - reported > interval '5 seconds' THEN
            reported := clock_timestamp();
            speed := done / extract(epoch FROM reported - started);
            RAISE NOTICE 'simhash_backfill of %: % of % rows, % a second, % left', rel, done, total, speed::bigint,
                coalesce(make_interval(secs => round(greatest(total - done, 0) / nullif(speed, 0)))::text, 'unknown time');
        END IF;
        EXIT WHEN batch.last_key IS NULL;
        previous := batch;
        COMMIT;
        PERFORM pg_catalog.set_config('search_path', safe_path, true);
    END LOOP;
    RAISE NOTICE 'simhash_backfill of %: % rows filled, % without features, % locked by others, % rejected', rel, filled,
        without_features, locked, rejected;
    COMMIT;
END
$$;

COMMENT ON PROCEDURE simhash_backfill(regclass, name, name, name[], jsonb, integer, bigint, bigint, bigint, bigint) IS
    'fills a fingerprint column where it is NULL and the text is not, in batches that commit, in the order of the primary key';

-- Clusters -------------------------------------------------------------------

CREATE FUNCTION simhash_cluster(fp bigint, k integer DEFAULT 3) RETURNS integer
    AS 'MODULE_PATHNAME', 'simhash_cluster_wrapper'
    LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION simhash_cluster(bigint, integer) IS
    'window function: rows connected by steps of at most k bits have the same number, counted from 0 in the order of first rows';

CREATE FUNCTION simhash_leader(fp bigint, k integer DEFAULT 3) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_leader_wrapper'
    LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION simhash_leader(bigint, integer) IS
    'window function: the row number of the nearest earlier leader within k bits, or the row''s own number if it is a leader itself';

-- Second stage: exact similarities --------------------------------------------

CREATE FUNCTION simhash_cosine(text, text, options jsonb DEFAULT '{}') RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_cosine_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;

COMMENT ON FUNCTION simhash_cosine(text, text, jsonb) IS
    'cosine of the weighted features of two texts, 0 to 1; NULL where one has none';

CREATE FUNCTION simhash_jaccard(text, text, options jsonb DEFAULT '{}') RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_jaccard_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;

COMMENT ON FUNCTION simhash_jaccard(text, text, jsonb) IS
    'share of the features of two texts that both have, 0 to 1; NULL where one has none';

CREATE FUNCTION simhash_euclidean(text, text, options jsonb DEFAULT '{}') RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_euclidean_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;

COMMENT ON FUNCTION simhash_euclidean(text, text, jsonb) IS
    '1 - d / sqrt(2), where d is the distance of the feature vectors of two texts scaled to length 1; NULL where one has none';

CREATE FUNCTION simhash_edit(text, text, options jsonb DEFAULT '{}') RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_edit_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

COMMENT ON FUNCTION simhash_edit(text, text, jsonb) IS
    '1 - edit distance / length of the longer text, in characters as the options script and markup read them';

CREATE FUNCTION simhash_edit_within(a text, b text, min_similarity double precision, options jsonb DEFAULT '{}') RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_edit_within_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash_edit_within(text, text, double precision, jsonb) IS
    'whether simhash_edit(a, b, options) is at least min_similarity; stops as soon as that is known';

CREATE FUNCTION simhash_lcs(text, text, options jsonb DEFAULT '{}') RETURNS double precision
    AS 'MODULE_PATHNAME', 'simhash_lcs_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

COMMENT ON FUNCTION simhash_lcs(text, text, jsonb) IS
    'length of the longest passage that both texts share / length of the longer text, in characters as the options script and markup read them';

CREATE FUNCTION simhash_sentences(text, n integer DEFAULT 3, options jsonb DEFAULT '{}') RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'simhash_sentences_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

COMMENT ON FUNCTION simhash_sentences(text, integer, jsonb) IS
    'hashes of the n longest sentences as the options script and markup read them, the longest first; NULL where there is none';

-- Explanation ----------------------------------------------------------------

CREATE FUNCTION simhash_explain(a text, b text, options jsonb DEFAULT '{}')
    RETURNS TABLE (
        feature text, weight_a double precision, weight_b double precision, hash bigint, side text,
        influence double precision
    )
    AS 'MODULE_PATHNAME', 'simhash_explain_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000 ROWS 1000;

COMMENT ON FUNCTION simhash_explain(text, text, jsonb) IS
    'the features of two texts, those first that push their fingerprints apart';

-- Notation -------------------------------------------------------------------

CREATE FUNCTION simhash_hex(bigint) RETURNS text
    AS 'MODULE_PATHNAME', 'simhash_hex_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_hex(bigint) IS
    '16 hexadecimal digits';

CREATE FUNCTION simhash_from_hex(text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_from_hex_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_from_hex(text) IS
    'the fingerprint of 16 hexadecimal digits, optionally preceded by 0x';

CREATE FUNCTION simhash_unsigned(bigint) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN $1 OPERATOR(pg_catalog.<) 0::bigint
        THEN $1::numeric OPERATOR(pg_catalog.+) 18446744073709551616::numeric
        ELSE $1::numeric END;

COMMENT ON FUNCTION simhash_unsigned(bigint) IS
    'the fingerprint as a number from 0 to 18446744073709551615, as other systems show it';

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
