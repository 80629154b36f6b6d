#!/usr/bin/env node
// The command line: the same program as build/native/vramscope, as WebAssembly, with the same output.

import path from 'node:path';
import { fileURLToPath } from 'node:url';

import createCommand from './command.mjs';

const data = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
await createCommand({
    arguments: process.argv.slice(2),
    preRun: [(module) => { module.ENV.VRAMSCOPE_DATA = data; }],
});
