// Bad input and things that go missing: each is told in words that a reader sees, and the page stays
// as useful as it can be.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { answered, launch, newPage, open, ready, rest, withoutWebGl } from './support/browser.mjs';
import { lookAtCanvas } from './support/canvas.mjs';
import { differing } from './support/png.mjs';
import { estimateOf, serveSite, texts } from './support/site.mjs';
import { assertFigures, contextField, figures, figuresOf, messages } from './support/twin.mjs';

let browser, english, site;
before(async () => { [browser, english, site] = [await launch(), await texts('en'), await serveSite()]; });
after(() => Promise.all([browser?.close(), site?.close()]));

/** A new profile, and these faults until the test ends. */
async function fresh(t, faults = {}) {
    Object.assign(site.faults, faults);
    t.after(() => Object.keys(site.faults).forEach((name) => delete site.faults[name]));
    const page = await newPage(browser, { reducedMotion: 'reduce' });
    t.after(() => page.context().close());
    return page;
}

const fill = (key, ...values) => values.reduce((text, value, i) => text.replaceAll(`{${i}}`, value), english[key]);

/** The text up to its first placeholder: what comes then is the browser's wording. */
const beginning = (key) => english[key].split('{0}')[0];

/** Everything works: a change in the text version gives the core's numbers. */
async function assertUsable(page) {
    await contextField(page).fill('4096');
    await contextField(page).press('Enter');
    await rest(page);
    assertFigures(await figures(page), figuresOf(await estimateOf(page.url())));
    assert.equal(new URL(page.url()).searchParams.get('n_ctx'), '4096');
}

async function assertNoCrash(page) {
    assert.deepEqual(page.trouble.filter((text) => text.startsWith('exception') || text.startsWith('policy')), []);
}

// --- Addresses -------------------------------------------------------------------------------------

test('what an address asks in vain is answered with a message and the default', async (t) => {
    const page = await fresh(t);
    const expected = figuresOf(await estimateOf(site.url));
    for (const [query, key, ...values] of [
        ['model=no-such-model', 'error.unknown-model', '', 'no-such-model'],
        ['hardware=abacus', 'error.unknown-hardware', '', 'abacus'],
        ['artifact=q99', 'error.unknown-artifact', '', 'q99'],
        ['engine=steam', 'error.invalid-value', 'Engine', 'steam'],
        ['n_ctx=0', 'error.out_of_range', 'Context per sequence', '0'],
        ['n_ctx=-5', 'error.out_of_range', 'Context per sequence', '-5'],
        ['n_ctx=many', 'error.out_of_range', 'Context per sequence', 'many'],
        ['n_ctx=1000000000000000', 'error.out_of_range', 'Context per sequence', '1000000000000000'],
        ['n_ctx=1e15', 'error.out_of_range', 'Context per sequence', '1e15'],
    ]) {
        await open(page, `${site.url}?${query}`);
        // Bounds come after the placeholders that are known here.
        const sentence = fill(key, ...values).split('{2}')[0];
        // A field's own message stands beside the field, the others with the answer.
        const told = [...(await messages(page)), ...(await page.locator('#twin .error').allInnerTexts())].filter(Boolean);
        assert.ok(told.some((text) => text.includes(sentence)), `"${sentence}" in ${JSON.stringify(told)}`);
        assertFigures(await figures(page), expected);
    }
    await assertUsable(page);
    assert.deepEqual(page.trouble, []);
});

test('addresses made of noise do no harm', async (t) => {
    const page = await fresh(t);
    const long = 'x'.repeat(6000);
    for (const query of ['%ff%fe', '&&&===', `model=${long}`, 'n_ctx=%00', 'lang=%22%3E%3Cscript%3E', 'tab=__proto__&theme=1', 'hardware=rtx-3060-12gb*999999999', 'tensor_split=1,2,,,']) {
        await open(page, `${site.url}?${query}`);
        const shown = await figures(page);
        assert.ok(shown.total > 0, query.slice(0, 40));
    }
    await assertUsable(page);
    assert.deepEqual(page.trouble.filter((text) => !text.startsWith('HTTP 4')), []);
});

test('the context field answers what it cannot take with words beside it', async (t) => {
    const page = await fresh(t);
    await open(page, site.url);
    const error = page.locator('#twin-n-ctx-error, #twin-n_ctx-error');
    for (const wrong of ['0', '-5', 'many', '1000000000000000', '1e999']) {
        const before = await figures(page);
        await contextField(page).fill(wrong);
        await contextField(page).press('Enter');
        await rest(page);
        assert.ok(await error.isVisible());
        assert.ok((await error.innerText()).includes(wrong), await error.innerText());
        assert.equal(await contextField(page).evaluate((field) => field.ariaInvalid), 'true', 'told to screen readers too');
        assertFigures(await figures(page), before);
        await assertUsable(page);
        assert.equal((await error.innerText()).trim(), '', 'a right value clears the message');
        assert.equal(await contextField(page).getAttribute('aria-invalid'), null);
    }
    // By keys, as a person would: a value that a script empties is no change to the browser.
    for (const key of ['Control+A', 'Delete', 'Enter']) await contextField(page).press(key);
    await rest(page);
    assertFigures(await figures(page), figuresOf(await estimateOf(site.url)), 'an empty field means the default');
    assert.deepEqual(page.trouble, []);
});

// --- Files that are missing or wrong ---------------------------------------------------------------

for (const [name, faults, key, again] of [
    ['catalog-first.json missing', { 'catalog-first.json': 404 }, 'page.error.catalog_missing', true],
    ['catalog-first.json refused by the server', { 'catalog-first.json': 503 }, 'page.error.catalog_missing'],
    ['catalog-first.json cut off', { 'catalog-first.json': { type: 'application/json', body: (bytes) => bytes.subarray(0, 5000) } }, 'page.error.catalog_broken'],
    ['catalog-first.json of a page that says 200 for everything', { 'catalog-first.json': { type: 'text/html', body: '<!doctype html><title>Hello</title>' } }, 'page.error.catalog_broken'],
    ['catalog-first.json without models', { 'catalog-first.json': { type: 'application/json', body: '{"schema":1}' } }, 'page.error.catalog_broken'],
    ['catalog-first.json of another kind', { 'catalog-first.json': { type: 'application/json', body: '[1,2,3]' } }, 'page.error.catalog_broken'],
    ['catalog-first.json of a later release', { 'catalog-first.json': { type: 'application/json', body: '{"schema":999}' } }, 'page.error.catalog_version'],
    ['app.wasm missing', { 'app.wasm': 404 }, 'page.error.wasm'],
    ['app.wasm cut off', { 'app.wasm': { type: 'application/wasm', body: (bytes) => bytes.subarray(0, bytes.length / 2) } }, 'page.error.wasm', true],
    ['app.wasm empty', { 'app.wasm': { type: 'application/wasm', body: '' } }, 'page.error.wasm'],
    ['app-more.wasm missing when the address needs it', { 'app-more.wasm': 404 }, 'page.error.wasm', true],
    ['app.js missing', { 'app.js': 404 }, 'page.error.wasm', true],
]) {
    test(`${name}: the page says so, keeps its first answer${again ? ', and works after "try again"' : ''}`, async (t) => {
        const page = await fresh(t, faults);
        await page.goto(`${site.url}?n_ctx=16384`);
        const notice = page.locator('#notice');
        await notice.waitFor();
        const told = await notice.innerText();
        assert.ok(told.startsWith(beginning(key)), told);
        assert.equal(await notice.getAttribute('role'), 'alert');
        assert.doesNotMatch(told, /\{\d\}|undefined|\[object/, 'no holes in the sentence');
        assert.ok(await page.locator('#static h1').isVisible(), 'the first answer is still there');
        assert.ok(await page.locator('#static table').isVisible());
        assert.equal(await page.locator('#status').innerText(), '', 'it no longer claims to be loading');
        assert.equal(await page.locator('#canvas').isVisible(), false);
        await assertNoCrash(page);
        const button = notice.getByRole('button', { name: english['page.retry'] });
        assert.ok(await button.isVisible());
        if (!again) return;

        for (const file of Object.keys(faults)) delete site.faults[file];
        await button.click();
        await ready(page);
        assert.equal(await notice.count(), 0);
        assert.equal(new URL(page.url()).searchParams.get('n_ctx'), '16384');
        await assertUsable(page);
    });
}

for (const [name, fault] of [
    ['missing', 404],
    ['cut off', { type: 'application/json', body: (bytes) => bytes.subarray(0, bytes.length / 2) }],
    ['of a later release', { type: 'application/json', body: '{"schema":999}' }],
]) {
    test(`the rest of the catalog ${name}: the page says so, keeps its models, and is whole after "try again"`, async (t) => {
        const page = await fresh(t, { 'catalog.json': fault });
        await page.goto(`${site.url}?n_ctx=16384`);
        await page.locator('#notice').waitFor();
        assert.ok((await page.locator('#notice').innerText()).startsWith(beginning('page.error.catalog_rest')));
        await answered(page);
        assertFigures(await figures(page), figuresOf(await estimateOf(`${site.url}?n_ctx=16384`)));
        await assertUsable(page);
        await assertNoCrash(page);
        delete site.faults['catalog.json'];
        await page.locator('#notice').getByRole('button', { name: english['page.retry'] }).click();
        await ready(page);
        assert.equal(await page.locator('#notice').count(), 0);
    });
}

test('the second part of the module missing: the page says so, keeps its answer, and is whole after "try again"', async (t) => {
    const page = await fresh(t, { 'app-more.wasm': 404 });
    await page.goto(site.url);
    await page.locator('#notice').waitFor();
    assert.ok((await page.locator('#notice').innerText()).startsWith(beginning('page.error.wasm')));
    await answered(page);
    assertFigures(await figures(page), figuresOf(await estimateOf(site.url)));
    delete site.faults['app-more.wasm'];
    await page.locator('#notice').getByRole('button', { name: english['page.retry'] }).click();
    await ready(page);
    assert.equal(await page.locator('#notice').count(), 0);
    await assertUsable(page);
});

test('who is faster than the second part of the module waits for it and loses nothing', async (t) => {
    let asked = 0;
    const late = { type: 'application/wasm', body: (bytes) => bytes, get delay() { return asked++ === 0 ? sleep(4000) : undefined; } };
    const page = await fresh(t, { 'app-more.wasm': late });
    await page.goto(site.url);
    await answered(page);
    assert.equal(await page.locator('html[data-ready]').count(), 0, 'the second part is still on its way');
    await assertUsable(page);
    await ready(page);
    await assertUsable(page);
    await assertNoCrash(page);
});

test('an address that names a model waits for all models, and the others do not', async (t) => {
    const page = await fresh(t);
    const asked = (name) => page.requests.filter((address) => address.split('?')[0].endsWith(`/${name}`)).length;
    await open(page, `${site.url}?model=llama-3.1-8b-instruct&n_ctx=16384`);
    assert.deepEqual([asked('catalog-first.json'), asked('catalog.json')], [0, 1]);
    assertFigures(await figures(page), figuresOf(await estimateOf(`${site.url}?model=llama-3.1-8b-instruct&n_ctx=16384`)));
    await open(page, site.url);
    assert.deepEqual([asked('catalog-first.json'), asked('catalog.json')], [1, 2]);
    assert.deepEqual(page.trouble, []);
});

test('a language that is missing falls back to English, and says so when it was asked for later', async (t) => {
    const page = await fresh(t, { 'locales/de.json': 404, 'locales/ja.json': { type: 'application/json', body: '{"language":' } });
    await open(page, `${site.url}?lang=de`);
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    assert.ok((await page.locator('#twin').innerText()).includes(english['title.setup']));
    await page.locator('#twin [data-key="language"]').selectOption({ label: '日本語' });
    await page.locator('#notice').waitFor();
    assert.ok((await page.locator('#notice').innerText()).startsWith(beginning('page.error.locale')));
    await rest(page);
    await assertUsable(page);
    await assertNoCrash(page);
});

test('without any texts there is still one sentence and the first answer', async (t) => {
    const page = await fresh(t, { 'locales/en.json': 404 });
    await page.goto(site.url);
    await page.locator('#notice').waitFor();
    assert.match(await page.locator('#notice').innerText(), /could not load its texts/);
    assert.ok(await page.locator('#static table').isVisible());
    await assertNoCrash(page);
});

test('files with the wrong type work all the same', async (t) => {
    const as = (type) => ({ type, body: (bytes) => bytes });
    const page = await fresh(t, {
        'app.wasm': as('application/octet-stream'),
        'catalog-first.json': as('text/plain'),
        'catalog.json': as('text/plain'),
        'locales/en.json': as('text/html'),
    });
    await open(page, site.url);
    assert.deepEqual(page.trouble, []);
    await assertUsable(page);
    assert.ok((await lookAtCanvas(page)).colours().size > 300);
});

// --- Drawing ---------------------------------------------------------------------------------------

test('without WebGL2 the text version is the page', async (t) => {
    const page = await fresh(t);
    await withoutWebGl(page);
    await open(page, `${site.url}?n_ctx=8192`);
    assert.equal(await page.locator('#notice').innerText(), english['page.error.webgl']);
    assert.equal(await page.locator('#canvas').isVisible(), false);
    for (const selector of ['#twin h1', '#twin-verdict', '#twin [data-figure="total"]', '#twin [data-key="n_ctx"]', '#twin table']) {
        const element = page.locator(selector).first();
        await element.scrollIntoViewIfNeeded();
        assert.ok(await element.isVisible(), selector);
    }
    await page.evaluate(() => scrollTo(0, 0));
    const top = (await page.locator('#twin h1').boundingBox()).y;
    assert.ok(top < 300, `the answer begins at ${top}: no empty stage stands above it`);
    await assertUsable(page);
    await page.locator('#twin [data-key="language"]').selectOption({ label: 'Deutsch' });
    await rest(page);
    assert.ok((await page.locator('#twin').innerText()).includes((await texts('de'))['field.n_ctx']));
    assert.deepEqual(page.trouble, []);
});

test('a browser without WebGL2 at all (no GPU, no software drawing) gets the same', async (t) => {
    const poor = await launch(['--disable-webgl2', '--disable-3d-apis', '--disable-gpu']);
    t.after(() => poor.close());
    const page = await newPage(poor);
    await open(page, site.url);
    assert.equal(await page.locator('#notice').innerText(), english['page.error.webgl']);
    assert.ok(await page.locator('#twin-verdict').isVisible());
    await assertUsable(page);
    await assertNoCrash(page);
});

test('a lost drawing context is told, worked around, and taken back with the state kept', async (t) => {
    const page = await fresh(t);
    await open(page, `${site.url}?n_ctx=8192`);
    const before = await lookAtCanvas(page);
    await page.evaluate(() => {
        window.loss = document.querySelector('#canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
        window.loss.loseContext();
    });
    await page.locator('#notice').waitFor();
    assert.equal(await page.locator('#notice').innerText(), english['page.error.context_lost']);
    assert.equal(await page.locator('#canvas').isVisible(), false);
    assert.ok(await page.locator('#twin-verdict').isVisible());
    await assertUsable(page);
    await contextField(page).fill('8192');
    await contextField(page).press('Enter');
    await rest(page);

    await page.evaluate(() => window.loss.restoreContext());
    await page.locator('#canvas').waitFor();
    await rest(page);
    assert.equal(await page.locator('#notice').count(), 0);
    assert.equal(new URL(page.url()).searchParams.get('n_ctx'), '8192');
    assert.equal(differing(before, await lookAtCanvas(page)), 0, 'letters and everything else are there again');
    await assertUsable(page);
    await assertNoCrash(page);
});

test('a context lost twice, and lost while something is typed, comes back', async (t) => {
    const page = await fresh(t);
    await open(page, site.url);
    for (let round = 0; round < 2; ++round) {
        await page.locator('#canvas').focus();
        await page.keyboard.press('/');
        await page.keyboard.type('qwen');
        await page.evaluate(() => {
            window.loss ??= document.querySelector('#canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
            window.loss.loseContext();
        });
        await page.locator('#notice').waitFor();
        await page.evaluate(() => window.loss.restoreContext());
        await page.locator('#canvas').waitFor();
        await rest(page);
        assert.ok((await lookAtCanvas(page)).colours().size > 300);
    }
    await assertUsable(page);
    await assertNoCrash(page);
});
