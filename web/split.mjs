// Divides app.wasm: what the first answer needs (app.wasm), and the rest (app-more.wasm), which the
// page fetches right after it. Which functions those are is not written down anywhere: a rehearsal
// of the first answer tells (rehearse.mjs).

import { execFile } from 'node:child_process';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

async function run(command, options) {
    try {
        await execute(command, options);
    } catch (error) {
        // Node shows the whole minified line that failed.
        const told = (error.stderr ?? error.message).split('\n').filter((line) => line && line.length < 300);
        throw new Error(`${path.basename(command)} failed:\n${told.slice(-8).join('\n')}`);
    }
}
const rehearsal = path.join(path.dirname(fileURLToPath(import.meta.url)), 'rehearse.mjs');

const features = ['--enable-bulk-memory', '--enable-nontrapping-float-to-int', '--enable-sign-ext', '--enable-mutable-globals'];

/** Divides `folder`/app.wasm, beside which app.js, catalog-first.json and locales/ lie. */
export async function splitModule(folder, wasmSplit) {
    const work = await fs.mkdtemp(path.join(folder, 'split-'));
    const at = (name) => path.join(work, name);
    const whole = path.join(folder, 'app.wasm');
    try {
        await run(wasmSplit, ['--instrument', whole, '-o', at('app.wasm'), ...features]);
        await fs.copyFile(path.join(folder, 'app.js'), at('app.mjs'));
        await run(process.execPath, [rehearsal, at('app.mjs'), at('app.wasm'), folder, at('profile')]);
        const profiles = (await fs.readdir(work)).filter((name) => name.startsWith('profile.')).map(at);
        await run(wasmSplit, ['--merge-profiles', ...profiles, '-o', at('all')]);
        await run(wasmSplit, [
            whole, `--profile=${at('all')}`, '-o1', at('first.wasm'), '-o2', at('more.wasm'), '--export-prefix=%',
            '--placeholder-namespace=placeholder', '--import-namespace=primary', ...features,
        ]);
        await fs.rename(at('first.wasm'), whole);
        await fs.rename(at('more.wasm'), path.join(folder, 'app-more.wasm'));
    } finally {
        await fs.rm(work, { recursive: true, force: true });
    }
}
