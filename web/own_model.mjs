// The dialog for a model that is in no catalog: files from this machine, or a link. It reads headers,
// says what they hold, and gives the model to the page. Loaded when somebody asks for it; it sends no
// request of its own before a button is pressed, and says whom that button asks.

import { blobBytes, InspectError, loadInspector } from './inspect_files.mjs';
import { RemoteError, RemoteFile, remoteText } from './remote_files.mjs';

/** h('p', {class: 'dim'}, 'text', child …); `on*` props are listeners, empty ones are left out. */
function h(tag, props, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(props ?? {})) {
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else if (value !== undefined && value !== '' && value !== false) element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.flat().filter((child) => child !== undefined && child !== ''));
    return element;
}

/**
 * @param {object} page {at(file): its address, act(action), copy(text), language(): what is spoken}
 * @returns {Promise<{open, take, overlay}>}
 */
export async function createOwnModel({ at, act, copy, language }) {
    async function fetched(file) {
        const response = await fetch(at(file));
        if (!response.ok) throw new Error(`${file}: HTTP ${response.status}`);
        return response;
    }
    const json = async (file) => (await fetched(file)).json();
    const style = h('link', { rel: 'stylesheet', href: at('own_model.css') });
    const styled = new Promise((resolve) => {
        style.onload = style.onerror = resolve;
    });
    document.head.append(style);
    const [hubs, formats] = await Promise.all([json('hubs.json'), json('storage-types.json'), styled]);
    const spoken = new Map();
    let texts = {};
    const dialog = h('dialog', { id: 'own-model', 'aria-labelledby': 'own-title' });
    const overlay = h('div', { id: 'drop-overlay', hidden: true, 'aria-hidden': 'true' });
    document.body.append(dialog, overlay);

    const say = (key, ...values) =>
        values.reduce((text, value, i) => text.replaceAll(`{${i}}`, value), texts[`inspect.${key}`] ?? key);
    const number = (value, decimals = 0) =>
        value.toLocaleString(language(), { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    const size = (bytes) =>
        bytes >= 2 ** 30 * 0.1 ? `${number(bytes / 2 ** 30, 2)}\u00a0GiB`
            : bytes >= 2 ** 20 * 0.1 ? `${number(bytes / 2 ** 20, 2)}\u00a0MiB` : `${number(bytes / 1024, 1)}\u00a0KiB`;

    async function speak() {
        const wanted = language();
        if (!spoken.has(wanted)) {
            spoken.set(wanted, await json(`locales/inspect/${wanted}.json`).catch(() => json('locales/inspect/en.json')));
        }
        texts = spoken.get(wanted);
        overlay.replaceChildren(h('p', null, say('overlay')), h('small', null, say('drop_hint')));
    }

    let run; // the reading that is under way or done: {inspector, abort, …}
    let previous; // what had the focus before

    function close() {
        run?.abort.abort();
        run = undefined;
        dialog.close();
    }
    dialog.addEventListener('close', () => {
        run?.abort.abort();
        run = undefined;
        // Chromium can leave the page behind a closed dialog inert until its style is computed anew.
        document.body.inert = true;
        document.body.getBoundingClientRect();
        document.body.inert = false;
        previous?.focus?.();
    });

    function show(...content) {
        const title = h('h2', { id: 'own-title', tabindex: -1 }, say('title'));
        const head = h('header', null, title,
            h('button', { type: 'button', class: 'quiet', 'data-key': 'own-close', 'aria-label': say('close'), onclick: close }, '✕'));
        dialog.replaceChildren(head, ...content.flat().filter(Boolean));
        if (!dialog.open) {
            previous = document.activeElement;
            dialog.showModal();
        }
        return title;
    }

    const picker = () => {
        const input = h('input', { type: 'file', multiple: true, class: 'visually-hidden', tabindex: -1, 'aria-hidden': 'true', 'data-key': 'own-files',
            onchange: () => input.files.length > 0 && readFiles([...input.files]) });
        return input;
    };

    /** The first step: files or a link. `problem` is what went wrong before. */
    function ask({ link = '', problem, retry } = {}) {
        const files = picker();
        const host = h('small', { id: 'own-host', 'aria-live': 'polite' });
        const input = h('input', {
            id: 'own-link', type: 'text', inputmode: 'url', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', value: link,
            'data-key': 'own-link', 'aria-describedby': 'own-link-hint own-host', oninput: () => say_host(),
        });
        input.value = link;
        const go = h('button', { type: 'submit', class: 'primary', 'data-key': 'own-read' }, say('read'));
        let linker;
        const say_host = async () => {
            const text = input.value;
            linker ??= newInspector();
            let line = '';
            try {
                if (text.trim()) line = say('asks', (await linker).link(text, hubs).host);
            } catch (error) {
                line = error instanceof InspectError ? '' : String(error.message);
            }
            if (input.value === text) host.textContent = line;
        };
        const form = h('form', { class: 'own-link', onsubmit: (event) => {
            event.preventDefault();
            if (input.value.trim()) readLink(input.value);
        } },
        h('label', { for: 'own-link' }, say('link_label')),
        h('div', { class: 'own-row' }, input, go),
        h('small', { id: 'own-link-hint' }, say('link_hint')), host);
        show(
            problem ? h('p', { class: 'own-problem', role: 'alert', 'data-problem': problem.code }, problem.text) : '',
            problem && retry ? h('div', null, h('button', { type: 'button', 'data-key': 'own-retry', onclick: retry }, say('retry'))) : '',
            h('div', { class: 'own-drop' },
                h('p', null, say('drop')),
                h('button', { type: 'button', 'data-key': 'own-choose', onclick: () => files.click() }, say('choose')), files,
                h('small', null, say('drop_hint')),
                h('small', { class: 'own-private' }, say('private'))),
            form,
        );
        if (link) say_host();
        input.focus();
    }

    // As bytes: some hosts serve .wasm with a type that streaming compilation refuses.
    let wasm;
    async function newInspector() {
        wasm ??= fetched('inspect.wasm').then((response) => response.arrayBuffer());
        wasm.catch(() => { wasm = undefined; });
        return loadInspector(formats, { url: at('inspect.js'), wasmBinary: await wasm });
    }

    /** Starts a reading; ends the one before. */
    function begin() {
        run?.abort.abort();
        run = { abort: new AbortController(), started: performance.now(), received: 0, total: 0, hosts: new Set() };
        return run;
    }

    function progress(mine, line) {
        if (mine !== run) return;
        if (mine.line) {
            mine.line.textContent = line;
            mine.bar.value = mine.received;
            return;
        }
        mine.line = h('p', { id: 'own-progress', role: 'status' }, line);
        mine.bar = h('progress', { 'aria-labelledby': 'own-progress' });
        const cancel = h('button', { type: 'button', 'data-key': 'own-cancel', onclick: () => {
            mine.abort.abort();
            run = undefined;
            ask({ link: mine.link ?? '', problem: { code: 'cancelled', text: say('error.cancelled') }, retry: mine.again });
        } }, say('cancel'));
        show(mine.line, mine.bar, h('div', null, cancel));
        mine.bar.removeAttribute('value');
        cancel.focus();
    }

    function words(error) {
        if (error instanceof RemoteError) {
            return { code: error.code, text: say(`error.${error.code.replace('-', '_')}`, error.host, error.status ?? '', error.url) };
        }
        if (error instanceof InspectError) {
            const { code } = error.details;
            const key = `error.${code.replaceAll('-', '_')}`;
            const text = texts[`inspect.${key}`] ? say(key, error.details.where) : say('error.file', error.message);
            return { code, text };
        }
        return { code: 'unexpected', text: say('error.file', error.message ?? String(error)) };
    }

    /** Runs `work`, and shows what went wrong when something does. */
    async function attempt(mine, work) {
        try {
            await work();
        } catch (error) {
            if (mine !== run || mine.abort.signal.aborted) return;
            if (!(error instanceof RemoteError || error instanceof InspectError)) console.error(error);
            run = undefined;
            ask({ link: mine.link ?? '', problem: words(error), retry: mine.again });
        }
    }

    function readFiles(files) {
        // More files for what has been read already: a projector, an adapter, further parts.
        const known = run?.done ? run.files : [];
        const mine = begin();
        mine.files = [...known.filter((old) => !files.some((file) => file.name === old.name)), ...files];
        mine.again = () => readFiles(files);
        return attempt(mine, async () => {
            const kinds = await readAll(mine);
            const drafts = secondModels(mine.files, kinds);
            if (drafts.length > 0) {
                mine.files = mine.files.filter((file) => !drafts.includes(file));
                mine.drafts = drafts.map(({ name }) => name);
                await readAll(mine);
            }
            found(mine);
        });
    }

    async function readAll(mine) {
        Object.assign(mine, { inspector: await newInspector(), received: 0, total: 0 });
        const kinds = new Map();
        for (const [i, file] of mine.files.entries()) {
            progress(mine, say('reading', file.name, i + 1, mine.files.length));
            const bytes = blobBytes(file);
            kinds.set(file, await mine.inspector.read(file.name, file.size, async (offset, length) => {
                if (mine.abort.signal.aborted) throw new DOMException('cancelled', 'AbortError');
                const piece = await bytes(offset, length);
                mine.received += piece.length;
                return piece;
            }));
            mine.total += file.size;
        }
        return kinds;
    }

    /** Of several GGUF models the largest counts; a smaller one beside it drafts for it. */
    function secondModels(files, kinds) {
        const stem = ({ name }) => name.replace(/-\d{5}-of-\d{5}(?=\.gguf$)/, '');
        const sizes = new Map();
        for (const file of files) if (kinds.get(file) === 'model') sizes.set(stem(file), (sizes.get(stem(file)) ?? 0) + file.size);
        const [largest] = [...sizes].sort((a, b) => b[1] - a[1])[0] ?? [];
        return files.filter((file) => kinds.get(file) === 'model' && stem(file) !== largest);
    }

    function readLink(text) {
        const mine = begin();
        mine.link = text;
        mine.again = () => readLink(text);
        return attempt(mine, async () => {
            const inspector = await newInspector();
            const link = inspector.link(text, hubs);
            if (!link.list_url) return readRemote(mine, inspector, link.files);
            progress(mine, say('listing', link.host));
            let entries;
            let list = '';
            for (let next = link.list_url, pages = 0; next && pages < 20; ++pages) {
                const answer = await remoteText(next, { accept: link.accept, signal: mine.abort.signal, quiet: quiet() });
                list = answer.text;
                if (answer.next || entries) (entries ??= []).push(...JSON.parse(list));
                next = answer.next && new URL(answer.next).host === link.host ? answer.next : undefined;
            }
            const { choices, picked } = inspector.choices(text, hubs, entries ? JSON.stringify(entries) : list);
            if (picked >= 0) return readRemote(mine, inspector, choices[picked].files);
            choose(mine, inspector, choices);
        });
    }

    function choose(mine, inspector, choices) {
        if (mine !== run) return;
        const models = choices.filter(({ kind }) => kind !== 'projector' && kind !== 'adapter');
        const others = choices.filter(({ kind }) => kind === 'projector' || kind === 'adapter');
        const name = (choice) => (choice.kind === 'safetensors' ? `Safetensors${choice.label === 'safetensors' ? '' : ` ${choice.label}`}` : choice.label);
        const along = others.map((choice) => {
            const box = h('input', { type: 'checkbox', 'data-key': `own-along ${choice.label}` });
            return { choice, box, label: h('label', null, box, name(choice), h('small', null, choice.bytes > 0 ? size(choice.bytes) : '')) };
        });
        const pick = (choice) => {
            const files = [...choice.files, ...along.filter(({ box }) => box.checked).flatMap(({ choice: other }) => other.files)];
            Object.assign(mine, { line: undefined, started: performance.now() });
            mine.again = () => {
                const next = begin();
                next.link = mine.link;
                attempt(next, async () => readRemote(next, await newInspector(), files));
            };
            attempt(mine, () => readRemote(mine, inspector, files));
        };
        const title = show(
            h('h3', { id: 'own-which' }, say('which', number(models.length))),
            along.length > 0 ? h('fieldset', { class: 'own-along' }, h('legend', null, say('along')), along.map(({ label }) => label)) : '',
            h('ul', { class: 'own-choices', 'aria-labelledby': 'own-which' }, (models.length > 0 ? models : others).map((choice) =>
                h('li', null, h('button', { type: 'button', 'data-key': `own-pick ${choice.label}`, onclick: () => pick(choice) },
                    h('span', null, name(choice)), h('small', null, choice.bytes > 0 ? size(choice.bytes) : ''))))),
        );
        title.focus();
    }

    async function readRemote(mine, inspector, files) {
        mine.inspector = inspector;
        const todo = [...files];
        const seen = new Set();
        for (let i = 0; i < todo.length; ++i) {
            const { name, url, bytes, optional } = todo[i];
            if (seen.has(url)) continue;
            seen.add(url);
            if (new URL(url).protocol === 'http:' && location.protocol === 'https:') throw new RemoteError('insecure', url);
            const tell = () => progress(mine, say('reading_from', name, i + 1, todo.length, new URL(url).host, size(mine.received)));
            tell();
            const remote = new RemoteFile(url, {
                size: bytes, signal: mine.abort.signal, quiet: quiet(),
                onBytes(count) {
                    mine.received += count;
                    tell();
                },
            });
            try {
                // The size may only be known after the first answer: the first piece is asked for ahead.
                const first = await remote.read(0, 256 * 1024);
                await inspector.read(name, remote.size, async (offset, length) =>
                    offset === 0 ? first.subarray(0, length)
                        : offset < first.length ? first.subarray(offset, offset + length) : remote.read(offset, length));
            } catch (error) {
                if (!(optional && error instanceof RemoteError && error.code === 'missing')) throw error;
                continue;
            } finally {
                remote.close();
                mine.hosts.add(remote.redirected ?? new URL(url).host);
            }
            mine.total += remote.size ?? 0;
            mine.wholeFile ||= remote.wholeFile;
            // An index names its shards.
            for (const wanted of inspector.wanted) {
                const beside = new URL(wanted.split('/').map(encodeURIComponent).join('/'), url).href;
                if (!todo.some((file) => file.url === beside || file.name === wanted)) todo.push({ name: wanted, url: beside });
            }
        }
        found(mine);
    }

    function table(caption, columns, rows) {
        return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': caption },
            h('table', null, h('caption', null, caption),
                h('thead', null, h('tr', null, columns.map((column, i) => h('th', { scope: 'col', class: i > 0 ? 'number' : '' }, column)))),
                h('tbody', null, rows.map((row) => h('tr', null, row.map((cell, i) =>
                    i === 0 ? h('th', { scope: 'row' }, cell) : h('td', { class: 'number' }, cell)))))));
    }

    /** The last step: what the files hold. */
    function found(mine) {
        if (mine !== run) return;
        const result = mine.inspector.result();
        const seconds = (performance.now() - mine.started) / 1000;
        mine.done = true;
        mine.files ??= [];
        const facts = [
            ['architecture', result.architecture_name],
            ['parameters', result.parameters > 0 ? number(result.parameters) : ''],
            ['weights', result.tensor_bytes > 0 ? `${size(result.tensor_bytes)} (${number(result.tensor_bytes)}\u00a0B)` : ''],
            ['quantization', result.quantization_name],
            ['projector', result.projector_bytes ? size(result.projector_bytes) : ''],
            ['adapter', result.adapter_bytes ? size(result.adapter_bytes) : ''],
            ['context', result.architecture?.native_context ? number(result.architecture.native_context) : ''],
        ].filter(([, value]) => value);
        const notes = [
            !result.model ? say('no_architecture') : '',
            result.model && result.shape_equals_tensors === false ? say('not_explained') : '',
            result.wanted.length > 0 ? say('missing_files', result.wanted.join(', ')) : '',
            mine.drafts ? say('draft', mine.drafts.join(', ')) : '',
            mine.wholeFile ? say('no_ranges') : '',
            ...result.notes,
        ].filter(Boolean);
        const entry = `${JSON.stringify(result.entry, null, 2)}\n`;
        const copied = h('button', { type: 'button', 'data-key': 'own-copy', onclick: async () => {
            if (await copy(entry)) copied.textContent = say('copied');
        } }, say('copy'));
        const use = result.model && h('button', { type: 'button', class: 'primary', 'data-key': 'own-use', onclick: () => {
            // The model first; files of another one do not belong to it.
            const fields = new URLSearchParams({ model: result.model, artifact: '', mmproj: '' });
            for (const [key, value] of new URLSearchParams(result.fields)) fields.set(key, value);
            act({ kind: 'set_fields', value: fields.toString() });
            close();
        } }, say('use'));
        const more = picker();
        const title = show(
            h('h3', { 'data-key': 'own-name' }, result.name),
            h('dl', { class: 'facts' }, facts.flatMap(([key, value]) => [h('dt', null, say(key)), h('dd', { 'data-fact': key }, value)])),
            result.model && result.shape_equals_tensors ? h('p', { class: 'own-exact' }, say('explained')) : '',
            notes.map((note) => h('p', { class: 'own-note', 'data-note': true }, note)),
            h('div', { class: 'own-row' }, use || '',
                mine.link === undefined ? h('button', { type: 'button', 'data-key': 'own-more', onclick: () => more.click() }, say('more')) : '', more,
                h('button', { type: 'button', 'data-key': 'own-another', onclick: () => {
                    run = undefined;
                    ask();
                } }, say('another'))),
            result.types.length > 0 ? h('details', { open: true }, h('summary', null, say('types')),
                table(say('types'), [say('type'), say('tensors'), say('parameters'), say('bytes')],
                    result.types.map((group) => [group.name, number(group.tensors), number(group.parameters), size(group.bytes)]))) : '',
            h('details', null, h('summary', null, say('files')),
                table(say('files'), [say('file'), say('kind'), say('tensors'), say('bytes')],
                    result.files.map((file) => [file.name, `${file.kind}${file.detail ? `, ${file.detail}` : ''}`, number(file.tensors), file.bytes > 0 ? size(file.bytes) : '']))),
            h('details', null, h('summary', { 'data-key': 'own-entry' }, say('entry')),
                h('p', { class: 'dim' }, say('entry_hint')),
                h('pre', { tabindex: 0, 'aria-label': say('entry') }, entry),
                h('div', { class: 'own-row' }, copied,
                    h('a', { class: 'button', download: `${result.entry.id ?? 'model'}.json`, href: URL.createObjectURL(new Blob([entry], { type: 'application/json' })) }, say('download')))),
            h('p', { class: 'dim', 'data-key': 'own-cost' },
                say('cost', size(mine.received), mine.total > 0 ? size(mine.total) : '?', number(seconds, 2)),
                mine.hosts.size > 0 ? ` ${say('from', [...mine.hosts].join(', '))}` : ` ${say('private')}`),
        );
        Object.assign(dialog.dataset, { bytesRead: mine.received, milliseconds: Math.round(seconds * 1000), heap: mine.inspector.heapBytes });
        (use || title).focus();
    }

    // Tests do not wait half a minute for a host that says nothing.
    const quiet = () => Number(hubs.quiet_ms) || 30_000;

    await speak();
    return {
        /** Asks for files or a link. */
        async open() {
            await speak();
            if (!dialog.open) ask();
        },
        /** Reads what was dropped or pasted; a pasted link waits for the button. */
        async take({ files = [], link = '' }) {
            await speak();
            overlay.hidden = true;
            if (files.length > 0) return readFiles(files);
            if (link) ask({ link });
        },
        /** While files hang over the page. */
        overlay(shown) {
            overlay.hidden = !shown;
            // Above an open dialog too.
            (dialog.open ? dialog : document.body).append(overlay);
        },
    };
}
