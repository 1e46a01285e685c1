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

CREATE FUNCTION simhash_band_eq(simhash_band, simhash_band) RETURNS boolean
    AS 'int8eq'
    LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

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

COMMENT ON OPERATOR CLASS simhash_band_ops USING btree IS
    'what band indexes are made with';

CREATE OPERATOR CLASS simhash_band_ops
    DEFAULT FOR TYPE simhash_band USING hash AS
    OPERATOR 1 =,
    FUNCTION 1 simhash_band_hash(simhash_band),
    FUNCTION 2 simhash_band_hash(simhash_band, bigint);

COMMENT ON OPERATOR CLASS simhash_band_ops USING hash IS
    'hash index and hash join on bands';

-- Search ---------------------------------------------------------------------

CREATE FUNCTION simhash_near_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'simhash_near_support_wrapper'
    LANGUAGE C STRICT PARALLEL SAFE;

COMMENT ON FUNCTION simhash_near_support(internal) IS
    'planner support of simhash_near: writes it as probes of band indexes and an exact filter';

CREATE FUNCTION simhash_near(fp bigint, query bigint, k integer DEFAULT 3) RETURNS boolean
    AS 'MODULE_PATHNAME', 'simhash_near_wrapper'
    LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT simhash_near_support;

COMMENT ON FUNCTION simhash_near(bigint, bigint, integer) IS
    'whether two fingerprints differ in at most k bits; uses band indexes';
