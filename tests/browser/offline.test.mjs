// Without a network after one visit; and a newer version that waits until it is accepted.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { sealSite } from '../../web/seal.mjs';
import { startServer } from '../../web/serve.mjs';
import { zipSite } from '../../web/zip.mjs';
import { launch, newPage, open, ready } from './support/browser.mjs';
import { base, dist, estimateOf, serveSite, siteFile, texts } from './support/site.mjs';
import { assertFigures, chooseLanguage, figures, figuresOf } from './support/twin.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const isKept = (page) => page.evaluate(async () => !!(await navigator.serviceWorker.ready).active);

test('one visit is enough: then it starts, estimates and changes language and model without a server', async (t) => {
    const site = await serveSite();
    const page = await newPage(browser, { serviceWorkers: 'allow' });
    t.after(() => page.context().close());
    await open(page, site.url);
    assert.ok(await isKept(page));
    await site.close();
    page.trouble.length = 0;
    await page.reload();
    await ready(page);
    assertFigures(await figures(page), figuresOf(await estimateOf(page.url())));
    await chooseLanguage(page, 'Deutsch');
    const german = await texts('de');
    await page.waitForFunction((text) => document.body.innerText.includes(text), german['verdict.fits']);
    await page.goto(`${site.url}?model=gemma-3-12b-it&hardware=rtx-4090-24gb&n_ctx=65536`);
    await ready(page);
    assertFigures(await figures(page), figuresOf(await estimateOf(page.url())));
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de', 'what was chosen is remembered');
    assert.deepEqual(page.trouble, []);
});

test('version 2 is deployed while version 1 is open: 1 stays whole, 2 comes when it is accepted', async (t) => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'vramscope-site-'));
    t.after(() => fs.rm(folder, { recursive: true, force: true }));
    await fs.cp(dist, folder, { recursive: true });
    const server = await startServer({ root: folder, base });
    t.after(() => server.close());
    const page = await newPage(browser, { serviceWorkers: 'allow' });
    t.after(() => page.context().close());
    await open(page, server.url);
    assert.ok(await isKept(page));

    // Half of version 2: a file is another one already, and the list of files names a third one.
    const [file, key] = [path.join(folder, 'locales/en.json'), 'page.title'];
    const english = JSON.parse(await fs.readFile(file, 'utf8'));
    const title = (text) => fs.writeFile(file, JSON.stringify({ ...english, [key]: text }));
    await title('Version two');
    await sealSite(folder, { compress: false });
    await title('Half of version three');
    const newest = () => page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        await registration.update().catch(() => {});
        const worker = registration.installing;
        if (worker) await new Promise((done) => { worker.onstatechange = () => ['installed', 'redundant'].includes(worker.state) && done(); });
        return worker?.state ?? (registration.waiting ? 'installed' : 'none');
    });
    assert.equal(await newest(), 'redundant', 'what is half there is not taken');
    page.trouble.length = 0; // the worker says why
    await page.goto(`${server.url}?n_ctx=4096`);
    await ready(page);
    const shownTitle = () => page.evaluate(async () => (await (await fetch('locales/en.json')).json())['page.title']);
    assert.equal(await shownTitle(), english[key], 'version 1 goes on, whole');

    await title('Version two');
    await sealSite(folder, { compress: false });
    assert.equal(await newest(), 'installed');
    const offer = page.locator('#update');
    await offer.waitFor();
    assert.ok((await offer.innerText()).includes(english['page.update']));
    assert.equal(await shownTitle(), english[key], 'nothing changes before somebody says so');
    await page.reload();
    await ready(page);
    assert.equal(await shownTitle(), english[key], 'not by a reload either');
    await Promise.all([page.waitForNavigation(), offer.getByRole('button').click()]);
    await ready(page);
    assert.equal(await shownTitle(), 'Version two');
    assert.match(page.url(), /n_ctx=4096/, 'the settings stay');
    assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1, 'version 1 is gone');
    assert.deepEqual(page.trouble, []);
});

test('the offline package: all files, readable, the same bytes every time', async (t) => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'vramscope-zip-'));
    t.after(() => fs.rm(folder, { recursive: true, force: true }));
    const [one, two] = ['one.zip', 'two.zip'].map((name) => path.join(folder, name));
    const { files } = await zipSite(dist, one);
    await zipSite(dist, two);
    assert.ok((await fs.readFile(one)).equals(await fs.readFile(two)));
    const unzipped = path.join(folder, 'out');
    const { execFileSync } = await import('node:child_process');
    execFileSync('python3', ['-m', 'zipfile', '-e', one, unzipped]);
    const names = await fs.readdir(path.join(unzipped, 'vramscope'), { recursive: true });
    assert.ok(names.length >= files);
    for (const name of ['index.html', 'app.wasm', 'locales/de.json']) {
        assert.ok((await fs.readFile(path.join(unzipped, 'vramscope', name))).equals(await siteFile(name)), name);
    }
});

test('manifest.json has the hash of every file, sbom.json every part, siblings unpack to their files', async () => {
    const { files } = JSON.parse(await siteFile('manifest.json'));
    const names = (await fs.readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
        .map((entry) => path.relative(dist, path.join(entry.parentPath ?? entry.path, entry.name)));
    assert.deepEqual(Object.keys(files).sort(), names.filter((name) => !/\.(br|gz)$|^manifest\.json$/.test(name)).sort());
    const { gunzipSync, brotliDecompressSync } = await import('node:zlib');
    for (const [name, hash] of Object.entries(files)) {
        const bytes = await siteFile(name);
        assert.equal(hash, `sha384-${createHash('sha384').update(bytes).digest('base64')}`, name);
        if (!names.includes(`${name}.gz`)) continue;
        assert.ok(gunzipSync(await siteFile(`${name}.gz`)).equals(bytes), name);
        assert.ok(brotliDecompressSync(await siteFile(`${name}.br`)).equals(bytes), name);
    }
    const { bomFormat, components } = JSON.parse(await siteFile('sbom.json'));
    assert.equal(bomFormat, 'CycloneDX');
    for (const name of ['imgui', 'json', 'emscripten', 'esbuild']) assert.ok(components.some((part) => part.name === name && part.version && part.licenses.length), name);
});

test('it can be installed: a manifest whose icons are what they say', async (t) => {
    const site = await serveSite();
    t.after(() => site.close());
    const page = await newPage(browser);
    t.after(() => page.context().close());
    await page.goto(site.url);
    const client = await page.context().newCDPSession(page);
    const { errors, data } = await client.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    for (const { src, sizes, type } of JSON.parse(data).icons) {
        const size = await page.evaluate(async (src) => {
            const picture = Object.assign(new Image(), { src });
            await picture.decode();
            return `${picture.naturalWidth}x${picture.naturalHeight}`;
        }, new URL(src, site.url).href);
        if (type === 'image/png') assert.equal(size, sizes, src);
    }
    // The PNG is the SVG: no pixel is far off where nothing is smoothed.
    const worst = await page.evaluate(async () => {
        const pixels = async (src) => {
            const picture = Object.assign(new Image(), { src });
            picture.width = picture.height = 512;
            await picture.decode();
            const context = Object.assign(document.createElement('canvas'), { width: 512, height: 512 }).getContext('2d');
            context.drawImage(picture, 0, 0, 512, 512);
            return context.getImageData(0, 0, 512, 512).data;
        };
        const [one, two] = await Promise.all([pixels('icon.svg'), pixels('icon-512.png')]);
        let off = 0;
        // Colours count as much as they cover.
        const seen = (data, i, c) => (c === 3 ? data[i + 3] : (data[i + c] * data[i + 3]) / 255);
        for (let i = 0; i < one.length; i += 4) if ([0, 1, 2, 3].some((c) => Math.abs(seen(one, i, c) - seen(two, i, c)) > 60)) ++off;
        return off;
    });
    assert.ok(worst < 100, `${worst} pixels differ`);
});
