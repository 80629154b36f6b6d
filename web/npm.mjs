// The npm package, ready to publish: node web/npm.mjs [--build build/wasm-release] [--out build/npm].
// Library, command line, catalog and locales; the types of requests are written from the request table.

import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import zlib from 'node:zlib';

import { loadBuiltCore } from './site.mjs';

const web = path.dirname(fileURLToPath(import.meta.url));
const top = path.dirname(web);

const { values } = parseArgs({
    options: {
        build: { type: 'string', default: path.join(top, 'build/wasm-release') },
        out: { type: 'string', default: path.join(top, 'build/npm') },
    },
});

const [build, out] = [values.build, values.out].map((folder) => path.resolve(folder));
const { core, snapshot } = await loadBuiltCore(build);
const texts = JSON.parse(await fs.readFile(path.join(top, 'catalog/locales/en.json'), 'utf8'));
const { version } = core.call('version');

await fs.rm(out, { recursive: true, force: true });
await fs.mkdir(path.join(out, 'bin'), { recursive: true });
const write = (name, text) => fs.writeFile(path.join(out, name), text);
const copy = (from, name) => fs.copyFile(from, path.join(out, name));

for (const name of ['core.wasm', 'inspect.wasm', 'command.wasm']) await copy(path.join(build, name), name);
for (const name of ['core.mjs', 'inspect.mjs']) {
    const script = await minified(path.join(build, name));
    // Emscripten's script asks Node for 'module'; bundlers for browsers would look for it and fail.
    const hidden = script.replace(/import\("module"\)/g, 'import(["node","module"].join(":"))');
    if (hidden === script) throw new Error(`${name}: Emscripten's way to load from Node has changed`);
    await write(name, hidden);
}
await write('core_calls.mjs', await minified(path.join(web, 'core.mjs')));
await write('inspect_files.mjs', await minified(path.join(web, 'inspect_files.mjs')));
await copy(path.join(web, 'npm/index.mjs'), 'index.mjs');
await write('bin/command.mjs', await minified(path.join(build, 'command.mjs')));
await fs.rename(path.join(out, 'command.wasm'), path.join(out, 'bin/command.wasm'));
await copy(path.join(web, 'npm/vramscope.mjs'), 'bin/vramscope.mjs');
await fs.chmod(path.join(out, 'bin/vramscope.mjs'), 0o755);
await write('catalog.json', snapshot.catalog);
await write('catalog-sources.json', snapshot.sources);
const isForPages = (from) => path.basename(from) === 'pages'; // texts of the static pages
await fs.cp(path.join(top, 'catalog/locales'), path.join(out, 'locales'), { recursive: true, filter: (from) => !isForPages(from) });
await copy(path.join(top, 'LICENSE'), 'LICENSE');
await write('README.md', (await fs.readFile(path.join(web, 'npm/README.md'), 'utf8')).replace('[Vramscope](../../README.md)', 'Vramscope'));
await copy(path.join(web, 'npm/functions.d.ts'), 'index.d.ts');
await copy(path.join(web, 'npm/estimate.d.ts'), 'estimate.d.ts');
await write('request.d.ts', requestTypes(core.call('fields')));
await write('package.json', JSON.stringify({
    name: 'vramscope',
    version,
    description: 'Memory, context and speed of open-weight language models: does it fit?',
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=18' },
    bin: { vramscope: 'bin/vramscope.mjs' },
    types: './index.d.ts',
    exports: {
        '.': { types: './index.d.ts', default: './index.mjs' },
        './catalog.json': './catalog.json',
        './core.wasm': './core.wasm',
        './inspect.wasm': './inspect.wasm',
        './package.json': './package.json',
    },
    keywords: ['llm', 'vram', 'gguf', 'gpu', 'memory', 'kv-cache', 'wasm'],
}, null, 2) + '\n');

for (const name of ['core.wasm', 'core.mjs', 'index.mjs', 'inspect.wasm', 'bin/command.wasm', 'catalog.json', 'catalog-sources.json']) {
    const bytes = await fs.readFile(path.join(out, name));
    console.log(`${name.padEnd(22)}${String(bytes.length).padStart(9)}${String(zlib.gzipSync(bytes, { level: 9 }).length).padStart(9)} gzip`);
}

async function minified(file) {
    const { transform } = await import('esbuild');
    const { code } = await transform(await fs.readFile(file, 'utf8'), { format: 'esm', minify: true, target: 'es2022', legalComments: 'none' });
    return code;
}

/** One line of the request table as a property. */
function property({ key, kind, unit, default: usual, help, minimum, maximum, choices }) {
    const types = {
        id: key === 'hardware' ? 'string | object | Array<string | object>' : key === 'model' ? 'string | object' : 'string',
        integer: 'number',
        real: 'number',
        boolean: 'boolean',
        choice: (choices ?? []).map((choice) => `'${choice}'`).join(' | '),
        list: 'number[] | string',
    };
    if (!types[kind]) throw new Error(`request field ${key}: what type has a ${kind}?`);
    const notes = [texts[help], unit && `in ${unit}`, minimum !== undefined && `${minimum} to ${maximum}`, usual !== '' && `default ${usual}`];
    return `  /** ${notes.filter(Boolean).join('; ')} */\n  ${key}?: ${types[kind]} | null;\n`;
}

function requestTypes(fields) {
    return `// Written by web/npm.mjs from the table of request fields (src/catalog/request_fields.cpp).

/** What is asked. Everything may be left out; null is the default as well. */
export interface EstimateRequest {
${fields.map(property).join('')}}
`;
}
