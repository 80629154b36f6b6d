// Links on the command line: the same hub as in the browser's tests, read with curl.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { startHub } from '../support/hub.mjs';

const top = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const tool = process.env.VRAMSCOPE_CLI ?? path.join(top, 'build/native/vramscope');
const hasCurl = (() => {
    try {
        return execFileSync('curl', ['--version']).length > 0;
    } catch {
        return false;
    }
})();

let hub, folder, env;
before(async () => {
    hub = await startHub(JSON.parse(await fs.readFile(path.join(top, 'catalog/hubs.json'))));
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'vramscope-links-'));
    await fs.writeFile(path.join(folder, 'hubs.json'), JSON.stringify(hub.hubs));
    env = { ...process.env, VRAMSCOPE_HUBS: path.join(folder, 'hubs.json'), no_proxy: '127.0.0.1' };
});
after(async () => {
    await hub.close();
    await fs.rm(folder, { recursive: true });
});

const run = (...words) => new Promise((resolve) => {
    execFile(tool, words, { env }, (error, out, err) => resolve({ status: error?.code ?? 0, out, err }));
});
const json = async (...words) => JSON.parse((await run(...words, '--json')).out);

test('a repository, a file and an Ollama reference, read by ranges', { skip: !hasCurl && 'curl is not installed' }, async () => {
    const before = hub.bytesSent;
    const seventy = await json('inspect', 'org/two:Q4_K_M');
    assert.equal(seventy.parameters, 70_553_706_496); // Llama-3.3-70B as published
    assert.ok(hub.bytesSent - before < 20e6, `${hub.bytesSent - before} bytes`);
    assert.ok(hub.requests.some(({ url, range }) => url.startsWith('/cdn/') && range));
    const several = await run('inspect', 'org/two');
    assert.equal(several.status, 1);
    assert.match(several.err, /several models; pick one:\n {2}org\/two:F16 .*\n {2}org\/two:Q4_K_M/);
    for (const link of ['org/one', 'ollama:little', `${hub.elsewhere}/no-ranges/Little-F16.gguf`]) {
        const result = await json('inspect', link);
        assert.equal(result.name, 'Little One', link);
    }
    // The same estimate by link and by what the page would have in its address.
    const estimate = await json('estimate', '--model', 'org/one', '--n-ctx', '2048');
    assert.ok(estimate.total_bytes.expected > estimate.artifact_tensor_bytes);
    assert.equal(estimate.model, 'local:little-one');
});

test('what goes wrong is said in one line', { skip: !hasCurl && 'curl is not installed' }, async () => {
    const expected = {
        'org/gated': /wants a sign-in.*HTTP 401/, 'org/nothing': /nothing of that name \(HTTP 404\)/, 'org/none': /no \.gguf/,
        [`${hub.elsewhere}/broken/a.gguf`]: /fault of its own \(HTTP 503\)/, [`${hub.elsewhere}/busy/a.gguf`]: /HTTP 429/,
        [`${hub.elsewhere}/page/a.gguf`]: /a web page instead of a file/, [`${hub.elsewhere}/truncated/Seventy-Q4_K_M.gguf`]: /stopped in the middle/,
        'http://127.0.0.1:9/a.gguf': /cannot be reached/,
    };
    for (const [link, message] of Object.entries(expected)) {
        const { status, err } = await run('inspect', link);
        assert.equal(status, 1, link);
        assert.match(err, message);
    }
});
