// A small static file server for the built site: node web/serve.mjs [--root dist] [--port 8080]
// [--base /sub/path/]. As a module: const {url, close} = await startServer({root, port, base}).
//
// It does what a good static host does, so that what is seen here is what visitors get: right content
// types, brotli or gzip as the client asks, validation by ETag. It listens on 127.0.0.1 only.

import { createReadStream, promises as fs } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import zlib from 'node:zlib';

const contentTypes = {
    '.css': 'text/css; charset=utf-8',
    '.csv': 'text/csv; charset=utf-8',
    '.gguf': 'application/octet-stream',
    '.html': 'text/html; charset=utf-8',
    '.ico': 'image/x-icon',
    '.js': 'text/javascript; charset=utf-8',
    '.json': 'application/json',
    '.map': 'application/json',
    '.md': 'text/markdown; charset=utf-8',
    '.mjs': 'text/javascript; charset=utf-8',
    '.png': 'image/png',
    '.svg': 'image/svg+xml',
    '.txt': 'text/plain; charset=utf-8',
    '.wasm': 'application/wasm',
    '.webmanifest': 'application/manifest+json',
    '.webp': 'image/webp',
    '.woff2': 'font/woff2',
    '.xml': 'application/xml',
};

const alreadyCompressed = new Set(['.gguf', '.png', '.webp', '.woff2']);

const encodings = {
    br: {
        suffix: '.br',
        compress: (bytes) =>
            promisify(zlib.brotliCompress)(bytes, {
                params: {
                    [zlib.constants.BROTLI_PARAM_QUALITY]: 9,
                    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
                },
            }),
    },
    gzip: { suffix: '.gz', compress: (bytes) => promisify(zlib.gzip)(bytes, { level: 9 }) },
};

/**
 * Serves the folder `root` at `base`.
 * @param {object} options
 * @param {string} options.root folder with the files
 * @param {number} [options.port] 0 (the default) takes any free port
 * @param {string} [options.base] path of the site on the host, '/' or '/sub/path/'
 * @param {(request, response) => (boolean|Promise<boolean>)} [options.intercept] for tests: is asked
 *     first and answers true when it has dealt with the request
 * @returns {Promise<{url: string, port: number, close: () => Promise<void>}>}
 */
export async function startServer({ root, port = 0, base = '/', intercept } = {}) {
    const site = {
        root: await fs.realpath(root),
        base: `/${base}/`.replace(/\/+/g, '/'),
        compressed: new Map(), // 'etag' -> promise of the bytes
    };
    const server = http.createServer(async (request, response) => {
        try {
            if (intercept && (await intercept(request, response))) return;
            await answer(site, request, response);
        } catch (error) {
            if (response.headersSent) response.destroy();
            else refuse(response, 500, `The server failed: ${error.message}`);
        }
    });
    await new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '127.0.0.1', resolve);
    });
    const taken = server.address().port;
    return {
        url: `http://127.0.0.1:${taken}${site.base}`,
        port: taken,
        close: () =>
            new Promise((resolve) => {
                server.close(() => resolve());
                server.closeAllConnections?.();
            }),
    };
}

async function answer(site, request, response) {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        return refuse(response, 405, `Only GET and HEAD are answered here, not ${request.method}.`);
    }
    const [rawPath, query] = request.url.split(/\?(.*)/s);
    let wanted;
    try {
        wanted = decodeURIComponent(rawPath);
    } catch {
        return refuse(response, 400, `The address ${rawPath} is not valid percent-encoding.`);
    }
    if (wanted + '/' === site.base) return redirect(response, site.base, query);
    const file = await find(site, wanted);
    if (!file) return notFound(site, response, wanted, request.method);
    if (file.folder) return redirect(response, encodeURI(wanted) + '/', query);
    await send(site, request, response, file, 200);
}

// Finds the file of a path on the host; undefined when there is none. Nothing outside of the root is
// ever found, neither by '..' nor through a symbolic link.
async function find(site, wanted) {
    if (!wanted.startsWith(site.base) || wanted.includes('\0')) return undefined;
    try {
        const name = path.join(site.root, wanted.slice(site.base.length));
        let place = await fs.realpath(name);
        if (place !== site.root && !place.startsWith(site.root + path.sep)) return undefined;
        let status = await fs.stat(place);
        if (status.isDirectory()) {
            place = path.join(place, 'index.html');
            status = await fs.stat(place);
            if (!wanted.endsWith('/')) return { folder: true };
        } else if (wanted.endsWith('/')) {
            return undefined;
        }
        return status.isFile() ? { place, size: status.size, modified: status.mtimeMs } : undefined;
    } catch (error) {
        if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(error.code)) return undefined;
        throw error;
    }
}

async function send(site, request, response, file, code) {
    const extension = path.extname(file.place).toLowerCase();
    const encoding = alreadyCompressed.has(extension)
        ? undefined
        : bestEncoding(request.headers['accept-encoding']);
    const etag = `"${file.size.toString(36)}-${Math.round(file.modified * 1000).toString(36)}${
        encoding ? '-' + encoding : ''
    }"`;
    response.setHeader('Content-Type', contentTypes[extension] ?? 'application/octet-stream');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-cache'); // may be kept, is always asked about
    response.setHeader('Vary', 'Accept-Encoding');
    response.setHeader('Access-Control-Allow-Origin', '*'); // embed.js, and frames without an origin
    response.setHeader('ETag', etag);
    if (code === 200 && matches(request.headers['if-none-match'], etag)) {
        response.writeHead(304).end();
        return;
    }
    if (encoding) {
        const bytes = await compressed(site, file, encoding, etag);
        response.setHeader('Content-Encoding', encoding);
        response.writeHead(code, { 'Content-Length': bytes.length });
        response.end(request.method === 'HEAD' ? undefined : bytes);
        return;
    }
    response.writeHead(code, { 'Content-Length': file.size });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file.place).on('error', () => response.destroy()).pipe(response);
}

// A compressed sibling on disk when it is as new as the file, else compressed once per version.
function compressed(site, file, encoding, etag) {
    const key = `${file.place} ${etag}`;
    if (!site.compressed.has(key)) {
        const { suffix, compress } = encodings[encoding];
        const bytes = fs
            .stat(file.place + suffix)
            .then((sibling) => {
                if (sibling.mtimeMs < file.modified) throw new Error('older than its file');
                return fs.readFile(file.place + suffix);
            })
            .catch(async () => compress(await fs.readFile(file.place)));
        bytes.catch(() => site.compressed.delete(key));
        site.compressed.set(key, bytes);
    }
    return site.compressed.get(key);
}

// The encoding the client likes best; br before gzip when it does not say.
export function bestEncoding(acceptEncoding = '') {
    const quality = new Map();
    for (const part of acceptEncoding.toLowerCase().split(',')) {
        const [name, ...parameters] = part.split(';').map((text) => text.trim());
        const q = parameters.find((text) => text.startsWith('q='));
        if (name) quality.set(name, q ? Number(q.slice(2)) || 0 : 1);
    }
    const likes = (name) => quality.get(name) ?? quality.get('*') ?? 0;
    const [best] = ['br', 'gzip'].sort((a, b) => likes(b) - likes(a));
    return likes(best) > 0 ? best : undefined;
}

function matches(ifNoneMatch, etag) {
    if (!ifNoneMatch) return false;
    return ifNoneMatch.split(',').some((text) => {
        const candidate = text.trim().replace(/^W\//, '');
        return candidate === '*' || candidate === etag;
    });
}

function redirect(response, location, query) {
    response.writeHead(301, { Location: query === undefined ? location : `${location}?${query}` });
    response.end();
}

// The site's own 404.html when it has one.
async function notFound(site, response, wanted, method) {
    const page = await find(site, `${site.base}404.html`);
    if (page) return send(site, { headers: {}, method }, response, page, 404);
    refuse(response, 404, `There is no file ${wanted} on this site, which starts at ${site.base}`);
}

function refuse(response, code, text) {
    const body = `${code} ${http.STATUS_CODES[code]}\n${text}\n`;
    response.writeHead(code, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'X-Content-Type-Options': 'nosniff',
    });
    response.end(response.req?.method === 'HEAD' ? undefined : body);
}

const usage = 'usage: node web/serve.mjs [--root DIR] [--port N] [--base /sub/path/]';

async function main() {
    const fallback = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../dist');
    let options;
    try {
        options = parseArgs({
            options: {
                root: { type: 'string', default: fallback },
                port: { type: 'string', default: '8080' },
                base: { type: 'string', default: '/' },
                help: { type: 'boolean', short: 'h' },
            },
        }).values;
    } catch (error) {
        console.error(`${error.message}\n${usage}`);
        return 2;
    }
    if (options.help) {
        console.log(usage);
        return 0;
    }
    const port = Number(options.port);
    if (!/^\d+$/.test(options.port) || port > 65535) {
        console.error(`--port wants a number from 0 to 65535, not "${options.port}"`);
        return 2;
    }
    try {
        const { url } = await startServer({ root: options.root, port, base: options.base });
        console.log(`Serving ${options.root}\nOpen ${url}  (Ctrl-C ends it)`);
    } catch (error) {
        if (error.code === 'EADDRINUSE') {
            console.error(`Port ${port} on 127.0.0.1 is already in use; choose another with --port N.`);
        } else if (error.code === 'EACCES') {
            console.error(`Port ${port} may not be used by this user; choose one above 1023 with --port N.`);
        } else if (error.code === 'ENOENT') {
            console.error(`There is no folder ${options.root}; ./build-wasm.sh builds it.`);
        } else {
            throw error;
        }
        return 1;
    }
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));
    return undefined;
}

if (process.argv[1] && import.meta.url === pathToFileURL(await fs.realpath(process.argv[1])).href) {
    const status = await main();
    if (status !== undefined) process.exitCode = status;
}
