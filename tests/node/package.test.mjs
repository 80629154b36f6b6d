// The npm package (build/npm, made by web/npm.mjs): types that TypeScript accepts, the README's example,
// a bundle, and a command line that prints what the native tool prints.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const tool = path.join(top, 'build/native/vramscope');
const exists = (file) => fs.access(file).then(() => true, () => false);

let room; // an empty project that has the package installed
let installed;
before(async () => {
    room = await fs.mkdtemp(path.join(os.tmpdir(), 'vramscope-package-'));
    installed = path.join(room, 'node_modules/vramscope');
    execFileSync(process.execPath, [path.join(top, 'web/npm.mjs'), '--out', installed], { cwd: top });
    await fs.writeFile(path.join(room, 'package.json'), '{"type": "module"}\n');
});
after(() => fs.rm(room, { recursive: true, force: true }));

const runFile = (name) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(room, name)], { cwd: room, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
};

test('the example of the README runs', async () => {
    const readme = await fs.readFile(path.join(installed, 'README.md'), 'utf8');
    const [, example] = /```js\n(.*?)```/s.exec(readme);
    await fs.writeFile(path.join(room, 'example.mjs'), example);
    const [verdict, gib, answer, models] = runFile('example.mjs').trim().split(/\n(?![ }])/);
    // seeds of tests/reference: GLM-4-9B-0414 in Q4_K_M at 32,768 tokens on 12 GiB fits.
    assert.equal(verdict, 'fits');
    assert.ok(Number(gib) > 6.9 && Number(gib) < 7.6, gib);
    assert.match(answer, /max_context_tokens: \d{6}/);
    assert.ok(Number(models) > 300);
});

test('bundled for Node and for browsers it answers the same', async () => {
    const { build } = await import('esbuild');
    await fs.writeFile(path.join(room, 'project.mjs'), `
        import { readFile } from 'node:fs/promises';
        import { load } from 'vramscope';
        const at = (name) => new URL(name, ${JSON.stringify(pathToFileURL(installed + path.sep).href)});
        const scope = await load({ wasm: await readFile(at('core.wasm')), catalog: await readFile(at('catalog.json'), 'utf8') });
        console.log(scope.estimate({ n_ctx: 8192 }).total_bytes.expected);`);
    await build({ entryPoints: [path.join(room, 'project.mjs')], outfile: path.join(room, 'bundle.mjs'), bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
    await build({ stdin: { contents: 'export * from "vramscope"', resolveDir: room }, outfile: path.join(room, 'browser.mjs'), bundle: true, format: 'esm', platform: 'browser', logLevel: 'error' });
    const { estimate } = await import(pathToFileURL(path.join(installed, 'index.mjs')));
    assert.equal(Number(runFile('bundle.mjs')), (await estimate({ n_ctx: 8192 })).total_bytes.expected);
    const script = await fs.readFile(path.join(room, 'browser.mjs'), 'utf8');
    assert.ok(!/from\s*["']node:/.test(script), 'nothing of Node is imported');
});

test('types: every request field, every figure of real answers, and no other', async () => {
    const { load } = await import(pathToFileURL(path.join(installed, 'index.mjs')));
    const scope = await load();
    const answers = [{}, { engine: 'vllm', hardware: 'h100-80gb' }, { model: 'qwen3-30b-a3b', hardware: 'cpu' }].map((request) => scope.estimate(request));
    const fields = scope.fields();
    const sample = ({ kind, minimum, choices }) => ({ id: '"x"', integer: minimum, real: minimum, boolean: true, choice: JSON.stringify(choices?.[0]), list: '[1, 2]' })[kind];
    await fs.writeFile(path.join(room, 'types.ts'), `
        import { estimate, inspect, load, solve, CoreError, type Estimate, type EstimateRequest } from 'vramscope';
        export const all: Required<EstimateRequest> = { ${fields.map((field) => `${field.key}: ${sample(field)}`).join(', ')} };
        export const answers: Estimate[] = ${JSON.stringify(answers)};
        export const total: number = (await estimate({ model: 'glm-4-9b-0414', n_ctx: 8192 })).total_bytes.expected;
        export const most: number = (await solve('max-context', all)).max_context_tokens;
        export const found: unknown = await inspect(new Blob([]));
        try { (await load()).estimate('?n_ctx=1'); } catch (error) { if (error instanceof CoreError) console.log(error.details.code); }
        // @ts-expect-error a field that there is not
        await estimate({ n_context: 1 });
        // @ts-expect-error a choice that there is not
        await estimate({ engine: 'llama' });
        // @ts-expect-error a question that there is not
        await solve('max');
        // @ts-expect-error a figure that there is not
        console.log((await estimate()).vram_bytes);
    `);
    const tsc = path.join(top, 'node_modules/typescript/bin/tsc');
    const options = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', lib: ['es2022', 'dom'], types: [] };
    await fs.writeFile(path.join(room, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['types.ts'] }));
    const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', room], { cwd: room, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
});

test('inspect() takes a stream and reads no more than the header', async () => {
    const { inspect } = await import(pathToFileURL(path.join(installed, 'index.mjs')));
    const header = JSON.stringify({ 'model.embed_tokens.weight': { dtype: 'BF16', shape: [1000, 64], data_offsets: [0, 128000] } });
    const start = Buffer.alloc(8);
    start.writeBigUInt64LE(BigInt(header.length));
    let given = 0;
    const stream = new ReadableStream({
        pull(controller) {
            const piece = given === 0 ? Buffer.concat([start, Buffer.from(header)]) : Buffer.alloc(64 * 1024);
            given += piece.length;
            controller.enqueue(new Uint8Array(piece));
        },
    });
    const result = await inspect(stream, { name: 'model.safetensors' });
    assert.equal(result.tensor_bytes, 128000);
    assert.ok(given < 1_000_000, `${given} bytes of an endless stream`);
});

const commands = [
    ['--version'],
    ['--help'],
    ['estimate'],
    ['estimate', '--model', 'deepseek-r1', '--hardware', 'h100-80gb*8', '--engine', 'vllm', '--json'],
    ['estimate', '?model=gemma-3-12b-it&n_ctx=65536', '--lang', 'ja'],
    ['estimate', '--model', 'no-such-model'],
    ['estimate', '--n-ctx', 'many', '--json'],
    ['solve', 'max-context', '--artifact', 'Q8_0', '--hardware', 'rtx-4090-24gb'],
    ['advise', '--model', 'llama-3.3-70b-instruct', '--hardware', 'rtx-4090-24gb'],
    ['devices', '--model', 'qwen3-30b-a3b', '--json'],
    ['catalog', 'list', 'hardware'],
    ['catalog', 'show', 'glm-4-9b-0414', '--json'],
    ['inspect', path.join(top, 'tests/node/no-such-file.gguf')],
];
test('the command line prints byte for byte what the native tool prints', async (t) => {
    if (!(await exists(tool))) return t.skip('build/native/vramscope is not built');
    const script = path.join(installed, 'bin/vramscope.mjs');
    for (const args of commands) {
        const [native, wasm] = [[tool, args], [process.execPath, [script, ...args]]].map(([program, list]) =>
            spawnSync(program, list, { cwd: room, encoding: 'buffer' }));
        const name = args.join(' ');
        assert.equal(wasm.stdout.toString(), native.stdout.toString(), name);
        assert.equal(wasm.stderr.toString(), native.stderr.toString(), name);
        assert.equal(wasm.status, native.status, name);
    }
    // Requests by the input, many lines.
    const lines = '{"n_ctx": 4096}\n{"model": "none"}\n{"model": "gemma-3-12b-it", "hardware": "rtx-4090-24gb"}\n';
    const [native, wasm] = [[tool, []], [process.execPath, [script]]].map(([program, list]) =>
        spawnSync(program, [...list, 'estimate', '--batch', '-'], { cwd: room, input: lines, encoding: 'utf8' }));
    assert.equal(wasm.stdout, native.stdout);
    assert.equal(wasm.status, native.status);
});
