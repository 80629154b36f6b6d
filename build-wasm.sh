#!/usr/bin/env bash
# Builds Vramscope's page (dist/) from nothing, serves it, tests it. See --help.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tools="$top/.toolchain"
partial="$tools/partial" # what is being made; see src/build/setup/lock.sh
logs="$tools/logs"
default_port=8080

usage() {
    cat <<HELP
Usage: ./build-wasm.sh [--serve] [--test] [--lint] [--port N]
                       [--pages [--base-url URL] [--repo-url URL]]

Builds the complete static site into dist/ and prints the estimate for the default request,
computed by the WebAssembly core that was just built.

  --serve    then serve dist/ on http://127.0.0.1:$default_port/ until Ctrl-C
  --port N   the port for --serve (1-65535; default $default_port)
  --test     then run all tests: native with sanitizers, the same tests as WebAssembly in Node,
             and the page in a browser
  --pages    then add the static pages of all models and languages to dist/, with their pictures
             --base-url: where the site will be (https://example.org/vramscope/)
             --repo-url: where its sources are, for a link
  --lint     then check the sources with clang-format and clang-tidy
  --help     this text

Needed is nothing but Debian 12 (as root, or with sudo), or any system with emcc 3.1.69 or newer,
CMake, Ninja, Node 18 or newer and a C++20 compiler. What is missing goes to .toolchain/ (300 MB,
400 MB with the tests) and stays there; Debian packages are installed with apt. Remove .toolchain/,
build/ and dist/ to start afresh. A second run with nothing changed takes seconds.
HELP
}

serve=0 test=0 lint=0 pages=0 port=$default_port base_url='' repo_url=''
while [ $# -gt 0 ]; do
    case $1 in
        --serve) serve=1 ;;
        --test) test=1 ;;
        --lint) lint=1 ;;
        --pages) pages=1 ;;
        --base-url) base_url=${2-}; shift ;;
        --repo-url) repo_url=${2-}; shift ;;
        --repo-url=*) repo_url=${1#--repo-url=} ;;
        --base-url=*) base_url=${1#--base-url=} ;;
        --port) port=${2-}; shift ;;
        --port=*) port=${1#--port=} ;;
        -h | --help) usage; exit 0 ;;
        *) printf 'build-wasm.sh: unknown option %s\n\n' "$1" >&2; usage >&2; exit 2 ;;
    esac
    [ $# -eq 0 ] || shift
done
if ! [[ $port =~ ^[0-9]{1,5}$ ]] || [ "$((10#$port))" -lt 1 ] || [ "$((10#$port))" -gt 65535 ]; then
    printf 'build-wasm.sh: --port wants a number from 1 to 65535, not "%s"\n' "$port" >&2
    exit 2
fi
if [ -n "$base_url$repo_url" ] && [ $pages -eq 0 ]; then
    printf 'build-wasm.sh: --base-url and --repo-url are for --pages, which is missing\n' >&2
    exit 2
fi
base_url=${base_url:-http://127.0.0.1:$port/}

for part in report lock system debian_suites node emscripten libraries steps; do
    . "$top/src/build/setup/$part.sh"
done

step_total=$((7 + 4 * test + lint + pages))
mkdir -p "$tools"
take_lock
trap 'rm -rf "$partial"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

[ $serve -eq 0 ] || check_port "$port"
prepare_tools
build_site
first_estimate
[ $lint -eq 0 ] || check_style
[ $test -eq 0 ] || run_tests
[ $pages -eq 0 ] || build_pages
printf '\n%sDone%s in %d s: the site is in dist/' "$green" "$plain" $((SECONDS - started_at))
[ $serve -eq 1 ] && printf '.\n' || printf ' (./build-wasm.sh --serve shows it).\n'
[ $serve -eq 0 ] || serve_site "$port"
