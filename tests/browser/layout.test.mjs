// Every screen, theme and language: nothing runs over the edge, nothing fails the accessibility
// rules, and a picture of each is left in build/screenshots/ to be looked at.
//
// PICTURE=1 also takes the picture of the README (web/picture.png).

import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { launch, newPage, open, rest, viewports, withoutWebGl } from './support/browser.mjs';
import { lookAtCanvas } from './support/canvas.mjs';
import { screenshots, serveSite, top } from './support/site.mjs';
import { chooseLanguage } from './support/twin.mjs';

const axeSource = await fs.readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const languages = { en: 'English', de: 'Deutsch', ja: '日本語' };
const backgrounds = { dark: 0x0e1116, light: 0xf5f6f8 }; // src/app/theme.cpp

let browser, site;
before(async () => {
    await fs.mkdir(screenshots, { recursive: true });
    [browser, site] = [await launch(), await serveSite()];
});
after(() => Promise.all([browser?.close(), site?.close()]));

/** Rules of WCAG 2.2 A and AA, and axe's own of good practice. */
const violations = (page) =>
    page.evaluate(async () => {
        const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
        const where = ({ html, any }) => `\n    ${html.slice(0, 160)} (${any[0]?.message ?? ''})`;
        return violations.map(({ id, help, nodes }) => `${id}: ${help}${nodes.slice(0, 4).map(where).join('')}`);
    });

/** Elements that reach over the right edge and do not scroll by themselves. */
const overflowing = (page) =>
    page.evaluate(() => {
        const width = document.documentElement.clientWidth;
        const wide = [...document.querySelectorAll('body *')].filter((element) => {
            if (element.closest('.scroll table, .visually-hidden, .skip') || !element.checkVisibility()) return false;
            return element.getBoundingClientRect().right > width + 1;
        });
        const page = document.documentElement.scrollWidth - width;
        return [...(page > 0 ? [`the page, by ${page} px`] : []), ...wide.slice(0, 5).map((element) => element.outerHTML.slice(0, 120))];
    });

for (const [name, viewport] of Object.entries(viewports)) {
    for (const theme of ['dark', 'light']) {
        test(`${name}, ${theme}: fits, passes axe-core, looks as the theme says`, async (t) => {
            const page = await newPage(browser, { ...viewport, colorScheme: theme, reducedMotion: 'reduce' });
            t.after(() => page.context().close());
            await open(page, site.url);
            await page.evaluate(axeSource);
            const wrong = [];
            for (const [language, label] of Object.entries(languages)) {
                await chooseLanguage(page, label);
                await rest(page);
                await page.evaluate(() => scrollTo(0, 0));
                await page.screenshot({ path: path.join(screenshots, `${name}-${theme}-${language}.png`) });
                const picture = await lookAtCanvas(page);
                const background = picture.colours().get(backgrounds[theme]) ?? 0;
                if (background < 0.05 * picture.width * picture.height) wrong.push(`${language}: not the theme's background`);
                wrong.push(...(await overflowing(page)).map((text) => `${language}: too wide: ${text}`));
                wrong.push(...(await violations(page)).map((text) => `${language}: ${text}`));
            }
            assert.equal(wrong.join('\n'), '');
            assert.deepEqual(page.trouble, []);
        });
    }
}

test('the other states pass axe-core, too: without WebGL2, with an error, before WebAssembly', async (t) => {
    const check = async (page) => {
        await page.evaluate(axeSource);
        assert.equal([...(await overflowing(page)), ...(await violations(page))].join('\n'), '');
    };
    const page = await newPage(browser, { ...viewports.phone, colorScheme: 'light' });
    t.after(() => page.context().close());
    await open(page, `${site.url}?n_ctx=-5&model=nonsense`);
    await page.locator('#twin summary[data-key="advanced"]').click();
    await check(page);
    await withoutWebGl(page);
    await open(page, site.url);
    await check(page);
    await page.screenshot({ path: path.join(screenshots, 'phone-without-webgl.png') });
    site.faults['app.wasm'] = 404;
    t.after(() => delete site.faults['app.wasm']);
    await page.goto(site.url);
    await page.locator('#notice').waitFor();
    await check(page);
    await page.screenshot({ path: path.join(screenshots, 'phone-without-wasm.png') });
});

test('every tab has something in it', async (t) => {
    const page = await newPage(browser, { viewport: { width: 1440, height: 1400 }, reducedMotion: 'reduce' });
    t.after(() => page.context().close());
    const letters = {};
    for (const tab of ['context', 'matrix', 'hardware', 'files', 'model']) {
        await open(page, `${site.url}?tab=${tab}`);
        await page.screenshot({ path: path.join(screenshots, `tab-${tab}.png`) });
        const picture = await lookAtCanvas(page);
        // Each panel begins with a heading, right below the line under the chosen tab.
        const colours = picture.part(400, underline(picture) + 12, 640, 44).colours();
        letters[tab] = (colours.get(0xe8ebf1) ?? 0) + (colours.get(0x9aa4b5) ?? 0);
    }
    for (const [tab, pixels] of Object.entries(letters)) assert.ok(pixels > 20, `${tab}: ${JSON.stringify(letters)}`);
});

/** The row of the line under the chosen tab: in the accent's colour, two pixels high. */
function underline(picture) {
    const accent = (x, y) => picture.at(x, y) === 0x7aa8ff;
    for (let y = 100; y < picture.height; ++y) {
        for (let x = 400, run = 0; x < 1080; ++x) {
            run = accent(x, y) ? run + 1 : 0;
            if (run === 32 && accent(x, y + 1) && !accent(x, y - 1) && !accent(x, y + 2)) return y;
        }
    }
    throw new Error('no tab is chosen');
}

test('picture of the README', { skip: !process.env.PICTURE && 'is taken with PICTURE=1' }, async (t) => {
    const page = await newPage(browser, { viewport: { width: 1440, height: 948 }, reducedMotion: 'reduce' });
    t.after(() => page.context().close());
    await open(page, site.url);
    await page.screenshot({ path: path.join(top, 'web/picture.png'), clip: await page.locator('#canvas').boundingBox() });
});
