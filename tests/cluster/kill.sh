# Functions for the tests that kill servers. They source this file after scripts/cluster.sh. The cluster is $dir.
failed=0

# run: the statements of standard input; an error ends the test.
run() { psql -X -q -A -t -v ON_ERROR_STOP=1; }

# wrong MESSAGE [WHAT]
wrong() {
    echo "$1"
    [ -z "${2:-}" ] || echo "$2"
    failed=1
}

# ended PID …: waits until these processes have ended.
ended() {
    local pid
    for pid in "$@"; do
        while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
    done
}

# stopped PID …: waits until these processes, which were sent SIGSTOP, have stopped or ended.
stopped() {
    local pid
    for pid in "$@"; do
        while [[ $(ps -o stat= -p "$pid" 2>/dev/null) == [RSD]* ]]; do sleep 0.02; done
    done
}

# kill_backend APPLICATION: kills one of its active backends, after which the postmaster restarts all processes; waits until it has.
# The backend is stopped first, so that it has finished what it writes.
kill_backend() {
    local backend kills
    kills=$(grep -c 'was terminated by signal 9' "$dir/log" || true)
    for _ in $(seq 600); do
        backend=$(run 2>/dev/null <<<"SELECT pid FROM pg_stat_activity WHERE application_name = '$1' AND state = 'active' ORDER BY pid LIMIT 1" || true)
        if [ -n "$backend" ] && kill -STOP "$backend" 2>/dev/null; then
            stopped "$backend"
            kill -9 "$backend" 2>/dev/null || true
            ended "$backend"
        fi
        [ "$(grep -c 'was terminated by signal 9' "$dir/log" || true)" -gt "$kills" ] && break
        sleep 0.1
    done
    for _ in $(seq 600); do
        run >/dev/null 2>&1 <<<'SELECT 1' && return
        sleep 0.1
    done
}

# end_load PID …: ends the clients that a test has started, and waits until the server, if it runs, has noticed. A client that
# connects only after a killed server has restarted would continue.
end_load() {
    kill "$@" 2>/dev/null || true
    wait "$@" || true
    while [[ $(run 2>/dev/null <<<"SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()") == [1-9]* ]]; do
        sleep 0.05
    done
}

# kill_server [finish]: kills the postmaster and its child processes at once. With `finish`, the processes are stopped first, so
# that they finish what they write: without full-page images in the WAL no page may be torn.
kill_server() {
    local postmaster children
    postmaster=$(as_server head -n 1 "$dir/data/postmaster.pid")
    # A stopped postmaster starts no more processes.
    kill -STOP "$postmaster"
    sleep 0.05
    children=$(pgrep -P "$postmaster" || true)
    if [ "${1:-}" = finish ]; then
        # shellcheck disable=SC2086  # one word per process
        kill -STOP $children 2>/dev/null || true
        # shellcheck disable=SC2086
        stopped $children
    fi
    # The postmaster is the last one, so that no child process notices its end.
    # shellcheck disable=SC2086
    kill -9 $children "$postmaster" 2>/dev/null || true
    # shellcheck disable=SC2086
    ended "$postmaster" $children
}
