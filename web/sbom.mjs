// What the built site and the npm package are made of, as a CycloneDX 1.5 document, from the pins that
// the build itself uses: src/build/dependencies.cmake, the Emscripten version and web/package-lock.json.

import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (name) => fs.readFile(path.join(top, name), 'utf8');

// Of the libraries in dependencies.cmake; a new one without an entry stops the build.
const licences = { imgui: 'MIT', json: 'MIT', cli11: 'BSD-3-Clause', catch2: 'BSL-1.0' };
// 'required' is in what is shipped, 'excluded' made or tested it.
const scopes = { imgui: 'required', json: 'required', cli11: 'optional', catch2: 'excluded' };

export async function billOfMaterials() {
    const version = /project\(vramscope VERSION ([\d.]+)/.exec(await read('CMakeLists.txt'))[1];
    return {
        bomFormat: 'CycloneDX',
        specVersion: '1.5',
        version: 1,
        metadata: { component: { type: 'application', 'bom-ref': 'vramscope', name: 'vramscope', version, licenses: [licence('MIT')] } },
        components: [...(await libraries()), ...(await compiler()), ...(await packages())],
    };
}

const licence = (id) => (/ (OR|AND) /.test(id) ? { expression: id } : { license: { id } });

async function libraries() {
    const text = await read('src/build/dependencies.cmake');
    const pins = [...text.matchAll(/vramscope_find\((\w+) \S+ (https:\S+)\.git\s+([0-9a-f]{40})\) # ([\w.]+)/g)];
    if (pins.length !== Object.keys(licences).length) throw new Error('src/build/dependencies.cmake: sbom.mjs knows other libraries');
    return pins.map(([, name, url, commit, version]) => {
        if (!licences[name]) throw new Error(`web/sbom.mjs: which licence has ${name}?`);
        const purl = `pkg:github/${url.replace('https://github.com/', '').toLowerCase()}@${commit}`;
        return {
            type: 'library', 'bom-ref': purl, name: url.split('/').at(-1), version, purl, scope: scopes[name],
            licenses: [licence(licences[name])], externalReferences: [{ type: 'vcs', url }],
        };
    });
}

// Its C and C++ libraries (musl, libc++, compiler-rt) are linked into the modules.
async function compiler() {
    const setup = await read('src/build/setup/emscripten.sh');
    const version = /3\.1\.69/.exec(setup)?.[0] ?? 'unknown';
    return [{
        type: 'library', 'bom-ref': 'emscripten', name: 'emscripten', version, scope: 'required',
        licenses: [{ expression: 'MIT OR NCSA' }], externalReferences: [{ type: 'vcs', url: 'https://github.com/emscripten-core/emscripten' }],
        description: 'compiler; parts of its musl (MIT), libc++ and compiler-rt (Apache-2.0 WITH LLVM-exception) are linked in',
    }];
}

async function packages() {
    const { packages: locked } = JSON.parse(await read('web/package-lock.json'));
    return Object.entries(locked)
        .filter(([place, { optional }]) => place && !optional)
        .map(([place, { version, license, integrity }]) => {
            const name = place.replace(/^.*node_modules\//, '');
            const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
            const [algorithm, hash] = (integrity ?? '').split('-');
            return {
                type: 'library', 'bom-ref': purl, name, version, purl, scope: 'excluded', licenses: license ? [licence(license)] : [],
                hashes: hash ? [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }] : [],
            };
        });
}
