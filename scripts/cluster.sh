# Throw-away clusters, for scripts to source. A cluster is a folder of its own under the temporary directory:
#
#   root/          a copy of the server's programs, and links to its libraries and data, with the extension installed
#                  among them: the server of the machine is not changed
#   data/          the database
#   socket/        the folder of its socket; it has no TCP port
#   log            the log of the server
#   installation   the folder that has root/: this one, or one that several clusters share
#
# SIMHASH_INSTALLATIONS names folders with root/ and a template of data/ for clusters to share (cluster_share), separated by colons.
# PostgreSQL refuses to run as root: if the caller is root, the server runs as the user postgres.

# A busy machine needs more time, and tests compare messages.
export PGCTLTIMEOUT=${PGCTLTIMEOUT:-600} LC_ALL=C.UTF-8

cluster_user=$(id -un)
if [ "$(id -u)" -eq 0 ]; then
    cluster_user=${SIMHASH_SERVER_USER:-postgres}
fi

# Runs a command as the user of the server.
as_server() {
    if [ "$(id -un)" = "$cluster_user" ]; then
        "$@"
    else
        (cd / && runuser -u "$cluster_user" -- "$@")
    fi
}

# cluster_scratch NAME: makes the folder $dir. When the script ends, the servers in it and in its folders are stopped, and the
# folder is removed. If the script fails, its logs are kept.
cluster_scratch() {
    cluster_name=$1
    dir=$(mktemp -d "${TMPDIR:-/tmp}/simhash-$1.XXXXXX")
    chmod 755 "$dir"
    trap cluster_end EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

# cluster_end [STATUS]: what cluster_scratch does at the end of a script. A failed assertion of the server fails every script.
cluster_end() {
    local status=${1:-$?} at logs=${SIMHASH_LOGS:-${CARGO_TARGET_DIR:-target}/logs}/$cluster_name
    trap - EXIT
    for at in "$dir" "$dir"/*/; do
        cluster_stop "${at%/}"
    done
    if grep -h '^TRAP: ' "$dir/log" "$dir"/*/log 2>/dev/null; then status=1; fi
    rm -rf "$logs"
    case $status in
    0 | 77 | 130) ;;
    *)
        mkdir -p "$logs"
        # At most the last 20 MB of a log.
        (cd "$dir" && find . -maxdepth 2 -type f ! -path './data/*' ! -path './root/*') | while read -r at; do
            mkdir -p "$logs/${at%/*}" && tail -c 20000000 "$dir/$at" >"$logs/$at"
        done
        echo "logs: $logs"
        ;;
    esac
    rm -rf "$dir"
    exit "$status"
}

# cluster_create DIR PG_CONFIG: prepares DIR for a cluster of that server, with its own programs or shared ones.
cluster_create() {
    local dir=$1 pg_config=$2 shared
    for shared in $(tr : " " <<<"${SIMHASH_INSTALLATIONS:-}"); do
        if [ "$(cat "$shared/pg_config")" = "$pg_config" ]; then
            cluster_beside "$dir" "$shared"
            return
        fi
    done
    cluster_install "$dir" "$pg_config" && cluster_beside "$dir" "$dir"
}

# cluster_install DIR PG_CONFIG: prepares DIR/root, and builds the extension for it unless SIMHASH_INSTALLATIONS is set, which
# says that it is built. PostgreSQL finds its files relative to its programs.
cluster_install() {
    local dir=$1 pg_config=$2 kind
    local bindir pkglibdir sharedir
    bindir=$("$pg_config" --bindir)
    pkglibdir=$("$pg_config" --pkglibdir)
    sharedir=$("$pg_config" --sharedir)
    chmod 755 "$dir"
    mkdir -p "$dir/root$bindir" "$dir/root$pkglibdir" "$dir/root$sharedir"
    cp -RL "$bindir/." "$dir/root$bindir/"
    for kind in "$pkglibdir" "$sharedir"; do
        cp -Rs "$kind/." "$dir/root$kind/"
        # The extension comes from this tree, even if it is installed on the machine.
        find "$dir/root$kind" \( -name 'simhash.so' -o -name 'simhash.control' -o -name 'simhash--*.sql' \) -delete
    done
    CARGO_TERM_QUIET=true make --no-print-directory -s ${SIMHASH_INSTALLATIONS:+-o all} install PG_CONFIG="$pg_config" DESTDIR="$dir/root" || return
    ln -sfn . "$dir/installation"
    echo "$dir/root$bindir" >"$dir/bindir"
}

# cluster_share DIR PG_CONFIG: prepares DIR as a folder for SIMHASH_INSTALLATIONS.
cluster_share() {
    cluster_install "$1" "$2" && cluster_beside "$1" "$1" && cluster_init "$1" || return
    mv "$1/data" "$1/template"
    echo "$2" >"$1/pg_config"
}

# cluster_beside DIR OTHER: prepares DIR for a further cluster with the programs of OTHER.
cluster_beside() {
    mkdir -p "$1/socket" "$1/data"
    chmod 700 "$1/data"
    if [ "$1" != "$2" ]; then
        ln -sfn "$(realpath "$2/installation")" "$1/installation"
        cp "$2/bindir" "$1/bindir"
    fi
    : >"$1/log"
    if [ "$(id -un)" != "$cluster_user" ]; then
        chown "$cluster_user" "$1/data" "$1/socket" "$1/log"
    fi
}

# cluster_init DIR [OPTION …]: creates the database, from the template if there is one and no options are given.
cluster_init() {
    local dir=$1
    shift
    if [ $# -eq 0 ] && [ -d "$dir/installation/template" ]; then
        rm -rf "$dir/data" && cp -a "$dir/installation/template" "$dir/data"
        return
    fi
    as_server "$(cat "$dir/bindir")/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync "$@" \
        >"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log" >&2; return 1; }
}

# cluster_start DIR [SETTING=VALUE …]: creates the database if it does not exist, and starts the server.
cluster_start() {
    local dir=$1 bin setting
    shift
    bin=$(cat "$dir/bindir")
    as_server test -f "$dir/data/PG_VERSION" || cluster_init "$dir" || return
    # A developer's RUST_BACKTRACE would appear in the server's error messages.
    unset RUST_BACKTRACE
    # Tests look for SQLSTATEs in the log.
    local settings=(listen_addresses= "unix_socket_directories=$dir/socket" fsync=off 'log_line_prefix=%m [%p] %e ' "$@")
    local options=()
    for setting in "${settings[@]}"; do
        options+=(-c "'$setting'")
    done
    as_server "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -o "${options[*]}" -w start >/dev/null \
        || { tail -n 20 "$dir/log" >&2; return 1; }
}

# Settings with which nothing happens without a command. Autovacuum is on, because CREATE INDEX counts rows only then on PostgreSQL
# 18, but it has nothing to do. JIT compilation takes seconds if tables are small and the costs of a plan are high.
# shellcheck disable=SC2034  # for those who source this file
cluster_quiet=(autovacuum_naptime=1d autovacuum_vacuum_threshold=2147483647 autovacuum_vacuum_insert_threshold=-1
    autovacuum_analyze_threshold=2147483647 checkpoint_timeout=1h bgwriter_lru_maxpages=0 jit=off)

# cluster_env DIR: sets the environment of clients to the cluster.
cluster_env() {
    export PGHOST=$1/socket PGPORT=5432 PGUSER=postgres PGDATABASE=postgres
    unset PGPASSWORD PGSERVICE PGOPTIONS
    PATH=$(cat "$1/bindir"):$PATH
    export PATH
}

# left_out WHAT: says what a test does not try on this machine, and why. The summary of all tests repeats it.
left_out() { echo "left out: $1"; }

# cluster_has MODULE: whether the cluster of the environment has this module of contrib.
cluster_has() {
    [ "$(psql -X -q -A -t -c "SELECT count(*) FROM pg_available_extensions WHERE name = '$1'")" = 1 ] \
        || { left_out "what needs $1, which this server lacks"; return 1; }
}

# cluster_needs PG_CONFIG MODULE …: ends a test that cannot run without these modules of contrib, with exit status 77.
cluster_needs() {
    local pkglibdir module
    pkglibdir=$("$1" --pkglibdir)
    shift
    for module in "$@"; do
        if ! compgen -G "$pkglibdir/$module.*" >/dev/null; then
            echo "this server has no $module"
            exit 77
        fi
    done
}

# cluster_stop DIR: stops the server, if it runs.
cluster_stop() {
    local dir=$1 bin
    [ -f "$dir/bindir" ] || return 0
    bin=$(cat "$dir/bindir")
    if as_server test -f "$dir/data/postmaster.pid"; then
        as_server "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1 || true
    fi
}

# cluster_remove DIR: stops the server and removes the folder.
cluster_remove() {
    cluster_stop "$1"
    rm -rf "$1"
}
