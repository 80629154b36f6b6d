// The module's second part (split.mjs): its functions take the places of the placeholders that the
// first part calls. It is there long before anybody needs it; who is faster waits for it.

const file = new URL('app-more.wasm', import.meta.url).href;

export class SecondPart {
    #first;
    #loaded = false;

    /** For the first part's imports. */
    placeholders = new Proxy({}, {
        get: (_, index) => (...values) => {
            this.#loadNow();
            return this.#table().get(Number(index))(...values);
        },
    });

    /** @param {WebAssembly.Instance} instance of the first part */
    follow(instance) {
        this.#first = instance.exports;
    }

    /** @param {Promise<WebAssembly.Module>} compiled */
    async load(compiled) {
        const module = await compiled;
        if (this.#loaded) return;
        await WebAssembly.instantiate(module, { primary: this.#first });
        this.#loaded = true;
    }

    // An answer is needed before the page may do anything else: the only way is to stand still.
    #loadNow() {
        if (this.#loaded) return;
        const request = new XMLHttpRequest();
        request.open('GET', file, false);
        request.overrideMimeType('text/plain; charset=x-user-defined'); // bytes, one per character
        try {
            request.send();
        } catch { /* said below */ }
        if (request.status !== 200) throw new WebAssembly.RuntimeError(`app-more.wasm: HTTP ${request.status}`);
        const bytes = Uint8Array.from(request.responseText, (character) => character.charCodeAt(0) & 255);
        new WebAssembly.Instance(new WebAssembly.Module(bytes), { primary: this.#first });
        this.#loaded = true;
    }

    #table() {
        return Object.values(this.#first).find((value) => value instanceof WebAssembly.Table);
    }
}
