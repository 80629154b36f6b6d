// The pages beside the simulator: found, used and left by pointer, by keyboard alone and through the
// text version alone; without stopping the page, and without fault for axe-core.

import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { activity, launch, newPage, ready, rest, viewports } from './support/browser.mjs';
import { screenshots, serveSite } from './support/site.mjs';

const axeSource = await fs.readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser, site;
before(async () => {
    await fs.mkdir(screenshots, { recursive: true });
    [browser, site] = [await launch(), await serveSite()];
});
after(() => Promise.all([browser?.close(), site?.close()]));

async function opened(t, query = '', options = {}) {
    const page = await newPage(browser, { reducedMotion: 'reduce', ...options });
    t.after(() => page.context().close());
    await page.goto(site.url + query, { waitUntil: 'load' });
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    await settled(page);
    return page;
}

/** Everything is computed, shown and at rest. */
async function settled(page) {
    if (new URL(page.url()).searchParams.has('view')) {
        await page.waitForSelector('#twin-progress', { state: 'attached' });
        await page.waitForFunction(() => Number(document.querySelector('#twin-progress')?.dataset.done ?? 1) >= 1, null, { timeout: 60_000 });
    }
    await rest(page);
}

const violations = (page) =>
    page.evaluate(async () => {
        const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
        return violations.map(({ id, help, nodes }) => `${id}: ${help} ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 140)).join(' | ')}`);
    });
const column = (page, table, index) => page.$$eval(`#twin [data-table="${table}"] tbody tr`, (rows, i) => rows.map((row) => Number(row.children[i].dataset.exact)), index);
const isSorted = (values) => values.every((value, i) => i === 0 || values[i - 1] >= value);
const parameters = (page) => new URL(page.url()).searchParams;

const two = `?view=compare&with=&with=${encodeURIComponent('n_ctx=8192')}`;
const modes = { run: '?view=run', need: '?view=need', compare: two, empty: '?view=compare' };

for (const [name, query] of Object.entries(modes)) {
    test(`${name}: no fault for axe-core, nothing over the edge, no trouble`, async (t) => {
        for (const [size, scheme] of [['desktop', 'dark'], ['phone', 'light']]) {
            const page = await opened(t, query, { ...viewports[size], colorScheme: scheme });
            await page.evaluate(axeSource);
            assert.deepEqual(await violations(page), [], `${size} ${scheme}`);
            const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            assert.equal(over, 0);
            await page.screenshot({ path: path.join(screenshots, `mode-${name}-${size}-${scheme}.png`) });
            assert.deepEqual(page.trouble, []);
            await page.context().close();
        }
    });
}

test('what can I run: the page goes on while it is computed', async (t) => {
    const page = await newPage(browser, { reducedMotion: 'reduce' });
    t.after(() => page.context().close());
    await page.goto(site.url, { waitUntil: 'load' });
    await ready(page);
    const longest = await page.evaluate(async () => {
        const channel = new MessageChannel();
        const gaps = [];
        let last = performance.now();
        let going = true;
        channel.port1.onmessage = () => {
            const now = performance.now();
            gaps.push(now - last);
            last = now;
            if (going) channel.port2.postMessage(0);
        };
        channel.port2.postMessage(0);
        const start = performance.now();
        [...document.querySelectorAll('#twin nav button')][1].click();
        for (;;) {
            await new Promise((resolve) => setTimeout(resolve, 5));
            const progress = document.querySelector('#twin-progress');
            if (progress && Number(progress.dataset.done) >= 1) break;
            if (performance.now() - start > 60_000) throw new Error('not done after a minute');
        }
        going = false;
        gaps.sort((a, b) => b - a);
        return { milliseconds: performance.now() - start, gaps: gaps.slice(0, 8).map((gap) => gap.toFixed(1)), text: document.querySelector('#twin-progress').textContent };
    });
    t.diagnostic(`${longest.text} in ${longest.milliseconds.toFixed(0)} ms; longest turns of the main thread, ms: ${longest.gaps.join(' ')}`);
    assert.ok(longest.gaps[0] < 1000, 'input waits for nothing long, even on a busy machine');
    assert.ok((await column(page, 'run', 5)).length === 25);
    assert.equal(parameters(page).get('view') ?? 'run', 'run');
    await rest(page);
    await page.waitForTimeout(1500); // the sentence for screen readers comes once things have settled
    const before = await activity(page);
    await page.waitForTimeout(2000);
    assert.deepEqual(await activity(page), before, 'at rest nothing is drawn and no timer runs');
});

test('through the text version alone: filter, sort, open, compare, undo, back', async (t) => {
    const page = await opened(t, '?hardware=rtx-4090-24gb&n_ctx=8192');
    const twin = page.locator('#twin');
    await twin.getByRole('button', { name: 'What can I run?' }).click();
    await page.waitForURL(/view=run/);
    await settled(page);
    await twin.getByLabel('Tokens/s at least').fill('30');
    await twin.getByLabel('Tokens/s at least').blur();
    await settled(page);
    assert.equal(parameters(page).get('min_speed'), '30');
    await twin.getByRole('button', { name: 'Tokens/s', exact: true }).click();
    await settled(page);
    assert.equal(await twin.getByRole('columnheader', { name: 'Tokens/s' }).getAttribute('aria-sort'), 'descending');
    const speeds = await column(page, 'run', 7);
    assert.ok(speeds.length === 25 && isSorted(speeds) && speeds.at(-1) >= 30, `${speeds}`);
    await twin.getByRole('button', { name: 'Next page' }).click();
    await settled(page);
    assert.ok((await column(page, 'run', 7))[0] <= speeds.at(-1));
    const name = await page.locator('#twin [data-table="run"] tbody th button').first().innerText();
    await page.locator('#twin [data-table="run"] tbody th button').first().click();
    await page.waitForURL((url) => !url.searchParams.has('view'));
    await settled(page);
    assert.equal(await twin.getByRole('heading', { level: 1 }).innerText(), name);
    await twin.getByRole('button', { name: 'Add to the comparison' }).click();
    await twin.getByLabel('Context per sequence').last().fill('4096');
    await twin.getByLabel('Context per sequence').last().blur();
    await rest(page);
    await twin.getByRole('button', { name: 'Add to the comparison' }).click();
    await twin.getByRole('button', { name: 'Compare (2)' }).click();
    await page.waitForURL(/view=compare/);
    await settled(page);
    const marked = await page.$$eval('#twin [data-table="compare"] tr.marked th', (cells) => cells.map((cell) => cell.textContent));
    assert.ok(marked.some((text) => text.includes('Context')), `${marked}`);
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('view'));
    await rest(page);
    assert.equal(parameters(page).get('view'), null);
    await twin.getByRole('button', { name: 'Undo' }).click();
    await rest(page);
    assert.deepEqual(page.trouble, []);
});

test('by keyboard alone on the canvas: pages, rows, comparison, overview', async (t) => {
    const page = await opened(t, '?hardware=rtx-4090-24gb&n_ctx=8192');
    await page.focus('#canvas');
    await page.keyboard.press('c');
    await page.waitForURL(/[?&]with=/);
    await rest(page);
    assert.equal(parameters(page).getAll('with').length, 1);
    await page.keyboard.press('2');
    await page.waitForURL(/view=run/);
    await settled(page);
    const first = await page.locator('#twin [data-table="run"] tbody th button').first().innerText();
    // The way back from the end of the page leads to the table's first row; a key draws few frames.
    await page.focus('#text-version summary');
    await rest(page);
    const before = await activity(page);
    await page.keyboard.press('Shift+Tab');
    await rest(page);
    const frames = (await activity(page)).draws - before.draws;
    t.diagnostic(`frames after a key: ${frames}`);
    assert.ok(frames <= 3, `${frames} frames`);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('view'));
    await rest(page);
    assert.equal(await page.locator('#twin').getByRole('heading', { level: 1 }).innerText(), first);
    await page.keyboard.press('/');
    await rest(page);
    await page.keyboard.type('phi-4');
    await rest(page);
    await page.locator('#twin [data-key^="search "]').first().waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]model=phi-4/);
    await page.keyboard.press('c');
    await rest(page);
    await page.keyboard.press('4');
    await page.waitForURL(/view=compare/);
    await settled(page);
    assert.equal(await page.locator('#twin [data-table="compare"] thead th').count(), 3);
    await page.keyboard.press('1');
    await rest(page);
    await page.keyboard.press('Control+z');
    await page.waitForURL((url) => !/phi-4/.test(url.searchParams.get('model')));
    await page.keyboard.press('Control+Shift+z');
    await page.waitForURL(/[?&]model=phi-4/);
    await page.keyboard.press('Shift+?');
    await rest(page);
    await page.screenshot({ path: path.join(screenshots, 'mode-shortcuts.png') });
    await page.keyboard.press('Escape');
    await rest(page);
    assert.deepEqual(page.trouble, []);
});

test('a picture is saved with title and address', async (t) => {
    const page = await opened(t);
    const download = page.waitForEvent('download');
    await page.locator('#twin').getByRole('button', { name: 'Save a picture (PNG)' }).click();
    const file = await (await download).path();
    const bytes = await fs.readFile(file);
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(bytes.length > 30_000, `${bytes.length} bytes: more than an empty picture`);
    assert.equal(bytes.readUInt32BE(16), 1440);
    await fs.copyFile(file, path.join(screenshots, 'mode-picture.png'));
    assert.deepEqual(page.trouble, []);
});
