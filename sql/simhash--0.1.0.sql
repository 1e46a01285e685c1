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
