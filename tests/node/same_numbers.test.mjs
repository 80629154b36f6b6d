// The native tool and the WebAssembly core give the same numbers, to the bit: thousands of random
// requests, sound and unsound, through both.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { loadBuiltCore } from '../../web/site.mjs';

const top = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const tool = process.env.VRAMSCOPE_CLI ?? path.join(top, 'build/native/vramscope');
const count = 3000;

/** xorshift32: the same requests in every run. */
function randomSource(seed) {
    let state = seed;
    return (limit) => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) % limit;
    };
}

function randomRequests(core) {
    const random = randomSource(20261130);
    const pick = (list) => list[random(list.length)];
    const maybe = (value) => (random(3) === 0 ? value() : undefined);
    const ids = (kind) => core.call('catalog.list', { kind }).map((entry) => entry.id);
    const models = ids('models');
    const hardware = ids('hardware');
    const quantizations = ids('quantizations');
    const kvTypes = ['f16', 'f32', 'bf16', 'q8_0', 'q5_1', 'q4_0', 'iq4_nl'];
    return Array.from({ length: count }, () => ({
        model: pick(models),
        artifact: (random(2) ? 'recipe:' : '') + pick(quantizations),
        engine: pick(['llama.cpp', 'llama.cpp', 'llama.cpp', 'quick', 'evidence']),
        hardware: random(8) === 0 ? 'cpu' : pick(hardware) + (random(4) ? '' : `*${1 + random(4)}`),
        n_ctx: 2 ** random(21) + random(3) - 1,
        n_seq: maybe(() => 1 + random(16)),
        type_k: pick(kvTypes),
        type_v: pick(kvTypes),
        flash_attn: pick(['auto', 'on', 'off']),
        n_ubatch: maybe(() => 2 ** random(12)),
        n_gpu_layers: maybe(() => random(100)),
        kv_unified: maybe(() => random(2) === 1),
        swa_full: maybe(() => random(2) === 1),
        cpu_moe: maybe(() => true),
        engine_version: maybe(() => pick(['b7324', 'b8200', 'b10256', '0.5.0', '0.7.0'])),
        reserved_gib: maybe(() => random(1000) / 97),
        host_memory_gib: maybe(() => random(512)),
    }));
}

test(`native and WebAssembly agree on ${count} random requests`, async () => {
    const { core } = await loadBuiltCore();
    const requests = randomRequests(core);

    const run = spawnSync(tool, ['estimate', '--batch', '-'], {
        input: requests.map((request) => JSON.stringify(request)).join('\n'),
        encoding: 'utf8',
        maxBuffer: 1 << 30,
    });
    assert.ifError(run.error);
    const lines = run.stdout.trimEnd().split('\n');
    assert.equal(lines.length, count, run.stderr);

    let answered = 0;
    requests.forEach((request, index) => {
        let answer;
        try {
            answer = core.call('estimate', { request });
            ++answered;
        } catch (error) {
            assert.ok(error.details, error.stack);
            const { code, where, message } = error.details;
            answer = { error: { code, where, message } };
        }
        assert.deepStrictEqual(answer, JSON.parse(lines[index]), JSON.stringify(request));
    });
    console.log(`${answered} of ${count} requests were sound; the others were refused alike`);
    assert.ok(answered > count / 2);
});
