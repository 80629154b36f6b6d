// Typing, input methods and the clipboard on the canvas, which has no text fields of its own.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';

import { launch, newPage, open, rest } from './support/browser.mjs';
import { findSlider, lookAtCanvas, pointerShapes } from './support/canvas.mjs';
import { differing } from './support/png.mjs';
import { estimateOf, serveSite } from './support/site.mjs';
import { assertFigures, figures, figuresOf } from './support/twin.mjs';

let browser, site, page, devtools;
before(async () => {
    [browser, site] = [await launch(), await serveSite()];
    page = await newPage(browser, { reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] });
    devtools = await page.context().newCDPSession(page);
});
beforeEach(async () => {
    await open(page, site.url);
    await page.evaluate(() => navigator.clipboard.writeText(''));
});
after(() => Promise.all([browser?.close(), site?.close()]));

const found = () => page.locator('#twin [data-key^="search "]').allInnerTexts();
const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
const field = () => page.evaluate(() => 'vramscopeText' in document.activeElement.dataset);

async function openSearch() {
    await page.locator('#canvas').focus();
    await page.keyboard.press('/');
    await rest(page);
    assert.ok(await field(), 'the hidden field has the keyboard');
}

async function assertChosen(name) {
    await rest(page);
    assert.equal(await page.locator('#twin h1').innerText(), name);
    assertFigures(await figures(page), figuresOf(await estimateOf(page.url())));
}

test('a click into the search, a few letters and Enter choose a model', async () => {
    const shapes = await pointerShapes(page, { y: 28, from: 500, to: 1000, step: 50 });
    const search = shapes.find(({ shape }) => shape === 'text');
    await page.mouse.click(search.left, 28);
    await rest(page);
    assert.ok(await field());
    const closed = await lookAtCanvas(page);
    await page.keyboard.type('gemma-3 27b', { delay: 5 });
    await rest(page);
    const names = await found();
    assert.ok(names.length >= 1 && /Gemma 3 27B/i.test(names[0]), `${names}`);
    assert.ok(differing(closed, await lookAtCanvas(page)) > 3000, 'the list opens');
    await page.keyboard.press('Enter');
    await assertChosen(names[0]);
    assert.equal(new URL(page.url()).searchParams.get('model'), 'gemma-3-27b-it');
    assert.deepEqual(page.trouble, []);
});

test('arrow keys choose among the results; Backspace, Ctrl+A and Escape edit', async () => {
    await openSearch();
    await page.keyboard.type('llamax');
    await page.keyboard.press('Backspace');
    await rest(page);
    const names = await found();
    assert.ok(names.length >= 2, `${names}`);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('qwen3');
    await rest(page);
    const others = await found();
    assert.ok(others.length >= 2 && others.every((name) => /qwen3/i.test(name)), `${others}`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await assertChosen(others[1]);
});

test('a search without result says so and harms nothing', async () => {
    const before = await figures(page);
    await openSearch();
    await page.keyboard.type('zzzzqqq');
    await rest(page);
    assert.deepEqual(await found(), []);
    await page.keyboard.press('Enter');
    await rest(page);
    assertFigures(await figures(page), before);
    assert.deepEqual(page.trouble, []);
});

test('an input method composes in place and its text arrives once', async () => {
    await openSearch();
    for (const text of ['ｑ', 'ｑｗ', 'ｑｗｅ', 'ｑｗｅｎ']) await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    const shown = await page.evaluate(() => {
        const { opacity, width } = getComputedStyle(document.activeElement);
        return { opacity, wide: parseFloat(width) > 50, value: document.activeElement.value.replaceAll('\u200b', '') };
    });
    assert.deepEqual(shown, { opacity: '1', wide: true, value: 'ｑｗｅｎ' }, 'what is composed is seen');
    assert.deepEqual(await found(), [], 'and is no input yet');
    await devtools.send('Input.insertText', { text: 'qwen' });
    await rest(page);
    assert.ok((await found()).length >= 2);
    assert.ok((await found()).some((name) => /qwen/i.test(name)), `${await found()}`);
    assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).opacity), '0');
    await page.keyboard.type('3-32b');
    await rest(page);
    const [first] = await found();
    assert.match(first, /Qwen3.32B/i);
    await page.keyboard.press('Enter');
    await assertChosen(first);
});

test('text is pasted into, copied from and cut from a field of the canvas', async () => {
    await page.evaluate(() => navigator.clipboard.writeText('phi-4'));
    await openSearch();
    await page.keyboard.press('Control+V');
    await page.locator('#twin [data-key^="search "]').first().waitFor({ state: 'attached' });
    await rest(page);
    assert.ok((await found()).length >= 1 && /phi-4/i.test((await found())[0]), `${await found()}`);
    await page.evaluate(() => navigator.clipboard.writeText('something else'));
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    await rest(page);
    assert.equal(await clipboard(), 'phi-4');
    await page.keyboard.press('Control+X');
    await rest(page);
    assert.equal(await clipboard(), 'phi-4');
    assert.deepEqual(await found(), [], 'the field is empty');
    assert.deepEqual(page.trouble, []);
});

test('what was typed just before a copy is in it, however busy the machine', async () => {
    await openSearch();
    await page.keyboard.type('phi-4');
    await rest(page);
    // No frame comes between these.
    const copied = await page.evaluate(() => {
        const field = document.activeElement;
        const stroke = (key, code, modifiers = {}) => {
            for (const type of ['keydown', 'keyup']) field.dispatchEvent(new KeyboardEvent(type, { key, code, bubbles: true, cancelable: true, ...modifiers }));
        };
        for (let i = 0; i < 3; ++i) stroke('Backspace', 'Backspace');
        stroke('a', 'KeyA', { ctrlKey: true });
        const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
        field.dispatchEvent(event);
        return event.clipboardData.getData('text/plain');
    });
    assert.equal(copied, 'ph');
    assert.deepEqual(page.trouble, []);
});

test('"copy link" on the canvas copies an address that gives this answer', async () => {
    await open(page, `${site.url}?n_ctx=16384&hardware=rtx-4090-24gb`);
    const shown = await figures(page);
    // The last button of the header.
    await page.mouse.click(1380, 28);
    await rest(page);
    const link = await clipboard();
    assert.ok(link.startsWith(site.url), link);
    assertFigures(shown, figuresOf(await estimateOf(link)));
});

test('the launch command is copied from the text version, as it stands there', async () => {
    for (const name of ['llama.cpp', 'ollama', 'vllm']) {
        const button = page.locator(`#twin [data-key="copy ${name}"]`);
        if (!(await button.count())) continue;
        await button.click();
        await rest(page);
        assert.equal(await clipboard(), await page.locator(`#twin [data-command="${name}"]`).innerText(), name);
        assert.equal((await button.innerText()).trim(), 'Copied');
    }
    assert.match(await page.locator('#twin [data-command]').first().innerText(), /llama-server.*-c 32768/s);
});

test('the value beside the slider is a field: typing a number sets the context', async () => {
    const slider = await findSlider(page, 400);
    await page.mouse.click(slider.right - 30, slider.y - 24);
    await rest(page);
    assert.ok(await field());
    await page.keyboard.press('Control+A');
    await page.keyboard.type('5000');
    await page.keyboard.press('Enter');
    await rest(page);
    assert.equal(new URL(page.url()).searchParams.get('n_ctx'), '5000');
    assertFigures(await figures(page), figuresOf(await estimateOf(page.url())));
});

test('the browser keeps its own keys', async () => {
    await page.locator('#canvas').focus();
    const prevented = await page.evaluate(() => new Promise((resolve) => {
        const seen = [];
        addEventListener('keydown', (event) => {
            if (['Control', 'Alt', 'Shift'].includes(event.key)) return;
            seen.push(`${event.key} ${event.defaultPrevented}`);
            event.preventDefault(); // the browser itself need not act now
            if (seen.length === 5) resolve(seen);
        });
        window.dispatch = (key, more) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
        window.dispatch('F5', { code: 'F5' });
        window.dispatch('l', { code: 'KeyL', ctrlKey: true });
        window.dispatch('r', { code: 'KeyR', ctrlKey: true });
        window.dispatch('f', { code: 'KeyF', ctrlKey: true });
        window.dispatch('F12', { code: 'F12' });
    }));
    assert.deepEqual(prevented, ['F5 false', 'l false', 'r false', 'f false', 'F12 false']);
});
