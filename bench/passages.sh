# shellcheck shell=bash
# Real texts for benchmarks, for scripts to source after psql.sh: the corpora of the folder LAB_DATA, or the articles of the demo.

data=${LAB_DATA:-none}

# corpus TABLE FILE …: the lines of gzipped JSON Lines, in a new table.
corpus() {
    local table=$1
    shift
    sql -c "CREATE TABLE $table (line text)"
    # The quote and the delimiter are control characters, so that a line is one value.
    gzip -dc "$@" | sql -c "\\copy $table FROM STDIN CSV QUOTE E'\\x01' DELIMITER E'\\x02'"
}

# articles TABLE: the articles of the demo, in a new table.
articles() {
    sql -c "CREATE TABLE $1 (lang text, title text, body text)" -c "\\copy $1 FROM demo/articles.csv CSV HEADER"
}

# load_texts: fills the table texts of passages.sql with one version of each document.
load_texts() {
    if compgen -G "$data/*_long.jsonl.gz" >/dev/null; then
        corpus raw "$data"/*_long.jsonl.gz
        sql -c "INSERT INTO texts (body) SELECT DISTINCT ON (j ->> 'group') j ->> 'text' FROM (SELECT line::json AS j FROM raw) r
            WHERE length(j ->> 'text') > 3000 ORDER BY j ->> 'group', j ->> 'id'" -c 'DROP TABLE raw'
    else
        articles raw
        sql -c "INSERT INTO texts (body) SELECT string_agg(body, ' ') FROM raw GROUP BY lang" -c 'DROP TABLE raw'
    fi
}
