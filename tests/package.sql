-- The checks of tests/package for an installed package, in an empty database. A failed check is an error.
SET client_min_messages = warning;
CREATE EXTENSION simhash;
SELECT set_config('test.version', :'version', false) \g /dev/null
CREATE TEMP TABLE golden (kind text, options text, times int, input text, fingerprint bigint, further text);
\copy golden FROM /tmp/package/golden.csv CSV HEADER FORCE NOT NULL input, options

CREATE TABLE docs (id int GENERATED ALWAYS AS IDENTITY, body text, fp bigint);
CREATE TRIGGER fingerprint BEFORE INSERT OR UPDATE ON docs FOR EACH ROW EXECUTE FUNCTION simhash_trigger('fp', 'body');
INSERT INTO docs (body) SELECT string_agg(md5((i * 100 + j)::text), ' ') FROM generate_series(1, 2000) i, generate_series(1, 5) j GROUP BY i;
SELECT simhash_create_index('docs', 'fp') \g /dev/null
ANALYZE docs;

DO $$
DECLARE
    line text;
    plan text := '';
BEGIN
    ASSERT (SELECT extversion FROM pg_extension WHERE extname = 'simhash') = current_setting('test.version'), 'version';

    ASSERT (SELECT count(*) FROM golden WHERE kind = 'text' AND input ~ '[一-龥]') > 10, 'golden vectors in Chinese';
    ASSERT (SELECT count(*) FROM golden WHERE kind = 'text' AND input ~ '^[ -~]+$') > 10, 'golden vectors in English';
    ASSERT NOT EXISTS (SELECT FROM golden WHERE kind = 'text'
        AND simhash(repeat(input, times), options::jsonb) IS DISTINCT FROM fingerprint), 'fingerprints';

    ASSERT hamming(0, 7) = 3 AND (-1::bigint) <~> 0 = 64, 'hamming';

    ASSERT NOT EXISTS (SELECT FROM docs WHERE fp IS DISTINCT FROM simhash(body)), 'trigger on INSERT';
    UPDATE docs SET body = '今天天气很好，我们去公园散步吧。' WHERE id = 1;
    ASSERT (SELECT fp FROM docs WHERE id = 1) = (SELECT fingerprint FROM golden
        WHERE kind = 'text' AND options = '{}' AND times = 1 AND input = '今天天气很好，我们去公园散步吧。'), 'trigger on UPDATE';

    SET LOCAL enable_seqscan = off;
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) SELECT id FROM docs WHERE simhash_near(fp, 42, 3)' LOOP
        plan := plan || line || E'\n';
    END LOOP;
    ASSERT (SELECT count(*) FROM regexp_matches(plan, 'Bitmap Index Scan on docs_fp_band_\d_of_4_idx', 'g')) = 4, plan;
    ASSERT (SELECT array_agg(d.id) FROM docs q JOIN docs d ON simhash_near(d.fp, q.fp, 3) WHERE q.id = 1) = '{1}', 'search';
END
$$;
