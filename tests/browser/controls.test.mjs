// Canvas, text version and address are three faces of one state: what is done to one shows in the
// others, with the numbers that the core and the command line give for the address.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';

import { launch, newPage, open, rest } from './support/browser.mjs';
import { findSlider, look, lookAtCanvas } from './support/canvas.mjs';
import { differing } from './support/png.mjs';
import { estimateOf, serveSite, toolEstimateOf } from './support/site.mjs';
import { assertFigures, contextField, figures, figuresOf, figureTexts } from './support/twin.mjs';

const setupColumn = 400; // findSlider looks left of this

let browser, site, page;
before(async () => {
    [browser, site] = [await launch(), await serveSite()];
    page = await newPage(browser, { reducedMotion: 'reduce' });
});
beforeEach(() => open(page, `${site.url}?n_ctx=8192`));
after(() => Promise.all([browser?.close(), site?.close()]));

const parameter = (name) => new URL(page.url()).searchParams.get(name);
const tokens = () => Number(parameter('n_ctx') ?? 32768); // the default is not in the address
const sequences = () => Number(parameter('n_seq') ?? 1);

/** The text version shows what the core and the tool say about the page's address. */
async function assertAgreement() {
    const estimate = await estimateOf(page.url());
    const shown = await figures(page);
    assertFigures(shown, figuresOf(estimate, sequences()));
    const byTool = await toolEstimateOf(page.url());
    if (byTool) assertFigures(shown, figuresOf(byTool, sequences()));
    assert.equal(Number(await contextField(page).inputValue()), tokens() / sequences());
    return estimate;
}

async function dragTo(slider, share) {
    const y = slider.y;
    await page.mouse.move(slider.thumb, y);
    await page.mouse.down();
    const target = slider.left + 9 + (slider.right - slider.left - 18) * share;
    for (let i = 1; i <= 8; ++i) await page.mouse.move(slider.thumb + ((target - slider.thumb) * i) / 8, y);
    return target;
}

test('dragging the context slider changes the accessible figures to what core and tool say', async () => {
    const first = await figures(page);
    assert.equal(tokens(), 8192);
    await assertAgreement();
    let slider = await findSlider(page, setupColumn);
    const seen = [tokens()];
    for (const share of [0.1, 0.62, 0.9]) {
        await dragTo(slider, share);
        await page.mouse.up();
        await rest(page);
        await assertAgreement();
        seen.push(tokens());
        // A dragged slider stops at powers of two and at the model's own limit, which is one here.
        assert.equal(Math.log2(tokens()) % 1, 0, `${tokens()} tokens`);
        const before = slider;
        slider = await findSlider(page, setupColumn);
        assert.notEqual(slider.thumb, before.thumb, 'the thumb moved');
    }
    assert.ok(seen[1] < seen[0] && seen[0] < seen[2] && seen[2] < seen[3], `${seen}`);
    const last = await figures(page);
    assert.ok(last.kv > first.kv && last.total > first.total, 'more context takes more memory');
    assert.equal(last.max_context, first.max_context, 'and the largest context stays');
    assert.deepEqual(page.trouble, []);
});

test('while dragging, text and picture follow before the button is let go', async () => {
    const slider = await findSlider(page, setupColumn);
    const before = await figureTexts(page);
    const picture = await lookAtCanvas(page);
    await dragTo(slider, 0.95);
    await page.waitForFunction((text) => document.querySelector('#twin [data-figure="kv"]').textContent !== text, before.kv);
    assert.ok(differing(picture, await lookAtCanvas(page)) > 2000);
    await page.mouse.up();
    await rest(page);
    await assertAgreement();
});

test('with Shift, a drag stops at any multiple of 256', async () => {
    const slider = await findSlider(page, setupColumn);
    await page.keyboard.down('Shift');
    await dragTo(slider, 0.555);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await rest(page);
    assert.equal(tokens() % 256, 0);
    assert.notEqual(Math.log2(tokens()) % 1, 0, `${tokens()} tokens`);
    await assertAgreement();
});

test('keys move the slider on the canvas', async () => {
    const slider = await findSlider(page, setupColumn);
    await page.mouse.click(slider.thumb, slider.y);
    await rest(page);
    assert.equal(tokens(), 8192, 'a click on the thumb changes nothing');
    const after = {};
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'Home']) {
        await page.keyboard.press(key);
        await rest(page);
        after[key] = tokens();
        await assertAgreement();
    }
    assert.equal(after.ArrowRight, 32768);
    assert.equal(after.ArrowLeft, 16384);
    assert.ok(after.End >= 131072, `End: ${after.End}`);
    assert.ok(after.Home <= 1024, `Home: ${after.Home}`);
});

test('the tab key reaches the canvas, moves inside it and leaves it into the text version', async () => {
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('Tab'); // "skip to the text version"
    assert.equal(await page.evaluate(() => document.activeElement.id), 'skip');
    await page.keyboard.press('Tab');
    const focus = () => page.evaluate(() => {
        const e = document.activeElement;
        return e.closest('#twin, #text-version') ? 'text' : e.id === 'canvas' || 'vramscopeText' in e.dataset ? 'canvas' : e.tagName;
    });
    assert.equal(await focus(), 'canvas');
    await rest(page);
    const pictures = [await lookAtCanvas(page)];
    let steps = 0;
    let moved = 0;
    for (; steps < 150 && (await focus()) === 'canvas'; ++steps) {
        await page.keyboard.press('Tab');
        if (steps < 4) {
            await rest(page);
            pictures.push(await lookAtCanvas(page));
            if (differing(pictures.at(-1), pictures.at(-2)) > 50) ++moved;
        }
    }
    assert.ok(moved >= 3, `the focus ring moved in ${moved} of 4 steps`);
    assert.ok(steps >= 10, `the canvas has ${steps} stops`);
    assert.equal(await focus(), 'text', `after ${steps} stops`);
});

test('what is set in the text version shows on the canvas and in the address', async () => {
    const before = await lookAtCanvas(page);
    const thumb = (await findSlider(page, setupColumn)).thumb;
    await contextField(page).fill('65536');
    await contextField(page).press('Enter');
    await rest(page);
    assert.equal(tokens(), 65536);
    await assertAgreement();
    assert.ok(differing(before, await lookAtCanvas(page)) > 2000);
    assert.ok((await findSlider(page, setupColumn)).thumb > thumb + 50, 'the thumb on the canvas went along');

    const again = await lookAtCanvas(page);
    await page.locator('#twin [data-key="hardware"]').selectOption({ index: 0 });
    await rest(page);
    assert.ok(parameter('hardware'));
    await assertAgreement();
    assert.ok(differing(again, await lookAtCanvas(page)) > 1000);

    await page.locator('#twin fieldset', { hasText: 'KV cache' }).getByLabel('Q8_0').check();
    await rest(page);
    const estimate = await assertAgreement();
    // Q8_0: 34 bytes for 32 numbers instead of 64 (ggml-common.h, block_q8_0).
    assert.equal(estimate.kv_bytes.expected, (2 * 40 * 2 * 128 * 65536 * 34) / 32);
    assert.deepEqual(page.trouble, []);
});

test('the range in the text version moves the same slider', async () => {
    await page.locator('#twin [data-key="n_ctx range"]').focus();
    await page.keyboard.press('ArrowRight');
    await rest(page);
    assert.equal(tokens(), 16384);
    await assertAgreement();
});

test('back and forward lead through the models', async () => {
    assert.equal(parameter('model'), null, 'the default model is not in the address');
    const name = () => page.locator('#twin h1').innerText();
    const first = [await name(), await figures(page)];
    await page.locator('#twin [data-key="related 0"]').click();
    await rest(page);
    const second = [await name(), await figures(page)];
    assert.ok(parameter('model'));
    assert.notEqual(second[0], first[0]);
    await assertAgreement();
    const picture = await lookAtCanvas(page);
    await page.goBack();
    await rest(page);
    assert.deepEqual([await name(), await figures(page)], first);
    await assertAgreement();
    assert.ok(differing(picture, await lookAtCanvas(page)) > 1000, 'the canvas went back, too');
    await page.goForward();
    await rest(page);
    assert.deepEqual([await name(), await figures(page)], second);
    assert.equal(differing(picture, await lookAtCanvas(page)), 0, 'the same picture as before');
});

test('an address opens in the state that it names, on the canvas as well', async () => {
    const addressed = `${site.url}?artifact=gguf-q6_k&hardware=rtx-4090-24gb&n_ctx=16384&type_k=q8_0&type_v=q8_0&reserved_gib=1.5&n_seq=2`;
    await open(page, addressed);
    await assertAgreement();
    for (const [key, value] of new URL(addressed).searchParams) assert.equal(parameter(key), value, key);
    const picture = await look(page);
    await page.reload();
    await open(page, page.url());
    assert.equal(differing(picture, await look(page)), 0, 'the same address, the same picture');
});
