// The page as it arrives: from a sub-path, without trouble, useful before and without WebAssembly.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, newPage, open, ready } from './support/browser.mjs';
import { lookAtCanvas } from './support/canvas.mjs';
import { estimateOf, serveSite, texts } from './support/site.mjs';
import { assertFigures, figures, figuresOf } from './support/twin.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

async function withSite(t, faults) {
    const site = await serveSite(faults);
    t.after(() => site.close());
    return site;
}

test('loads from a sub-path without error, failed request, foreign request or policy violation', async (t) => {
    const site = await withSite(t);
    const page = await newPage(browser);
    t.after(() => page.context().close());
    await open(page, site.url);
    assert.deepEqual(page.trouble, []);
    assert.ok(page.requests.length >= 6, 'page, style, scripts, module, catalog and texts were asked for');
    for (const address of page.requests) {
        if (!address.startsWith('data:')) assert.ok(address.startsWith(site.url), `${address} lies outside of ${site.url}`);
    }
    // The icon is a picture of the page and of the tab: browsers may ask for each.
    const others = page.requests.map((address) => address.split('?')[0]).filter((address) => !address.endsWith('icon.svg'));
    assert.equal(new Set(others).size, others.length, `nothing is asked for twice: ${others}`);
});

test('paints a picture, not a blank', async (t) => {
    const site = await withSite(t);
    const page = await newPage(browser);
    t.after(() => page.context().close());
    await open(page, site.url);
    const picture = await lookAtCanvas(page);
    const colours = [...picture.colours().entries()].sort((a, b) => b[1] - a[1]);
    assert.ok(colours.length > 300, `${colours.length} colours: smoothed letters give many`);
    assert.ok(colours[0][1] < 0.8 * picture.width * picture.height, 'no colour covers everything');
    // Background, card, weights and cache in the dark theme (src/app/theme.cpp).
    for (const expected of [0x0e1116, 0x161a21, 0x5b8def, 0xf0a840]) {
        const count = picture.colours().get(expected) ?? 0;
        assert.ok(count > 2000, `#${expected.toString(16).padStart(6, '0')} has ${count} pixels`);
    }
});

test('shows the numbers of the core for the default request', async (t) => {
    const site = await withSite(t);
    const page = await newPage(browser);
    t.after(() => page.context().close());
    await open(page, site.url);
    const expected = figuresOf(await estimateOf(page.url()));
    const shown = await figures(page);
    assertFigures(shown, expected);
});

test('keeps every byte of sums beyond a terabyte', async (t) => {
    const site = await withSite(t);
    const page = await newPage(browser);
    t.after(() => page.context().close());
    await open(page, `${site.url}?model=deepseek-r1&artifact=bf16&hardware=h200-141gb*16`);
    const expected = figuresOf(await estimateOf(page.url()));
    assert.ok(expected.total > 1e12, `${expected.total}`);
    assertFigures(await figures(page), expected);
});

test('gives an answer in HTML before WebAssembly is there, then lets the canvas take over', async (t) => {
    let release;
    const site = await withSite(t);
    site.faults['app.wasm'] = { type: 'application/wasm', body: (bytes) => bytes, delay: new Promise((resolve) => { release = resolve; }) };
    const page = await newPage(browser);
    t.after(() => page.context().close());
    await page.goto(site.url, { waitUntil: 'domcontentloaded' });
    const english = await texts('en');
    await page.waitForFunction((text) => document.querySelector('#status')?.textContent === text, english['page.loading']);
    const main = page.locator('#static');
    assert.ok(await main.locator('h1').isVisible());
    const text = await main.innerText();
    const estimate = await estimateOf(site.url);
    for (const part of ['weights', 'kv', 'compute', 'total']) {
        const gib = (estimate[`${part}_bytes`].expected / 2 ** 30).toFixed(2);
        assert.ok(text.includes(`${gib} GiB`), `${part}: ${gib} GiB stands in the page's first text`);
    }
    assert.ok(text.includes('GLM-4-9B-0414'));
    release();
    await ready(page);
    assert.ok(await page.locator('#canvas').isVisible());
    assert.equal(await main.count(), 0, 'the first answer makes room');
    assert.deepEqual(page.trouble, []);
});

test('is of use without JavaScript', async (t) => {
    const site = await withSite(t);
    const page = await newPage(browser, { javaScriptEnabled: false });
    t.after(() => page.context().close());
    await page.goto(site.url);
    assert.ok(await page.locator('noscript p').isVisible());
    assert.match(await page.locator('noscript').innerText(), /JavaScript.*command line/s);
    const rows = await page.locator('#static table tr').allInnerTexts();
    assert.ok(rows.length >= 4, 'the table of the default model stands there');
    assert.ok(rows.some((row) => /Total\s+7\.\d\d GiB/.test(row)), rows.join(' | '));
    assert.ok(!(await page.locator('#canvas').isVisible()));
    // Chromium reports the script that it does not run as blocked.
    assert.deepEqual(page.trouble.filter((text) => !/^failed: .*\.js(\?\S*)? csp$/.test(text)), []);
});

test('has a policy that refuses inline scripts and foreign pictures (and this suite notices)', async (t) => {
    const site = await withSite(t);
    const page = await newPage(browser);
    t.after(() => page.context().close());
    await open(page, site.url);
    await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'window.intruder = true';
        const picture = document.createElement('img');
        picture.src = 'https://elsewhere.example/pixel.png';
        document.body.append(script, picture);
    });
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => window.intruder), undefined);
    assert.ok(page.trouble.some((text) => text.startsWith('policy: script-src')), page.trouble.join('\n'));
    assert.ok(page.trouble.some((text) => text.startsWith('policy: img-src')), page.trouble.join('\n'));
});
