# shellcheck shell=bash
# Queries to the server, for benchmarks to source.

# sql ARGUMENT …: psql, with unaligned answers; an error ends the script.
sql() { psql -X -q -A -t -F ' ' -v ON_ERROR_STOP=1 "$@"; }

# seconds SQL …: how long the statements take together, in wall-clock time.
seconds() {
    local statement arguments=(-c '\timing on')
    for statement in "$@"; do arguments+=(-c "$statement"); done
    sql "${arguments[@]}" | awk '/^Time: / { ms += $2 } END { print ms / 1000 }'
}

# undone SQL …: the answers of the statements. Their changes are rolled back.
undone() { sql -c BEGIN "${@/#/-c}" -c ROLLBACK; }

# least NUMBER …, ratio A B: of numbers that the server has answered.
least() { printf '%s\n' "$@" | sort -g | head -n 1; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf (a < 10 * b ? "%.2f" : "%.0f"), a / b }'; }
