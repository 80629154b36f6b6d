// Reads parts of files on other machines: only the ranges that are asked for, with progress, and with
// a precise word for everything that can go wrong. Runs in browsers and in Node.

/**
 * Why a file could not be read. `code` is one of: offline, blocked (no answer, or one that the other
 * host does not let pages read), gated (401, 403), missing (404, 410), busy (429), server (5xx),
 * refused (any other status), truncated, slow, no-range, page (an HTML page instead of a file).
 */
export class RemoteError extends Error {
    constructor(code, url, status) {
        const { host } = new URL(url);
        super(`${host}: ${code}${status ? ` (HTTP ${status})` : ''}`);
        Object.assign(this, { name: 'RemoteError', code, url, host, status });
    }
}

const codeOf = (status) =>
    [401, 403].includes(status) ? 'gated'
        : [404, 410].includes(status) ? 'missing'
            : status === 429 ? 'busy'
                : status >= 500 ? 'server' : 'refused';

/** A signal that also fires after `quiet` ms without touch(). */
function patience(signal, quiet) {
    const own = new AbortController();
    let timer;
    const state = { slow: false, signal: own.signal };
    const stop = () => own.abort();
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    state.touch = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
            state.slow = true;
            stop();
        }, quiet);
    };
    state.end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
    };
    state.touch();
    return state;
}

async function ask(url, headers, { signal, patient }) {
    try {
        // Cookies and addresses of other pages stay here.
        return await fetch(url, { headers, signal: patient.signal, credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' });
    } catch {
        throw problem(url, signal, patient, 'blocked');
    }
}

function problem(url, signal, patient, code) {
    if (signal?.aborted) return signal.reason ?? new DOMException('cancelled', 'AbortError');
    if (patient.slow) return new RemoteError('slow', url);
    if (globalThis.navigator?.onLine === false) return new RemoteError('offline', url);
    return new RemoteError(code, url);
}

/**
 * A small text, such as a list of files; with its `next` page, when the answer names one.
 * @param {string} url
 * @param {object} options {accept, signal, quiet: ms without a byte until it counts as slow}
 */
export async function remoteText(url, { accept, signal, quiet = 30_000 } = {}) {
    const patient = patience(signal, quiet);
    try {
        const response = await ask(url, accept ? { Accept: accept } : {}, { signal, patient });
        if (!response.ok) throw new RemoteError(codeOf(response.status), url, response.status);
        let text;
        try {
            text = await response.text();
        } catch {
            throw problem(url, signal, patient, 'truncated');
        }
        const next = response.headers.get('Link')?.match(/<([^>]+)>;\s*rel="next"/)?.[1];
        return { text, next: next && new URL(next, url).href };
    } finally {
        patient.end();
    }
}

/** One file that is read by ranges. */
export class RemoteFile {
    size; // undefined until an answer tells it
    bytesReceived = 0;
    requests = 0;
    redirected; // the host that answers in the end, when it is another one
    wholeFile = false; // the host ignores ranges: the beginning is read from the stream
    #stream;
    #held = [];

    /** @param {object} options {size, signal, quiet, onBytes(count)} */
    constructor(url, options = {}) {
        this.url = url;
        this.options = options;
        this.size = options.size;
    }

    /** Bytes from `offset` on, at most `length`; none at the end. */
    async read(offset, length) {
        if (this.wholeFile) return this.#fromStream(offset, length);
        const { signal, quiet = 30_000 } = this.options;
        const patient = patience(signal, quiet);
        let kept = false;
        try {
            ++this.requests;
            const response = await ask(this.url, { Range: `bytes=${offset}-${offset + length - 1}` }, { signal, patient });
            this.#note(response);
            if (response.status === 416) return new Uint8Array();
            if (!response.ok) throw new RemoteError(codeOf(response.status), this.url, response.status);
            if (response.headers.get('Content-Type')?.startsWith('text/html')) {
                void response.body?.cancel();
                throw new RemoteError('page', this.url);
            }
            if (response.status !== 206) {
                if (offset > 0) throw new RemoteError('no-range', this.url);
                this.wholeFile = true;
                const total = Number(response.headers.get('Content-Length'));
                if (total > 0 && !response.headers.get('Content-Encoding')) this.size ??= total;
                this.#stream = { reader: response.body.getReader(), at: 0, patient };
                kept = true;
                return await this.#fromStream(offset, length);
            }
            const total = response.headers.get('Content-Range')?.match(/\/(\d+)$/)?.[1];
            if (total) this.size = Number(total);
            const expected = Math.min(length, (this.size ?? Infinity) - offset);
            return await this.#body(response, patient, expected);
        } finally {
            if (!kept) patient.end();
        }
    }

    /** Ends a stream that is still open. */
    close() {
        this.#stream?.patient.end();
        void this.#stream?.reader.cancel().catch(() => {});
        this.#stream = undefined;
    }

    #note(response) {
        const host = response.url && new URL(response.url).host;
        if (host && host !== new URL(this.url).host) this.redirected = host;
    }

    #count(bytes) {
        this.bytesReceived += bytes;
        this.options.onBytes?.(bytes);
    }

    async #body(response, patient, expected) {
        const pieces = [];
        let total = 0;
        const reader = response.body.getReader();
        try {
            for (;;) {
                const { done, value } = await reader.read();
                if (done) break;
                patient.touch();
                pieces.push(value);
                total += value.length;
                this.#count(value.length);
            }
        } catch {
            throw problem(this.url, this.options.signal, patient, 'truncated');
        }
        if (expected !== Infinity && total < expected && this.size !== undefined) throw new RemoteError('truncated', this.url);
        return joined(pieces, total);
    }

    // Without ranges there is only one way: forwards.
    async #fromStream(offset, length) {
        const stream = this.#stream;
        if (!stream) throw new RemoteError('no-range', this.url);
        const end = offset + length;
        try {
            while (stream.at < end) {
                const { done, value } = await stream.reader.read();
                if (done) break;
                stream.patient.touch();
                this.#held.push({ at: stream.at, bytes: value });
                stream.at += value.length;
                this.#count(value.length);
            }
        } catch {
            throw problem(this.url, this.options.signal, stream.patient, 'truncated');
        }
        // A header is read from front to back: what lies before is not asked for again.
        const pieces = [];
        let total = 0;
        for (const { at, bytes } of this.#held) {
            const piece = bytes.subarray(Math.max(0, offset - at), Math.max(0, end - at));
            pieces.push(piece);
            total += piece.length;
        }
        this.#held = this.#held.filter(({ at, bytes }) => at + bytes.length > end);
        return joined(pieces, total);
    }
}

function joined(pieces, total) {
    if (pieces.length === 1) return pieces[0];
    const all = new Uint8Array(total);
    let at = 0;
    for (const piece of pieces) {
        all.set(piece, at);
        at += piece.length;
    }
    return all;
}
