# What a person sees while the set-up runs: numbered steps, one line each, and for a step that
# failed the command, the end of its log and what to do. Sourced by build-wasm.sh.

step_number=0
step_total=0     # set by build-wasm.sh once it knows what was asked for
step_label=''
started_at=$SECONDS

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
else
    bold='' dim='' red='' green='' plain=''
fi

# step TITLE: announces the next step.
step() {
    step_number=$((step_number + 1))
    step_label=$1
    printf '%s[%d/%d]%s %s %s(after %d s)%s\n' "$bold" "$step_number" "$step_total" "$plain" "$1" \
        "$dim" $((SECONDS - started_at)) "$plain"
}

# say TEXT: a detail below the current step.
say() { printf '      %s\n' "$1"; }

warn() { printf '      %swarning:%s %s\n' "$bold" "$plain" "$1" >&2; }

# fail TEXT [HINT ...]: ends the run with a message; every hint is a line of its own.
fail() {
    {
        printf '\n%sbuild-wasm.sh stopped%s' "$red" "$plain"
        [ -z "$step_label" ] || printf ' in step %d/%d (%s)' "$step_number" "$step_total" "$step_label"
        printf ':\n  %s\n' "$1"
        shift
        [ $# -eq 0 ] || printf '\nWhat to do:\n'
        for hint in "$@"; do printf '  - %s\n' "$hint"; done
    } >&2
    exit 1
}

# The seconds that the current command has taken, on one line, until it is killed or the script ends.
show_clock() {
    local start=$SECONDS
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        printf '\r      %s%s, %d s%s ' "$dim" "$1" $((SECONDS - start)) "$plain"
    done
}

# run NAME HINT COMMAND ...: runs a command with its output in a log. On a terminal the elapsed time
# is shown meanwhile; a failure prints the command, the end of the log and the hint.
run() {
    local name=$1 hint=$2 log="$logs/$1.log" start=$SECONDS status=0
    shift 2
    mkdir -p "$logs"
    local clock=''
    if [ -t 1 ]; then show_clock "$name" & clock=$!; fi
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ -n "$clock" ]; then
        kill "$clock" 2>/dev/null || true
        wait "$clock" 2>/dev/null || true
        printf '\r\e[K'
    fi
    [ $status -ne 0 ] || return 0
    {
        printf '\nThis command failed with status %d after %d s:\n ' $status $((SECONDS - start))
        printf ' %q' "$@"
        printf '\n\nThe end of its output (all of it: %s):\n' "${log#"$top"/}"
        tail -n 40 "$log" | sed 's/^/  | /'
    } >&2
    fail "$name failed." "$hint"
}
