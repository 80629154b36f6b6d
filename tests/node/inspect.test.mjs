// The inspection module as WebAssembly: a file of 40 GB is known from its header, read by ranges, in
// a heap that stays small; and the answer is the native tool's.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { InspectError, loadInspector } from '../../web/inspect_files.mjs';
import { llama70b } from '../support/gguf.mjs';

const top = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const build = process.env.VRAMSCOPE_WASM_BUILD ?? path.join(top, 'build/wasm-release');
const tool = process.env.VRAMSCOPE_CLI ?? path.join(top, 'build/native/vramscope');

async function newInspector() {
    const quantization = JSON.parse(await fs.readFile(path.join(top, 'catalog/quantization.json')));
    return loadInspector(quantization.storage_types, {
        url: pathToFileURL(path.join(build, 'inspect.mjs')),
        wasmBinary: await fs.readFile(path.join(build, 'inspect.wasm')),
    });
}

test('a file of 40 GB is read by its header, as the native tool reads it', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'vramscope-'));
    try {
        const { header, fileBytes } = llama70b();
        const file = path.join(folder, 'seventy.gguf');
        await fs.writeFile(file, header);
        await fs.truncate(file, fileBytes); // sparse: a few MB on the disk
        const handle = await fs.open(file);
        const inspector = await newInspector();
        const start = performance.now();
        const kind = await inspector.read('seventy.gguf', fileBytes, async (offset, length) => {
            const bytes = new Uint8Array(length);
            const { bytesRead } = await handle.read(bytes, 0, length, offset);
            return bytes.subarray(0, bytesRead);
        });
        const result = inspector.result();
        const milliseconds = performance.now() - start;
        await handle.close();
        console.log(`${(fileBytes / 1e9).toFixed(2)} GB, header ${header.length} bytes: read ` +
            `${inspector.bytesRead} bytes in ${milliseconds.toFixed(0)} ms, heap ` +
            `${(inspector.heapBytes / 2 ** 20).toFixed(1)} MiB`);
        assert.ok(fileBytes > 39e9);
        assert.equal(kind, 'model');
        assert.equal(result.parameters, 70_553_706_496);
        assert.equal(result.shape_equals_tensors, true);
        assert.equal(result.architecture.layers[0].count, 80);
        assert.ok(inspector.bytesRead < header.length + 2 * 256 * 1024);
        assert.ok(inspector.heapBytes <= 24 * 2 ** 20);
        assert.ok(milliseconds < 5000);

        const native = spawnSync(tool, ['inspect', file, '--json'], { encoding: 'utf8' });
        assert.ifError(native.error);
        const { entry, wanted, model, fields, ...rest } = result;
        assert.deepStrictEqual(rest, JSON.parse(native.stdout));
        assert.deepStrictEqual(wanted, []);
        assert.equal(entry.id, 'seventy');
        assert.match(model, /^\(name:Seventy,architecture:\(/);
        assert.equal(fields, 'artifact=file');
    } finally {
        await fs.rm(folder, { recursive: true });
    }
});

test('a config alone, several files, and what is broken', async () => {
    const bytesOf = (text) => async (offset, length) =>
        new TextEncoder().encode(text).subarray(offset, offset + length);
    const config = JSON.stringify({
        model_type: 'qwen3', hidden_size: 1024, num_hidden_layers: 28, head_dim: 128,
        num_attention_heads: 16, num_key_value_heads: 8, intermediate_size: 3072,
        vocab_size: 151936, tie_word_embeddings: true, max_position_embeddings: 40960,
    });
    for (const size of [config.length, undefined]) {
        const inspector = await newInspector();
        assert.equal(await inspector.read('config.json', size, bytesOf(config)), 'config');
        assert.equal(inspector.result().parameters, 596_049_920); // Qwen3-0.6B as published
    }
    const inspector = await newInspector();
    await assert.rejects(inspector.read('a.gguf', 5, bytesOf('<html')), InspectError);
    await assert.rejects(inspector.read('b.gguf', undefined, bytesOf('GG')), /breaks off at byte 2/);
    const index = JSON.stringify({ weight_map: { a: 'm-00001-of-00002.safetensors' } });
    assert.equal(await inspector.read('i.json', index.length, bytesOf(index)), 'safetensors index');
    assert.deepStrictEqual(inspector.result().wanted, ['m-00001-of-00002.safetensors']);
    assert.deepStrictEqual(inspector.wanted, ['m-00001-of-00002.safetensors']);
});
