// Assembles the site: node web/site.mjs [--build build/wasm-release] [--out dist]
//                     node web/site.mjs --estimate    prints the default request's estimate
//
//   index.html      web/index.html with its {{placeholders}} filled
//   *.js, *.css     what index.html names, bundled and minified
//   app.js, .wasm   the page's module; app-more.wasm: what its first answer does without (split.mjs)
//   catalog.json    the snapshot, packed by the core from catalog/; catalog-first.json: the same with
//                   the models of one family only, for the page's first answer;
//                   catalog-sources.json: where the facts come from, fetched when asked for
//   speed-points.txt  measured decode rates, fetched when the speed tab is opened
//   locales/        one file per language; locales/more/: what its first answer does without;
//                   locales/inspect/: the texts of own_model.js
//   own_model.js, inspect.js, inspect.wasm, hubs.json, storage-types.json
//                   models from files and links, loaded when somebody asks for them
//   lib/            the estimator for other people's pages and for Node
//   embed.js        the element for other people's pages; embed_*: what it puts into frames
//   service_worker.js, manifest.json, sbom.json, *.br, *.gz   see seal.mjs
//   anything else   of web/ that is no source of the above is copied as it is
//
// The folder appears in one piece: a failed run leaves the last good one.

import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { CoreError, loadCore } from './core.mjs';
import { estimateHtml, estimateText } from './estimate_text.mjs';
import { cardTexts } from './embed_card.mjs';
import { filesBelow, sealSite } from './seal.mjs';
import { splitModule } from './split.mjs';

const web = path.dirname(fileURLToPath(import.meta.url));
const top = path.dirname(web);

/** The core of a WebAssembly build, with the catalog of this checkout loaded. */
export async function loadBuiltCore(build = path.join(top, 'build/wasm-release')) {
    const core = await loadCore({ url: pathToFileURL(path.join(build, 'core.mjs')) });
    const sources = await catalogSources();
    const snapshot = buildCatalog(core, sources);
    snapshot.first = buildCatalog(core, firstSources(core, sources)).catalog;
    core.call('catalog.load', { text: snapshot.catalog });
    return { core, snapshot };
}

/** The catalog's sources as the core takes them: [{path, content}], without locales and schemas. */
export async function catalogSources(folder = path.join(top, 'catalog')) {
    const files = (await filesBelow(folder)).filter(
        (name) => name.endsWith('.json') && !/^(locales|schema)\//.test(name),
    );
    return Promise.all(
        files.map(async (name) => ({
            path: name,
            content: await fs.readFile(path.join(folder, name), 'utf8'),
        })),
    );
}

/** What the first answer needs: of the models only the family that holds the default one. */
function firstSources(core, sources) {
    const { default: id } = core.call('fields').find(({ key }) => key === 'model');
    const isFamily = ({ path: name }) => name.startsWith('models/');
    const family = sources.filter(isFamily).find(({ content }) => JSON.parse(content).models.some((model) => model.id === id));
    return sources.filter((file) => !isFamily(file) || file === family);
}

// -> {catalog, sources}, the texts of both files.
function buildCatalog(core, files) {
    try {
        return core.call('catalog.build', { files });
    } catch (error) {
        if (!(error instanceof CoreError)) throw error;
        const faults = error.details.errors ?? [error.details];
        throw new SiteError(
            `catalog/ has faults:\n${faults.map((fault) => `  ${fault.message}`).join('\n')}`,
        );
    }
}

/** Something a person can put right; shown without a stack. */
class SiteError extends Error {}

async function assemble(build, out) {
    const staging = path.join(top, 'build', `site-${process.pid}`);
    await fs.rm(staging, { recursive: true, force: true });
    await fs.mkdir(path.join(staging, 'lib'), { recursive: true });
    try {
        const { core, snapshot } = await loadBuiltCore(build);
        const firstLoad = ['index.html', 'app.js', 'app.wasm', 'catalog-first.json', 'locales/en.json'];
        await fs.writeFile(path.join(staging, 'catalog.json'), snapshot.catalog);
        await fs.writeFile(path.join(staging, 'catalog-first.json'), snapshot.first);
        await fs.writeFile(path.join(staging, 'catalog-sources.json'), snapshot.sources);
        await copyLocales(staging);
        await copySpeedPoints(staging);
        await copyModules(build, staging);
        await buildOwnModel(build, staging);
        const isSplit = await splitPage(build, staging);
        const taken = new Set(['index.html']); // the files of web/ that are no use as they are
        await buildEmbed(core, staging, taken);
        await buildPage(core, staging, firstLoad, isSplit, taken);
        await copyRest(staging, taken);
        const sizes = await sealSite(staging);
        await fs.writeFile(
            path.join(top, 'build', 'site-sizes.json'),
            JSON.stringify({ firstLoad, files: sizes }, null, 2) + '\n',
        );
        await fs.rm(out, { recursive: true, force: true });
        await fs.rename(staging, out);
        printSizes(sizes, firstLoad);
    } finally {
        await fs.rm(staging, { recursive: true, force: true });
    }
}

async function copyLocales(staging) {
    const from = path.join(top, 'catalog/locales');
    await Promise.all(['more', 'inspect'].map((part) => fs.mkdir(path.join(staging, 'locales', part), { recursive: true })));
    for (const name of await filesBelow(from)) {
        if (name.includes('/')) continue; // texts of the static pages
        const texts = parsedJson(await fs.readFile(path.join(from, name), 'utf8'), name);
        const write = async (target, wanted) => {
            const kept = Object.entries(texts).filter(([key]) => wanted(key));
            await fs.writeFile(path.join(staging, 'locales', target), JSON.stringify(Object.fromEntries(kept)));
        };
        // What only embed.js says is in it; what only the dialog for files and links says comes with it.
        const ofPage = (key) => !/^(embed|inspect)\./.test(key);
        await write(name, (key) => ofPage(key) && !laterTexts.test(key));
        await write(`more/${name}`, (key) => ofPage(key) && laterTexts.test(key));
        await write(`inspect/${name}`, (key) => key.startsWith('inspect.'));
    }
}

// Texts that the first answer to a plain address does not show: of what is opened later (views leave out
// what has no texts yet), of other engines and architectures than the default's, of faults. An address
// that asks for anything waits for them.
const laterTexts = new RegExp([
    /^(layers|speed|heat|effect|gpu|runs|need|modes|filter|quality|compare|undo|redo|keys|export|pin|report)\./,
    /^(error|warning|advice|change|files|evidence|fact|completeness|note|launch|related)\./,
    /^explain\.(?!copy)/,
    /^hardware\.(?!(cpu|several|detail)$)/,
    /^(field|help)\.(hardware_add|custom_|line_speed)/,
    /^why\.(projector|state)\./,
    /^why\.kv\.(sliding_window|chunked|latent|raw|paged|token_pool|steps)\./,
    /^why\.weights\.(nominal|rank|file|computed)\./,
    /^why\.compute\.(profiled|reserve|chunk)\./,
    /^why\.overhead\.(kv_scratch|quick|serving|evidence)\./,
].map(({ source }) => source).join('|'));

// The measured decode rates that the speed tab shows, from the list that calibrates them.
async function copySpeedPoints(staging) {
    const text = await fs.readFile(path.join(top, 'tests/reference/speed_points.txt'), 'utf8');
    const kept = text.split('\n').filter((line) => line && !line.startsWith('#')).map((line) => line.replace(/ +p\d+\/\S+/g, ''));
    await fs.writeFile(path.join(staging, 'speed-points.txt'), kept.join('\n') + '\n');
}

function parsedJson(text, name) {
    try {
        return JSON.parse(text);
    } catch (error) {
        throw new SiteError(`catalog: ${name}: ${error.message}`);
    }
}

async function copyModules(build, staging) {
    await fs.copyFile(path.join(build, 'app.wasm'), path.join(staging, 'app.wasm'));
    await fs.copyFile(path.join(build, 'core.wasm'), path.join(staging, 'lib/core.wasm'));
    await minify(path.join(build, 'app.js'), path.join(staging, 'app.js'));
    await minify(path.join(build, 'core.mjs'), path.join(staging, 'lib/core.mjs'));
    await minify(path.join(web, 'core.mjs'), path.join(staging, 'lib/vramscope.mjs'));
}

// The dialog for files and links, and what it needs.
async function buildOwnModel(build, staging) {
    const esbuild = await bundler();
    await fs.copyFile(path.join(build, 'inspect.wasm'), path.join(staging, 'inspect.wasm'));
    await minify(path.join(build, 'inspect.mjs'), path.join(staging, 'inspect.js'));
    for (const name of ['own_model.mjs', 'own_model.css']) {
        await esbuild.build({
            ...scriptOptions,
            entryPoints: [path.join(web, name)],
            outfile: path.join(staging, name.replace(/\.mjs$/, '.js')),
            bundle: true,
            logLevel: 'error',
        });
    }
    const source = async (name) => parsedJson(await fs.readFile(path.join(top, 'catalog', name), 'utf8'), name);
    const { about, ...hubs } = await source('hubs.json');
    const { storage_types: types } = await source('quantization.json');
    await fs.writeFile(path.join(staging, 'hubs.json'), JSON.stringify(hubs));
    await fs.writeFile(path.join(staging, 'storage-types.json'), JSON.stringify(types));
}

// -> whether there are two parts. Without wasm-split, of Binaryen, the page works all the same.
async function splitPage(build, staging) {
    const { wasm_split: tool } = JSON.parse(await fs.readFile(path.join(build, 'tools.json'), 'utf8'));
    const whole = 'app.wasm stays in one piece, and the first load is larger.';
    if (!tool) {
        console.log(`wasm-split not found: ${whole}`);
        return false;
    }
    try {
        await splitModule(staging, tool);
        return true;
    } catch (error) {
        console.log(`${error.message}\n${whole}`);
        return false;
    }
}

async function minify(from, to) {
    const esbuild = await bundler();
    const { code } = await esbuild.transform(await fs.readFile(from, 'utf8'), {
        ...scriptOptions,
        loader: 'js',
        sourcefile: path.relative(top, from),
    });
    await fs.writeFile(to, code);
}

// What browsers with WebGL2 and 64-bit integers in WebAssembly (all since 2021) understand.
const scriptOptions = { format: 'esm', minify: true, target: 'es2021', legalComments: 'none' };

// Fills the template and bundles the scripts and styles that it names; adds them to firstLoad and the
// files of web/ that went into them to `taken`. Everything else that the page loads is in `staging`: its
// hash and theirs are the version that all addresses carry.
async function buildPage(core, staging, firstLoad, isSplit, taken) {
    const version = createHash('sha256');
    for (const name of await filesBelow(staging)) version.update(name).update(await fs.readFile(path.join(staging, name)));
    let html = await fs.readFile(path.join(web, 'index.html'), 'utf8').catch(() => {
        throw new SiteError('web/index.html, the template of the page, is missing.');
    });
    const pattern = /(<script[^>]*\ssrc="|<link[^>]*\srel="stylesheet"[^>]*\shref=")([^":]+)(")/g;
    const entries = [...html.matchAll(pattern)].map(([, , name]) => name);
    const esbuild = await bundler();
    const bundle = (name, siteVersion, write) => esbuild.build({
        ...scriptOptions,
        entryPoints: [path.join(web, name)],
        outfile: path.join(staging, name.replace(/\.mjs$/, '.js')), // some hosts do not know .mjs as a script
        bundle: true,
        write,
        define: { IS_SPLIT: String(isSplit), SITE_VERSION: JSON.stringify(siteVersion) },
        external: ['./app.js', './embed_frame.js', './offline.js', './modes.js', './picture.js', '*.svg', '*.png', '*.woff2'],
        metafile: true,
        logLevel: 'error',
    });
    for (const name of entries) {
        const { outputFiles } = await bundle(name, '', false);
        for (const { contents } of outputFiles) version.update(contents);
    }
    const siteVersion = version.digest('hex').slice(0, 10);
    for (const name of entries) {
        const { metafile } = await bundle(name, siteVersion, true);
        for (const input of Object.keys(metafile.inputs)) taken.add(path.relative(web, path.resolve(input)));
        firstLoad.push(name.replace(/\.mjs$/, '.js'));
    }
    html = html.replace(pattern, (all, before, name, after) => before + name.replace(/\.mjs$/, '.js') + after)
        .replace(/((?:src|href)="(?:main\.js|page\.css|app\.js|app\.wasm))"/g, `$1?v=${siteVersion}"`);
    await fs.writeFile(path.join(staging, 'index.html'), fill(html, await placeholders(core)));
}

// Scripts that index.html does not name: what main.js loads on demand, and the element for other pages
// with the request's fields and the texts of its card (no second list of either).
async function buildEmbed(core, staging, taken) {
    const fields = {};
    for (const { key, kind, aliases = [] } of core.call('fields')) {
        for (const name of [key, ...aliases]) fields[name] = kind;
    }
    const texts = {};
    for (const name of await localeFiles()) {
        const all = parsedJson(await fs.readFile(path.join(top, 'catalog/locales', name), 'utf8'), name);
        const missing = cardTexts.find((key) => !(key in all));
        if (missing) throw new SiteError(`catalog/locales/${name}: there is no "${missing}"`);
        texts[path.basename(name, '.json')] = Object.fromEntries(cardTexts.map((key) => [key, all[key]]));
    }
    const esbuild = await bundler();
    for (const name of ['embed.mjs', 'embed_figures.mjs', 'embed_frame.mjs', 'embed_frame.css', 'offline.mjs', 'modes.mjs', 'picture.mjs']) {
        const { metafile } = await esbuild.build({
            ...scriptOptions,
            target: 'es2022', // private class members; adopted style sheets are younger still
            entryPoints: [path.join(web, name)],
            outfile: path.join(staging, name.replace(/\.mjs$/, '.js')),
            bundle: true,
            define: name === 'embed.mjs' ? { REQUEST_FIELDS: JSON.stringify(fields), PREVIEW_TEXTS: JSON.stringify(texts) } : {},
            metafile: true,
            logLevel: 'error',
        });
        for (const input of Object.keys(metafile.inputs)) taken.add(path.relative(web, path.resolve(input)));
    }
}

async function placeholders(core) {
    const texts = await englishTexts();
    return {
        estimate: estimateHtml(core.call('estimate', { request: {} }), texts),
        version: core.call('version').version,
    };
}

async function englishTexts() {
    return JSON.parse(await fs.readFile(path.join(top, 'catalog/locales/en.json'), 'utf8'));
}

function fill(html, values) {
    return html.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (all, name) => {
        if (!(name in values)) {
            throw new SiteError(
                `web/index.html: {{${name}}} is none of ${Object.keys(values).join(', ')}`,
            );
        }
        return values[name];
    });
}

// Icons, the manifest and the like. Scripts and styles that no page names are left out.
async function copyRest(staging, taken) {
    for (const name of await filesBelow(web)) {
        if (taken.has(name) || /\.(mjs|css)$|^package(-lock)?\.json$|^README\.md$|^npm\/|^node_modules\//.test(name)) continue;
        await fs.mkdir(path.dirname(path.join(staging, name)), { recursive: true });
        await fs.copyFile(path.join(web, name), path.join(staging, name));
    }
}

// The app's; the folder below holds those of the static pages.
async function localeFiles() {
    return (await filesBelow(path.join(top, 'catalog/locales'))).filter((name) => !name.includes('/'));
}

let esbuildModule;
async function bundler() {
    esbuildModule ??= import('esbuild').catch(() => {
        throw new SiteError("npm's esbuild is missing: run ./build-wasm.sh, or 'npm ci --prefix web'.");
    });
    return esbuildModule;
}

function printSizes(sizes, firstLoad) {
    const line = (name, { raw, gzip, brotli }) =>
        console.log(
            name.padEnd(28) +
                [raw, gzip, brotli].map((n) => n.toLocaleString('en').padStart(11)).join(''),
        );
    console.log(`${'bytes'.padEnd(28)}        raw       gzip     brotli`);
    const others = Object.keys(sizes).filter((name) => !firstLoad.includes(name));
    for (const name of firstLoad) line(name, sizes[name]);
    const sum = (key) => firstLoad.reduce((total, name) => total + sizes[name][key], 0);
    line('first load', { raw: sum('raw'), gzip: sum('gzip'), brotli: sum('brotli') });
    console.log(`first load, gzip: ${(sum('gzip') / 1024).toFixed(1)} KiB`);
    for (const name of others) line(name, sizes[name]);
}

async function main() {
    const { values } = parseArgs({
        options: {
            build: { type: 'string', default: path.join(top, 'build/wasm-release') },
            out: { type: 'string', default: path.join(top, 'dist') },
            estimate: { type: 'boolean', default: false },
        },
    });
    if (values.estimate) {
        const { core } = await loadBuiltCore(values.build);
        console.log(estimateText(core.call('estimate', { request: {} }), await englishTexts()));
    } else {
        await assemble(path.resolve(values.build), path.resolve(values.out));
    }
}

if (process.argv[1] && import.meta.url === pathToFileURL(await fs.realpath(process.argv[1])).href) {
    try {
        await main();
    } catch (error) {
        if (!(error instanceof SiteError)) throw error;
        console.error(error.message);
        process.exitCode = 1;
    }
}
