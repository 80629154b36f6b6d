// Eyes and hands on the canvas: what is painted is found by its pixels and by the pointer's shape,
// since there is nothing else to go by.

import { rest } from './browser.mjs';
import { decodePng } from './png.mjs';

/** Screenshot of the visible page, in device pixels. */
export async function look(page, clip) {
    return decodePng(await page.screenshot({ clip, animations: 'allow', caret: 'initial', scale: 'device' }));
}

export const canvasBox = (page) => page.locator('#canvas').boundingBox();

/** Screenshot of the canvas alone. */
export async function lookAtCanvas(page) {
    await page.evaluate(() => scrollTo(0, 0));
    const { width, height } = page.viewportSize();
    const box = await canvasBox(page);
    return look(page, { x: box.x, y: box.y, width: Math.min(box.width, width), height: Math.min(box.height, height - box.y) });
}

const accents = [0x7aa8ff, 0x2f67d8]; // src/app/theme.cpp, dark and light

/**
 * The context slider: the only bar of the accent's colour, some device pixels high, that a round
 * thumb ends. Answers {left, right, thumb, y} in CSS pixels of the page: the ends of the track and
 * the middle of the thumb.
 */
export async function findSlider(page, { right: limit = Infinity } = {}) {
    for (let screens = 0; screens < 8; ++screens) {
        const found = await sliderInSight(page, limit);
        if (found) return found;
        // Perhaps further down in its column.
        const { height } = page.viewportSize();
        await page.mouse.move(Math.min(limit, 200), height / 2);
        await page.mouse.wheel(0, height / 3);
        await rest(page);
    }
    throw new Error('there is no slider on the canvas');
}

async function sliderInSight(page, limit) {
    const picture = await lookAtCanvas(page);
    const ratio = await page.evaluate(() => devicePixelRatio);
    const isAccent = (x, y) => accents.includes(picture.at(x, y));
    for (let y = Math.round(60 * ratio); y < picture.height - 8 * ratio; y += 1) {
        let run = 0;
        for (let x = 0; x < Math.min(picture.width, limit * ratio); ++x) {
            if (isAccent(x, y)) {
                ++run;
                continue;
            }
            if (run >= 24 * ratio) {
                const bar = measure(picture, x - run, x, y, isAccent, ratio);
                if (bar) return bar;
            }
            run = 0;
        }
    }
    return undefined;
}

function measure(picture, start, end, y, isAccent, ratio) {
    // The bar is 6 CSS pixels high: buttons are higher, the tabs' underline is lower.
    const x = start + Math.round(12 * ratio);
    let bottom = y;
    while (bottom < picture.height && isAccent(x, bottom)) ++bottom;
    const height = (bottom - y) / ratio;
    if (height < 4 || height > 8) return undefined;
    const middle = Math.round((y + bottom - 1) / 2);
    // After the thumb, whose ring has the accent's colour too, comes the empty part of the track.
    const empty = colourAfterThumb(picture, end, middle - Math.round(ratio), isAccent, ratio);
    let right = empty.at;
    const row = middle - Math.round(2 * ratio);
    let strangers = 0;
    while (right < picture.width && strangers <= 3 * ratio) {
        strangers = picture.at(right, row) === empty.colour ? 0 : strangers + 1;
        ++right;
    }
    right -= strangers;
    let left = start;
    while (left > 0 && isAccent(left - 1, middle)) --left;
    return { left: left / ratio, right: right / ratio, y: middle / ratio, thumb: end / ratio + 9 };
}

function colourAfterThumb(picture, from, row, isAccent, ratio) {
    const at = from + Math.round(24 * ratio);
    return { at, colour: picture.at(at, row - Math.round(ratio)) };
}

/** Where the pointer is a hand, a text caret and so on along a line, from left to right. */
export async function pointerShapes(page, { y, from, to, step = 4 }) {
    const found = [];
    for (let x = from; x <= to; x += step) {
        await page.mouse.move(x, y);
        const shape = await page.evaluate(() => new Promise((resolve) => {
            // Two frames: one handles the move, the next one shows it.
            const wait = (n) => (n ? document.body.animate([], 1).finished.then(() => wait(n - 1)) : resolve(document.querySelector('#canvas').style.cursor));
            wait(2);
        }));
        const last = found.at(-1);
        if (last?.shape === shape) last.right = x;
        else found.push({ shape, left: x, right: x });
    }
    return found;
}
