# The C++ to WebAssembly compiler. Sourced by build-wasm.sh.
#
# An emcc on PATH is used when it is new enough. Otherwise, on Debian, Emscripten 3.1.69 is put
# together in .toolchain/ from signed parts: Emscripten itself from trixie's package, clang, lld and
# the LLVM tools 19 from the machine's own release, Binaryen 120 (what 3.1.69 expects) and the acorn
# parser from npm.

emscripten_minimum=3.1.69
emscripten_home="$tools/emscripten-$emscripten_minimum"

emcc_version() { "$1" --version 2>/dev/null | sed -n '1s/.* \([0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*\).*/\1/p'; }

# Sets $emcc to the compiler to use.
need_emscripten() {
    local version
    emcc=$(command -v emcc || true)
    if [ -n "$emcc" ]; then
        version=$(emcc_version "$emcc")
        if [ -n "$version" ] && version_at_least "$version" $emscripten_minimum; then
            say "Emscripten $version from PATH ($emcc)"
            return 0
        fi
        say "the emcc on PATH is ${version:-not usable}; $emscripten_minimum or newer is needed"
    fi
    emcc="$emscripten_home/emcc"
    if ! [ -e "$emscripten_home/.complete" ]; then
        on_debian || fail "no emcc $emscripten_minimum or newer on PATH." \
            "install the Emscripten SDK (https://emscripten.org/docs/getting_started/downloads.html)," \
            "run its emsdk_env.sh, then run the command again." \
            "Only Debian 12 and newer is set up automatically."
    fi
    need_tools llvm-19 python3 xz
    [ -e "$emscripten_home/.complete" ] || bootstrap_emscripten
    say "Emscripten $(emcc_version "$emcc") in ${emscripten_home#"$top"/}"
}

bootstrap_emscripten() {
    local staging="$partial/emscripten" root
    fetch_package emscripten
    say 'unpacking Emscripten'
    mkdir -p "$staging"
    run unpack-emscripten "Check the free disk space (300 MB are needed), then run the command again." \
        unpack_emscripten "$staging"
    root="$staging/usr/share/emscripten"
    npm_install emscripten "$root" # node_modules beside Emscripten: where its scripts look for acorn
    # Found by emcc itself when no EM_CONFIG is set. Paths follow the folder when it is moved.
    cat >"$root/.emscripten" <<'CONFIG'
import shutil
from tools.utils import path_from_root
LLVM_ROOT = '/usr/lib/llvm-19/bin'
BINARYEN_ROOT = path_from_root('node_modules/binaryen')
NODE_JS = shutil.which('node')
CACHE = path_from_root('cache')
FROZEN_CACHE = True
CONFIG
    run try-emscripten "Read the log; removing .toolchain/ and running the command again starts afresh." \
        try_emscripten "$root" "$partial/try"
    touch "$root/.complete"
    put_in_place "$root" "$emscripten_home"
    rm -rf "$partial/deb/emscripten" "$staging"
    write_environment
}

# Leaves out its tests and the library variants that no build of ours links: position independent,
# threads, Wasm workers, sanitizers, exceptions, WasmFS. 1.6 GB become 140 MB. The lto/ variants stay:
# -flto links them.
unpack_emscripten() {
    local deb=("$partial"/deb/emscripten/*.deb)
    dpkg-deb --fsys-tarfile "${deb[0]}" | tar -x -C "$1" --wildcards \
        --exclude='*/share/doc' --exclude='*/share/man' --exclude='*/share/emscripten/test' \
        --exclude='*/wasm32-emscripten/pic' --exclude='*/wasm32-emscripten/lto-pic' \
        --exclude='*/lib*-mt*.a' --exclude='*/lib*-ww*.a' --exclude='*/lib*-asan*.a' \
        --exclude='*/lib*-except*.a' --exclude='*/libwasmfs*.a' --exclude='*/libsanitizer*.a'
}

# Compiles and runs three lines, so that a broken toolchain is noticed before it is in place.
try_emscripten() {
    mkdir -p "$2"
    printf '#include <cstdio>\nint main() { std::puts("works"); }\n' >"$2/try.cpp"
    "$1/em++" -O1 -sWASM_BIGINT "$2/try.cpp" -o "$2/try.js" && node "$2/try.js" | grep -qx works
}

# For work by hand: `source .toolchain/env.sh` puts em++ and emcmake on PATH.
write_environment() {
    cat >"$tools/env.sh" <<'ENV'
# Sourced by hand: puts the bootstrapped Emscripten on PATH.
_vramscope_tools=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")" && pwd)
export PATH="$_vramscope_tools/emscripten-3.1.69:$PATH"
export EM_CONFIG="$_vramscope_tools/emscripten-3.1.69/.emscripten"
unset _vramscope_tools
ENV
}
