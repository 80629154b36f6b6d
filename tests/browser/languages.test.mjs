// Languages: chosen by address, browser and reader; on the canvas, in the text and in the numbers.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, newPage, open, rest } from './support/browser.mjs';
import { lookAtCanvas, pointerShapes } from './support/canvas.mjs';
import { differing } from './support/png.mjs';
import { serveSite, texts } from './support/site.mjs';
import { chooseLanguage, figures, figureTexts } from './support/twin.mjs';

const names = { en: 'English', de: 'Deutsch', ja: '日本語' };

let browser, site;
before(async () => { [browser, site] = [await launch(), await serveSite()]; });
after(() => Promise.all([browser?.close(), site?.close()]));

async function fresh(t, options) {
    const page = await newPage(browser, { reducedMotion: 'reduce', ...options });
    t.after(() => page.context().close());
    return page;
}
const language = (page) => page.locator('html').getAttribute('lang');

async function assertShows(page, wanted) {
    const own = await texts(wanted);
    assert.equal(await language(page), wanted);
    assert.equal(await page.locator('#twin-setup-title').innerText(), own['title.setup']);
    assert.equal(await page.locator('#twin-title').innerText(), own['title.twin']);
    assert.equal(await page.title(), own['page.title_with_model'].replace('{0}', 'GLM-4-9B-0414'));
    const selected = await page.locator('#twin [data-key="language"] option:checked').innerText();
    assert.equal(selected, names[wanted]);
}

test('the browser\'s language is taken, an unknown one means English', async (t) => {
    for (const [locale, expected] of [['de-AT', 'de'], ['ja', 'ja'], ['en-GB', 'en'], ['fi-FI', 'en']]) {
        const page = await fresh(t, { locale });
        await open(page, site.url);
        await assertShows(page, expected);
        assert.deepEqual(page.trouble, []);
        await page.context().close();
    }
});

test('the address goes before the browser, what was chosen on the page is kept', async (t) => {
    const page = await fresh(t, { locale: 'ja' });
    await open(page, `${site.url}?lang=de`);
    await assertShows(page, 'de');
    await open(page, `${site.url}?lang=en-US`);
    await assertShows(page, 'en');
    await open(page, site.url);
    await chooseLanguage(page, names.de);
    await rest(page);
    await assertShows(page, 'de');
    await open(page, site.url);
    await assertShows(page, 'de');
    await chooseLanguage(page, names.ja);
    await rest(page);
    await assertShows(page, 'ja');
    assert.deepEqual(page.trouble, []);
});

test('a choice changes canvas, text and the form of numbers, and no value', async (t) => {
    const page = await fresh(t);
    await open(page, site.url);
    const values = await figures(page);
    const seen = {};
    for (const [tag, name] of Object.entries(names)) {
        await chooseLanguage(page, name);
        await rest(page);
        await assertShows(page, tag);
        assert.deepEqual(await figures(page), values, 'the values stay');
        seen[tag] = { picture: await lookAtCanvas(page), texts: await figureTexts(page) };
    }
    for (const [one, two] of [['en', 'de'], ['de', 'ja'], ['ja', 'en']]) {
        assert.ok(differing(seen[one].picture, seen[two].picture) > 10_000, `${one} and ${two} look different`);
    }
    const plain = (text) => text.replace(/\s/gu, ' ');
    // Values of the reference request; separators by CLDR (en, de, ja).
    assert.equal(plain(seen.en.texts.total), `${(values.total / 2 ** 30).toFixed(2)} GiB`);
    assert.equal(plain(seen.de.texts.total), `${(values.total / 2 ** 30).toFixed(2).replace('.', ',')} GiB`);
    assert.equal(plain(seen.ja.texts.total), `${(values.total / 2 ** 30).toFixed(2)} GiB`);
    const grouped = (tag) => new Intl.NumberFormat(tag).format(values.max_context);
    for (const tag of Object.keys(names)) assert.ok(seen[tag].texts.max_context.startsWith(grouped(tag)), seen[tag].texts.max_context);
    assert.match(plain(seen.de.texts.kv_saving), /^93,\d %$/);
    assert.match(plain(seen.en.texts.kv_saving), /^93\.\d%$/);
    assert.deepEqual(page.trouble, []);
});

test('the menu on the canvas changes the text version as well', async (t) => {
    const page = await fresh(t);
    await open(page, site.url);
    // The first button after the search field.
    const shapes = await pointerShapes(page, { y: 28, from: 720, to: 1240, step: 16 });
    const search = shapes.findIndex(({ shape }) => shape === 'text');
    const menu = shapes.slice(search).find(({ shape }) => shape === 'pointer');
    await page.mouse.click(menu.left + 8, 28);
    await rest(page);
    const [before, text] = [await lookAtCanvas(page), await page.locator('#twin').innerText()];
    // The list opens on the chosen entry; the next one is German.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.documentElement.lang !== 'en');
    await rest(page);
    await assertShows(page, 'de');
    assert.notEqual(await page.locator('#twin').innerText(), text);
    assert.ok(differing(before, await lookAtCanvas(page)) > 10_000);
    assert.deepEqual(page.trouble, []);
});

test('numbers may be typed as the language writes them', async (t) => {
    const page = await fresh(t);
    for (const [tag, typed] of [['de', '65.536'], ['en', '65,536'], ['ja', '６５５３６']]) {
        await open(page, `${site.url}?lang=${tag}`);
        const field = page.locator('#twin [data-key="n_ctx"]');
        await field.fill(typed);
        await field.press('Enter');
        await rest(page);
        assert.equal(new URL(page.url()).searchParams.get('n_ctx'), '65536', `${typed} in ${tag}`);
        assert.equal(new URL(page.url()).searchParams.get('lang'), tag, 'the address keeps its language');
    }
});
