// Text on the canvas is made of real glyphs: characters differ from each other and from the boxes
// ("tofu") that stand for characters that no font has.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, newPage, open } from './support/browser.mjs';
import { lookAtCanvas } from './support/canvas.mjs';
import { differing } from './support/png.mjs';
import { serveSite, texts } from './support/site.mjs';

const em = 26; // the verdict's letters (src/app/theme.cpp, "display"); Han characters are as wide

let browser, site, japanese;
before(async () => { [browser, site, japanese] = [await launch(), await serveSite(), await texts('ja')]; });
after(() => Promise.all([browser?.close(), site?.close()]));

const seen = new Map();

/** The canvas with this text as its verdict, which is the largest text there is. */
async function canvasSaying(t, verdict, scale = 1) {
    const key = `${verdict} ${scale}`;
    if (!seen.has(key)) seen.set(key, await drawn(t, verdict, scale));
    return seen.get(key);
}

async function drawn(t, verdict, scale) {
    site.faults['locales/ja.json'] = {
        type: 'application/json',
        body: JSON.stringify({ ...japanese, 'verdict.fits': verdict }),
    };
    const page = await newPage(browser, { locale: 'ja', deviceScaleFactor: scale, reducedMotion: 'reduce' });
    t.after(() => page.context().close());
    await open(page, site.url);
    assert.ok((await page.locator('#twin-verdict').innerText()).includes(verdict));
    const picture = await lookAtCanvas(page);
    await page.context().close();
    return picture;
}

/** The line of large text: rows and first column in which pictures of two equally long texts differ. */
function headline(one, two) {
    const column = { left: 450, right: 900 }; // beside the sign, before anything else of the card
    const found = { top: Infinity, bottom: 0, left: Infinity };
    const ratio = one.width / 1440;
    for (let y = 60 * ratio; y < 150 * ratio; ++y) {
        for (let x = column.left * ratio; x < column.right * ratio; ++x) {
            if (one.at(x, y) === two.at(x, y)) continue;
            found.top = Math.min(found.top, y);
            found.bottom = Math.max(found.bottom, y);
            found.left = Math.min(found.left, x);
        }
    }
    return found;
}

/** Pictures of `count` characters of `advance` each. */
const cut = (picture, { top, bottom, left }, count, advance) =>
    Array.from({ length: count }, (_, i) => picture.part(Math.round(left + i * advance), top, Math.round(advance), bottom - top + 1));

const ink = (picture) => picture.width * picture.height - Math.max(...picture.colours().values());

test('Japanese is drawn with its own glyphs', async (t) => {
    const words = '漢字仮名交文';
    const same = '漢漢漢漢漢漢';
    const missing = '\u0378\u0379\u0380\u0381\u0382\u0383'; // six code points that mean nothing
    const [real, repeated, tofu] = [await canvasSaying(t, words), await canvasSaying(t, same), await canvasSaying(t, missing)];
    const line = headline(real, tofu);
    const height = line.bottom - line.top + 1;
    assert.ok(height > 0.7 * em && height < 1.4 * em, `the verdict is one line of ${height} px`);

    const [characters, copies] = [cut(real, line, 6, em), cut(repeated, line, 6, em)];
    for (const [i, one] of characters.entries()) {
        assert.ok(ink(one) > 80, `character ${i} of "${words}" has ink`);
        for (const two of characters.slice(i + 1)) assert.ok(differing(one, two, 40) > 60, 'different characters look different');
    }
    // The same look at equal characters, and at boxes, finds them equal: so it could fail.
    for (const copy of copies.slice(1)) assert.equal(differing(copies[0], copy), 0, 'equal characters look equal');
    const advance = boxAdvance(tofu, line);
    const boxes = cut(tofu, line, 4, advance);
    for (const box of boxes.slice(1)) assert.ok(differing(boxes[0], box, 40) < 30, 'missing characters all look the same');
    for (const one of characters) assert.ok(differing(one, cut(tofu, line, 1, em)[0], 40) > 60, 'and unlike real ones');
});

/** After how many pixels a row of equal boxes repeats itself. */
function boxAdvance(picture, { top, bottom, left }) {
    let best = { advance: 0, wrong: Infinity };
    for (let advance = 8; advance <= 40; ++advance) {
        const [one, two] = [0, 1].map((i) => picture.part(left + i * advance, top, advance, bottom - top + 1));
        const wrong = differing(one, two, 40);
        if (ink(one) > 20 && wrong < best.wrong) best = { advance, wrong };
    }
    return best.advance;
}

test('umlauts, signs and other scripts are real glyphs, too', async (t) => {
    const line = headline(await canvasSaying(t, '漢漢漢漢漢漢'), await canvasSaying(t, '漢字仮名交文'));
    line.left -= em; // the first character is the same
    const others = [];
    for (const word of ['ÄÖÜäöüß', '×≤–…·✓', '한국어글꼴', '繁體简体']) {
        const picture = await canvasSaying(t, word);
        const part = picture.part(line.left, line.top, 8 * em, line.bottom - line.top + 1);
        assert.ok(ink(part) > 150, word);
        for (const other of others) assert.ok(differing(part, other, 40) > 150, word);
        others.push(part);
    }
});

test('letters are drawn at the density of the screen', async (t) => {
    const [single, double] = [await canvasSaying(t, '漢字', 1), await canvasSaying(t, '漢字', 2)];
    assert.equal(double.width, 2 * single.width);
    // Enlarged letters would come in squares of four equal pixels.
    let unequal = 0;
    let inked = 0;
    const background = double.at(2, double.height - 2);
    for (let y = 130; y < 300; y += 2) {
        for (let x = 900; x < 1100; x += 2) {
            const four = [double.at(x, y), double.at(x + 1, y), double.at(x, y + 1), double.at(x + 1, y + 1)];
            if (four.every((colour) => colour === four[0])) continue;
            ++unequal;
            if (four.some((colour) => colour !== background)) ++inked;
        }
    }
    assert.ok(unequal > 150 && inked > 150, `${unequal} squares have fine detail`);
});
