// Reads the PNG files that Chromium's screenshots are (8 bits, RGB or RGBA, not interlaced).

import zlib from 'node:zlib';

/** A picture: `pixels` holds four bytes (RGBA) for each of width x height. */
export class Picture {
    constructor(width, height, pixels) {
        Object.assign(this, { width, height, pixels });
    }

    /** 0xRRGGBB. */
    at(x, y) {
        const i = (Math.round(y) * this.width + Math.round(x)) * 4;
        return (this.pixels[i] << 16) | (this.pixels[i + 1] << 8) | this.pixels[i + 2];
    }

    part(left, top, width, height) {
        const pixels = Buffer.alloc(width * height * 4);
        for (let y = 0; y < height; ++y) {
            const from = ((top + y) * this.width + left) * 4;
            this.pixels.copy(pixels, y * width * 4, from, from + width * 4);
        }
        return new Picture(width, height, pixels);
    }

    /** How many pixels each colour has. */
    colours() {
        const counts = new Map();
        for (let i = 0; i < this.pixels.length; i += 4) {
            const colour = this.pixels.readUIntBE(i, 3);
            counts.set(colour, (counts.get(colour) ?? 0) + 1);
        }
        return counts;
    }
}

export function decodePng(bytes) {
    let at = 8;
    let width, height, channels;
    const packed = [];
    while (at < bytes.length) {
        const length = bytes.readUInt32BE(at);
        const type = bytes.toString('latin1', at + 4, at + 8);
        const data = bytes.subarray(at + 8, at + 8 + length);
        if (type === 'IHDR') {
            [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
            channels = { 2: 3, 6: 4 }[data[9]];
            if (data[8] !== 8 || !channels || data[12]) throw new Error('a PNG of another kind');
        } else if (type === 'IDAT') {
            packed.push(data);
        }
        at += 12 + length;
    }
    return new Picture(width, height, unfilter(zlib.inflateSync(Buffer.concat(packed)), width, height, channels));
}

// PNG specification, section 9: each row begins with the number of its filter.
function unfilter(raw, width, height, channels) {
    const stride = width * channels;
    const row = Buffer.alloc(stride);
    const above = Buffer.alloc(stride);
    const pixels = Buffer.alloc(width * height * 4, 255);
    for (let y = 0; y < height; ++y) {
        const filter = raw[y * (stride + 1)];
        raw.copy(row, 0, y * (stride + 1) + 1, (y + 1) * (stride + 1));
        for (let i = 0; i < stride; ++i) {
            const a = i >= channels ? row[i - channels] : 0;
            const b = above[i];
            const c = i >= channels ? above[i - channels] : 0;
            if (filter === 1) row[i] += a;
            else if (filter === 2) row[i] += b;
            else if (filter === 3) row[i] += (a + b) >> 1;
            else if (filter === 4) row[i] += paeth(a, b, c);
        }
        for (let x = 0; x < width; ++x) row.copy(pixels, (y * width + x) * 4, x * channels, x * channels + channels);
        row.copy(above);
    }
    return pixels;
}

function paeth(a, b, c) {
    const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** How many pixels of two pictures of one size differ by more than a trace in any channel. */
export function differing(one, two, tolerance = 8) {
    if (one.width !== two.width || one.height !== two.height) throw new Error('pictures of different sizes');
    let count = 0;
    for (let i = 0; i < one.pixels.length; i += 4) {
        for (let c = 0; c < 3; ++c) {
            if (Math.abs(one.pixels[i + c] - two.pixels[i + c]) > tolerance) {
                ++count;
                break;
            }
        }
    }
    return count;
}
