# What the machine itself has to offer: compilers, CMake, Node and the packages that bring them on
# Debian. Sourced by build-wasm.sh.

os_id=$(. /etc/os-release 2>/dev/null && printf '%s' "${ID:-}" || true)

on_debian() { [ "$os_id" = debian ] && command -v apt-get >/dev/null && command -v dpkg >/dev/null; }

# version_at_least HAVE WANT: compares dotted versions.
version_at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

node_major() { "${1:-node}" --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p'; }

# as_root COMMAND ...: runs it as root, through sudo when that is needed.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"
    else sudo "$@"
    fi
}

# missing_tools NAME ...: prints those that are not there, in a form that can be looked up in
# debian_package_of. The names are commands, save for those that are tested otherwise.
missing_tools() {
    local tool
    for tool in "$@"; do
        case $tool in
            cmake) command -v cmake >/dev/null && version_at_least "$(cmake --version | awk 'NR==1{print $3}')" 3.22 ;;
            node) [ "$(node_major)" -ge 18 ] 2>/dev/null ;;
            c++) command -v c++ >/dev/null || [ -n "${CXX:-}" ] ;;
            llvm-19) [ -x /usr/lib/llvm-19/bin/clang ] && [ -x /usr/lib/llvm-19/bin/wasm-ld ] &&
                     [ -x /usr/lib/llvm-19/bin/llvm-ar ] ;;
            chromium) [ -n "$(find_chromium)" ] ;;
            noto-cjk) ls /usr/share/fonts/opentype/noto/NotoSansCJK*.ttc >/dev/null 2>&1 ||
                      { command -v fc-list >/dev/null && fc-list :lang=ja 2>/dev/null | grep -q .; } ;;
            certificates) [ -s /etc/ssl/certs/ca-certificates.crt ] || ! on_debian ;;
            *) command -v "$tool" >/dev/null ;;
        esac || printf '%s\n' "$tool"
    done
}

find_chromium() {
    local candidate
    for candidate in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
        if [ -n "$candidate" ] && command -v "$candidate"; then return 0; fi
    done
    local mac='/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
    [ ! -x "$mac" ] || printf '%s\n' "$mac"
}

debian_package_of() {
    case $1 in
        cmake) echo cmake ;;
        ninja) echo ninja-build ;;
        node) echo nodejs ;;
        npm) echo npm ;;
        python3) echo python3 ;;
        c++) echo g++ ;;
        xz) echo xz-utils ;;
        llvm-19) echo clang-19 lld-19 llvm-19 ;;
        chromium) echo chromium ;;
        noto-cjk) echo fonts-noto-cjk ;;
        certificates) echo ca-certificates ;;
        wasm-split) echo binaryen ;;
        *) echo "$1" ;;
    esac
}

# need_tools NAME ...: installs what is missing with apt on Debian; elsewhere says what is missing.
need_tools() {
    local missing packages=() tool
    missing=$(missing_tools "$@")
    [ -n "$missing" ] || return 0
    if ! on_debian; then
        fail "this machine lacks: $(echo $missing | sed 's/ /, /g')" \
            "install them with your system's package manager (cmake 3.22 or newer, node 18 or newer," \
            "a C++20 compiler: GCC 12 / Clang 16 or newer), then run the command again." \
            "Only Debian is set up automatically."
    fi
    for tool in $missing; do packages+=($(debian_package_of "$tool")); done
    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
        fail "these Debian packages are missing and this user cannot install them: ${packages[*]}" \
            "as root: apt-get install ${packages[*]}" "then run the command again."
    say "installing ${packages[*]}"
    [ "$(id -u)" -eq 0 ] || sudo -v # asks for the password now, not below a running clock
    finish_interrupted_dpkg
    run apt-update "Check the network and /etc/apt/sources.list*, then run the command again." \
        as_root apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 update
    run apt-install "Read the log; 'apt-get update && apt-get install ${packages[*]}' by hand shows more." \
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 \
        install -y --no-install-recommends "${packages[@]}"
    hash -r
    missing=$(missing_tools "$@")
    [ -z "$missing" ] || fail "installed, but still missing or too old: $(echo $missing)" \
        "install a newer version of it (cmake 3.22, node 18) and put it first on PATH."
}

# A run that was killed inside dpkg leaves packages unpacked but not configured.
finish_interrupted_dpkg() {
    if [ -n "$(dpkg --audit 2>/dev/null)" ] || [ -n "$(ls /var/lib/dpkg/updates 2>/dev/null)" ]; then
        run dpkg-configure "Run 'dpkg --configure -a' as root and read what it says." \
            as_root env DEBIAN_FRONTEND=noninteractive dpkg --configure -a
    fi
}
