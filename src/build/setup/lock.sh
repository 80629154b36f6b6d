# One run at a time, and nothing half-made. Sourced by build-wasm.sh.
#
# Everything that the set-up installs is made below $partial, on the same disk as its place, and moved
# there by one rename when it is complete: a place that exists is whole. What a killed run left in
# $partial is removed by the next run.

# take_lock: waits until no other run uses this checkout. The kernel drops the lock with the process
# (file descriptor 9), so a killed run leaves none behind.
take_lock() {
    exec 9>>"$tools/lock"
    if ! try_lock -n; then
        printf 'Another build-wasm.sh runs in this folder; waiting for it to end.\n'
        try_lock
    fi
    rm -rf "$partial"
    mkdir -p "$partial"
}

# flock(1) is missing on macOS; Python takes the same lock on the inherited descriptor.
try_lock() {
    if command -v flock >/dev/null; then
        flock "$@" 9
    else
        python3 -c 'import fcntl, sys
try: fcntl.flock(9, fcntl.LOCK_EX | (fcntl.LOCK_NB if "-n" in sys.argv else 0))
except OSError: sys.exit(1)' "$@"
    fi
}

# release_lock: for --serve, which runs until it is stopped and changes nothing any more.
release_lock() { exec 9>&-; }

# put_in_place MADE PLACE: the rename. An older version at PLACE goes away first.
put_in_place() {
    local old="$partial/replaced.$$.$RANDOM"
    mkdir -p "$(dirname "$2")"
    [ ! -e "$2" ] || mv "$2" "$old"
    mv "$1" "$2"
    rm -rf "$old"
}
