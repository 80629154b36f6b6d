// vramscope-offline.zip: node web/zip.mjs [dist] [build/vramscope-offline.zip]. The whole site in one
// file, for a static host or a local server; the same site gives the same bytes.

import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import zlib from 'node:zlib';

import { crc32 } from './icons.mjs';
import { filesBelow } from './seal.mjs';

const readme = `Vramscope, the whole site. Copy this folder to any static host, below any path, or serve it here:

    python3 -m http.server 8080          then open http://127.0.0.1:8080/

Opened as a file it does not run: browsers load WebAssembly and modules from a server only.
`;

/** Names with '/', bytes -> the bytes of a zip file. */
export function zip(files) {
    const parts = [];
    const directory = [];
    let offset = 0;
    for (const [name, bytes] of files) {
        const packed = zlib.deflateRawSync(bytes, { level: 9 });
        const isSmaller = packed.length < bytes.length;
        const data = isSmaller ? packed : bytes;
        const path = Buffer.from(name, 'utf8');
        // Version 2.0, names in UTF-8, 1980-01-01 00:00.
        const common = Buffer.alloc(26);
        common.writeUInt16LE(20, 0);
        common.writeUInt16LE(0x0800, 2);
        common.writeUInt16LE(isSmaller ? 8 : 0, 4);
        common.writeUInt16LE(0x21, 8);
        common.writeUInt32LE(crc32(bytes), 10);
        common.writeUInt32LE(data.length, 14);
        common.writeUInt32LE(bytes.length, 18);
        common.writeUInt16LE(path.length, 22);
        parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, path, data);
        const rest = Buffer.alloc(14);
        rest.writeUInt32LE(0o100644 * 65536, 6); // a plain file
        rest.writeUInt32LE(offset, 10);
        directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, path);
        offset += 30 + path.length + data.length;
    }
    const index = Buffer.concat(directory);
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 0, 'latin1');
    end.writeUInt16LE(files.length, 8);
    end.writeUInt16LE(files.length, 10);
    end.writeUInt32LE(index.length, 12);
    end.writeUInt32LE(offset, 16);
    return Buffer.concat([...parts, index, end]);
}

export async function zipSite(folder, out) {
    const names = (await filesBelow(folder)).filter((name) => !/\.(br|gz)$/.test(name));
    const files = await Promise.all(names.map(async (name) => [`vramscope/${name}`, await fs.readFile(path.join(folder, name))]));
    await fs.mkdir(path.dirname(out), { recursive: true });
    const bytes = zip([['vramscope/README.txt', Buffer.from(readme)], ...files]);
    await fs.writeFile(out, bytes);
    return { files: files.length + 1, bytes: bytes.length };
}

if (process.argv[1] && import.meta.url === pathToFileURL(await fs.realpath(process.argv[1])).href) {
    const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
    const out = path.resolve(process.argv[3] ?? path.join(top, 'build/vramscope-offline.zip'));
    const { files, bytes } = await zipSite(path.resolve(process.argv[2] ?? path.join(top, 'dist')), out);
    console.log(`${out}: ${files} files, ${bytes.toLocaleString('en')} bytes`);
}
