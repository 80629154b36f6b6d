// The estimator in JavaScript: loads the WebAssembly core and calls its methods.
//
//     const core = await loadCore({ url });            // url: where core.mjs and core.wasm lie
//     core.call('estimate', { request: { model: 'glm-4-9b-0414' } });
//
// In the built site this file is lib/vramscope.mjs and finds core.mjs beside it. It runs in browsers,
// workers and Node, and needs no canvas.

/** What the core answers instead of a result. `details` holds all it said: code, key, message. */
export class CoreError extends Error {
    constructor(details) {
        super(details.message ?? JSON.stringify(details));
        this.name = 'CoreError';
        this.details = details;
    }
}

/**
 * @param {object} [options]
 * @param {URL|string} [options.url] the module that Emscripten made
 * @param {Function} [options.make] what that module exports, when it is here already
 * @param {BufferSource} [options.wasmBinary] the bytes of core.wasm, for hosts without fetch
 */
export async function loadCore({ url = new URL('core.mjs', import.meta.url), make, wasmBinary } = {}) {
    const createCore = make ?? (await import(url)).default;
    return new Core(await createCore(wasmBinary ? { wasmBinary } : {}));
}

/** One instance of the module. Calls are synchronous; what was loaded stays until the next load. */
export class Core {
    #module;
    #broken; // the error that stopped the instance; its memory is not to be trusted afterwards

    constructor(module) {
        for (const name of ['_vs_call', '_malloc', '_free', 'HEAPU8']) {
            if (!module[name]) throw new Error(`the WebAssembly core lacks ${name}`);
        }
        this.#module = module;
    }

    /**
     * Calls a method; throws CoreError when the core answers with an error.
     * @param {string} method
     * @param {object} [args] its arguments, by name
     */
    call(method, args = {}) {
        const answer = JSON.parse(this.#exchange(JSON.stringify({ method, ...args })));
        if (answer.error) throw new CoreError(answer.error);
        return answer.ok;
    }

    #exchange(text) {
        if (this.#broken) {
            throw new Error('the core stopped in an earlier call; load it again', { cause: this.#broken });
        }
        const module = this.#module;
        const bytes = new TextEncoder().encode(text);
        try {
            const input = module._malloc(bytes.length);
            if (!input) throw new Error('the core is out of memory');
            module.HEAPU8.set(bytes, input);
            const output = module._vs_call(input, bytes.length);
            module._free(input);
            if (!output) throw new Error('the core is out of memory');
            // Read anew: the memory may have grown, and then the old view is empty.
            const heap = module.HEAPU8;
            const result = new TextDecoder().decode(heap.subarray(output, heap.indexOf(0, output)));
            module._free(output);
            return result;
        } catch (error) {
            this.#broken = error;
            throw error;
        }
    }
}
