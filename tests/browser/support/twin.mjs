// What the text version says.

import assert from 'node:assert/strict';

/** Exact values by figure: {total: 7645…, kv: …, max_context: …}. */
export const figures = (page) =>
    page.$$eval('#twin [data-figure]', (list) => Object.fromEntries(list.map((e) => [e.dataset.figure, Number(e.dataset.exact)])));

/** What a reader sees of them. */
export const figureTexts = (page) =>
    page.$$eval('#twin [data-figure]', (list) => Object.fromEntries(list.map((e) => [e.dataset.figure, e.textContent])));

/** The same figures from an Estimate; llama.cpp's contexts count all sequences, the page's one. */
export function figuresOf(estimate, sequences = 1) {
    const accelerators = estimate.devices.filter((device) => device.kind === 'gpu');
    const host = estimate.devices.filter((device) => device.kind === 'host');
    const shown = host.length < estimate.devices.length ? accelerators : host;
    const sum = (devices, key) => devices.reduce((total, device) => total + (device[key]?.expected ?? 0), 0);
    return {
        total: estimate.total_bytes.expected,
        weights: sum(shown, 'weights_bytes'),
        kv: sum(shown, 'kv_bytes'),
        compute: sum(shown, 'compute_bytes'),
        max_context: Math.floor(estimate.max_context_tokens / sequences),
        decode: estimate.decode_tokens_per_second.expected,
    };
}

/** The text version has these figures: bytes and tokens exactly, rates to ten digits. */
export function assertFigures(shown, expected) {
    const comparable = (figures) => Object.fromEntries(
        Object.keys(expected).map((name) => [name, Number.isInteger(figures[name]) ? figures[name] : figures[name]?.toPrecision(10)]),
    );
    assert.deepEqual(comparable(shown), comparable(expected));
}

/** The context field of the text version. */
export const contextField = (page) => page.locator('#twin [data-key="n_ctx"]');

export const messages = (page) => page.$$eval('#twin [data-message]', (list) => list.map((e) => e.textContent));

/** Picks a language by its own name. */
export const chooseLanguage = (page, name) => page.locator('#twin [data-key="language"]').selectOption({ label: name });
