// Frames that run this site inside another page, and the talk with them.
//
// A frame is sandboxed without its origin, so it can touch neither the host page nor anything stored.
// It says hello to its parent; the answer carries a MessagePort, and everything else goes through that
// port, which nobody else holds. A hello counts only from the window of a frame that was opened here
// and from the origin that such a frame has.

const permissions = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads';
const patience = 60_000; // ms until a frame that does not answer counts as failed …
const patienceLoaded = 15_000; // … and when its page is there but its script says nothing

const frames = new Set();
function onHello({ source, origin, data }) {
    if (data?.vramscope !== 'hello') return;
    for (const frame of frames) {
        if (frame.element.contentWindow !== source || origin !== frame.origin) continue;
        const { port1, port2 } = new MessageChannel();
        frame.accept(port1);
        // An opaque origin can only be addressed as '*'; the window is the one that asked.
        source.postMessage({ vramscope: 'port' }, frame.origin === 'null' ? '*' : frame.origin, [port2]);
    }
}

/**
 * Opens a frame: {element, ready, send(message), close()}. `on` maps kinds of messages to what is done
 * with their value.
 */
export function openFrame({ address, title, className, ownOrigin, parent, on }) {
    const element = document.createElement('iframe');
    const site = new URL(address).origin;
    // With scripts and our own origin a frame on that same origin could lift its own sandbox.
    const own = ownOrigin && site !== location.origin;
    element.setAttribute('sandbox', own ? `${permissions} allow-same-origin` : permissions);
    element.setAttribute('allow', 'clipboard-write');
    element.setAttribute('referrerpolicy', 'strict-origin-when-cross-origin');
    element.title = title;
    element.className = className;
    element.src = address;
    let port;
    let settle;
    const ready = new Promise((resolve, reject) => { settle = { resolve, reject }; });
    ready.catch(() => {});
    const giveUp = () => settle.reject(new Error(`${site} does not answer`));
    let timer = setTimeout(giveUp, patience);
    element.addEventListener('load', () => {
        if (port) return;
        clearTimeout(timer);
        timer = setTimeout(giveUp, patienceLoaded);
    });
    const frame = {
        element,
        ready,
        origin: own ? site : 'null',
        accept(next) {
            port?.close(); // the frame was loaded anew
            port = next;
            clearTimeout(timer);
            timer = setTimeout(giveUp, patience);
            port.onmessage = ({ data }) => {
                const { kind, value } = data ?? {};
                if (kind === 'ready') {
                    clearTimeout(timer);
                    settle.resolve();
                } else if (kind === 'failed') {
                    clearTimeout(timer);
                    settle.reject(new Error(String(value).slice(0, 300)));
                } else if (Object.hasOwn(on, kind)) {
                    on[kind](value);
                }
            };
        },
        send: (message) => port?.postMessage(message),
        close() {
            clearTimeout(timer);
            settle.reject(new Error('closed'));
            port?.close();
            frames.delete(frame);
            if (frames.size === 0) removeEventListener('message', onHello);
            element.remove();
        },
    };
    if (frames.size === 0) addEventListener('message', onHello);
    frames.add(frame);
    parent.append(element);
    return frame;
}

/**
 * One hidden frame for all elements of a page: the estimator without a canvas, with the site's catalog.
 * So the host page needs no permission to run WebAssembly or to fetch from here.
 */
export class Calculator {
    #site;
    #users = new Set();
    #frame;
    #open = new Map(); // id -> {resolve, reject}
    #next = 0;
    #leaving;

    constructor(site) {
        this.#site = site;
    }

    join(user) {
        clearTimeout(this.#leaving);
        this.#users.add(user);
    }
    leave(user) {
        this.#users.delete(user);
        if (this.#users.size > 0 || !this.#frame) return;
        // Elements that are only moved come back at once.
        clearTimeout(this.#leaving);
        this.#leaving = setTimeout(() => this.#close(new Error('closed')), 2000);
    }

    /** {estimate, model: its name, request: values of the main fields} */
    async ask(query) {
        const frame = this.#start();
        await frame.ready.catch((error) => {
            if (this.#frame === frame) this.#close(error);
            throw error;
        });
        if (this.#frame !== frame) throw new Error('closed');
        const id = ++this.#next;
        return new Promise((resolve, reject) => {
            this.#open.set(id, { resolve, reject });
            frame.send({ kind: 'estimate', id, query });
        });
    }

    #start() {
        this.#frame ??= openFrame({
            address: new URL('embed_figures.html', this.#site).href,
            title: '',
            className: '',
            ownOrigin: false,
            parent: this.#shelter(),
            on: { answer: (answer) => this.#answered(answer) },
        });
        return this.#frame;
    }

    // Out of sight and of the accessibility tree, beyond the reach of the host's styles.
    #shelter() {
        const host = document.createElement('div');
        host.hidden = true;
        document.documentElement.append(host);
        this.#holder = host;
        return host.attachShadow({ mode: 'closed' });
    }
    #holder;

    #answered({ id, ok, error } = {}) {
        const question = this.#open.get(id);
        this.#open.delete(id);
        if (error !== undefined) question?.reject(new Error(String(error).slice(0, 300)));
        else question?.resolve(ok);
    }

    #close(error) {
        this.#frame?.close();
        this.#frame = undefined;
        this.#holder?.remove();
        for (const { reject } of this.#open.values()) reject(error);
        this.#open.clear();
    }
}

/** The simulators that run. Browsers grant a page about 16 WebGL contexts, and memory is finite too. */
export class Pool {
    #limit = 4;
    #live = []; // the longest-running first

    get limit() { return this.#limit; }
    set limit(count) {
        this.#limit = count;
        this.#shrink();
    }
    add(element) {
        this.#live.push(element);
        this.#shrink();
    }
    remove(element) {
        this.#live = this.#live.filter((other) => other !== element);
    }
    #shrink() {
        while (this.#live.length > this.#limit) {
            const older = this.#live.slice(0, -1);
            (older.find((element) => !element.inSight) ?? older[0]).stop();
        }
    }
}
