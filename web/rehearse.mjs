// Plays the page's first answer in Node, to see which functions of the module it needs:
//
//   node web/rehearse.mjs app.js app.wasm DATA OUT
//
// app.wasm is instrumented by wasm-split; DATA holds catalog-first.json and locales/; OUT becomes
// wasm-split's profile. The module's own script runs against a browser that says yes to everything:
// what is drawn does not matter, only that it is drawn, in every language, layout and theme.

import { promises as fs } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [script, wasm, data, out] = process.argv.slice(2);

/** Has every property, can be called and constructed, counts as 1, and keeps what it is given. */
function anything(own = {}) {
    own[Symbol.toPrimitive] ??= () => 1;
    own.then ??= undefined; // no promise
    return new Proxy(function () {}, {
        get: (_, key) => (key in own ? own[key] : (own[key] = anything())),
        set: (_, key, value) => ((own[key] = value), true),
        apply: () => anything(),
        construct: () => anything(),
    });
}

// Time passes by one frame with every look at the clock, so that a rehearsal is always the same.
let now = 0;
Object.defineProperty(globalThis, 'performance', { value: { now: () => (now += 16) } });
let frames = [];
const pen = anything({
    measureText: () => ({ width: 8, actualBoundingBoxLeft: 0, actualBoundingBoxRight: 7, actualBoundingBoxAscent: 9, actualBoundingBoxDescent: 2 }),
    getImageData: (x, y, width, height) => ({ data: new Uint8ClampedArray(4 * width * height).fill(255) }),
});
const gl = anything({ getProgramParameter: () => true, getParameter: () => 4096 });
const canvas = anything({ getContext: (kind) => (kind === '2d' ? pen : gl), getBoundingClientRect: () => ({ left: 0, top: 0 }) });
const scheme = { dark: true, coarse: false };
Object.assign(globalThis, {
    window: globalThis,
    parent: globalThis,
    devicePixelRatio: 1,
    document: anything({ createElement: () => anything({ getContext: () => pen }), querySelector: () => canvas }),
    matchMedia: (query) => anything({ matches: query.includes('dark') ? scheme.dark : query.includes('coarse') && scheme.coarse }),
    ResizeObserver: anything(),
    requestAnimationFrame: (callback) => frames.push(callback),
    cancelAnimationFrame: () => {},
});
Object.defineProperty(globalThis, 'navigator', { value: { platform: '' } });

let exported;
const { default: createApp } = await import(pathToFileURL(path.resolve(script)));
const bytes = await fs.readFile(wasm);
const text = (name) => fs.readFile(path.join(data, name), 'utf8');
const languages = (await fs.readdir(path.join(data, 'locales'))).filter((name) => name.endsWith('.json')).sort();

for (const [width, height, dark, coarse] of [[1440, 900, true, false], [390, 844, false, true], [1024, 768, false, false]]) {
    Object.assign(scheme, { dark, coarse });
    const app = await createApp({
        canvas,
        onView() {},
        onUrl() {},
        instantiateWasm(imports, done) {
            WebAssembly.instantiate(bytes, imports).then(({ instance, module }) => {
                exported = instance.exports;
                done(instance, module);
            });
            return {};
        },
    });
    const call = (name, value) => {
        const input = new TextEncoder().encode(`${value}\0`);
        const at = app._malloc(input.length);
        app.HEAPU8.set(input, at);
        const answer = app[name](at, input.length - 1);
        app._free(at);
        return answer;
    };
    for (const [i, language] of languages.entries()) {
        call('_vs_app_locale', await text(`locales/${language}`));
        if (i === 0) {
            call('_vs_app_catalog', await text('catalog-first.json'));
            call('_vs_app_url', 'https://example.org/');
        }
        call('_vs_app_action', JSON.stringify({ kind: 'set_language', value: path.parse(language).name }));
        if (i === 0 && !call('_vs_app_start', '#canvas')) throw new Error('the module does not start');
        app._vs_on_resize(width, height, 1);
        // Until nothing moves any more.
        for (let n = 0; n < 60 && frames.length > 0; ++n) {
            const due = frames;
            frames = [];
            for (const frame of due) frame(performance.now());
        }
        app._vs_app_settle();
    }
    frames = [];
    await collect(app);
}

async function collect(app) {
    const size = exported.__write_profile(0, 0);
    const at = app._malloc(size);
    exported.__write_profile(at, size);
    const file = `${out}.${(collect.runs = (collect.runs ?? 0) + 1)}`;
    await fs.writeFile(file, app.HEAPU8.slice(at, at + size));
}
