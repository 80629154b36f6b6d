// What the page around an element looks like: dark or light, and in which language. Themes are switched
// in as many ways as there are generators (data-theme, data-md-color-scheme, class="dark" …), so what
// counts is the colour that is seen behind the element.

/** 'dark' or 'light', as painted behind the element. */
export function hostTheme(element) {
    for (let at = element; at; at = at.assignedSlot ?? at.parentElement ?? at.getRootNode().host) {
        const luminance = luminanceOf(getComputedStyle(at).backgroundColor);
        if (luminance !== undefined) return luminance < 0.18 ? 'dark' : 'light';
    }
    const scheme = getComputedStyle(element).colorScheme;
    const [dark, light] = ['dark', 'light'].map((name) => scheme.split(/\s+/).includes(name));
    if (dark !== light) return dark ? 'dark' : 'light';
    // 'normal' paints white whatever the system says.
    return dark && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

// Of colours that cover what is below them; undefined for the others.
function luminanceOf(colour) {
    const found = /^rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[, /]+([\d.]+%?))?\)$/.exec(colour);
    if (!found) return colour.startsWith('rgb') || colour === 'transparent' ? undefined : otherLuminance(colour);
    const alpha = found[4] === undefined ? 1 : parseFloat(found[4]) / (found[4].endsWith('%') ? 100 : 1);
    if (alpha < 0.5) return undefined;
    const [r, g, b] = found.slice(1, 4).map((text) => {
        const value = Number(text) / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// oklch(), color() and the like begin or go with a lightness; a canvas knows them all.
let pixel;
function otherLuminance(colour) {
    pixel ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
    return luminanceOf(`rgba(${r}, ${g}, ${b}, ${a / 255})`);
}

/** The first of the element's language, its surroundings' and English that there are texts for. */
export function hostLanguage(element, known) {
    for (let at = element; at; at = at.assignedSlot ?? at.parentElement ?? at.getRootNode().host) {
        const tag = at.getAttribute('lang');
        if (!tag) continue;
        const language = tag.toLowerCase().split(/[-_]/)[0];
        return known.includes(language) ? language : 'en';
    }
    return 'en';
}

const watchers = new Set();
let pageWatch;

/** Calls `changed` when theme or language of the page may be others; returns the function that ends it. */
export function watchHost(element, changed) {
    watchers.add(changed);
    pageWatch ??= startWatching();
    return () => {
        watchers.delete(changed);
        if (watchers.size > 0) return;
        pageWatch();
        pageWatch = undefined;
    };
}

function startWatching() {
    let timers = [];
    const tell = () => { for (const watcher of [...watchers]) watcher(); };
    // Colours may fade to their new values.
    const soon = () => {
        timers.forEach(clearTimeout);
        timers = [0, 120, 450].map((delay) => setTimeout(tell, delay));
    };
    const settled = (event) => { if (event.propertyName.startsWith('background')) tell(); };
    const observer = new MutationObserver(soon);
    observer.observe(document.documentElement, { attributes: true });
    if (document.body) observer.observe(document.body, { attributes: true });
    // Style sheets that are exchanged.
    if (document.head) observer.observe(document.head, { childList: true, subtree: true, attributes: true, attributeFilter: ['href', 'media', 'disabled', 'content'] });
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', soon);
    document.addEventListener('transitionend', settled, true);
    return () => {
        timers.forEach(clearTimeout);
        observer.disconnect();
        scheme.removeEventListener('change', soon);
        document.removeEventListener('transitionend', settled, true);
    };
}
