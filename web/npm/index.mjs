// The estimator as a library: browsers, workers, Node 18 and newer, Deno, bundlers. No canvas.
//
//     import { estimate } from 'vramscope';
//     const { verdict, total_bytes } = await estimate({ model: 'glm-4-9b-0414', hardware: 'rtx-3060-12gb' });
//
// The functions share one instance with the catalog of this package; load() makes others.

import { CoreError, loadCore } from './core_calls.mjs';
import { blobBytes, InspectError, loadInspector } from './inspect_files.mjs';

export { CoreError, InspectError };

const inNode = typeof process === 'object' && typeof process.versions?.node === 'string';

/** The bytes of a file of this package, or of `given` instead: bytes, a text, an address. */
async function bytesOf(name, given) {
    if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return given;
    const address = new URL(given ?? name, import.meta.url);
    if (inNode && address.protocol === 'file:') {
        // Not named in a way that bundlers for browsers would look for.
        const { readFile } = await import(/* @vite-ignore */ ['node', 'fs/promises'].join(':'));
        return readFile(address);
    }
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: HTTP ${response.status}`);
    return response.arrayBuffer();
}

/** An estimator with a catalog of its own. */
export async function load({ wasm, catalog } = {}) {
    const isText = typeof catalog === 'string' && catalog.trimStart().startsWith('{');
    const [wasmBinary, snapshot, make] = await Promise.all([
        bytesOf('core.wasm', wasm),
        isText ? catalog : bytesOf('catalog.json', catalog).then((bytes) => new TextDecoder().decode(bytes)),
        import('./core.mjs'),
    ]);
    const core = await loadCore({ make: make.default, wasmBinary });
    core.call('catalog.load', { text: snapshot });
    return new Vramscope(core, snapshot);
}

export class Vramscope {
    #core;
    #snapshot;

    constructor(core, snapshot) {
        this.#core = core;
        this.#snapshot = snapshot;
    }

    /** Everything about one request; an object, or the address of a page. */
    estimate(request = {}) {
        return this.#ask('estimate', request);
    }
    /** 'max-context', 'max-sequences', 'max-users' or 'hardware' for a request. */
    solve(what, request = {}) {
        return this.#ask('solve', request, { what });
    }
    /** What to change so that it fits. */
    advise(request = {}, options = {}) {
        return this.#ask('advise', request, options);
    }
    /** What llama.cpp's own automatic fit would do. */
    fit(request = {}, options = {}) {
        return this.#ask('fit', request, options);
    }
    /** Which models run on the request's hardware. */
    models(request = {}, options = {}) {
        return this.#ask('models', request, options);
    }
    /** Which hardware runs the request's model. */
    devices(request = {}, options = {}) {
        return this.#ask('devices', request, options);
    }
    /** Ids and names: 'models', 'artifacts', 'hardware', 'engines', 'quantizations'. */
    list(kind) {
        return this.#core.call('catalog.list', { kind });
    }
    /** One entry of the catalog. */
    show(id) {
        return this.#core.call('catalog.show', { id });
    }
    /** The table of request fields. */
    fields() {
        return this.#core.call('fields');
    }
    version() {
        return this.#core.call('version');
    }

    /**
     * What weight files hold, from their headers: Blobs, or {name, size, read(offset, length)}, or a
     * ReadableStream, of which no more than the header is taken.
     */
    async inspect(source, { name = 'model.gguf', wasm } = {}) {
        const storageTypes = JSON.parse(this.#snapshot).storage_types ?? JSON.parse(this.#snapshot).quantization?.storage_types;
        const [wasmBinary, make] = await Promise.all([bytesOf('inspect.wasm', wasm), import('./inspect.mjs')]);
        const inspector = await loadInspector(storageTypes, { make: make.default, wasmBinary });
        for (const file of Array.isArray(source) ? source : [source]) {
            if (typeof file.getReader === 'function') {
                const stream = sequentialBytes(file);
                try {
                    await inspector.read(name, undefined, stream.read);
                } finally {
                    await stream.close();
                }
            } else if (typeof file.read === 'function') {
                await inspector.read(file.name ?? name, file.size, file.read);
            } else {
                await inspector.read(file.name ?? name, file.size, blobBytes(file));
            }
        }
        return inspector.result();
    }

    #ask(method, request, more = {}) {
        const what = typeof request === 'string' || request instanceof URL ? { url: String(request) } : { request };
        return this.#core.call(method, { ...more, ...what });
    }
}

// A stream gives its bytes once and in order, which is how headers are read.
function sequentialBytes(stream) {
    const reader = stream.getReader();
    let held = new Uint8Array();
    let start = 0; // of what is held
    let ended = false;
    return {
        async read(offset, length) {
            while (!ended && start + held.length < offset + length) {
                const { value, done } = await reader.read();
                ended = done;
                if (done) break;
                // What lies before `offset` is not asked for again.
                const drop = Math.min(Math.max(offset - start, 0), held.length);
                const next = new Uint8Array(held.length - drop + value.length);
                next.set(held.subarray(drop));
                next.set(value, held.length - drop);
                start += drop;
                held = next;
            }
            const from = Math.max(offset - start, 0);
            return held.subarray(from, from + length);
        },
        close: () => reader.cancel().catch(() => {}),
    };
}

let shared;
const instance = () => {
    shared ??= load();
    shared.catch(() => { shared = undefined; }); // may be tried again
    return shared;
};

export const estimate = async (request) => (await instance()).estimate(request);
export const solve = async (what, request) => (await instance()).solve(what, request);
export const advise = async (request, options) => (await instance()).advise(request, options);
export const fit = async (request, options) => (await instance()).fit(request, options);
export const models = async (request, options) => (await instance()).models(request, options);
export const devices = async (request, options) => (await instance()).devices(request, options);
export const list = async (kind) => (await instance()).list(kind);
export const show = async (id) => (await instance()).show(id);
export const fields = async () => (await instance()).fields();
export const inspect = async (source, options) => (await instance()).inspect(source, options);
