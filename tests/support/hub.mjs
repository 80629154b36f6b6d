// A hub played on this machine: lists, files by range behind a redirect, and everything that can go
// wrong, told by the first part of the path.

import http from 'node:http';

import { llama70b, projector, smallModel } from './gguf.mjs';

/** A file of that size with these first bytes and nothing behind them. */
const sparse = ({ header, fileBytes }) => ({
    size: fileBytes,
    slice: (from, to) => {
        const bytes = Buffer.alloc(to - from);
        if (from < header.length) header.copy(bytes, 0, from, Math.min(to, header.length));
        return bytes;
    },
});
const whole = (text) => sparse({ header: Buffer.from(text), fileBytes: Buffer.byteLength(text) });

export const config = JSON.stringify({
    model_type: 'qwen3', hidden_size: 1024, num_hidden_layers: 28, head_dim: 128, num_attention_heads: 16,
    num_key_value_heads: 8, intermediate_size: 3072, vocab_size: 151936, tie_word_embeddings: true,
    max_position_embeddings: 40960,
});

/**
 * @returns {Promise<{url, elsewhere, hubs, requests: [{url, range}], bytesSent, close}>} `hubs` is
 *     catalog/hubs.json with this server's address; `elsewhere` serves the same on a host that is no hub
 */
export async function startHub(hubs) {
    const large = sparse(llama70b());
    const files = {
        'Seventy-Q4_K_M.gguf': large,
        'Little-F16.gguf': sparse(smallModel()),
        'mmproj-Little-F16.gguf': sparse(projector()),
        'config.json': whole(config),
        'README.md': whole('# A model'),
    };
    const repos = {
        'org/two': ['Seventy-Q4_K_M.gguf', 'Little-F16.gguf', 'mmproj-Little-F16.gguf', 'README.md'],
        'org/one': ['Little-F16.gguf'],
        'org/config': ['config.json'],
        'org/none': ['README.md'],
    };
    const hub = { requests: [], bytesSent: 0 };
    const waiting = new Set();

    function send(request, response, file, ranges = true) {
        const [, from, to] = (ranges && request.headers.range?.match(/bytes=(\d+)-(\d+)/)) || [];
        if (from === undefined) {
            response.writeHead(200, { 'Content-Length': file.size, 'Content-Type': 'application/octet-stream' });
            // As much as is taken, in pieces.
            let at = 0;
            const more = () => {
                while (at < file.size && !response.destroyed) {
                    const piece = file.slice(at, Math.min(file.size, at + 65536));
                    at += piece.length;
                    hub.bytesSent += piece.length;
                    if (!response.write(piece)) return response.once('drain', more);
                }
                response.end();
            };
            return more();
        }
        if (Number(from) >= file.size) {
            response.writeHead(416, { 'Content-Range': `bytes */${file.size}` });
            return response.end();
        }
        const end = Math.min(Number(to) + 1, file.size);
        const bytes = file.slice(Number(from), end);
        hub.bytesSent += bytes.length;
        response.writeHead(206, { 'Content-Range': `bytes ${from}-${end - 1}/${file.size}`, 'Content-Length': bytes.length, 'Content-Type': 'application/octet-stream' });
        return response.end(bytes);
    }

    const answer = (request, response) => {
        const path = decodeURIComponent(request.url.split('?')[0]);
        hub.requests.push({ url: path, range: request.headers.range });
        const [, first, ...rest] = path.split('/');
        if (first !== 'no-cors') {
            response.setHeader('Access-Control-Allow-Origin', '*');
            response.setHeader('Access-Control-Expose-Headers', 'Content-Range, Link');
            response.setHeader('Access-Control-Allow-Headers', 'Range');
        }
        const name = rest.at(-1);
        const status = (code, text = 'no') => response.writeHead(code, { 'Content-Type': 'text/plain' }).end(text);
        if (request.method === 'OPTIONS') return status(204, '');
        if (first === 'api') {
            const repo = rest.slice(1, 3).join('/');
            if (repo === 'org/gated') return status(401);
            if (!repos[repo]) return status(404);
            const list = repos[repo].map((path) => ({ type: 'file', path, size: files[path].size }));
            return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(list));
        }
        if (first === 'org') return response.writeHead(302, { Location: `/cdn/${name}` }).end();
        if (first === 'v2' && rest[2] === 'manifests') {
            if (rest[1] !== 'little') return status(404);
            const layer = (kind, file) => ({ mediaType: `application/vnd.ollama.image.${kind}`, digest: `sha256:${file}`, size: 1 });
            return response.writeHead(200).end(JSON.stringify({ layers: [layer('model', 'Little-F16.gguf'), layer('projector', 'mmproj-Little-F16.gguf'), layer('license', 'x')] }));
        }
        if (first === 'v2' && rest[2] === 'blobs') return send(request, response, files[name.replace('sha256:', '')]);
        if (first === 'gated') return status(403);
        if (first === 'busy') return status(429);
        if (first === 'broken') return status(503);
        if (first === 'page') return response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><p>Hello');
        if (first === 'slow') return waiting.add(response);
        if (first === 'truncated') {
            response.writeHead(206, { 'Content-Range': `bytes 0-262143/${large.size}`, 'Content-Length': 262144 });
            response.write(large.slice(0, 1000));
            return setTimeout(() => response.destroy(), 20);
        }
        if (first === 'cut') return send(request, response, whole(files['Little-F16.gguf'].slice(0, 3000).toString('latin1')));
        const file = files[name];
        if (!file || !['cdn', 'no-ranges', 'no-cors'].includes(first)) return status(404);
        return send(request, response, file, first !== 'no-ranges');
    };
    // The second one is no hub: what is linked there are files.
    const servers = [http.createServer(answer), http.createServer(answer)];
    const [url, elsewhere] = await Promise.all(servers.map((server) => new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
    })));
    const here = (place) => ({ ...place, host: url, also: [] });
    return Object.assign(hub, {
        url,
        elsewhere,
        hubs: { ...hubs, huggingface: here(hubs.huggingface), ollama: { ...here(hubs.ollama), host: url } },
        close: async () => {
            for (const response of waiting) response.destroy();
            await Promise.all(servers.map((server) => new Promise((resolve) => {
                server.close(resolve);
                server.closeAllConnections?.();
            })));
        },
    });
}
