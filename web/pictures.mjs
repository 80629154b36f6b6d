// Renders pictures/*.svg of the static pages to PNG, for previews in chats and on social sites, which
// show no SVG: node web/pictures.mjs FOLDER [--chromium PATH]
//
// A picture is drawn only when its SVG has changed since (its hash is kept in pictures/.hashes.json).
// Build the pages with --png-pictures, so that they name the PNG files.

import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const size = { width: 1200, height: 630 };

export async function renderPictures(folder, executablePath) {
    const pictures = path.join(folder, 'pictures');
    const record = path.join(pictures, '.hashes.json');
    const known = JSON.parse(await fs.readFile(record, 'utf8').catch(() => '{}'));
    const hashes = {};
    const changed = [];
    const names = await fs.readdir(pictures);
    for (const name of names.filter((one) => one.endsWith('.svg'))) {
        const svg = await fs.readFile(path.join(pictures, name), 'utf8');
        hashes[name] = createHash('sha256').update(svg).digest('hex').slice(0, 16);
        if (hashes[name] !== known[name] || !names.includes(name.replace(/svg$/, 'png'))) changed.push({ name, svg });
    }
    if (changed.length > 0) {
        const { chromium } = await import('playwright-core');
        const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
        try {
            const page = await browser.newPage({ viewport: size });
            for (const { name, svg } of changed) {
                await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
                await page.screenshot({ path: path.join(pictures, name.replace(/svg$/, 'png')) });
            }
        } finally {
            await browser.close();
        }
    }
    await fs.writeFile(record, JSON.stringify(hashes));
    return { all: Object.keys(hashes).length, drawn: changed.length };
}

if (process.argv[1]?.endsWith('pictures.mjs')) {
    const { values, positionals } = parseArgs({
        allowPositionals: true,
        options: { chromium: { type: 'string', default: process.env.CHROMIUM ?? '/usr/bin/chromium' } },
    });
    const { all, drawn } = await renderPictures(positionals[0], values.chromium);
    console.log(`${drawn} of ${all} pictures drawn`);
}
