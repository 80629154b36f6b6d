// The card of an embedded element: verdict, bar and four figures, or just the model's name and a button
// as long as there are none. Colours are those of the page (page.css), the font is the host's.

const parts = ['weights', 'kv', 'state', 'compute', 'overhead', 'output'];
const signs = { fits: '✓', tight: '~', offload: '↧', 'does-not-fit': '✕' };

/** The texts that a card needs, of the locale tables; site.mjs puts them into embed.js. */
export const cardTexts = [
    'language', 'number.percent', 'unit.tokens_per_second', 'number.tokens', 'embed.start', 'embed.link', 'embed.loading', 'embed.failed',
    'embed.of', 'figure.max_context', 'figure.decode', 'figure.total', 'part.total',
    ...parts.map((part) => `part.${part}`), ...Object.keys(signs).map((verdict) => `verdict.${verdict}`),
];

const light = `--panel: #fff; --raised: #f0f2f5; --line: #dde1e8; --text: #1a1e26; --dim: #596375; --accent: #2f67d8;
    --on-accent: #fff; --weights: #3f76e0; --kv: #b8720a; --state: #8b5bd6; --compute: #1f9d86;
    --overhead: #6f7a8c; --ok: #157a4f; --warn: #8a5a00; --bad: #b7323e; color-scheme: light;`;
const dark = `--panel: #161a21; --raised: #1d222b; --line: #2a303b; --text: #e8ebf1; --dim: #9aa4b5; --accent: #7aa8ff;
    --on-accent: #0e1116; --weights: #5b8def; --kv: #f0a840; --state: #b184f5; --compute: #3fbfa6;
    --overhead: #78839a; --ok: #3ecf8e; --warn: #f0b64a; --bad: #f07178; color-scheme: dark;`;

export const cardStyles = `
:host { display: block; margin: 1em 0; container-type: inline-size; }
:host([hidden]), [hidden] { display: none !important; }
.simulator { display: block; width: 100%; border: 0; border-radius: 12px; }
.card { ${light} box-sizing: border-box; display: grid; gap: 12px; padding: 16px 20px; border: 1px solid var(--line);
    border-radius: 12px; background: var(--panel); color: var(--text); font-family: inherit; font-size: 14px;
    line-height: 1.45; text-align: start; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.card.dark { ${dark} }
/* As high as it will be with figures, so that what is below does not move. */
.card.waiting { min-height: 220px; align-content: space-between; }
@container (max-width: 660px) { .card.waiting { min-height: 260px; } }
@container (max-width: 420px) { .card.waiting { min-height: 330px; } }
p, dl, dd { margin: 0; padding: 0; }
.head { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; justify-content: space-between; }
.name { font-size: 17px; font-weight: 650; }
.dim, dt { color: var(--dim); font-size: 13px; }
.verdict { font-size: 17px; font-weight: 650; }
.fits { color: var(--ok); } .tight, .offload { color: var(--warn); } .does-not-fit { color: var(--bad); }
.bar { display: flex; height: 12px; border-radius: 6px; overflow: hidden; background: var(--raised); gap: 1px; }
.bar > i { flex: 0 0 auto; }
.weights { background: var(--weights); } .kv { background: var(--kv); } .state { background: var(--state); }
.compute { background: var(--compute); } .overhead, .output { background: var(--overhead); }
dl { display: grid; gap: 12px 16px; grid-template-columns: repeat(auto-fit, minmax(108px, 1fr)); }
dd { font-weight: 650; font-size: 15px; }
dd small { font-weight: 400; font-size: 13px; color: var(--dim); }
.foot { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; }
button { font: inherit; font-weight: 600; min-height: 36px; padding: 4px 16px; border: 0; border-radius: 8px; cursor: pointer;
    background: var(--accent); color: var(--on-accent); }
button:disabled { cursor: progress; opacity: .7; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.error { color: var(--bad); }
@media (pointer: coarse) { button { min-height: 44px; } a { padding: 12px 0; } }
@media print { .foot { display: none; } }
@media (forced-colors: active) { .bar { border: 1px solid; } .card { border: 1px solid; } }
`;

function make(tag, className, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
}

export class Card {
    element = make('article', 'card');
    onStart;
    #texts = {};
    #body = make('div');
    #button = Object.assign(make('button'), { type: 'button' });
    #link = Object.assign(make('a'), { target: '_blank', rel: 'noopener' });
    #status = make('p', 'dim');
    #message;

    constructor() {
        this.element.part = 'card';
        this.#button.part = 'button';
        this.#button.addEventListener('click', () => this.onStart?.());
        this.#status.setAttribute('role', 'status');
        this.#body.style.display = 'contents';
        this.element.append(this.#body, make('div', 'foot', this.#button, this.#link, this.#status));
    }

    /** Theme and language; says whether there are other texts now. */
    look(theme, language, texts) {
        this.element.classList.toggle('dark', theme === 'dark');
        if (this.#texts === texts) return false;
        this.#texts = texts;
        this.element.lang = language;
        this.#button.textContent = texts['embed.start'];
        this.#link.textContent = texts['embed.link'];
        return true;
    }

    busy(is) {
        this.#button.disabled = is;
        this.#message = undefined;
        this.#status.classList.remove('error');
        this.#status.textContent = is ? this.#texts['embed.loading'] : '';
    }

    fail(message) {
        this.#message = message;
        this.#status.textContent = this.#fill('embed.failed', message);
        this.#status.classList.add('error');
    }

    /** `answer` of the calculator, or nothing; what is known without: {model, url, waits: for figures}. */
    paint(answer, { model, url, waits }) {
        this.element.classList.toggle('waiting', !answer && waits);
        this.#link.href = url;
        if (answer && this.#message !== undefined) this.busy(false);
        this.#body.replaceChildren(...(answer ? this.#answer(answer) : [make('p', 'name', model || 'Vramscope')]));
    }

    #answer({ estimate, model, request }) {
        const devices = estimate.devices.filter(({ kind }) => kind === 'gpu');
        const shown = devices.length > 0 ? devices : estimate.devices;
        const sum = (key) => shown.reduce((total, device) => total + (typeof device[key] === 'number' ? device[key] : device[key].expected), 0);
        const [used, capacity, free] = ['total_bytes', 'capacity_bytes', 'free_bytes'].map(sum); // free: for us to fill
        const [device] = shown;
        const where = shown.length > 1 ? `${shown.length} × ${device.name}` : device.name;
        const what = [request.artifact, this.#fill('number.tokens', this.#number(Number(request.n_ctx))), estimate.engine];
        const { low, expected, high } = estimate.decode_tokens_per_second;
        const rate = (value) => this.#number(value, value < 9.95 ? 1 : 0);
        const figure = (label, value, unit) => make('div', '', make('dt', '', label), make('dd', '', value, ' ', make('small', '', unit)));
        const bar = make('div', 'bar');
        bar.setAttribute('role', 'img');
        const named = [];
        for (const part of parts) {
            const bytes = sum(`${part}_bytes`);
            if (bytes <= 0) continue;
            const segment = make('i', part);
            segment.style.width = `${(100 * bytes) / Math.max(used, capacity)}%`;
            bar.append(segment);
            named.push(`${this.#texts[`part.${part}`]} ${this.#gib(bytes)} GiB`);
        }
        bar.setAttribute('aria-label', named.join(', '));
        bar.title = named.join('\n');
        return [
            make('div', 'head', make('span', 'name', model), make('span', 'dim', `${where} · ${what.join(' · ')}`)),
            make('p', `verdict ${estimate.verdict}`, `${signs[estimate.verdict]} ${this.#texts[`verdict.${estimate.verdict}`]}`),
            bar,
            make('dl', '',
                figure(this.#texts['part.total'], free > 0 ? this.#fill('embed.of', this.#gib(used), this.#gib(free)) : this.#gib(used), 'GiB'),
                figure(this.#texts['part.kv'], this.#gib(estimate.kv_bytes.expected), 'GiB'),
                figure(this.#texts['figure.max_context'], this.#number(estimate.max_context_tokens), ''),
                figure(this.#texts['figure.decode'], rate(expected), low === high ? this.#texts['unit.tokens_per_second']
                    : `${this.#texts['unit.tokens_per_second']} (${rate(low)}–${rate(high)})`)),
        ];
    }

    #fill(key, ...values) {
        return values.reduce((text, value, i) => text.replaceAll(`{${i}}`, value), this.#texts[key] ?? key);
    }
    #number(value, digits = 0) {
        return new Intl.NumberFormat(this.#texts.language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
    }
    #gib(bytes) {
        return this.#number(bytes / 2 ** 30, 2);
    }
}
