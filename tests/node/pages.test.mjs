// The static pages, built as a whole: no broken link, valid HTML, complete sitemaps and alternates, and
// the figures of `vramscope estimate`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const top = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const tool = process.env.VRAMSCOPE_CLI ?? path.join(top, 'build/native/vramscope');
const base = 'https://example.org/some/project/';
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'vramscope-pages-'));
after(() => fs.rm(folder, { recursive: true, force: true }));

function run(args, input) {
    const { status, stdout, stderr } = spawnSync(tool, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
    assert.equal(status, 0, stderr);
    return stdout;
}

const line = run(['pages', '--out', folder, '--base-url', base]);
console.log(line.trim());
const languages = line.match(/in (\d+) languages/)[1] * 1;
const files = new Set((await fs.readFile(path.join(folder, '.pages'), 'utf8')).trim().split('\n').slice(1).map((one) => one.replace(/^\d+ /, '')));
const pages = [...files].filter((name) => name.endsWith('.html'));
const read = (name) => fs.readFile(path.join(folder, name), 'utf8');
const address = (name) => base + name.replace(/(^|\/)index\.html$/, '$1');
const pageOf = new Map(pages.map((name) => [address(name), name]));

/** xorshift32: the same samples in every run. */
let state = 20261201;
function random(limit) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
}

const texts = new Map(await Promise.all(pages.map(async (name) => [name, await read(name)])));

test('no link is broken, and every alternate names the page back', () => {
    let links = 0;
    for (const [name, html] of texts) {
        for (const [, href] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
            ++links;
            if (href.startsWith('#')) {
                assert.ok(html.includes(` id="${href.slice(1)}"`), `${name}: ${href}`);
                continue;
            }
            const url = new URL(href.replaceAll('&amp;', '&'), address(name));
            if (!url.href.startsWith(base)) continue; // other people's pages
            const target = url.pathname.slice(new URL(base).pathname.length);
            // The simulator and its icon are beside the pages on the whole site.
            if (target === '' || target === 'icon.svg') continue;
            assert.ok(files.has(target) || files.has(`${target}index.html`), `${name}: ${href}`);
        }
        const alternates = [...html.matchAll(/hreflang="([\w-]+)" href="(https:[^"]+)"/g)];
        assert.equal(alternates.length, languages + 1, name);
        for (const [, , url] of alternates) {
            assert.ok(texts.get(pageOf.get(url))?.includes(`href="${address(name)}"`), `${name}: ${url}`);
        }
        assert.ok(html.includes(`<link rel="canonical" href="${address(name)}">`), name);
    }
    console.log(`${links} links of ${texts.size} pages`);
    assert.ok(links > 100000);
});

test('the sitemaps name every page once', async () => {
    const index = await read('sitemap.xml');
    const named = [];
    for (const [, url] of index.matchAll(/<loc>([^<]+)<\/loc>/g)) {
        const xml = await read(url.slice(base.length));
        for (const [, loc] of xml.matchAll(/<loc>([^<]+)<\/loc>/g)) named.push(loc);
    }
    assert.deepEqual(named.sort(), pages.map(address).sort());
    assert.ok((await read('robots.txt')).includes(`Sitemap: ${base}sitemap.xml`));
});

test('titles and descriptions tell pages apart', () => {
    const titles = new Map();
    for (const [name, html] of texts) {
        const title = html.match(/<title>([^<]+)<\/title>/)[1];
        assert.ok(!titles.has(title) || titles.get(title).split('/')[0] !== name.split('/')[0], `${name}: ${title}`);
        titles.set(title, name);
        assert.equal([...html.matchAll(/<h1[ >]/g)].length, 1, name);
        assert.ok(!/pages\.[a-z]|\{\d\}/.test(html.replace(/<[^>]+>/g, '')), `${name}: a text is missing`);
        JSON.parse(html.match(/<script type="application\/ld\+json">(.*?)<\/script>/s)[1]);
    }
});

test('the HTML is valid', async () => {
    const { HtmlValidate } = await import('html-validate');
    const validator = new HtmlValidate({
        extends: ['html-validate:standard', 'html-validate:a11y'],
        // Style, not validity: attributes and order as the generator writes them.
        rules: { 'long-title': 'off', 'no-raw-characters': 'off', 'require-sri': 'off', 'wcag/h37': 'error' },
    });
    const kinds = [/^(\w\w\/)?models\/index/, /^(\w\w\/)?models\/[^/]+$/, /^(\w\w\/)?models\/[^/]+\//, /^(\w\w\/)?families\//, /^(\w\w\/)?sizes\//, /^(\w\w\/)?hardware\/index/, /^(\w\w\/)?hardware\//];
    const sample = kinds.flatMap((kind) => {
        const all = pages.filter((name) => kind.test(name));
        assert.ok(all.length > 0, String(kind));
        return Array.from({ length: 6 }, () => all[random(all.length)]);
    });
    for (const name of new Set(sample)) {
        const report = await validator.validateString(texts.get(name), name);
        const faults = report.results.flatMap((result) => result.messages.map((one) => `${one.line}:${one.column} ${one.ruleId}: ${one.message}`));
        assert.deepEqual(faults, [], name);
    }
});

test('figures of pages, data and badges are those of the command line', async () => {
    const ids = JSON.parse(await read('api/v1/models/index.json')).models;
    const sample = Array.from({ length: 20 }, () => ids[random(ids.length)]);
    const requests = sample.map((one) => JSON.stringify(Object.fromEntries(new URLSearchParams(one.request))));
    const estimates = run(['estimate', '--batch', '-'], requests.join('\n') + '\n').trim().split('\n').map(JSON.parse);
    for (const [i, one] of sample.entries()) {
        const estimate = estimates[i];
        const devices = estimate.devices.filter((device) => device.kind === 'gpu');
        const needed = devices.reduce((sum, device) => sum + device.total_bytes.expected, 0);
        const { headline, hardware } = JSON.parse(await read(`api/v1/models/${one.id}.json`));
        assert.equal(headline.accelerator_bytes, needed, one.id);
        assert.deepEqual(headline.total_bytes, estimate.total_bytes, one.id);
        assert.deepEqual(headline.decode_tokens_per_second, estimate.decode_tokens_per_second, one.id);
        assert.equal(headline.verdict, estimate.verdict, one.id);
        assert.equal(estimate.recommended_hardware ?? headline.hardware, headline.hardware, one.id);
        assert.ok(hardware.length > 8);
        // What a person reads, in English and in German.
        const html = texts.get(`models/${one.id}.html`);
        const rounded = (needed / 2 ** 30).toFixed(2);
        const lead = html.match(/<p class="lead">([^<]*)<\/p>/)[1];
        assert.ok(lead.includes(`${Number(rounded).toLocaleString('en', { minimumFractionDigits: 2 })}\u00a0GiB`), `${one.id}: ${lead}`);
        const german = texts.get(`de/models/${one.id}.html`);
        assert.ok(german.includes(`${Number(rounded).toLocaleString('de', { minimumFractionDigits: 2 })}\u00a0GiB`), one.id);
    }
    const badge = await read('badges/glm-4-9b-0414/12gb.svg');
    assert.match(badge, /fits 12 GB · \d+K ctx · \d+ tok\/s/);
});

test('a second run writes nothing', () => {
    assert.match(run(['pages', '--out', folder, '--base-url', base]), /nothing has changed/);
});
