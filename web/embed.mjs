// The element for other people's pages:
//
//     <script type="module" src="https://…/embed.js"></script>
//     <vram-scope model="glm-4-9b-0414" hardware="rtx-3060-12gb" n-ctx="32768" lang="de"></vram-scope>
//
// Attributes are the request's fields, with dashes or underscores, and: lang, theme (auto, dark,
// light), layout (full, compact), eager (start when in sight), figures="off" (nothing is fetched before
// somebody asks), own-origin (see README.md). It shows a card with the figures; the simulator starts in
// a sandboxed frame when asked for. Events bubble: vramscope-change {estimate, request, url},
// vramscope-start, vramscope-stop, vramscope-error {message}. Methods: estimate(), start(), stop(),
// reset(); properties: request, url, live.

import { Card, cardStyles } from './embed_card.mjs';
import { Calculator, openFrame, Pool } from './embed_frames.mjs';
import { hostLanguage, hostTheme, watchHost } from './embed_host.mjs';

/* global REQUEST_FIELDS, PREVIEW_TEXTS -- filled in by site.mjs: {key: kind} with all spellings of the
   request table, {language: {key: text}} */
const requestFields = REQUEST_FIELDS;
const texts = PREVIEW_TEXTS;
const site = new URL('.', import.meta.url).href;

const calculator = new Calculator(site);
const pool = new Pool();
const saveData = () => globalThis.navigator?.connection?.saveData === true;

const styles = new CSSStyleSheet();
styles.replaceSync(cardStyles);

export class VramScope extends HTMLElement {
    /** How many simulators run at once; more give way to cards, those out of sight first. */
    static get maxLive() { return pool.limit; }
    static set maxLive(count) { pool.limit = Math.max(1, Number(count) || 1); }

    #root = this.attachShadow({ mode: 'open' });
    #card = new Card();
    #frame; // while the simulator runs
    #changed; // the request as somebody left it in the simulator; undefined: as the attributes say
    #estimate;
    #asking = 0; // number of the last question to the calculator
    #inSight = false;
    #sight;
    #attributes;
    #unwatch;
    #theme;

    constructor() {
        super();
        this.#root.adoptedStyleSheets = [styles];
        this.#root.append(this.#card.element);
        this.#card.onStart = () => this.start().catch(() => {});
    }

    connectedCallback() {
        calculator.join(this);
        this.#attributes = new MutationObserver((list) => this.#attributesChanged(list));
        this.#attributes.observe(this, { attributes: true });
        this.#sight = new IntersectionObserver(([entry]) => this.#seen(entry.isIntersecting), { rootMargin: '200px' });
        this.#sight.observe(this);
        this.#unwatch = watchHost(this, () => this.#followHost());
        this.#followHost();
        this.#paint();
    }

    disconnectedCallback() {
        this.#attributes.disconnect();
        this.#sight.disconnect();
        this.#unwatch();
        this.#inSight = false;
        this.stop();
        ++this.#asking; // answers that are still to come are of no use
        calculator.leave(this);
    }

    /** The request as it stands: fields with underscores, values as text. */
    get request() {
        const pairs = [...new URLSearchParams(this.#query)].map(([key, value]) => [canonical(key), value]);
        return Object.fromEntries(pairs.filter(([key]) => Object.hasOwn(requestFields, key)));
    }
    /** The same on the page of its own. */
    get url() {
        return `${site}?${this.#query}`;
    }
    get live() {
        return !!this.#frame;
    }
    get inSight() {
        return this.#inSight;
    }

    /** The Estimate of the request as it stands. */
    async estimate() {
        return (await calculator.ask(this.#query)).estimate;
    }

    /** Starts the simulator; resolves when it shows the request. */
    async start() {
        if (!this.isConnected) throw new Error('vram-scope: not in a document');
        if (this.#frame) return this.#frame.ready;
        this.#card.busy(true);
        const address = new URL(`${site}?${this.#query}`);
        address.searchParams.set('embed', this.#layout);
        address.searchParams.set('lang', this.#language);
        address.searchParams.set('theme', this.#theme);
        const frame = openFrame({
            address: address.href,
            title: `Vramscope: ${this.getAttribute('model') ?? ''}`.replace(/: $/, ''),
            className: 'simulator',
            ownOrigin: this.hasAttribute('own-origin'),
            parent: this.#root,
            on: {
                height: (height) => {
                    if (typeof height !== 'number' || !(height > 0)) return;
                    frame.element.style.height = `${Math.min(Math.ceil(height), 20000)}px`;
                },
                request: (query) => this.#requestChanged(query),
            },
        });
        this.#frame = frame;
        frame.element.style.colorScheme = this.#theme;
        frame.element.style.height = `${this.#layout === 'full' ? 720 : Math.max(320, this.#card.element.offsetHeight)}px`;
        pool.add(this);
        try {
            await frame.ready;
            if (this.#frame !== frame) return undefined;
            const hadFocus = this.#root.activeElement;
            this.#card.element.hidden = true;
            if (hadFocus) frame.element.focus({ preventScroll: true });
            this.#tell('vramscope-start', {});
        } catch (error) {
            if (this.#frame !== frame) return undefined;
            this.stop();
            this.#fail(error);
            throw error;
        }
        return undefined;
    }

    /** Back to the card, with the request as it was left. */
    stop() {
        if (!this.#frame) return;
        this.#frame.close();
        this.#frame = undefined;
        pool.remove(this);
        this.#card.element.hidden = false;
        this.#card.busy(false);
        this.#tell('vramscope-stop', {});
        if (this.isConnected) this.#paint();
    }

    /** Back to what the attributes say. */
    reset() {
        this.#changed = undefined;
        this.#frame?.send({ kind: 'set', query: this.#query });
        this.#refresh(true);
    }

    get #layout() {
        return this.getAttribute('layout') === 'compact' || this.hasAttribute('compact') ? 'compact' : 'full';
    }
    get #language() {
        return hostLanguage(this, Object.keys(texts));
    }
    get #wantsFigures() {
        return this.getAttribute('figures') !== 'off' && !saveData();
    }
    get #query() {
        if (this.#changed !== undefined) return this.#changed;
        const query = new URLSearchParams();
        for (const { name, value } of this.attributes) {
            const key = canonical(name);
            if (!Object.hasOwn(requestFields, key)) continue;
            query.set(key, requestFields[key] === 'boolean' && value === '' ? 'true' : value);
        }
        return readable(query);
    }

    #attributesChanged(list) {
        const names = list.map((record) => record.attributeName);
        if (names.some((name) => Object.hasOwn(requestFields, canonical(name)))) this.reset();
        if (names.some((name) => ['layout', 'compact', 'own-origin'].includes(name)) && this.#frame) {
            this.stop();
            this.start().catch(() => {});
        }
        if (names.includes('eager')) this.#seen(this.#inSight);
        if (names.some((name) => ['lang', 'theme'].includes(name))) this.#followHost();
    }

    #followHost() {
        const wanted = this.getAttribute('theme');
        this.#theme = ['dark', 'light'].includes(wanted) ? wanted : hostTheme(this);
        const language = this.#language;
        if (this.#card.look(this.#theme, language, texts[language])) this.#paint();
        if (!this.#frame) return;
        this.#frame.element.style.colorScheme = this.#theme; // or what is behind the frame would not shine through
        this.#frame.send({ kind: 'set', theme: this.#theme, lang: language });
    }

    #seen(inSight) {
        this.#inSight = inSight;
        if (!inSight) return;
        if (this.hasAttribute('eager')) this.start().catch(() => {});
        if (!this.#estimate) this.#refresh(false);
    }

    // New figures: asked for when they are seen, or needed for an event.
    #refresh(always) {
        this.#estimate = undefined;
        this.#paint();
        if (!this.#frame && !(this.isConnected && this.#wantsFigures && (this.#inSight || always))) return;
        this.#ask();
    }

    async #ask() {
        const asked = ++this.#asking;
        const query = this.#query;
        try {
            const answer = await calculator.ask(query);
            if (asked !== this.#asking) return;
            this.#estimate = answer;
            this.#paint();
            this.#tell('vramscope-change', { estimate: answer.estimate, request: this.request, url: this.url });
        } catch (error) {
            if (asked === this.#asking && this.isConnected) this.#fail(error);
        }
    }

    #requestChanged(query) {
        if (typeof query !== 'string' || query.length > 4000) return;
        this.#changed = query;
        this.#ask();
    }

    #fail(error) {
        this.#card.fail(error.message);
        this.#tell('vramscope-error', { message: error.message });
    }

    #paint() {
        this.#card.paint(this.#estimate, { model: this.getAttribute('model') ?? '', url: this.url, waits: this.#wantsFigures });
    }

    #tell(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    }
}

const canonical = (name) => name.toLowerCase().replaceAll('-', '_');
const readable = (query) => String(query).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');

if (!customElements.get('vram-scope')) customElements.define('vram-scope', VramScope);
