// What the first answer costs to fetch.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import zlib from 'node:zlib';

import { answered, launch, newPage } from './support/browser.mjs';
import { serveSite, siteFile } from './support/site.mjs';

const limit = 280 * 1024; // bytes with gzip

let browser, site;
before(async () => { [browser, site] = [await launch(), await serveSite()]; });
after(() => Promise.all([browser?.close(), site?.close()]));

for (const language of ['en', 'de', 'ja']) {
    test(`the first answer (${language}) takes at most 280 KiB with gzip`, async (t) => {
        const page = await newPage(browser, { locale: language });
        t.after(() => page.context().close());
        const answers = [];
        page.on('response', (response) => answers.push(response));
        // The rest of module and catalog is on its way all the time: the answer does not wait for it.
        let arrive;
        const delay = new Promise((done) => { arrive = done; });
        for (const [name, type] of [['app-more.wasm', 'application/wasm'], ['catalog.json', 'application/json']]) {
            site.faults[name] = { type, body: (bytes) => bytes, delay };
        }
        t.after(() => arrive());
        await page.goto(site.url);
        await answered(page);
        const rows = [];
        for (const response of answers) {
            const address = response.url();
            if (!address.startsWith('http')) continue;
            const name = address.slice(site.url.length).split('?')[0] || 'index.html';
            const bytes = await siteFile(name);
            rows.push({
                name,
                raw: bytes.length,
                gzip: zlib.gzipSync(bytes, { level: 9 }).length,
                brotli: zlib.brotliCompressSync(bytes).length,
            });
            assert.match(response.headers()['content-encoding'] ?? '', /^(br|gzip)$/, `${name} is sent compressed`);
        }
        const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
        if (language === 'en') print([...rows, { name: 'first answer', raw: sum('raw'), gzip: sum('gzip'), brotli: sum('brotli') }]);
        const names = rows.map((row) => row.name);
        for (const wanted of ['index.html', 'app.wasm', 'catalog-first.json', `locales/${language}.json`]) assert.ok(names.includes(wanted), wanted);
        assert.ok(sum('gzip') <= limit, `${(sum('gzip') / 1024).toFixed(1)} KiB`);
    });
}

function print(rows) {
    const line = (name, ...cells) => console.log(`${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(10)).join('')}`);
    line('first load, bytes', 'raw', 'gzip', 'brotli');
    for (const { name, raw, gzip, brotli } of rows) line(name, raw, gzip, brotli);
    console.log(`first load: ${(rows.at(-1).gzip / 1024).toFixed(1)} KiB gzip, ${(rows.at(-1).brotli / 1024).toFixed(1)} KiB brotli`);
}
