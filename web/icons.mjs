// The icon as PNG, for launchers that take no SVG: the rounded rectangles of icon.svg, drawn here with
// smooth edges, so that no browser is needed to build the site. A test compares them with the SVG.

import { promises as fs } from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

/** Writes icon-192.png, icon-512.png and icon-maskable-512.png from the folder's icon.svg. */
export async function writeIcons(folder) {
    const rectangles = rectanglesOf(await fs.readFile(path.join(folder, 'icon.svg'), 'utf8'));
    const write = (name, ...how) => fs.writeFile(path.join(folder, name), png(...how));
    await write('icon-192.png', rectangles, 192, 1);
    await write('icon-512.png', rectangles, 512, 1);
    // Launchers cut this one to their own shape: all of it is painted, and the picture stays inside.
    await write('icon-maskable-512.png', rectangles, 512, 0.7, rectangles[0].fill);
}

// [{x, y, width, height, rx, fill, stroke, strokeWidth}] in a box of 32 x 32.
function rectanglesOf(svg) {
    if (!svg.includes('viewBox="0 0 32 32"')) throw new Error('icon.svg: the box is not 32 x 32');
    return [...svg.matchAll(/<rect ([^>]*)\/>/g)].map(([, text]) => {
        const of = (name) => new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1];
        const [x, y, width, height, rx] = ['x', 'y', 'width', 'height', 'rx'].map((name) => Number(of(name)));
        return { x, y, width, height, rx, fill: of('fill'), stroke: of('stroke'), strokeWidth: Number(of('stroke-width') ?? 0) };
    });
}

// Distance of a point from the edge of a rounded rectangle; negative inside.
function distance({ x, y, width, height, rx }, px, py) {
    const dx = Math.abs(px - x - width / 2) - width / 2 + rx;
    const dy = Math.abs(py - y - height / 2) - height / 2 + rx;
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - rx;
}

const rgb = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));

function png(rectangles, size, share, background) {
    const scale = (size / 32) * share;
    const offset = (size * (1 - share)) / 2;
    const rows = Buffer.alloc(size * (size * 4 + 1));
    for (let y = 0; y < size; ++y) {
        for (let x = 0; x < size; ++x) {
            let [r, g, b, a] = background ? [...rgb(background), 1] : [0, 0, 0, 0];
            const paint = (colour, cover) => {
                if (cover <= 0) return;
                const sum = cover + a * (1 - cover);
                const mix = (below, above) => (above * cover + below * a * (1 - cover)) / sum;
                const [cr, cg, cb] = rgb(colour);
                [r, g, b, a] = [mix(r, cr), mix(g, cg), mix(b, cb), sum];
            };
            for (const rectangle of rectangles) {
                const d = distance(rectangle, (x + 0.5 - offset) / scale, (y + 0.5 - offset) / scale) * scale;
                paint(rectangle.fill, Math.min(Math.max(0.5 - d, 0), 1));
                const half = (rectangle.strokeWidth * scale) / 2;
                if (rectangle.stroke) paint(rectangle.stroke, Math.min(Math.max(half + 0.5 - Math.abs(d), 0), 1));
            }
            const at = y * (size * 4 + 1) + 1 + x * 4;
            [r, g, b, a * 255].forEach((value, i) => { rows[at + i] = Math.round(value); });
        }
    }
    const header = Buffer.alloc(13);
    header.writeUInt32BE(size, 0);
    header.writeUInt32BE(size, 4);
    header.set([8, 6, 0, 0, 0], 8); // 8 bits, RGBA
    return Buffer.concat([
        Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
        chunk('IHDR', header), chunk('IDAT', zlib.deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0)),
    ]);
}

function chunk(type, data) {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; ++k) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n >>> 0;
});

export function crc32(bytes) {
    let value = 0xffffffff;
    for (const byte of bytes) value = crcTable[(value ^ byte) & 255] ^ (value >>> 8);
    return (value ^ 0xffffffff) >>> 0;
}
