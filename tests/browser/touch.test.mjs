// The phone: fingers scroll, drag and tap the canvas.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';

import { launch, newPage, open, rest, viewports } from './support/browser.mjs';
import { findSlider, lookAtCanvas } from './support/canvas.mjs';
import { differing } from './support/png.mjs';
import { estimateOf, serveSite } from './support/site.mjs';
import { assertFigures, figures, figuresOf } from './support/twin.mjs';

let browser, site, page, devtools;
before(async () => {
    [browser, site] = [await launch(), await serveSite()];
    page = await newPage(browser, { ...viewports.phone, reducedMotion: 'reduce' });
    devtools = await page.context().newCDPSession(page);
});
beforeEach(() => open(page, `${site.url}?n_ctx=8192`));
after(() => Promise.all([browser?.close(), site?.close()]));

async function swipe(from, to, steps = 8) {
    const point = ({ x, y }) => ({ touchPoints: [{ x, y, id: 1 }] });
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', ...point(from) });
    for (let i = 1; i <= steps; ++i) {
        const share = i / steps;
        await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', ...point({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }) });
    }
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await rest(page);
}

const tokens = () => Number(new URL(page.url()).searchParams.get('n_ctx') ?? 32768);
const scrolled = () => page.evaluate(() => scrollY);

test('a finger scrolls the answer; header and slider stay', async () => {
    const before = await lookAtCanvas(page);
    await swipe({ x: 195, y: 600 }, { x: 195, y: 300 });
    const after = await lookAtCanvas(page);
    const part = (picture, top, height) => picture.part(0, top, picture.width - 16, height); // without the scroll bar
    assert.ok(differing(part(before, 200, 1200), part(after, 200, 1200)) > 20_000, 'the answer moved');
    assert.equal(differing(part(before, 0, 100), part(after, 0, 100)), 0, 'the header did not');
    const bottom = before.height - 160;
    assert.equal(differing(part(before, bottom, 150), part(after, bottom, 150)), 0, 'nor did the slider');
    // It moved with the finger: 300 px up, less what tells a swipe from a tap.
    const strip = before.part(60, 1000, 600, 60);
    const shifts = Array.from({ length: 61 }, (_, i) => ({ by: 250 + i, wrong: differing(strip, after.part(60, 1000 - 2 * (250 + i), 600, 60)) }));
    const best = shifts.reduce((one, two) => (two.wrong < one.wrong ? two : one));
    assert.ok(best.wrong < 200 && best.by > 250 && best.by <= 300, JSON.stringify(best));
    await swipe({ x: 195, y: 200 }, { x: 195, y: 700 });
    assert.ok(differing(part(before, 200, 1200), part(await lookAtCanvas(page), 200, 1200)) < 500, 'and back');
    assert.equal(tokens(), 8192);
    assert.deepEqual(page.trouble, []);
});

test('a finger drags the slider, along it only', async () => {
    const slider = await findSlider(page);
    assert.ok(slider.y > 700, 'the slider stands at the bottom');
    await swipe({ x: slider.thumb, y: slider.y }, { x: slider.right - 10, y: slider.y });
    assert.ok(tokens() >= 131072, `${tokens()}`);
    assertFigures(await figures(page), figuresOf(await estimateOf(page.url())));
    assert.equal(await scrolled(), 0);
    const reached = tokens();
    const again = await findSlider(page);
    await swipe({ x: again.thumb - 60, y: again.y }, { x: again.thumb - 64, y: again.y - 300 });
    assert.equal(tokens(), reached, 'a finger that moves upwards changes nothing');
});

test('a tap on the track sets the context', async () => {
    const slider = await findSlider(page);
    await page.touchscreen.tap(slider.left + 9 + (slider.right - slider.left - 18) * 0.05, slider.y);
    await rest(page);
    assert.ok(tokens() < 8192, `${tokens()}`);
    assertFigures(await figures(page), figuresOf(await estimateOf(page.url())));
});

test('a tap opens the set-up as a sheet, another one closes it', async () => {
    const closed = await lookAtCanvas(page);
    await page.touchscreen.tap(390 - 34, 844 - 46);
    await rest(page);
    const opened = await lookAtCanvas(page);
    assert.ok(differing(closed, opened) > 200_000, 'a sheet covers the lower part and dims the rest');
    await page.touchscreen.tap(195, 120); // beside the sheet
    await rest(page);
    assert.ok(differing(closed, await lookAtCanvas(page)) < 500, 'it is gone');
    assert.equal(tokens(), 8192, 'and nothing below was pressed');
});

test('a tap into the search brings the phone keyboard, Enter a model', async () => {
    const box = { right: 390 - 12 - 44 - 4 };
    await page.touchscreen.tap(box.right - 22, 28);
    await rest(page);
    const field = await page.evaluate(() => {
        const { dataset, inputMode, ariaLabel } = document.activeElement;
        return { ours: 'vramscopeText' in dataset, inputMode, ariaLabel };
    });
    assert.equal(field.ours, true, 'the hidden field has the focus, so the keyboard comes');
    assert.equal(field.inputMode, 'text');
    assert.match(field.ariaLabel, /Search \d+ models/);
    await devtools.send('Input.insertText', { text: 'mistral' });
    await rest(page);
    const names = await page.locator('#twin [data-key^="search "]').allInnerTexts();
    assert.ok(names.length >= 1, 'models are found');
    await page.keyboard.press('Enter');
    await rest(page);
    assert.equal(await page.locator('#twin h1').innerText(), names[0]);
    assertFigures(await figures(page), figuresOf(await estimateOf(page.url())));
    assert.deepEqual(page.trouble, []);
});

test('past its end, a swipe scrolls on to the text version', async () => {
    for (let i = 0; i < 40 && (await scrolled()) === 0; ++i) await swipe({ x: 195, y: 680 }, { x: 195, y: 90 }, 4);
    assert.ok((await scrolled()) > 50, 'the page scrolls when the canvas cannot');
});
