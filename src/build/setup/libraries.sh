# The C++ libraries, as sources in .toolchain/lib/<name>. Sourced by build-wasm.sh.
#
# CMake (src/build/dependencies.cmake) looks there first, then on the system, and else fetches the
# pinned version. Off Debian nothing is done here.

imgui_wanted='1.92 or newer, below 2.0'

need_libraries() {
    on_debian || { say 'CMake fetches what the system lacks'; return 0; }
    # A library is a folder that exists: it was moved there when complete.
    [ -e "$tools/lib/imgui" ] || install_imgui
    [ -e "$tools/lib/json" ] || install_headers json nlohmann-json3-dev nlohmann
    [ -e "$tools/lib/cli11" ] || install_headers cli11 libcli11-dev CLI
    [ -e "$tools/lib/catch2" ] || install_catch2
    say "Dear ImGui $(imgui_version "$tools/lib/imgui"), nlohmann/json, CLI11, Catch2"
}

imgui_version() { sed -n 's/^#define IMGUI_VERSION  *"\(.*\)"/\1/p' "$1/imgui.h"; }

install_imgui() {
    local version
    fetch_source imgui "$moving_suite"
    unpack_source imgui
    version=$(imgui_version "$partial/source/imgui/tree")
    case $version in
        1.9[2-9]* | 1.[1-9][0-9][0-9]*) ;;
        *) fail "Debian $moving_suite offers Dear ImGui ${version:-unknown}; wanted is $imgui_wanted." \
            "unpack such a version (its imgui.h at the top) to .toolchain/lib/imgui, then run again." ;;
    esac
    put_in_place "$partial/source/imgui/tree" "$tools/lib/imgui"
}

install_catch2() {
    fetch_source catch2 "$stable_suite"
    unpack_source catch2
    put_in_place "$partial/source/catch2/tree" "$tools/lib/catch2"
}

# The upstream sources without Debian's packaging: to $partial/source/NAME/tree.
unpack_source() {
    local archive=("$partial/source/$1/"*.orig.tar.*)
    mkdir -p "$partial/source/$1/tree"
    run "unpack-$1" "Check the free disk space, then run the command again." \
        tar -xf "${archive[0]}" -C "$partial/source/$1/tree" --strip-components=1
}

# install_headers PLACE PACKAGE FOLDER: a header-only library from a package.
install_headers() {
    local deb
    fetch_package "$2"
    deb=("$partial/deb/$2"/*.deb)
    run "unpack-$2" "Check the free disk space, then run the command again." \
        dpkg-deb -x "${deb[0]}" "$partial/deb/$2/tree"
    [ -d "$partial/deb/$2/tree/usr/include/$3" ] || fail "the package $2 holds no $3/ headers." \
        "report this with the version that was downloaded."
    put_in_place "$partial/deb/$2/tree/usr" "$tools/lib/$1"
}
