// The page in the hidden frame of embedded elements (Calculator in embed_frames.mjs): answers questions
// with the estimator's own numbers.

import { loadCore } from './core.mjs';
import { helloParent } from './embed_port.mjs';

const at = (file) => new URL(file, import.meta.url);

async function load() {
    const [core, catalog] = await Promise.all([
        loadCore({ url: at('lib/core.mjs') }),
        fetch(at('catalog.json')).then((response) => {
            if (!response.ok) throw new Error(`catalog.json: HTTP ${response.status}`);
            return response.text();
        }),
    ]);
    core.call('catalog.load', { text: catalog });
    const names = new Map(core.call('catalog.list', { kind: 'models' }).map(({ id, name }) => [id, name]));
    const fields = core.call('fields');
    return { core, names, fields };
}

// What the request says about the fields that a card prints.
function valuesOf(fields, query) {
    const given = new Map([...new URLSearchParams(query)].map(([key, value]) => [key.toLowerCase().replaceAll('-', '_'), value]));
    const value = (key) => {
        const field = fields.find((candidate) => candidate.key === key);
        return [key, ...(field.aliases ?? [])].map((name) => given.get(name)).find(Boolean) ?? field.default;
    };
    return { n_ctx: value('n_ctx'), engine: value('engine'), artifact: value('artifact') };
}

const loaded = load();
loaded.catch(() => {});
helloParent(async (port) => {
    port.onmessage = async ({ data }) => {
        const { kind, id, query } = data ?? {};
        if (kind !== 'estimate' || typeof query !== 'string') return;
        try {
            const { core, names, fields } = await loaded;
            const estimate = core.call('estimate', { url: `?${query}` });
            const ok = { estimate, model: names.get(estimate.model) ?? estimate.model, request: valuesOf(fields, query) };
            port.postMessage({ kind: 'answer', value: { id, ok } });
        } catch (error) {
            port.postMessage({ kind: 'answer', value: { id, error: error.message } });
        }
    };
    try {
        await loaded;
        port.postMessage({ kind: 'ready' });
    } catch (error) {
        port.postMessage({ kind: 'failed', value: error.message });
    }
});
