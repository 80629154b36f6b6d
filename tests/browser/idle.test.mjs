// A page at rest does nothing: no frame, no timer; and a key costs a few frames only.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { activity, launch, newPage, open, rest } from './support/browser.mjs';
import { findSlider } from './support/canvas.mjs';
import { serveSite } from './support/site.mjs';
import { chooseLanguage, contextField } from './support/twin.mjs';

let browser, site, page;
before(async () => {
    [browser, site] = [await launch(), await serveSite()];
    page = await newPage(browser);
    await open(page, site.url);
});
after(() => Promise.all([browser?.close(), site?.close()]));

/** What happened over two seconds in which nobody did anything. */
async function idle(page) {
    await rest(page, 900); // the sentence for screen readers comes 0.7 s after the last change
    const before = await activity(page);
    await page.waitForTimeout(2000);
    const after = await activity(page);
    return Object.fromEntries(Object.keys(before).map((key) => [key, after[key] - before[key]]));
}
const nothing = { frames: 0, draws: 0, timers: 0, started: 0 };

/** Frames until rest. */
async function framesOf(page, does) {
    const before = await activity(page);
    await does();
    await rest(page);
    return (await activity(page)).draws - before.draws;
}

test('draws nothing over two seconds after loading', async () => {
    assert.ok((await activity(page)).draws > 0, 'it has drawn before');
    assert.deepEqual(await idle(page), nothing);
});

test('draws nothing after typing in the text version', async () => {
    const frames = await framesOf(page, async () => {
        await contextField(page).fill('5000');
        await contextField(page).press('Enter');
    });
    assert.ok(frames > 0, 'the change was drawn');
    assert.deepEqual(await idle(page), nothing);
});

test('draws nothing after a language was chosen', async () => {
    const frames = await framesOf(page, () => chooseLanguage(page, 'Deutsch'));
    assert.ok(frames > 0, 'the change was drawn');
    assert.deepEqual(await idle(page), nothing);
});

test('draws nothing with a caret in a text field of the canvas', async () => {
    await page.locator('#canvas').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('gemma');
    await rest(page);
    assert.deepEqual(await idle(page), nothing);
    await page.keyboard.press('Escape');
    await rest(page);
});

test('draws a handful of frames for one key press and one pointer move', async () => {
    await open(page, `${site.url}?n_ctx=4096`);
    const slider = await findSlider(page, 400);
    await page.mouse.click(slider.thumb, slider.y);
    await rest(page);
    const still = await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches);
    assert.equal(still, false, 'movement is on, so that easing counts');
    // Bars ease for 120 ms: some 8 frames at 60 a second, and a few around them.
    const eased = await framesOf(page, () => page.keyboard.press('ArrowRight'));
    assert.ok(eased >= 1 && eased <= 20, `${eased} frames`);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await rest(page);
    const plain = await framesOf(page, () => page.keyboard.press('ArrowRight'));
    assert.ok(plain >= 1 && plain <= 3, `${plain} frames without movement`);
    const moved = await framesOf(page, () => page.mouse.move(720, 8));
    assert.ok(moved >= 1 && moved <= 6, `${moved} frames for a move`);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
});
