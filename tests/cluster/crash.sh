# What the tests that kill servers share, for them to source after scripts/cluster.sh. The cluster is $dir.
failed=0

# run: the statements of standard input; an error ends the test.
run() { psql -X -q -A -t -v ON_ERROR_STOP=1; }

# wrong MESSAGE [WHAT]
wrong() {
    echo "$1"
    [ -z "${2:-}" ] || echo "$2"
    failed=1
}

# ended PID …: waits until these processes are gone.
ended() {
    local pid
    for pid in "$@"; do
        while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
    done
}

# kill_backend APPLICATION: one of its backends, which makes the postmaster start all over; waits until it has.
kill_backend() {
    local backend
    backend=$(run <<<"SELECT pid FROM pg_stat_activity WHERE application_name = '$1' ORDER BY pid LIMIT 1")
    [ -n "$backend" ] || return 0
    kill -9 "$backend" && ended "$backend"
    for _ in $(seq 600); do
        run >/dev/null 2>&1 <<<'SELECT 1' && return
        sleep 0.1
    done
}

# kill_server [finish]: the postmaster and what it has started, all at once. With `finish` processes are stopped first, which
# lets them finish what they write: without full pages in the log no page may be torn.
kill_server() {
    local postmaster children
    postmaster=$(as_server head -n 1 "$dir/data/postmaster.pid")
    # It starts no more processes.
    kill -STOP "$postmaster"
    sleep 0.05
    children=$(pgrep -P "$postmaster" || true)
    if [ "${1:-}" = finish ]; then
        # shellcheck disable=SC2086  # one word a process
        kill -STOP $children 2>/dev/null || true
        sleep 0.1
    fi
    # The postmaster last, so that nobody has the time to notice that it is gone.
    # shellcheck disable=SC2086
    kill -9 $children "$postmaster" 2>/dev/null || true
    # shellcheck disable=SC2086
    ended "$postmaster" $children
}
