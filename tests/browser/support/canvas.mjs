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
const thumbRadius = 9; // src/app/widgets_slider.cpp

/**
 * The context slider, scrolled into sight if need be: a bar in the accent's colour that ends in a
 * round thumb. Answers {left, right, thumb, y} in CSS pixels of the page: the ends of the track and
 * the middle of the thumb.
 * @param {number} [limit] looks only left of this; on wide pages, the width of the set-up column
 */
export async function findSlider(page, limit = Infinity) {
    for (let screens = 0; screens < 8; ++screens) {
        const found = await sliderInSight(page, limit);
        if (found) return found;
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
    for (let y = Math.round(60 * ratio); y < picture.height - 8 * ratio; ++y) {
        for (let x = 0, run = 0; x < Math.min(picture.width, limit * ratio); ++x) {
            if (isAccent(x, y)) {
                ++run;
                continue;
            }
            const bar = run >= 24 * ratio && measure(picture, isAccent, x - run, x, y, ratio);
            if (bar) return bar;
            run = 0;
        }
    }
    return undefined;
}

/** Whether a row of the accent's colour is the top of the slider's filled part, and where it lies. */
function measure(picture, isAccent, start, end, top, ratio) {
    // It is 6 CSS pixels high: buttons are higher, the line under a tab is lower.
    const inside = start + Math.round(12 * ratio);
    let bottom = top;
    while (bottom < picture.height && isAccent(inside, bottom)) ++bottom;
    const height = (bottom - top) / ratio;
    if (height < 4 || height > 8) return undefined;
    // Behind the thumb the track goes on in one colour, but for marks a few pixels wide.
    const row = top + Math.round(ratio);
    const beside = end + Math.round(24 * ratio);
    const empty = picture.at(beside, row);
    let right = beside;
    for (let x = beside; x < picture.width && x - right <= 4 * ratio; ++x) {
        if (picture.at(x, row) === empty) right = x + 1;
    }
    let left = start;
    while (left > 0 && isAccent(left - 1, row + Math.round(ratio))) --left;
    return { left: left / ratio, right: right / ratio, y: (top + bottom - 1) / 2 / ratio, thumb: end / ratio + thumbRadius };
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
