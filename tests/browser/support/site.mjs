// The built site, served on a sub-path, with faults when a test asks for some; and the numbers that
// the page has to show, from the same site's JavaScript library and from the command line tool.

import { execFile } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { startServer } from '../../../web/serve.mjs';

export const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const dist = path.resolve(process.env.SITE ?? path.join(top, 'dist')); // SITE: another built site
export const base = '/some/project/';
export const screenshots = path.join(top, 'build/screenshots');

/**
 * Serves dist/. `faults` maps files ("app.wasm") to what is answered instead: a status number, or
 * {status, type, body} with `body` bytes, text or a function of the true file's bytes; `delay` is a
 * promise to wait for first. The map may be changed while the server runs.
 */
export async function serveSite(faults = {}) {
    const server = await startServer({
        root: dist,
        base,
        intercept: async (request, response) => {
            const name = request.url.split('?')[0].slice(base.length);
            const fault = Object.hasOwn(faults, name) ? faults[name] : undefined;
            if (fault === undefined) return false;
            const { status = 200, type = 'text/plain', body = 'no such file', delay } =
                typeof fault === 'number' ? { status: fault } : fault;
            await delay;
            const bytes = typeof body === 'function' ? body(await fs.readFile(path.join(dist, name))) : body;
            response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
            response.end(bytes);
            return true;
        },
    });
    return { ...server, faults };
}

export const siteFile = (name) => fs.readFile(path.join(dist, name));
/** All texts of a language: those of the first answer and the rest. */
export const texts = async (language) => Object.assign({}, ...(await Promise.all([`locales/${language}.json`, `locales/more/${language}.json`].map(siteFile))).map((text) => JSON.parse(text)));

let loaded;
/** The core of the built site, in Node, with the site's own catalog. */
export function builtCore() {
    loaded ??= (async () => {
        const { loadCore } = await import(pathToFileURL(path.join(dist, 'lib/vramscope.mjs')));
        const core = await loadCore();
        core.call('catalog.load', { text: await fs.readFile(path.join(dist, 'catalog.json'), 'utf8') });
        return core;
    })();
    return loaded;
}

/** What the core answers to a link that the page shows. */
export const estimateOf = async (url) => (await builtCore()).call('estimate', { url });

const tool = path.join(top, 'build/native/vramscope');

/** The same from the command line tool; undefined when it has not been built. */
export async function toolEstimateOf(url) {
    if (!(await fs.stat(tool).catch(() => undefined))) return undefined;
    const { stdout } = await promisify(execFile)(tool, ['estimate', url, '--json'], { cwd: top });
    return JSON.parse(stdout);
}
