// The static server of web/serve.mjs: what a host owes the page, and what it must not give away.

import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import zlib from 'node:zlib';

import { bestEncoding, startServer } from '../../web/serve.mjs';

let folder;
let server;
const text = 'const answer = 42;\n'.repeat(200);

before(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'serve-test-'));
    const root = path.join(folder, 'site');
    await fs.mkdir(path.join(root, 'sub'), { recursive: true });
    await fs.writeFile(path.join(folder, 'secret.txt'), 'secret');
    await fs.symlink(path.join(folder, 'secret.txt'), path.join(root, 'link.txt'));
    await fs.writeFile(path.join(root, 'index.html'), '<!doctype html><title>home</title>');
    await fs.writeFile(path.join(root, 'sub/index.html'), '<!doctype html><title>sub</title>');
    for (const name of ['a.js', 'a.mjs', 'a.wasm', 'a.json', 'a.svg', 'a.webmanifest', 'ä b.txt']) {
        await fs.writeFile(path.join(root, name), text);
    }
    server = await startServer({ root, base: 'project' });
});

after(async () => {
    await server.close();
    await fs.rm(folder, { recursive: true });
});

// fetch() would normalise '..' and decode bodies: this sends a path as it is.
function get(requestPath, headers = {}, method = 'GET') {
    return new Promise((resolve, reject) => {
        const { hostname, port } = new URL(server.url);
        const request = http.request({ hostname, port, path: requestPath, headers, method }, (response) => {
            const chunks = [];
            response.on('data', (chunk) => chunks.push(chunk));
            response.on('end', () =>
                resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
            );
        });
        request.on('error', reject);
        request.end();
    });
}

test('every kind of file has its type', async () => {
    const types = {
        'a.js': 'text/javascript; charset=utf-8',
        'a.mjs': 'text/javascript; charset=utf-8',
        'a.wasm': 'application/wasm',
        'a.json': 'application/json',
        'a.svg': 'image/svg+xml',
        'a.webmanifest': 'application/manifest+json',
        '': 'text/html; charset=utf-8',
    };
    for (const [name, type] of Object.entries(types)) {
        const { status, headers } = await get(`/project/${name}`);
        assert.equal(status, 200, name);
        assert.equal(headers['content-type'], type);
    }
});

test('names with spaces and umlauts are found', async () => {
    assert.equal((await get(`/project/${encodeURIComponent('ä b.txt')}`)).status, 200);
});

test('the encoding is the one that the client likes best', async () => {
    assert.equal(bestEncoding('gzip, deflate, br'), 'br');
    assert.equal(bestEncoding('br;q=0.1, gzip'), 'gzip');
    assert.equal(bestEncoding('br;q=0, gzip;q=0'), undefined);
    assert.equal(bestEncoding('identity'), undefined);
    assert.equal(bestEncoding('*'), 'br');
    const br = await get('/project/a.wasm', { 'accept-encoding': 'br' });
    assert.equal(br.headers['content-encoding'], 'br');
    assert.equal(zlib.brotliDecompressSync(br.body).toString(), text);
    const gzip = await get('/project/a.wasm', { 'accept-encoding': 'gzip' });
    assert.equal(zlib.gunzipSync(gzip.body).toString(), text);
    const plain = await get('/project/a.wasm');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.body.toString(), text);
});

test('a file that did not change is not sent twice', async () => {
    const first = await get('/project/a.js', { 'accept-encoding': 'br' });
    const again = await get('/project/a.js', { 'accept-encoding': 'br', 'if-none-match': first.headers.etag });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
    const other = await get('/project/a.js', { 'if-none-match': first.headers.etag });
    assert.equal(other.status, 200, 'another encoding is another entity');
});

test('HEAD tells the size and sends nothing', async () => {
    const { status, headers, body } = await get('/project/a.js', {}, 'HEAD');
    assert.equal(status, 200);
    assert.equal(Number(headers['content-length']), text.length);
    assert.equal(body.length, 0);
});

test('folders end with a slash, and the query survives', async () => {
    const sub = await get('/project/sub?lang=de');
    assert.equal(sub.status, 301);
    assert.equal(sub.headers.location, '/project/sub/?lang=de');
    assert.equal((await get('/project/sub/')).status, 200);
    assert.equal((await get('/project')).headers.location, '/project/');
});

test('nothing outside of the site is served', async () => {
    const paths = [
        '/project/../secret.txt',
        '/project/..%2fsecret.txt',
        '/project/%2e%2e/secret.txt',
        '/project/sub/../../secret.txt',
        '/project/link.txt',
        '/project/a.js/',
        '/project/a.js%00',
        '/index.html',
        '/',
        '//etc/passwd',
    ];
    for (const name of paths) {
        const { status, body } = await get(name);
        assert.equal(status, 404, name);
        assert.ok(!body.includes('secret\n') && body.toString() !== 'secret', name);
    }
    assert.equal((await get('/project/%zz')).status, 400);
});

test('what is missing is named', async () => {
    const { status, headers, body } = await get('/project/missing.wasm');
    assert.equal(status, 404);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(body.toString(), /\/project\/missing\.wasm/);
    assert.equal((await get('/project/', {}, 'POST')).status, 405);
});

test('a taken port is an error with its code', async () => {
    await assert.rejects(startServer({ root: folder, port: server.port }), { code: 'EADDRINUSE' });
});

test('a test can answer in place of the server', async () => {
    const own = await startServer({
        root: folder,
        intercept: (request, response) => {
            if (!request.url.endsWith('.wasm')) return false;
            response.writeHead(503).end('no');
            return true;
        },
    });
    assert.equal((await fetch(`${own.url}x.wasm`)).status, 503);
    assert.equal((await fetch(`${own.url}secret.txt`)).status, 200);
    await own.close();
});
