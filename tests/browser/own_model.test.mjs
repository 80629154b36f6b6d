// A person's own model: dropped, picked or behind a link; read by its headers, kept in the address,
// and the same for the command line. What goes wrong on the way is said in words.

import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';

import { adapter, llama70b, projector, smallModel } from '../support/gguf.mjs';
import { startHub } from '../support/hub.mjs';
import { launch, newPage, open, rest } from './support/browser.mjs';
import { estimateOf, serveSite, siteFile, texts, toolEstimateOf } from './support/site.mjs';
import { assertFigures, figures, figuresOf } from './support/twin.mjs';

let browser, site, hub, page, words;
before(async () => {
    hub = await startHub(JSON.parse(await siteFile('hubs.json')));
    site = await serveSite({
        'hubs.json': { type: 'application/json', body: JSON.stringify({ ...hub.hubs, quiet_ms: 1500 }) },
        // The hub of the tests has no certificate.
        'index.html': { type: 'text/html', body: (bytes) => bytes.toString().replace("connect-src 'self'", "connect-src 'self' http://127.0.0.1:*") },
    });
    browser = await launch();
    page = await newPage(browser, { reducedMotion: 'reduce' });
    words = JSON.parse(await siteFile('locales/inspect/en.json'));
});
beforeEach(async () => {
    await open(page, `${site.url}index.html`);
    hub.requests.length = 0;
});
after(() => Promise.all([browser?.close(), site?.close(), hub?.close()]));

const dialog = () => page.locator('#own-model');
const key = (name) => page.locator(`#own-model [data-key="${name}"]`);
const fact = (name) => page.locator(`#own-model [data-fact="${name}"]`).textContent();
async function openDialog() {
    await page.locator('#twin [data-key="open-files"]').click();
    await key('own-link').waitFor();
}
async function readLink(text) {
    await openDialog();
    await key('own-link').fill(text);
    await key('own-read').click();
}
const found = () => key('own-name').waitFor();

/** What the page shows for its address is what the core and the tool say about it. */
async function assertAgreement() {
    await rest(page);
    const shown = await figures(page);
    const url = page.url();
    assertFigures(shown, figuresOf(await estimateOf(url)));
    const tool = await toolEstimateOf(url);
    if (tool) assertFigures(shown, figuresOf(tool));
    return { shown, url };
}

/** Files made in the page, dropped onto it. */
async function drop(files, type = 'drop') {
    await page.evaluate(([files, type]) => {
        const data = new DataTransfer();
        for (const { name, bytes, size } of files) {
            const content = Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0));
            data.items.add(new File([content, new Uint8Array(size - content.length)], name));
        }
        document.getElementById('stage').dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [files.map(([name, { header, fileBytes }]) => ({ name, bytes: header.toString('base64'), size: fileBytes })), type]);
}

test('a file of 40 GB: known from its header, used, found again, and in the address without the file', async () => {
    assert.ok(!page.requests.some((url) => /own_model|inspect/.test(url)), 'nothing of it belongs to the first load');
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'vramscope-own-'));
    try {
        const { header, fileBytes } = llama70b();
        const file = path.join(folder, 'seventy.gguf');
        await fs.writeFile(file, header);
        await fs.truncate(file, fileBytes);
        await openDialog();
        await key('own-files').setInputFiles(file);
        await found();
    } finally {
        await fs.rm(folder, { recursive: true });
    }
    const { bytesRead, milliseconds, heap } = await dialog().evaluate(({ dataset }) => ({ ...dataset }));
    console.log(`40 GB in the browser: ${bytesRead} bytes read, answer after ${milliseconds} ms, heap ${(heap / 2 ** 20).toFixed(1)} MiB`);
    assert.ok(bytesRead < 16e6, `${bytesRead} bytes`);
    assert.ok(heap < 64 * 2 ** 20, `${heap} bytes`);
    assert.equal(await fact('architecture'), 'llama');
    assert.equal(await fact('parameters'), '70,553,706,496'); // Llama-3.3-70B as published
    await key('own-use').click();
    await assert.rejects(dialog().waitFor({ timeout: 200 }));
    const { url } = await assertAgreement();
    const query = new URL(url).searchParams;
    assert.match(query.get('model'), /^\(name:Seventy,/);
    assert.equal(query.get('artifact'), 'file');
    console.log(`its address: ${new URL(url).search.length} characters`);
    assert.ok(new URL(url).search.length < 1200, new URL(url).search);
    assert.match(await page.locator('#twin h1').first().textContent(), /Seventy/);

    // The link alone is enough, and the model stays in the lists.
    await open(page, url.replace('index.html', ''));
    await assertAgreement();
    await page.locator('#twin [data-key="model"]').selectOption({ index: 1 });
    await rest(page);
    assert.equal(new URL(page.url()).searchParams.get('artifact'), null);
    await page.locator('#twin [data-key="search"]').fill('sev');
    await page.locator('#twin [data-key="search 0"]').click();
    await rest(page);
    assert.equal(new URL(page.url()).searchParams.get('model'), query.get('model'));
    await assertAgreement();
});

test('dropped anywhere: an overlay, then model, projector and adapter together', async () => {
    await drop([['a.gguf', smallModel()]], 'dragenter');
    await page.locator('#drop-overlay p').waitFor();
    await drop([['little.gguf', smallModel()], ['mmproj.gguf', projector()], ['tune.gguf', adapter()]]);
    await found();
    assert.equal(await page.locator('#drop-overlay').isVisible(), false);
    assert.equal(await key('own-name').textContent(), 'Little One');
    assert.match(await fact('projector'), /KiB|MiB/);
    assert.match(await fact('adapter'), /KiB/);
    assert.match(await key('own-cost').textContent(), /Nothing is uploaded/);
    const entry = JSON.parse(await dialog().locator('pre').textContent());
    assert.equal(entry.id, 'little-one');
    await key('own-use').click();
    await assertAgreement();
    assert.equal(new URL(page.url()).searchParams.get('mmproj'), 'file');
    assert.deepEqual(hub.requests, [], 'files of this machine ask nobody');
    // What cannot be read says why, and the dialog stays usable.
    await drop([['page.gguf', { header: Buffer.from('<!doctype html>'), fileBytes: 15 }]]);
    await page.locator('#own-model [role="alert"]').waitFor();
    assert.match(await page.locator('#own-model [role="alert"]').textContent(), /is a web page, not a GGUF file/);
    await page.keyboard.press('Escape');
    assert.equal(await dialog().isVisible(), false);
});

test('a repository: says whom it asks, lists its models, reads one by ranges behind a redirect', async () => {
    await openDialog();
    await key('own-link').fill('org/two');
    const host = new URL(hub.url).host;
    await page.waitForFunction((host) => document.getElementById('own-host').textContent.includes(host), host);
    assert.deepEqual(hub.requests, [], 'nobody is asked before the button is pressed');
    await key('own-read').click();
    await key('own-pick Q4_K_M').waitFor();
    const offered = await page.$$eval('.own-choices button', (list) => list.map((button) => button.textContent));
    assert.equal(offered.length, 2, offered.join());
    await key('own-along mmproj-Little-F16.gguf').check();
    const before = hub.bytesSent;
    await key('own-pick F16').click();
    await found();
    assert.ok(hub.requests.some(({ url, range }) => url.startsWith('/cdn/') && range), 'by range, where it was redirected');
    assert.ok(hub.bytesSent - before < 2e6, `${hub.bytesSent - before} bytes`);
    assert.ok(await fact('projector'));
    await key('own-use').click();
    await assertAgreement();
    // The only model of a repository, a config alone, and a reference of Ollama need no choice.
    for (const link of ['org/one', 'org/config', 'ollama run little', `${hub.url}/org/one/blob/main/Little-F16.gguf`, `${hub.elsewhere}/no-ranges/Seventy-Q4_K_M.gguf`]) {
        await readLink(link);
        await found();
        assert.ok(await key('own-use').isVisible(), link);
        await page.keyboard.press('Escape');
    }
    assert.ok(hub.bytesSent < 100e6, 'a host without ranges is not read to the end');
});

test('what goes wrong with a link is said in words, and can be tried again', async () => {
    const expected = {
        'org/gated': 'gated', 'org/nothing': 'missing', 'org/none': 'no-model', 'no link': 'not-a-link',
        [`${hub.elsewhere}/gated/a.gguf`]: 'gated', [`${hub.elsewhere}/missing/a.gguf`]: 'missing', [`${hub.elsewhere}/busy/a.gguf`]: 'busy',
        [`${hub.elsewhere}/broken/a.gguf`]: 'server', [`${hub.elsewhere}/page/a.gguf`]: 'page', [`${hub.elsewhere}/slow/a.gguf`]: 'slow',
        [`${hub.elsewhere}/truncated/Seventy-Q4_K_M.gguf`]: 'truncated', [`${hub.elsewhere}/no-cors/Little-F16.gguf`]: 'blocked',
        [`${hub.elsewhere}/cut/Little-F16.gguf`]: 'invalid-gguf', [`${hub.url}/datasets`]: 'no-model-link',
    };
    for (const [link, code] of Object.entries(expected)) {
        await readLink(link);
        const alert = page.locator('#own-model [role="alert"]');
        await alert.waitFor();
        assert.equal(await alert.getAttribute('data-problem'), code, link);
        const text = await alert.textContent();
        assert.ok(text.length > 20 && !/[{}]|undefined/.test(text), text);
        if (code === 'gated') assert.match(text, /HTTP 40[13]/);
        assert.equal(await key('own-link').inputValue(), link, 'what was typed is kept');
        await page.keyboard.press('Escape');
    }
    // Cancel: nothing more is asked for.
    await readLink(`${hub.elsewhere}/slow/b.gguf`);
    await key('own-cancel').dispatchEvent('click');
    assert.equal(await page.locator('#own-model [role="alert"]').textContent(), words['inspect.error.cancelled']);
    await key('own-retry').click();
    await page.locator('#own-model [data-problem="slow"]').waitFor();
});
