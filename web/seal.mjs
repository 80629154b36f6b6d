// The last step of a site: node web/seal.mjs [dist], and again after files were added to it. Writes
//
//   sbom.json            what the site is made of and under which licences (CycloneDX)
//   service_worker.js    with the names and hashes of what works offline
//   manifest.json        SHA-384 of every file, as in an integrity attribute
//   *.br, *.gz           compressed, for hosts that serve such siblings

import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

import { writeIcons } from './icons.mjs';
import { billOfMaterials } from './sbom.mjs';

const web = path.dirname(fileURLToPath(import.meta.url));
const isCompressed = (name) => /\.(br|gz)$/.test(name);
const worthIt = (name, bytes) => bytes.length >= 200 && /\.(css|html|js|json|mjs|svg|txt|wasm|webmanifest|xml)$/.test(name);
// What the page loads, now or on demand; not what is for other pages (lib/, embed) or for reading.
const offline = (name) => /^([\w-]+\.(js|wasm|css|json|webmanifest)|index\.html|icon[\w-]*\.(svg|png)|locales\/((more|inspect)\/)?[\w-]+\.json|speed-points\.txt|lib\/inspect[\w-]*\.(mjs|js|wasm))$/.test(name)
    && !/^(embed[\w-]*\.|service_worker\.|manifest\.|sbom\.)/.test(name);

/**
 * Seals the site in `folder`; the sizes of its files: {name: {raw, gzip, brotli}}. Without `compress`
 * siblings stay as they were (servers leave out those that are older than their file).
 */
export async function sealSite(folder, { compress = true } = {}) {
    const write = (name, text) => fs.writeFile(path.join(folder, name), text);
    await writeIcons(folder);
    await write('sbom.json', JSON.stringify(await billOfMaterials(), null, 1) + '\n');
    let names = (await filesBelow(folder)).filter((name) => !isCompressed(name) && name !== 'manifest.json' && name !== 'service_worker.js');
    const hashes = {};
    for (const name of names) hashes[name] = await hashOf(path.join(folder, name));
    await write('service_worker.js', await serviceWorker(hashes));
    hashes['service_worker.js'] = await hashOf(path.join(folder, 'service_worker.js'));
    names = Object.keys(hashes).sort();
    await write('manifest.json', JSON.stringify({ files: Object.fromEntries(names.map((name) => [name, `sha384-${hashes[name]}`])) }, null, 1) + '\n');
    return compress ? compressAll(folder, [...names, 'manifest.json'].sort()) : {};
}

async function serviceWorker(hashes) {
    const files = Object.fromEntries(Object.entries(hashes).filter(([name]) => offline(name)).sort());
    const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
    const { transform } = await import('esbuild');
    const { code } = await transform(await fs.readFile(path.join(web, 'service_worker.mjs'), 'utf8'), {
        minify: true, target: 'es2022', legalComments: 'none', define: { PRECACHE: JSON.stringify({ version, files }) },
    });
    return code;
}

const hashOf = async (file) => createHash('sha384').update(await fs.readFile(file)).digest('base64');

async function compressAll(folder, names) {
    const sizes = {};
    const waiting = [...names];
    await Promise.all(Array.from({ length: os.availableParallelism?.() ?? 2 }, async () => {
        for (let name; (name = waiting.shift()) !== undefined;) sizes[name] = await compress(folder, name);
    }));
    return Object.fromEntries(names.map((name) => [name, sizes[name]]));
}

async function compress(folder, name) {
    const file = path.join(folder, name);
    const bytes = await fs.readFile(file);
    const raw = bytes.length;
    if (!worthIt(name, bytes)) {
        for (const suffix of ['.gz', '.br']) await fs.rm(file + suffix, { force: true });
        return { raw, gzip: raw, brotli: raw }; // served as it is
    }
    const gzip = await promisify(zlib.gzip)(bytes, { level: 9 });
    const brotli = await promisify(zlib.brotliCompress)(bytes, { params: {
        [zlib.constants.BROTLI_PARAM_SIZE_HINT]: raw,
        [zlib.constants.BROTLI_PARAM_QUALITY]: name.includes('/') && name.endsWith('.html') ? 9 : 11, // of static pages there are thousands
    } });
    for (const [suffix, packed] of [['.gz', gzip], ['.br', brotli]]) await fs.writeFile(file + suffix, packed);
    return { raw, gzip: gzip.length, brotli: brotli.length };
}

/** Names of all files in a folder and those below it, with slashes, sorted. */
export async function filesBelow(folder, inside = '') {
    const names = [];
    for (const entry of await fs.readdir(path.join(folder, inside), { withFileTypes: true })) {
        const name = inside ? `${inside}/${entry.name}` : entry.name;
        if (entry.isDirectory()) names.push(...(await filesBelow(folder, name)));
        else names.push(name);
    }
    return names.sort();
}

if (process.argv[1] && import.meta.url === pathToFileURL(await fs.realpath(process.argv[1])).href) {
    const folder = path.resolve(process.argv[2] ?? path.join(web, '../dist'));
    const sizes = await sealSite(folder);
    console.log(`${Object.keys(sizes).length} files sealed in ${folder}`);
}
