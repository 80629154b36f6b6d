// The simulator inside a frame of another page (index.html?embed=full|compact): loaded by main.mjs then
// and only then. The layout is in embed_frame.css; in `compact` the text version is the interface, with
// the fields that matter most and a bar above the figures.

import { helloParent } from './embed_port.mjs';

/**
 * @param {string} layout 'full' or 'compact'
 * @param {object} page what the parent may do: {language(tag), theme(name), query(text), started}
 * @returns {{query(text), view(view), failed(message), ready()}} what it is told
 */
export async function startEmbed(layout, page) {
    const root = document.documentElement;
    root.dataset.embed = layout;
    let port;
    let state;
    let last; // the request that the parent knows
    const report = (kind, value) => port?.postMessage({ kind, value });
    helloParent((given) => {
        port = given;
        port.onmessage = async ({ data }) => {
            if (data?.kind !== 'set') return;
            if (typeof data.lang === 'string') page.language(data.lang);
            if (typeof data.theme === 'string') page.theme(data.theme);
            if (typeof data.query === 'string') {
                const before = last;
                last = undefined; // what follows from it is no news to the parent
                await page.query(data.query);
                last ??= before;
            }
        };
        new ResizeObserver(() => report('height', document.body.getBoundingClientRect().height)).observe(document.body);
        if (state) report(...state);
    });
    await new Promise((resolve) => {
        const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: new URL('embed_frame.css', import.meta.url).href });
        sheet.onload = sheet.onerror = resolve;
        document.head.append(sheet);
    });
    const bar = layout === 'compact' && createBar();
    return {
        query(query) {
            // What the address says is what the parent asked for.
            if (last !== undefined && query !== last) report('request', query);
            last = query;
        },
        view: (view) => bar && bar(view),
        failed: (message) => report(...(state = ['failed', message])),
        ready: () => report(...(state = ['ready'])),
    };
}

function createBar() {
    const box = document.createElement('div');
    box.id = 'embed-bars';
    box.setAttribute('aria-hidden', 'true'); // the figures say it
    return (view) => {
        const rows = (view.bars ?? []).map((bar) => {
            const row = document.createElement('div');
            row.className = 'embed-bar';
            const whole = Math.max(bar.capacity ?? 0, bar.total_bytes ?? 0);
            for (const segment of bar.segments ?? []) {
                const part = document.createElement('i');
                part.className = `tone-${segment.tone}`;
                part.title = `${segment.label} ${segment.value_text}`;
                part.style.width = `${(100 * segment.bytes) / whole}%`;
                row.append(part);
            }
            return row;
        });
        box.replaceChildren(...rows);
        const answer = document.querySelector('#twin-answer .figures');
        if (answer && answer.previousElementSibling !== box) answer.before(box);
    };
}
