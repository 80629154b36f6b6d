# Packages from newer Debian suites, without touching the machine's own apt setup. Sourced by
# build-wasm.sh.
#
# A private apt configuration below .toolchain/ lists the other suites on the mirror that the machine
# already uses. apt checks the signatures as always. Nothing of these suites is installed: packages
# for all architectures and source packages are unpacked into .toolchain/, so that no newer libc or
# other library reaches the system.

# Emscripten's, Catch2's, nlohmann/json's and CLI11's suite: a stable release, which does not move.
stable_suite=trixie
# Dear ImGui 1.92 or newer exists only in suites that move.
moving_suite=forky

suites_apt="" # the private configuration's folder, once it is ready

# Fills the private package lists, once per run.
open_suites() {
    [ -z "$suites_apt" ] || return 0
    local folder="$tools/apt" mirror trust='lang=none'
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | sort -u |
        grep -E '^(https?|file|mirror|copy):' | grep -v -- '-security' | head -n 1)
    [ -n "$mirror" ] || fail "no Debian mirror in this machine's apt setup (/etc/apt/sources.list*)." \
        "add one there (see 'man sources.list'), then run the command again."
    [ ! -s /usr/share/keyrings/debian-archive-keyring.gpg ] ||
        trust='lang=none signed-by=/usr/share/keyrings/debian-archive-keyring.gpg'
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
    # The moving suite's signed lists bear a date; a mirror that stands still is past it.
    printf '%s\n' "deb [$trust] $mirror $stable_suite main" "deb-src [$trust] $mirror $stable_suite main" \
        "deb-src [$trust check-valid-until=no] $mirror $moving_suite main" >"$folder/sources.list"
    cat >"$folder/apt.conf" <<CONF
Dir::Etc::SourceList "$folder/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$folder/lists";
Dir::Cache "$folder/cache";
Acquire::Languages "none";
Acquire::Retries "3";
CONF
    say "reading the package lists of Debian $stable_suite and $moving_suite"
    run suites-update "Check the network; the mirror is the first one in this machine's apt setup." \
        env APT_CONFIG="$folder/apt.conf" apt-get -o APT::Update::Error-Mode=any update
    suites_apt=$folder
}

# The lists (90 MB) are of no use once everything is in place.
close_suites() { rm -rf "$tools/apt"; }

# fetch_package NAME: downloads NAME of the stable suite (architecture "all") to $partial/deb/NAME.
fetch_package() {
    open_suites
    rm -rf "$partial/deb/$1"
    mkdir -p "$partial/deb/$1"
    say "downloading $1 ($(in_suites apt-cache show "$1/$stable_suite" | awk '/^Version:/{v=$2}
        /^Size:/{s=$2} END{printf "%s, %.1f MB", v, s/1e6}'))"
    run "download-$1" "Check the network and the free disk space, then run the command again." \
        in_folder "$partial/deb/$1" in_suites apt-get download "$1/$stable_suite"
}

# fetch_source NAME SUITE: downloads the source package to $partial/source/NAME.
fetch_source() {
    open_suites
    rm -rf "$partial/source/$1"
    mkdir -p "$partial/source/$1"
    run "download-$1" "Check the network, then run the command again." \
        in_folder "$partial/source/$1" in_suites apt-get source --download-only --target-release "$2" "$1"
}

in_suites() { APT_CONFIG="$suites_apt/apt.conf" "$@"; }

in_folder() { (cd "$1" && shift && "$@"); }
