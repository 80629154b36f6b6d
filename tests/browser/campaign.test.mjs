// Faults of the machine around the page: memory, storage, clock, visibility, storms of input, catalogs
// of absurd size or content. For each: what the reader sees, and that the last good state survives.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { answered, launch, newPage, open, ready, rest } from './support/browser.mjs';
import { serveSite } from './support/site.mjs';
import { contextField, figures, messages } from './support/twin.mjs';

let browser, site;
const table = [];
before(async () => { [browser, site] = [await launch(), await serveSite()]; });
after(async () => {
    await Promise.all([browser?.close(), site?.close()]);
    for (const row of [['fault', 'seen', 'recovered'], ...table]) console.log(row.map((cell, i) => String(cell).padEnd([44, 52, 9][i])).join(' '));
});

const notice = (page) => page.locator('#notice').allTextContents().then((texts) => texts.join(' ').trim());

/**
 * Opens the page, breaks something, and looks: nothing may crash, and a change in the text version must
 * still give figures other than before and, taken back, those before.
 */
function fault(name, { init, faults = {}, act, stays = true, alive = true }) {
    test(name, async (t) => {
        Object.assign(site.faults, faults);
        t.after(() => Object.keys(site.faults).forEach((file) => delete site.faults[file]));
        const page = await newPage(browser, { reducedMotion: 'reduce' });
        t.after(() => page.context().close());
        if (init) await page.addInitScript(init);
        await page.goto(site.url, { waitUntil: 'load' });
        await answered(page);
        const first = await figures(page);
        assert.ok(first.total > 0, 'an answer');
        const said = await messages(page);
        await act?.(page);
        await rest(page);
        if (stays) assert.deepEqual(await figures(page), first, 'the last good answer');
        const added = (await messages(page)).filter((text) => !said.includes(text));
        const seen = (await notice(page)) || added.join(' ') || 'nothing but the answer';
        if (alive) {
            for (const context of ['4096', '32768']) {
                await contextField(page).fill(context);
                await contextField(page).press('Enter');
                await rest(page);
                if (context === '4096') assert.notEqual((await figures(page)).kv, first.kv);
            }
            assert.deepEqual(await figures(page), first, 'the first answer again');
        }
        assert.deepEqual(page.trouble.filter((text) => /^(exception|policy)/.test(text)), []);
        table.push([name, seen.slice(0, 52), 'yes']);
    });
}

fault('storage denied', {
    init: () => Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } }),
});
fault('storage full', {
    init: () => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; },
});
fault('clock jumps a year ahead, then back', {
    init: () => {
        const [now, wall] = [performance.now.bind(performance), Date.now];
        window.jump = 0;
        performance.now = () => now() + window.jump;
        Date.now = () => wall() + window.jump;
    },
    act: async (page) => {
        for (const jump of [3.2e10, -3.2e10, 0]) {
            await page.evaluate((jump) => { window.jump = jump; }, jump);
            await page.mouse.move(300, 300 + (jump > 0 ? 20 : 0));
            await page.waitForTimeout(150);
        }
    },
});
fault('tab frozen and thawed', {
    act: async (page) => {
        const session = await page.context().newCDPSession(page);
        for (const state of ['frozen', 'active', 'frozen', 'active']) await session.send('Page.setWebLifecycleState', { state });
    },
});
fault('tab hidden and shown', {
    act: (page) => page.evaluate(() => {
        for (const state of ['hidden', 'visible', 'hidden', 'visible']) {
            Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
            document.dispatchEvent(new Event('visibilitychange'));
            dispatchEvent(new Event(state === 'hidden' ? 'pagehide' : 'pageshow'));
        }
    }),
});
fault('10,000 random input events', {
    stays: false, // they press buttons, too
    alive: false,
    act: async (page) => {
        await page.evaluate(async () => {
            const canvas = document.querySelector('#canvas');
            let seed = 20261201;
            const random = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
            const keys = ['Tab', 'Enter', 'Escape', 'ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'a', '9', ' ', 'Backspace', 'PageDown'];
            for (let i = 0; i < 10_000; ++i) {
                const [clientX, clientY] = [random(1500) - 30, random(950) - 30];
                const pointer = { clientX, clientY, pointerId: 1, pointerType: random(4) ? 'mouse' : 'touch', button: 0, buttons: 1, bubbles: true, cancelable: true, isPrimary: true };
                const kind = random(8);
                if (kind < 2) canvas.dispatchEvent(new PointerEvent('pointermove', pointer));
                else if (kind === 2) canvas.dispatchEvent(new PointerEvent('pointerdown', pointer));
                else if (kind === 3) canvas.dispatchEvent(new PointerEvent(random(5) ? 'pointerup' : 'pointercancel', { ...pointer, buttons: 0 }));
                else if (kind === 4) canvas.dispatchEvent(new WheelEvent('wheel', { clientX, clientY, deltaX: random(200) - 100, deltaY: random(4000) - 2000, bubbles: true, cancelable: true }));
                else if (kind === 5) dispatchEvent(new Event(random(2) ? 'blur' : 'focus'));
                else {
                    const key = keys[random(keys.length)];
                    canvas.dispatchEvent(new KeyboardEvent(random(2) ? 'keydown' : 'keyup', { key, code: key, ctrlKey: random(9) === 0, shiftKey: random(5) === 0, bubbles: true, cancelable: true }));
                }
                if (i % 100 === 99) await new Promise((done) => setTimeout(done));
            }
            canvas.dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1, bubbles: true }));
        });
        await page.waitForTimeout(300); // a blinking cursor may keep it from resting
        assert.ok((await figures(page)).total > 0, 'still an answer');
        // The state that the storm ended with is in the address, and good.
        await page.goto(site.url);
        await ready(page);
    },
});
fault('200 rapid changes of size and pixel ratio', {
    act: async (page) => {
        const session = await page.context().newCDPSession(page);
        for (let i = 0; i < 200; ++i) {
            await session.send('Emulation.setDeviceMetricsOverride', {
                width: 320 + (i * 397) % 600, height: 240 + (i * 211) % 400, deviceScaleFactor: [1, 1.25, 1.5, 2][i % 4], mobile: false,
            });
        }
        await session.send('Emulation.clearDeviceMetricsOverride');
    },
});
fault('a catalog of 50 MB', {
    faults: { 'catalog.json': { type: 'application/json', body: (bytes) => Buffer.concat([bytes, Buffer.alloc(50 << 20, ' ')]) } },
});
fault('a catalog with hostile names', {
    faults: {
        'catalog.json': {
            type: 'application/json',
            body: (bytes) => Buffer.from(bytes.toString().replaceAll('"Llama', '"<img src=x onerror=alert(1)>\\u202e\\u0000Llama').replaceAll('"Qwen', '"__proto__\\uffff%s%n{0}Qwen')),
        },
    },
});
fault('memory that does not grow', {
    init: () => { WebAssembly.Memory.prototype.grow = () => { throw new RangeError('refused'); }; },
    alive: false, // what is there stays; more may be refused
});
