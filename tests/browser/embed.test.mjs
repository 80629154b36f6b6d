// The element for other people's pages, on pages of another origin (embed_examples/).

import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { launch, newPage } from './support/browser.mjs';
import { estimateOf, screenshots, serveSite, top } from './support/site.mjs';
import { assertFigures, figures, figuresOf } from './support/twin.mjs';

const examples = path.join(top, 'tests/browser/embed_examples');
// The whole of what a page has to allow.
const strictPolicy = (site) => `default-src 'none'; script-src ${site}; frame-src ${site}; style-src 'self'; img-src data:`;

let browser, site, host;
before(async () => {
    [browser, site] = [await launch(['--js-flags=--expose-gc']), await serveSite()];
    host = await serveExamples(site);
    await fs.mkdir(screenshots, { recursive: true });
});
after(() => Promise.all([browser?.close(), site?.close(), host?.close()]));

async function serveExamples({ url }) {
    const types = { '.html': 'text/html; charset=utf-8', '.css': 'text/css' };
    const server = http.createServer(async (request, response) => {
        const name = path.basename(request.url.split('?')[0]);
        const text = await fs.readFile(path.join(examples, name), 'utf8').catch(() => undefined);
        if (text === undefined) return response.writeHead(404).end();
        const headers = { 'Content-Type': types[path.extname(name)] };
        if (name === 'plain.html') headers['Content-Security-Policy'] = strictPolicy(new URL(url).origin);
        return response.writeHead(200, headers).end(text.replaceAll('{{site}}', url));
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    return {
        url: `http://127.0.0.1:${server.address().port}/`,
        close: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
    };
}

async function example(t, name, options) {
    const page = await newPage(browser, { viewport: { width: 1100, height: 900 }, colorScheme: 'light', ...options });
    t.after(() => page.context().close());
    await page.goto(host.url + name);
    return page;
}

const element = (page) => page.locator('vram-scope').first();
const withFigures = (page) => element(page).locator('.verdict').waitFor();
const isDark = (page) => element(page).locator('.card').evaluate((card) => card.classList.contains('dark'));
const frameOf = async (page) => {
    const handle = await element(page).locator('iframe').elementHandle();
    return handle.contentFrame();
};
async function start(page) {
    await element(page).evaluate((scope) => scope.start());
    const frame = await frameOf(page);
    await frame.waitForSelector('html[data-ready]', { state: 'attached' });
    return frame;
}
// The browser tells of frames that went with a delay.
async function framesOf(page, expected) {
    for (let tries = 0; tries < 50 && page.frames().length !== expected; ++tries) await page.waitForTimeout(100);
    return page.frames().length;
}
const until = (page, condition, value) => page.waitForFunction(condition, value, { polling: 50 });

/** The card says what the core says. */
async function assertCard(page, query, locale) {
    const estimate = await estimateOf(`?${query}`);
    const gib = (bytes) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(bytes / 2 ** 30);
    const text = await element(page).locator('.card').innerText();
    const [device] = estimate.devices;
    for (const expected of [gib(device.total_bytes.expected), gib(device.free_bytes), new Intl.NumberFormat(locale).format(estimate.max_context_tokens)]) {
        assert.ok(text.includes(expected), `${expected} stands in: ${text}`);
    }
    assert.ok(await element(page).locator(`.verdict.${estimate.verdict}`).isVisible());
}

test('plain page with a strict policy: card, simulator, height, theme, language, events, methods', async (t) => {
    const page = await example(t, 'plain.html');
    await page.evaluate(() => {
        window.changes = [];
        addEventListener('vramscope-change', ({ detail }) => window.changes.push(detail));
    });
    await withFigures(page);
    await assertCard(page, 'model=glm-4-9b-0414&hardware=rtx-3060-12gb&n_ctx=32768', 'en');
    assert.equal(await page.locator('iframe').count(), 0, 'no frame in the host page itself but the hidden one');
    const font = (locator) => locator.evaluate((e) => getComputedStyle(e).fontFamily);
    assert.equal(await font(element(page).locator('.card')), await font(page.locator('body')), 'the host\'s font');
    assert.equal(await isDark(page), false);
    await page.screenshot({ path: path.join(screenshots, 'embed-plain-card.png') });
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(page, () => document.querySelector('vram-scope').shadowRoot.querySelector('.card.dark'));

    const small = (await element(page).boundingBox()).height;
    const frame = await start(page);
    assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.equal(await frame.evaluate(() => origin), 'null', 'the frame has no origin');
    assert.equal(await frame.evaluate(() => { try { return !!localStorage; } catch { return 'refused'; } }), 'refused');
    await until(page, (before) => document.querySelector('vram-scope').offsetHeight > before + 300, small);
    await page.screenshot({ path: path.join(screenshots, 'embed-plain-live.png'), fullPage: true });
    const fits = () => frame.evaluate(() => document.body.getBoundingClientRect().height - innerHeight);
    await frame.waitForFunction(() => document.body.getBoundingClientRect().height <= innerHeight);
    await frame.evaluate(() => { document.querySelector('#text-version').open = true; });
    await frame.waitForFunction(() => innerHeight > 2000 && document.body.getBoundingClientRect().height <= innerHeight);
    assert.ok(Math.abs(await fits()) < 2, 'no scroll bar, no gap');
    assertFigures(await figures(frame), figuresOf(await estimateOf('?model=glm-4-9b-0414&n_ctx=32768')));

    await page.emulateMedia({ colorScheme: 'light' });
    await frame.waitForSelector('html[data-theme="light"]', { state: 'attached' });
    await element(page).evaluate((scope) => { scope.lang = 'de'; });
    await frame.waitForSelector('html[lang="de"]', { state: 'attached' });

    // A change inside comes out as an event with the Estimate of exactly that request.
    const before = await page.evaluate(() => window.changes.length);
    await frame.locator('#twin [data-key="n_ctx"]').fill('65536');
    await frame.locator('#twin [data-key="n_ctx"]').press('Tab');
    await until(page, (count) => window.changes.length > count, before);
    const change = await page.evaluate(() => window.changes.at(-1));
    assert.equal(change.request.n_ctx, '65536');
    assert.deepEqual(change.estimate, await estimateOf(change.url));
    assert.deepEqual(change.estimate, await element(page).evaluate((scope) => scope.estimate()));
    assertFigures(await figures(frame), figuresOf(change.estimate));
    assert.equal(await page.evaluate(() => history.length), 2, 'the host\'s history is not touched');

    // Attributes go in, and reset() goes back to them.
    await element(page).evaluate((scope) => scope.setAttribute('n-ctx', '8192'));
    await frame.waitForFunction(() => document.querySelector('#twin [data-key="n_ctx"]').value.replace(/\D/g, '') === '8192');
    await element(page).evaluate((scope) => scope.stop());
    await withFigures(page);
    await assertCard(page, 'model=glm-4-9b-0414&hardware=rtx-3060-12gb&n_ctx=8192', 'de');
    assert.deepEqual(page.trouble, [], 'no error, and nothing that the policy refuses');
});

test('messages count only from its own frames', async (t) => {
    const page = await example(t, 'plain.html');
    await withFigures(page);
    const frame = await start(page);
    const height = (await element(page).boundingBox()).height;
    // The host page itself and the frame outside of its port are not heard.
    await frame.evaluate(() => window.parent.postMessage({ kind: 'height', value: 5000 }, '*'));
    await page.evaluate(() => {
        window.ports = 0;
        addEventListener('message', ({ data }) => { if (data?.vramscope === 'port') ++window.ports; });
        window.postMessage({ vramscope: 'hello' }, '*');
        window.postMessage({ kind: 'height', value: 5000 }, '*');
    });
    // A second port, and a port from somewhere else than the parent, change nothing in the frame.
    await frame.evaluate(() => {
        const { port1, port2 } = new MessageChannel();
        window.postMessage({ vramscope: 'port' }, '*', [port2]);
        port1.postMessage({ kind: 'set', lang: 'ja' });
    });
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => window.ports), 0);
    assert.equal((await element(page).boundingBox()).height, height);
    assert.equal(await frame.evaluate(() => document.documentElement.lang), 'en');
    // With its own origin a frame may keep things, but not where it could reach the page around it.
    await element(page).evaluate((scope) => scope.toggleAttribute('own-origin', true));
    await page.waitForFunction(() => document.querySelector('vram-scope').shadowRoot.querySelector('iframe')?.sandbox.contains('allow-same-origin'));
    const own = await frameOf(page);
    await own.waitForSelector('html[data-ready]', { state: 'attached' });
    assert.equal(`${await own.evaluate(() => origin)}/`, new URL('/', site.url).href);
    const same = await newPage(browser);
    t.after(() => same.context().close());
    await same.goto(`${site.url}embed_figures.html`);
    const sandbox = await same.evaluate(async (address) => {
        await import(address);
        document.body.innerHTML = '<vram-scope own-origin figures="off"></vram-scope>';
        document.body.firstChild.start().catch(() => {});
        return document.body.firstChild.shadowRoot.querySelector('iframe').getAttribute('sandbox');
    }, `${site.url}embed.js`);
    assert.ok(!sandbox.includes('allow-same-origin'), sandbox);

    // What comes through the port is checked too.
    await element(page).evaluate((scope) => { scope.setAttribute('n-ctx', '"><img src=x onerror=alert(1)>'); });
    await until(page, () => /embed|n_ctx|expected/.test(document.querySelector('vram-scope').shadowRoot.querySelector('.error')?.textContent ?? ''));
    assert.deepEqual(page.trouble, []);
});

test('what the host changes while the simulator is loading is in its first answer', async (t) => {
    const page = await newPage(browser, { viewport: { width: 1100, height: 900 }, colorScheme: 'light' });
    t.after(() => page.context().close());
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    await page.route('**/app.wasm*', async (route) => {
        await held;
        await route.continue();
    });
    await page.goto(`${host.url}docusaurus.html`);
    await withFigures(page);
    await element(page).evaluate((scope) => { scope.start(); });
    const frame = await frameOf(page);
    await frame.waitForFunction(() => document.documentElement.dataset.embed);
    await element(page).evaluate((scope) => {
        scope.setAttribute('lang', 'ja');
        scope.setAttribute('theme', 'dark');
        scope.setAttribute('n-ctx', '8192');
    });
    await page.waitForTimeout(200);
    release();
    await frame.waitForFunction(() => document.documentElement.lang === 'ja' && document.documentElement.dataset.theme === 'dark');
    const expected = figuresOf(await estimateOf('?model=qwen3-30b-a3b&hardware=rtx-3090-24gb&n_ctx=8192'));
    await frame.waitForSelector('html[data-ready]', { state: 'attached' });
    await page.waitForTimeout(500);
    assertFigures(await figures(frame), expected);
    assert.deepEqual(page.trouble, []);
});

const others = [
    { name: 'mkdocs_material', query: 'model=gemma-3-12b-it&hardware=rtx-4090-24gb&n_ctx=65536', lang: 'en', toDark: () => document.body.setAttribute('data-md-color-scheme', 'slate') },
    { name: 'docusaurus', query: 'model=qwen3-30b-a3b&hardware=rtx-3090-24gb&n_ctx=16384', lang: 'de', toDark: () => document.documentElement.setAttribute('data-theme', 'dark') },
    { name: 'sphinx', query: 'model=glm-4-9b-0414&hardware=apple-m4-pro-48gb&n_ctx=131072', lang: 'ja', toDark: () => { document.body.dataset.theme = 'dark'; } },
];
for (const { name, query, lang, toDark } of others) {
    test(`${name}: renders, follows its switch, starts`, async (t) => {
        const page = await example(t, `${name}.html`);
        await withFigures(page);
        await assertCard(page, query, lang);
        assert.equal(await isDark(page), false);
        await page.screenshot({ path: path.join(screenshots, `embed-${name}-card.png`) });
        await page.evaluate(toDark);
        await until(page, () => document.querySelector('vram-scope').shadowRoot.querySelector('.card.dark'));
        const frame = await start(page);
        assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), 'dark');
        assert.equal(await frame.evaluate(() => document.documentElement.lang), lang);
        assertFigures(await figures(frame), figuresOf(await estimateOf(`?${query}`)));
        await frame.waitForFunction(() => document.body.getBoundingClientRect().height <= innerHeight);
        // On a phone nothing is cut off or runs out of its box.
        await page.setViewportSize({ width: 390, height: 900 });
        await frame.waitForFunction(() => innerWidth < 390 && document.body.getBoundingClientRect().height <= innerHeight);
        assert.equal(await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
        await page.waitForTimeout(200);
        await page.screenshot({ path: path.join(screenshots, `embed-${name}-phone.png`) });
        await page.setViewportSize({ width: 1100, height: 900 });
        await page.waitForTimeout(200);
        await page.screenshot({ path: path.join(screenshots, `embed-${name}-live.png`), fullPage: true });
        assert.deepEqual(page.trouble, []);
    });
}

test('model card: a link and a plain frame, without any script of the host', async (t) => {
    const page = await example(t, 'model_card.html');
    const frame = await (await page.locator('iframe').elementHandle()).contentFrame();
    await frame.waitForSelector('html[data-ready]', { state: 'attached' });
    assertFigures(await figures(frame), figuresOf(await estimateOf('?model=glm-4-9b-0414')));
    assert.ok(!(await frame.locator('#canvas').isVisible()), 'compact needs no WebGL');
    await page.screenshot({ path: path.join(screenshots, 'embed-model_card.png') });
    assert.deepEqual(page.trouble, []);
});

test('twelve on a page: one calculator, at most four run, those out of sight give way', async (t) => {
    const page = await example(t, 'many.html');
    await withFigures(page);
    assert.equal(await framesOf(page, 2), 2, 'one hidden frame for all twelve');
    const live = () => page.$$eval('vram-scope', (list) => list.map((scope) => scope.live));
    // One after the other, as a reader would, scrolling along.
    for (let i = 0; i < 12; ++i) {
        await page.evaluate(async (i) => {
            const scope = document.querySelectorAll('vram-scope')[i];
            scope.scrollIntoView();
            await scope.start();
        }, i);
    }
    assert.deepEqual(await live(), [...Array(8).fill(false), ...Array(4).fill(true)]);
    assert.equal(await framesOf(page, 6), 6);
    assert.deepEqual(page.trouble.filter((text) => !/^failed: .*ERR_ABORTED/.test(text)), [], 'no word of too many WebGL contexts');
});

test('removed and put back 50 times: no frame, no listener, no memory stays', async (t) => {
    const page = await example(t, 'plain.html');
    await withFigures(page);
    const client = await page.context().newCDPSession(page);
    const measure = async () => {
        await page.evaluate(() => { gc(); gc(); });
        const { metrics } = await client.send('Performance.getMetrics');
        return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    };
    await client.send('Performance.enable');
    const again = (times) => page.evaluate(async (times) => {
        const scope = document.querySelector('vram-scope');
        const place = scope.parentNode;
        for (let i = 0; i < times; ++i) {
            scope.start().catch(() => {});
            await new Promise((done) => { setTimeout(done, 20); });
            scope.remove();
            await new Promise((done) => { setTimeout(done, 0); });
            place.append(scope);
        }
        scope.stop();
    }, times);
    await again(5); // what is made once
    const before = await measure();
    await again(50);
    await page.waitForTimeout(300);
    const after = await measure();
    const rise = (key) => after[key] - before[key];
    console.log(`50 times: heap ${rise('JSHeapUsedSize')} bytes, nodes ${rise('Nodes')}, documents ${rise('Documents')}, frames ${rise('Frames')}, listeners ${rise('JSEventListeners')}`);
    assert.equal(await framesOf(page, 2), 2, 'the page and the calculator');
    assert.ok(rise('Frames') <= 0, `${rise('Frames')} frames`);
    assert.ok(rise('JSEventListeners') <= 0, `${rise('JSEventListeners')} listeners`);
    assert.ok(rise('JSHeapUsedSize') < 300_000, `${rise('JSHeapUsedSize')} bytes`);
    await page.evaluate(() => document.querySelector('vram-scope').remove());
    await page.waitForFunction(() => document.querySelectorAll('iframe').length === 0 && document.documentElement.lastElementChild === document.body, null, { timeout: 10_000 });
    assert.equal(await framesOf(page, 1), 1, 'the calculator goes with the last element');
});
