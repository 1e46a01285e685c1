-- The same text has the same fingerprint in every server encoding
SET client_min_messages = warning;
SET client_encoding = 'UTF8';
\set chinese '数据库里的近似重复文章'
\set western 'Das Café in der Straße: déjà vu à Noël'
SELECT simhash(:'chinese') AS utf8_chinese, simhash(:'western') AS utf8_western \gset

CREATE DATABASE simhash_regression_euc_cn ENCODING 'EUC_CN' LOCALE 'C' TEMPLATE template0;
\c simhash_regression_euc_cn
SET client_encoding = 'UTF8';
CREATE EXTENSION simhash;
SELECT simhash(:'chinese') = :utf8_chinese AS same,
       simhash(:'chinese', '{"hmm": false}') = :utf8_chinese AS same_with_options,
       simhash_terms(ARRAY['近似', '重复']) = simhash_agg(w) AS same_features FROM unnest(ARRAY['近似', '重复']) w;
SELECT feature FROM simhash_features(:'chinese') LIMIT 3;
SELECT simhash('近似:1 重复:2'::tsvector) = simhash_terms(ARRAY['近似', '重复']) AS same_lexemes;
SELECT simhash('x', '{"词": 1}');

\c simhash_regression
CREATE DATABASE simhash_regression_latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0;
\c simhash_regression_latin1
SET client_encoding = 'UTF8';
CREATE EXTENSION simhash;
SELECT simhash(:'western') = :utf8_western AS same;
SELECT feature FROM simhash_features(:'western') LIMIT 3;
-- The normal form of a feature may be outside the server encoding: it is hashed anyway, and shown escaped.
SELECT simhash('µ ½') IS NOT NULL AS hashed;
SELECT feature, simhash_hex(hash) FROM simhash_features('µ ½', '{"weights": "once"}');
SELECT count(*), count(*) FILTER (WHERE feature LIKE '%\u{%}%') AS escaped, simhash_agg(feature, weight) IS NOT NULL AS agg
    FROM simhash_features('½ ¼ ¾ µ ¨ ¯ ´ ¸ café');
SELECT feature, side FROM simhash_explain('½', 'µ', '{"runs": 1, "weights": "once"}') ORDER BY feature;

\c simhash_regression
CREATE DATABASE simhash_regression_ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0;
\c simhash_regression_ascii
CREATE EXTENSION simhash;
SELECT simhash(:'chinese') = :utf8_chinese AS same_bytes, simhash(:'western') = :utf8_western AS same_western;
SELECT simhash(E'broken \xff\xfe bytes');
SELECT simhash_terms(ARRAY['fine', E'\xe4\xb8']);
SELECT 'the connection is alive' AS after;

\c simhash_regression
DROP DATABASE simhash_regression_euc_cn;
DROP DATABASE simhash_regression_latin1;
DROP DATABASE simhash_regression_ascii;
