// What hosts differ in: compression, headers for other origins, caches that keep things too long.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, newPage, open } from './support/browser.mjs';
import { serveSite, siteFile } from './support/site.mjs';

let browser, site;
before(async () => { [browser, site] = [await launch(), await serveSite()]; });
after(() => Promise.all([browser?.close(), site?.close()]));

test('behind a host that knows gzip only everything is sent with it and works', async (t) => {
    const page = await newPage(browser, { extraHTTPHeaders: { 'Accept-Encoding': 'gzip' } });
    t.after(() => page.context().close());
    const sent = new Map();
    page.on('response', (response) => sent.set(new URL(response.url()).pathname, response.headers()['content-encoding']));
    await open(page, site.url);
    const text = [...sent].filter(([name]) => /\.(js|wasm|json|css)$/.test(name));
    assert.ok(text.length >= 6, `${text.length} files`);
    for (const [name, encoding] of text) assert.equal(encoding, 'gzip', name);
    assert.deepEqual(page.trouble, []);
});

test('what a frame without an origin loads is allowed to every origin', async () => {
    for (const name of ['embed.js', 'main.js', 'app.wasm', 'catalog.json', 'lib/core.mjs', 'locales/en.json']) {
        const response = await fetch(site.url + name, { headers: { Origin: 'null' } });
        assert.equal(response.headers.get('access-control-allow-origin'), '*', name);
    }
    assert.match(String(await siteFile('_headers')), /Access-Control-Allow-Origin: \*/);
});

test('everything that the page loads carries one version, so that no cache mixes two', async (t) => {
    const page = await newPage(browser);
    t.after(() => page.context().close());
    await open(page, site.url);
    const loaded = page.requests.map((address) => new URL(address))
        .filter(({ pathname }) => /\.(js|wasm|json|css)$/.test(pathname));
    const versions = new Set(loaded.map(({ searchParams }) => searchParams.get('v')));
    assert.equal(versions.size, 1, loaded.map(String).join('\n'));
    assert.match([...versions][0], /^[0-9a-f]{10}$/);
});
