// Starts the page: fetches module, catalog and texts side by side, gives them to the module, and keeps
// address, theme, language and the text version in step with it. When something is missing the page
// says what, in the reader's language, and stays as useful as it can be.

import { SecondPart } from './second_part.mjs';
import { createTwin } from './twin.mjs';

const languages = ['en', 'de', 'es', 'fr', 'pt', 'ja', 'ko', 'zh'];
const root = document.documentElement;
const byId = (id) => document.getElementById(id);
// With the version behind it: no cache on the way mixes files of two versions.
const at = (file) => new URL(`${file}?v=${SITE_VERSION}`, import.meta.url).href;

let texts = {}; // of the language that is shown
let app; // the module
let rest; // of the module and the catalog: a promise of whether it came
let firstAnswer;
const answered = new Promise((resolve) => { firstAnswer = resolve; });
const textsOf = new Map(); // languages that are here
const asksFor = new URLSearchParams(location.search).get('embed');
const layout = ['full', 'compact'].includes(asksFor) ? asksFor : undefined; // in a frame of another page
let host; // what that page is told (embed_frame.mjs)

/** Texts with {0} filled in. */
const say = (key, ...values) => values.reduce((text, value, i) => text.replaceAll(`{${i}}`, value), texts[key] ?? key);

const remembered = {
    get(key) {
        if (layout) return null; // a frame follows the page around it
        try { return localStorage.getItem(`vramscope.${key}`); } catch { return null; }
    },
    set(key, value) {
        if (layout) return;
        try { localStorage.setItem(`vramscope.${key}`, value); } catch { /* private browsing */ }
    },
};

/** ?lang=, then what was chosen here before, then the browser's order. */
function chooseLanguage() {
    const wanted = [new URLSearchParams(location.search).get('lang'), remembered.get('language'), ...(navigator.languages ?? [])];
    return wanted.map((tag) => tag?.toLowerCase().split(/[-_]/)[0]).find((tag) => languages.includes(tag)) ?? 'en';
}

async function fetched(file) {
    const response = await fetch(at(file));
    if (!response.ok) throw new Error(`${file}: HTTP ${response.status}`);
    return response;
}
const text = async (file) => (await fetched(file)).text();

// Some hosts serve .wasm with a type that streaming compilation refuses.
async function compiled(file) {
    const response = await fetched(file);
    return response.headers.get('Content-Type')?.startsWith('application/wasm')
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
}

/** A line above everything: what went wrong and, when it may help, a button to try again. */
function notice(message, retry) {
    let line = byId('notice');
    if (!message) return line?.remove();
    if (!line) {
        line = Object.assign(document.createElement('p'), { id: 'notice' });
        line.setAttribute('role', 'alert');
        document.body.prepend(line);
    }
    line.textContent = message;
    if (!retry) return;
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: say('page.retry') });
    button.addEventListener('click', () => location.reload());
    line.append(button);
}

function fail(key, error) {
    console.error(error);
    byId('status')?.replaceChildren();
    notice(say(key, error.message ?? error), true);
    host?.failed(error.message ?? String(error));
}

/** Calls an exported function with texts; what it answers is an error as JSON or nothing. */
function call(name, value) {
    const bytes = new TextEncoder().encode(value);
    const input = app._malloc(bytes.length + 1);
    app.HEAPU8.set(bytes, input);
    app.HEAPU8[input + bytes.length] = 0;
    const output = app[name](input, bytes.length);
    app._free(input);
    if (!output || name === '_vs_app_start') return output;
    const answer = new TextDecoder().decode(app.HEAPU8.subarray(output, app.HEAPU8.indexOf(0, output)));
    app._free(output);
    return JSON.parse(answer);
}
const act = (action) => call('_vs_app_action', JSON.stringify(action));

async function copy(value) {
    try {
        await navigator.clipboard.writeText(value);
        return true;
    } catch {
        // Without HTTPS there is only the old way; it needs a selection.
        const field = Object.assign(document.createElement('textarea'), { value, className: 'visually-hidden' });
        document.body.append(field);
        field.select();
        const done = document.execCommand('copy');
        field.remove();
        return done;
    }
}

// `whole`: with the texts that the first answer to a plain address does without.
async function loadLanguage(language, whole) {
    const [json, more] = await Promise.all([text(`locales/${language}.json`), whole && text(`locales/more/${language}.json`)]);
    const all = { ...JSON.parse(json), ...(more && JSON.parse(more)) };
    textsOf.set(language, all);
    return all;
}

/** The rest of a language's texts: of tabs and drawers that are not open at first. */
async function loadMoreTexts(language) {
    const all = { ...textsOf.get(language), ...JSON.parse(await text(`locales/more/${language}.json`)) };
    textsOf.set(language, all);
    if (texts.language === language) texts = all;
    call('_vs_app_locale', JSON.stringify(all));
}

/** The page's address without what belongs to the reader. */
function link() {
    const address = new URL(layout ? `?${query ?? ''}` : '', location.href);
    for (const own of ['lang', 'theme']) address.searchParams.delete(own);
    address.hash = '';
    return address.href;
}

let own; // the dialog for files and links: a promise
function ownModel() {
    own ??= import(at('own_model.js')).then(({ createOwnModel }) => createOwnModel({ at, act, copy, language: () => root.lang }));
    own.catch((error) => {
        own = undefined;
        notice(say('page.error.wasm', error.message));
    });
    return own;
}

// Files and links may be dropped anywhere, and pasted wherever no text is being written.
function takeModels() {
    const carries = ({ dataTransfer }) => ['Files', 'text/uri-list'].some((type) => dataTransfer?.types.includes(type));
    const given = (data) => ({ files: [...(data?.files ?? [])], link: data?.getData('text/uri-list') || data?.getData('text/plain').trim() || '' });
    for (const type of ['dragenter', 'dragover', 'dragleave', 'drop']) {
        addEventListener(type, (event) => {
            if (!carries(event)) return;
            event.preventDefault();
            if (type === 'drop') {
                const what = given(event.dataTransfer);
                ownModel().then((dialog) => dialog.take(what), () => {});
            } else if (type !== 'dragover' && (type === 'dragenter' || !event.relatedTarget)) {
                ownModel().then((dialog) => dialog.overlay(type === 'dragenter'), () => {});
            }
        });
    }
    addEventListener('paste', (event) => {
        const what = given(event.clipboardData);
        const writing = event.target.closest?.('input, textarea, dialog') || document.activeElement?.matches('input, textarea');
        const link = /^(https?:\/\/|hf:|ollama )\S|^[\w-][\w.-]*\/[\w-][\w.:-]*$/.test(what.link);
        if (what.files.length === 0 && (writing || !link)) return;
        event.preventDefault();
        ownModel().then((dialog) => dialog.take(what), () => {});
    });
}

const showTwin = createTwin(byId('twin'), act, copy, link);

let gpuName; // what the browser calls its GPU; known on this machine only
let measured; // the published rates, fetched when the speed tab is opened
let pendingView;
let spoken;
let speaking;
function onView(json) {
    // While the canvas is dragged views come fast; the text follows when there is time.
    if (!pendingView) setTimeout(() => showView(JSON.parse(pendingView)), 0);
    pendingView = json;
}
function showView(view) {
    pendingView = undefined;
    const theme = view.themes.find((choice) => choice.selected)?.action.value ?? 'auto';
    if (theme === 'auto') delete root.dataset.theme;
    else root.dataset.theme = theme;
    remembered.set('theme', theme);
    const language = view.languages.find((choice) => choice.selected)?.action.value;
    if (language && !textsOf.has(language)) return switchLanguage(language);
    if (language && root.lang !== language) {
        root.lang = language;
        texts = textsOf.get(language);
        remembered.set('language', language);
    }
    document.title = view.page_title;
    byId('twin-title').textContent = view.twin_title;
    byId('skip').textContent = say('page.skip');
    byId('canvas-hint').textContent = say('page.canvas_hint');
    if (byId('stage').hasAttribute('role')) byId('stage').setAttribute('aria-label', say('page.stage'));
    showTwin(view);
    host?.view(view);
    if (gpuName && !view.gpu_name) remembered.set('gpu', (gpuName = ''));
    if (view.speed && !measured) measured = text('speed-points.txt').then((value) => act({ kind: 'take_points', value }), console.error);
    // One sentence when things have settled, and none for the first view.
    const sentence = view.announcement;
    clearTimeout(speaking);
    if (spoken !== undefined && sentence !== spoken) {
        speaking = setTimeout(() => { byId('announcement').textContent = spoken = sentence; }, 700);
    } else {
        spoken ??= sentence;
    }
}

async function switchLanguage(language) {
    try {
        texts = await loadLanguage(language);
        call('_vs_app_locale', JSON.stringify(texts));
        await rest;
        await loadMoreTexts(language);
    } catch (error) {
        act({ kind: 'set_language', value: root.lang });
        notice(say('page.error.locale', error.message));
    }
}

// Rows of the other pages, a slice at a time; input comes between two of them.
let working;
function onWork() {
    working ??= setTimeout(() => {
        working = undefined;
        if (app._vs_app_work(6)) onWork();
    }, 0);
}

let urlTimer;
let query;
function onUrl(next) {
    query = next;
    if (layout) return host?.query(next);
    // Browsers limit how often the address may change.
    urlTimer ??= setTimeout(() => {
        urlTimer = undefined;
        app._vs_app_settle();
        const before = new URLSearchParams(location.search);
        const after = new URLSearchParams(query);
        const language = before.get('lang');
        if (language) after.set('lang', root.lang);
        const address = location.pathname + (after.size ? `?${after}`.replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%28', '(').replaceAll('%29', ')').replaceAll('%7E', '~') : '') + location.hash;
        if (address === location.pathname + location.search + location.hash) return;
        // Another model or page is a place to come back to; everything else is not.
        const other = ['model', 'view'].some((key) => before.get(key) !== after.get(key));
        history[other ? 'pushState' : 'replaceState'](null, '', address);
    }, 250);
}

/** The text version alone, with the reason above it; '' brings the canvas back. */
function fallBack(message) {
    root.classList.toggle('fallback', !!message);
    if (message) byId('text-version').open = true;
    notice(message);
}

async function start() {
    const language = chooseLanguage();
    root.lang = language;
    const theme = new URLSearchParams(location.search).get('theme') ?? remembered.get('theme');
    if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;

    // The first answer takes a part of the module and of the catalog. An address that asks for anything
    // else waits for all of the one; one that names a model, for all of the other.
    const asked = new URLSearchParams(location.search);
    const plain = [...asked.keys()].every((key) => key === 'lang' || key === 'theme');
    const embedding = layout ? import(at('embed_frame.js')).then((frame) => frame.startEmbed(layout, hostRequests)) : undefined;
    embedding?.catch(() => {});
    const first = !asked.has('model');
    const second = IS_SPLIT ? new SecondPart() : undefined;
    const parts = {
        module: import(at('app.js')),
        wasm: compiled('app.wasm'),
        more: plain ? Promise.resolve() : second && compiled('app-more.wasm'),
        catalog: text(first ? 'catalog-first.json' : 'catalog.json'),
        locale: loadLanguage(language, !plain).catch((error) => {
            console.error(error);
            root.lang = 'en';
            return loadLanguage('en', !plain);
        }),
    };
    // Each is awaited in its turn below; none may fail unheard before that.
    for (const part of Object.values(parts)) part?.catch(() => {});
    try {
        texts = await parts.locale;
    } catch (error) {
        texts = { 'page.error.wasm': 'Vramscope could not load its texts ({0}). Please reload the page.', 'page.retry': 'Try again' };
        return fail('page.error.wasm', error);
    }
    byId('status').textContent = say('page.loading');

    try {
        const [{ default: createApp }, wasm] = await Promise.all([parts.module, parts.wasm]);
        app = await createApp({
            instantiateWasm(imports, done) {
                imports.placeholder = second?.placeholders;
                WebAssembly.instantiate(wasm, imports).then((instance) => {
                    second?.follow(instance);
                    done(instance, wasm);
                });
                return {};
            },
            onView,
            onUrl,
            onWork,
            onPicture: () => import('./picture.js').then(({ savePicture }) => savePicture(byId('canvas'), document.title, link(), () => act({ kind: 'none' }))).catch((error) => notice(say('page.error.picture', error.message))),
            onOpenFiles: () => ownModel().then((dialog) => dialog.open(), () => {}),
            onContext: (lost) => fallBack(lost ? say('page.error.context_lost') : ''),
            onClipboard(done) {
                byId('announcement').textContent = say(done ? 'run.copied' : 'run.copy_failed');
                if (!done) notice(say('run.copy_failed'));
            },
            onAbort: (reason) => fail('page.error.crashed', new Error(reason)),
        });
        if (!plain) await second?.load(parts.more);
    } catch (error) {
        return fail('page.error.wasm', error);
    }
    addEventListener('error', ({ error }) => {
        if (error instanceof WebAssembly.RuntimeError) fail('page.error.crashed', error);
    });

    host = await embedding?.catch(() => undefined);
    const refused = call('_vs_app_locale', JSON.stringify(texts));
    if (refused) return fail('page.error.wasm', new Error(refused.message));
    try {
        const error = call('_vs_app_catalog', await parts.catalog);
        if (error) {
            const version = ['other-catalog', 'catalog-older', 'catalog-newer'].includes(error.code);
            return fail(version ? 'page.error.catalog_version' : 'page.error.catalog_broken', new Error(error.message));
        }
    } catch (error) {
        return fail('page.error.catalog_missing', error);
    }
    call('_vs_app_url', location.href);
    act({ kind: 'set_language', value: root.lang });
    if (theme) act({ kind: 'set_theme', value: theme });
    addEventListener('popstate', async () => {
        await rest;
        call('_vs_app_url', location.href);
    });

    takeModels();
    byId('text-version').hidden = false;
    byId('text-version').open = !layout && remembered.get('text') !== 'closed';
    byId('text-version').addEventListener('toggle', (event) => remembered.set('text', event.target.open ? 'open' : 'closed'));
    byId('skip').addEventListener('click', () => { byId('text-version').open = true; });
    if (layout === 'compact') byId('text-version').open = true;
    else byId('canvas').hidden = false;
    if (layout !== 'compact' && !call('_vs_app_start', '#canvas')) {
        byId('canvas').hidden = true;
        byId('text-version').open = true;
        if (layout) root.dataset.embed = 'compact'; // which needs no drawing
        else fallBack(say('page.error.webgl'));
    }
    // Out of sight at once; out of the page later: browsers count what was there first as the largest paint
    // only when it is still there a moment after.
    if (byId('canvas').hidden) byId('static').hidden = true;
    // A landmark only now: before, it holds the page's <main>.
    byId('stage').setAttribute('role', 'region');
    byId('stage').setAttribute('aria-label', say('page.stage'));
    rest = loadRest(plain ? second : undefined, first, plain);
    host?.ready();
    firstAnswer();
    const whole = await rest;
    byId('static').remove();
    if (whole) {
        root.dataset.ready = ''; // everything can be chosen
        if (!layout) findGpu().catch(() => {});
    }
    if (!layout) import(at('offline.js')).then((offline) => offline.start(say)).catch(() => {});
}

/** A hint which device this machine has; '' once it was told to forget it. Nothing is sent anywhere. */
async function findGpu() {
    let name = remembered.get('gpu');
    if (name === '') return;
    if (!name) {
        const info = (await navigator.gpu?.requestAdapter().catch(() => {}))?.info;
        const gl = info?.description ? undefined : document.createElement('canvas').getContext('webgl');
        const about = gl?.getExtension('WEBGL_debug_renderer_info');
        name = info?.description || gl?.getParameter(about ? about.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
        gl?.getExtension('WEBGL_lose_context')?.loseContext();
    }
    if (!name) return;
    act({ kind: 'detected_gpu', value: name });
    remembered.set('gpu', (gpuName = name));
}

/** What the page around a frame may ask for, at any time: what comes before the first answer waits for it. */
const hostRequests = {
    async language(tag) {
        await answered;
        if (languages.includes(tag)) act({ kind: 'set_language', value: tag });
    },
    async theme(name) {
        await answered;
        if (['auto', 'dark', 'light'].includes(name)) act({ kind: 'set_theme', value: name });
    },
    async query(text) {
        await answered;
        await rest;
        call('_vs_app_url', `?${text}`);
    },
};

/** What the first answer did without. It stays as it is when this fails. */
async function loadRest(second, models, more) {
    let key = 'page.error.wasm';
    try {
        const catalog = models ? text('catalog.json') : undefined;
        catalog?.catch(() => {});
        await second?.load(compiled('app-more.wasm'));
        key = 'page.error.locale';
        if (more) await loadMoreTexts(root.lang);
        key = 'page.error.catalog_rest';
        const error = models && call('_vs_app_catalog', await catalog);
        if (error) throw new Error(error.message);
        return true;
    } catch (error) {
        console.error(error);
        notice(say(key, error.message), true);
    }
}

start();
