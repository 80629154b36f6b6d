# The steps of build-wasm.sh, in their order.

prepare_tools() {
    step 'Tools of this machine'
    need_tools certificates cmake ninja node npm python3
    # The page starts faster with it; without, it works all the same.
    if on_debian && { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }; then need_tools wasm-split; fi
    say "CMake $(cmake --version | awk 'NR==1{print $3}'), Node $(node --version)"

    step 'Emscripten (C++ to WebAssembly)'
    need_emscripten

    step 'C++ libraries'
    need_libraries

    step 'npm packages'
    if [ $((test + pages)) -gt 0 ]; then need_web_packages test; else need_web_packages build; fi
    close_suites
}

build_site() {
    step 'WebAssembly build'
    compile wasm-release app core inspect

    step 'Site: dist/'
    run site "Read the message above; web/site.mjs assembles dist/." node "$top/web/site.mjs"
    sed 's/^/      /' "$logs/site.log"
}

# compile PRESET TARGET ...: configures when needed and builds.
compile() {
    local preset=$1 compiler
    shift
    compiler=$(compiler_of "$preset")
    (
        cd "$top"
        export EMCC="$emcc" # read by src/build/emscripten.cmake
        # A build folder of another compiler, or one whose configuration was interrupted, is of no use.
        if ! [ -e "build/$preset/build.ninja" ] ||
            [ "$(cat "build/$preset/.compiler" 2>/dev/null || echo "$compiler")" != "$compiler" ]; then
            rm -rf "build/$preset"
            run "configure-$preset" "Read the log; removing build/$preset starts this build afresh." \
                cmake --preset "$preset"
        fi
        echo "$compiler" >"build/$preset/.compiler"
        run "build-$preset" "Fix what the compiler reports, then run the command again." \
            cmake --build "build/$preset" --parallel "$(jobs)" --target "$@"
    ) || exit $?
}

# Path and version, as one line.
compiler_of() {
    local command=${CXX:-c++}
    case $1 in wasm-*) command=$emcc ;; esac
    printf '%s: %s\n' "$command" "$("$command" --version | head -n 1)"
}

jobs() { nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2; }

# The default request, answered by the WebAssembly core in Node.
first_estimate() {
    step 'First estimate, by the WebAssembly core in Node'
    run estimate "The core was built but does not answer; read the message above." \
        node "$top/web/site.mjs" --estimate
    sed 's/^/      /' "$logs/estimate.log"
}

check_style() {
    step 'Style: clang-format, clang-tidy'
    need_tools clang-format clang-tidy
    compile native-asan vramscope
    run clang-format "clang-format -i FILE puts it right." in_folder "$top" \
        sh -c 'git ls-files "*.h" "*.cpp" | xargs clang-format --dry-run --Werror'
    run clang-tidy "Fix what it reports, or say why not in .clang-tidy." in_folder "$top" \
        sh -c 'git ls-files "src/*.cpp" | grep -Ev "^src/(platform/|bindings/browser_)" |
               xargs -P "$1" -n 4 clang-tidy --quiet -p build/native-asan' sh "$(jobs)"
}

# Everything is run even when something failed, so that one run shows all.
run_tests() {
    local failed=()
    step 'Native build, with address and undefined-behaviour sanitizers'
    need_tools c++
    compile native-asan all
    compile native vramscope catalog_snapshot

    step 'Native tests'
    in_folder "$top" ctest --preset native-asan || failed+=('native tests')

    step 'The same tests as WebAssembly, in Node'
    compile wasm-release vramscope_tests command
    in_folder "$top" ctest --preset wasm-release || failed+=('WebAssembly tests')

    step 'Node and browser tests'
    need_tools chromium noto-cjk
    need_test_node
    node_tests || failed+=('Node and browser tests')

    if [ ${#failed[@]} -gt 0 ]; then
        step_label=''
        fail "failed: $(IFS=,; echo "${failed[*]}")." 'Read the output of those tests above.'
    fi
    printf '\n%sAll tests passed%s: native with sanitizers, WebAssembly in Node, browser.\n' "$green" "$plain"
}

# Native against WebAssembly numbers, then the page in a browser; one file after the other.
node_tests() {
    local chromium
    chromium=$(find_chromium) || return 1
    (cd "$top" && CHROMIUM="$chromium" "$test_node" --test --test-concurrency=1 \
        tests/node/*.test.mjs tests/browser/*.test.mjs)
}

# Previews on social sites want PNG; where there is no Chromium to draw them, they are SVG.
build_pages() {
    local chromium='' pictures=()
    step 'Static pages: dist/'
    need_tools c++
    compile native vramscope catalog_snapshot
    chromium=$(find_chromium) || true
    [ -z "$chromium" ] || pictures=(--png-pictures)
    run pages "Read the message above." in_folder "$top" build/native/vramscope pages --out dist \
        --base-url "$base_url" ${repo_url:+--repo-url "$repo_url"} ${pictures[@]+"${pictures[@]}"}
    sed 's/^/      /' "$logs/pages.log"
    if [ -n "$chromium" ]; then
        run pictures "Read the message above; web/pictures.mjs draws them." \
            node "$top/web/pictures.mjs" "$top/dist" --chromium "$chromium"
        sed 's/^/      /' "$logs/pictures.log"
    fi
    run seal "Read the message above." node "$top/web/seal.mjs" "$top/dist"
    sed 's/^/      /' "$logs/seal.log"
}

# Before the long work: is the port free? (Node is not there yet on a fresh machine.)
check_port() {
    if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then
        fail "port $1 on 127.0.0.1 is already in use by another program." \
            "choose another one: ./build-wasm.sh --serve --port $(($1 < 65535 ? $1 + 1 : 8080))" \
            "or stop that program."
    fi
}

serve_site() {
    release_lock
    trap - EXIT INT TERM
    exec node "$top/web/serve.mjs" --root "$top/dist" --port "$1"
}
