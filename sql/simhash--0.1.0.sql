-- simhash 0.1.0: near-duplicate texts by 64-bit SimHash fingerprints

\echo Use "CREATE EXTENSION simhash" to load this file. \quit

-- Fingerprints ---------------------------------------------------------------

CREATE FUNCTION simhash(text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'simhash_text_wrapper'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION simhash(text) IS
    '64-bit SimHash fingerprint of a text; NULL where the text has no words';

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
