// Keeps one whole version of the page and serves it, with or without a network. A version is what
// seal.mjs found in the site when it was built: names and hashes. It is taken only when every file has
// the hash it should have, so a site that is half replaced is never kept, and versions never mix. A
// newer one waits until somebody accepts it or the last page of the old one is closed.

/* global PRECACHE -- filled in by seal.mjs: {version, files: {name: base64 of its SHA-384}} */
const { version, files } = PRECACHE;
const scope = new URL('.', self.location.href).href;
const family = `vramscope ${scope} `; // other sites may live on the same host
const cacheName = family + version;

self.addEventListener('install', (event) => event.waitUntil(fill()));
self.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
self.addEventListener('message', ({ data }) => { if (data === 'use') self.skipWaiting(); });
self.addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.method !== 'GET' || !request.url.startsWith(scope)) return;
    const name = decodeURI(new URL(request.url).pathname.slice(new URL(scope).pathname.length)) || 'index.html';
    if (Object.hasOwn(files, name)) event.respondWith(kept(name));
});

async function fill() {
    const cache = await caches.open(cacheName);
    try {
        await Promise.all(Object.keys(files).map(async (name) => cache.put(scope + name, await verified(name))));
    } catch (error) {
        await caches.delete(cacheName);
        throw error;
    }
}

async function kept(name) {
    const cache = await caches.open(cacheName);
    return (await cache.match(scope + name)) ?? verified(name);
}

/** The file from the network, if it is the one of this version. */
async function verified(name) {
    const response = await fetch(scope + name, { cache: 'no-cache' });
    if (!response.ok) throw new Error(`${name}: HTTP ${response.status}`);
    const bytes = await response.arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes));
    if (btoa(String.fromCharCode(...hash)) !== files[name]) throw new Error(`${name} is of another version`);
    const headers = new Headers(response.headers);
    for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name); // of what was sent
    return new Response(bytes, { headers });
}

async function dropOthers() {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(family) && name !== cacheName).map((name) => caches.delete(name)));
}
