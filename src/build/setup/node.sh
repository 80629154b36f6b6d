# Packages from npm, by lock files with hashes. Sourced by build-wasm.sh.

# npm_install SET FOLDER: installs the packages of src/build/npm/SET into FOLDER/node_modules.
npm_install() {
    cp "$top/src/build/npm/$1/package.json" "$top/src/build/npm/$1/package-lock.json" "$2/"
    run "npm-$1" "Check the network and npm's registry setting ('npm config get registry')." \
        npm ci --prefix "$2" --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retry-mintimeout=2000
}

# need_web_packages build|test: what the page's build (and the browser tests) import, in node_modules
# at the top. A lock file that changed gives a new folder.
need_web_packages() {
    local key omit='' place
    key=$(cat "$top/web/package-lock.json" "$top/web/package.json" | cksum | tr -d ' ')
    place="$tools/npm/test-$key"
    if [ "$1" = build ] && ! [ -d "$place" ]; then
        place="$tools/npm/build-$key"
        omit=--omit=dev
    fi
    if ! [ -d "$place" ]; then
        say "npm packages: $(node -p "const p = require('$top/web/package.json');
            Object.entries({...p.dependencies, ...('$omit' ? {} : p.devDependencies)})
                .map(([name, version]) => name + ' ' + version).join(', ')")"
        mkdir -p "$partial/web"
        cp "$top/web/package.json" "$top/web/package-lock.json" "$partial/web/"
        run npm-web "Check the network and npm's registry setting ('npm config get registry')." \
            npm ci --prefix "$partial/web" $omit --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retry-mintimeout=2000
        put_in_place "$partial/web" "$place"
    fi
    if [ -e "$top/node_modules" ] && ! [ -L "$top/node_modules" ]; then
        fail "there is a folder node_modules at the top of this checkout that the set-up did not make." \
            "move it away, then run the command again."
    fi
    [ "$(readlink "$top/node_modules" 2>/dev/null)" = "${place#"$top"/}/node_modules" ] ||
        ln -sfn "${place#"$top"/}/node_modules" "$top/node_modules"
}

# The browser tests' tools want Node 20 or newer; Debian 12 has 18. Sets $test_node.
need_test_node() {
    test_node=$(command -v node)
    [ "$(node_major)" -lt 20 ] || return 0
    local place="$tools/node-22" packages
    if ! [ -d "$place" ]; then
        say "Node $(node --version) is too old for the browser tests' tools: Node 22 from npm"
        mkdir -p "$partial/node"
        npm_install node "$partial/node"
        packages=("$partial"/node/node_modules/node-linux-*/bin/node)
        chmod +x "${packages[0]}"
        run try-node "Install Node 20 or newer yourself and put it first on PATH." "${packages[0]}" --version
        put_in_place "$partial/node" "$place"
    fi
    packages=("$place"/node_modules/node-linux-*/bin/node)
    test_node=${packages[0]}
}
