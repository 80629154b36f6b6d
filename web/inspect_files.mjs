// What files hold, read from their headers by the WebAssembly inspection module. The page loads this
// when somebody drops a file; nothing of the files leaves the machine.
//
//     const inspector = await loadInspector(catalog.quantization.storage_types);
//     await inspector.read(file.name, file.size, blobBytes(file));
//     inspector.result();       // architecture, exact bytes, notes, a draft for the catalog
//
// `catalog` is catalog.json. It runs in browsers, workers and Node.

/** What is wrong with a file, in words for the person who has it. */
export class InspectError extends Error {
    constructor(details) {
        super(details.message);
        this.name = 'InspectError';
        this.details = details;
    }
}

/** How much is read at once where more than what was asked for costs nothing. */
const pieceBytes = 256 * 1024;
const largestPiece = 4 * 1024 * 1024;

/**
 * @param {object} storageTypes of the catalog: { q4_k: { block_elements, block_bytes }, … }
 * @param {object} [options]
 * @param {URL|string} [options.url] the module that Emscripten made
 * @param {Function} [options.make] what that module exports, when it is here already
 * @param {BufferSource} [options.wasmBinary] the bytes of inspect.wasm, for hosts without fetch
 */
export async function loadInspector(
    storageTypes,
    { url = new URL('inspect.mjs', import.meta.url), make, wasmBinary } = {},
) {
    const create = make ?? (await import(url)).default;
    return new Inspector(await create(wasmBinary ? { wasmBinary } : {}), storageTypes);
}

/** Reads ranges of a File or Blob. */
export const blobBytes = (blob) => async (offset, length) =>
    new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());

/** One inspection of files that belong together. */
export class Inspector {
    #module;
    bytesRead = 0;
    /** Names of parts and shards that are still missing. */
    wanted = [];

    constructor(module, storageTypes) {
        this.#module = module;
        this.#text('start', JSON.stringify(storageTypes));
    }

    /**
     * Reads what is needed of one file.
     * @param {string} name
     * @param {number} [size] undefined when it is not known
     * @param {(offset: number, length: number) => Promise<Uint8Array>} bytesAt an empty array means
     *     that the file ends there
     * @returns {Promise<string>} what it is: "model", "projector", "safetensors", "config" …
     */
    async read(name, size, bytesAt) {
        let step = this.#text('open', JSON.stringify({ name, bytes: size }));
        while (step.state === 'more') {
            const atEnd = size !== undefined && step.offset >= size;
            const wanted = Math.min(Math.max(step.bytes, pieceBytes), largestPiece);
            const length = size === undefined ? wanted : Math.min(wanted, size - step.offset);
            const bytes = atEnd ? new Uint8Array() : await bytesAt(step.offset, length);
            this.bytesRead += bytes.length;
            step = this.#exchange('feed', bytes);
        }
        this.wanted = step.wanted;
        return step.kind;
    }

    /** What the files hold together; `wanted` names parts and shards that are still missing. */
    result() {
        return this.#answer(this.#module._vs_inspect_result());
    }

    /**
     * What a pasted text stands for: {kind, hub, host, repo, pick, list_url, accept, files}.
     * @param {object} hubs catalog/hubs.json, or the same with other hosts
     */
    link(text, hubs) {
        return this.#text('link', JSON.stringify({ text, hubs }));
    }

    /** What the answer of the link's list_url offers: {choices, picked: index or -1}. */
    choices(text, hubs, list) {
        return this.#text('choices', JSON.stringify({ text, hubs, list }));
    }

    /** Bytes of the module's memory, which never shrinks: its peak. */
    get heapBytes() {
        return this.#module.HEAPU8.length;
    }

    #text(call, text) {
        return this.#exchange(call, new TextEncoder().encode(text));
    }

    #exchange(call, bytes) {
        const module = this.#module;
        const input = module._malloc(Math.max(bytes.length, 1));
        if (!input) throw new Error('the inspector is out of memory');
        module.HEAPU8.set(bytes, input);
        const output = module[`_vs_inspect_${call}`](input, bytes.length);
        module._free(input);
        return this.#answer(output);
    }

    #answer(output) {
        if (!output) throw new Error('the inspector is out of memory');
        const heap = this.#module.HEAPU8; // anew: the memory may have grown
        const text = new TextDecoder().decode(heap.subarray(output, heap.indexOf(0, output)));
        this.#module._free(output);
        const answer = JSON.parse(text);
        if (answer.error) throw new InspectError(answer.error);
        return answer.ok;
    }
}
