#include "platform/browser_js.h"

#include <emscripten/em_js.h>

#include <cstdint>
#include <string>

#include "platform/glyph_source.h"

// State lives in one object on Module, so several instances on one page do not meet.
// Event handlers call the vs_on_* functions of browser_events.cpp.
EM_JS_DEPS(vramscope_platform, "$UTF8ToString,$stringToNewUTF8");

// clang-format off
EM_JS(int, vs_js_attach, (const char* selector), {
    const canvas = Module["canvas"] || document.querySelector(UTF8ToString(selector));
    if (!canvas || !canvas.getContext) return 0;
    const text = document.createElement("input");
    const undo = [];
    const on = (target, type, handler, options) => {
        target.addEventListener(type, handler, options);
        undo.push(() => target.removeEventListener(type, handler, options));
    };
    const p = Module["vramscopePlatform"] = {
        canvas, text, undo, on, event: null, cursor: "", copying: null,
        active: () => canvas.getRootNode().activeElement,
        focused: () => p.active() === canvas || p.active() === text,
    };

    // A finger scrolls what is ours and else the page; a pinch always zooms the page.
    const touchAction = canvas.style.touchAction;
    canvas.style.touchAction = "manipulation";
    if (!canvas.hasAttribute("tabindex")) canvas.tabIndex = 0;
    undo.push(() => { canvas.style.touchAction = touchAction; canvas.style.cursor = ""; });

    // 16 px: phones zoom the page when a smaller field gets the focus.
    text.type = "text";
    text.tabIndex = -1;
    text.autocomplete = "off";
    text.spellcheck = false;
    text.setAttribute("autocorrect", "off");
    text.setAttribute("autocapitalize", "off");
    text.setAttribute("data-vramscope-text", "");
    text.setAttribute("aria-label", canvas.getAttribute("aria-label") || "");
    Object.assign(text.style, {
        position: "fixed", left: "0", top: "0", width: "1px", height: "20px", margin: "0",
        padding: "0", border: "0", outline: "0", opacity: "0", zIndex: "1", pointerEvents: "none",
        font: "16px system-ui, sans-serif", borderRadius: "4px", boxSizing: "border-box",
    });
    canvas.parentNode.insertBefore(text, canvas.nextSibling);
    undo.push(() => text.remove());

    const mods = e => (e.ctrlKey ? 1 : 0) | (e.shiftKey ? 2 : 0) | (e.altKey ? 4 : 0) | (e.metaKey ? 8 : 0);
    const place = e => {
        const box = canvas.getBoundingClientRect();
        return [e.clientX - box.left - canvas.clientLeft, e.clientY - box.top - canvas.clientTop];
    };
    const pointer = kind => e => {
        if (e.pointerType === "touch") return;
        const [x, y] = place(e);
        if (kind === 1) {
            try { canvas.setPointerCapture(e.pointerId); } catch (ignored) {}
            p.pointing = true;
            if (!p.focused()) canvas.focus({ preventScroll: true });
            p.pointing = false;
        }
        _vs_on_pointer(kind, x, y, e.buttons, e.pointerType === "pen" ? 1 : 0, mods(e));
    };
    on(canvas, "pointermove", pointer(0));
    on(canvas, "pointerdown", pointer(1));
    on(canvas, "pointerup", pointer(2));
    on(canvas, "pointercancel", pointer(3));
    on(canvas, "pointerleave", pointer(3));
    // The focus goes where we put it, else a click would close the phone keyboard and reopen it.
    on(canvas, "mousedown", e => e.preventDefault());

    const key = (down, field) => e => {
        if (e.keyCode === 229) return; // an input method handles it
        if (_vs_on_key(down, stringToNewUTF8(e.key || ""), stringToNewUTF8(e.code || ""), mods(e), field, e.repeat))
            e.preventDefault();
    };
    [canvas, text].forEach((target, field) => {
        on(target, "keydown", key(1, field));
        on(target, "keyup", key(0, field));
    });
    on(canvas, "wheel", e => {
        // With Ctrl it zooms the page.
        if (!e.ctrlKey && _vs_on_wheel(e.deltaX, e.deltaY, e.deltaMode, e.shiftKey)) e.preventDefault();
    }, { passive: false });
    on(document, "visibilitychange", () => { if (!document.hidden) _vs_on_visible(); });

    let finger = null;
    const touch = (kind, e) => {
        const list = kind === 0 ? e.touches : e.changedTouches;
        let found = null;
        for (const t of list) if (kind === 0 || t.identifier === finger) found = t;
        if (kind === 0 && e.touches.length > 1) { kind = 3; found = e.touches[0]; }
        if (!found) return;
        finger = kind === 0 ? found.identifier : kind === 1 ? finger : null;
        const [x, y] = place(found);
        p.pointing = true;
        const ours = _vs_on_touch(kind, x, y);
        p.pointing = false;
        if (ours && e.cancelable) e.preventDefault();
    };
    on(canvas, "touchstart", e => touch(0, e), { passive: false });
    on(canvas, "touchmove", e => touch(1, e), { passive: false });
    on(canvas, "touchend", e => touch(2, e), { passive: false });
    on(canvas, "touchcancel", e => touch(3, e), { passive: false });

    // How the keyboard came in: 1 forwards, -1 backwards, 0 by pointer or with the whole window.
    // And whether it went to something else in the page, or with the whole window.
    let away = false;
    const focus = (other, e) => {
        if (e.relatedTarget === other) return;
        const from = e.relatedTarget;
        const direction = p.pointing || away ? 0 : from && canvas.compareDocumentPosition(from) & 4 ? -1 : 1;
        away = false;
        _vs_on_focus(1, direction);
    };
    const blur = (self, other, e) => {
        if (e.relatedTarget === other) return;
        away = p.active() === self;
        _vs_on_focus(0, away ? 0 : 1);
    };
    on(canvas, "focus", e => focus(text, e));
    on(text, "focus", e => focus(canvas, e));
    on(canvas, "blur", e => blur(canvas, text, e));
    on(text, "blur", e => blur(text, canvas, e));

    // Phone keyboards report no keydown for Backspace; they delete this character instead.
    const mark = matchMedia("(any-pointer: coarse)").matches ? "\u200b" : "";
    let composing = false;
    const take = () => {
        const value = text.value;
        text.value = mark;
        if (mark && value === "") return _vs_on_backspace();
        const typed = value.split("\u200b").join("");
        if (typed) _vs_on_text(stringToNewUTF8(typed.normalize("NFC")));
    };
    // While an input method composes, the field itself shows the text, over the caret.
    const show = shown => Object.assign(text.style, {
        opacity: shown ? "1" : "0", width: shown ? "12em" : "1px", padding: shown ? "0 4px" : "0",
    });
    text.value = mark;
    on(text, "input", () => { if (!composing) take(); });
    on(text, "compositionstart", () => { composing = true; show(true); });
    on(text, "compositionend", () => { composing = false; show(false); take(); });

    // The browser sends these to the selection, which a canvas cannot hold: listen on the document.
    const clipboard = kind => e => {
        if (p.copying !== null && kind === 0) {
            e.clipboardData.setData("text/plain", p.copying);
            e.preventDefault();
            return;
        }
        if (!p.focused() || composing || !e.clipboardData) return;
        let pasted = 0;
        if (kind === 2) {
            pasted = stringToNewUTF8(e.clipboardData.getData("text/plain").normalize("NFC"));
            e.preventDefault();
        }
        p.event = e;
        _vs_on_clipboard(kind, pasted);
        p.event = null;
    };
    on(document, "copy", clipboard(0));
    on(document, "cut", clipboard(1));
    on(document, "paste", clipboard(2));

    const queries = ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "(pointer: coarse)"].map(q => matchMedia(q));
    const system = navigator.platform || "";
    const mac = system.startsWith("Mac") || system.startsWith("iP");
    p.environment = () => queries.reduce((bits, query, i) => bits | (query.matches ? 1 << i : 0), 0)
        | (mac ? 8 : 0) | (window.parent !== window ? 16 : 0);
    queries.forEach(query => on(query, "change", () => _vs_on_environment(p.environment())));
    return 1;
})

EM_JS(void, vs_js_watch_size, (void), {
    const p = Module["vramscopePlatform"];
    const canvas = p.canvas;
    const measure = box => {
        const ratio = window.devicePixelRatio || 1;
        // The box is exact where rounding is not, but an emulated ratio does not reach it.
        const side = (exact, css) => Math.abs(exact - css * ratio) < ratio + 1 ? exact : Math.round(css * ratio);
        const width = side(box ? box.inlineSize : -1, canvas.clientWidth);
        const height = side(box ? box.blockSize : -1, canvas.clientHeight);
        if (!width || !height) return;
        if (canvas.width !== width) canvas.width = width;
        if (canvas.height !== height) canvas.height = height;
        // Draws before it returns: a resized canvas is empty.
        _vs_on_resize(width, height, ratio);
    };
    const observer = new ResizeObserver(entries => {
        const sizes = entries[entries.length - 1]["devicePixelContentBoxSize"];
        measure(sizes && sizes[0]);
    });
    try {
        observer.observe(canvas, { "box": "device-pixel-content-box" });
    } catch (unsupported) {
        observer.observe(canvas);
    }
    p.undo.push(() => observer.disconnect());

    // A move to another screen may change the ratio and no size.
    let query = null;
    const changed = () => { arm(); measure(null); };
    p.measure = measure;
    const disarm = () => { if (query) query.removeEventListener("change", changed); };
    const arm = () => {
        disarm();
        query = matchMedia("(resolution: " + window.devicePixelRatio + "dppx)");
        query.addEventListener("change", changed);
    };
    arm();
    p.undo.push(disarm);
})

EM_JS(void, vs_js_measure, (void), { Module["vramscopePlatform"].measure(null); })

EM_JS(void, vs_js_detach, (void), {
    const p = Module["vramscopePlatform"];
    if (!p) return;
    delete Module["vramscopePlatform"];
    p.undo.reverse().forEach(undo => undo());
})

EM_JS(int, vs_js_environment, (void), { return Module["vramscopePlatform"].environment(); })

EM_JS(void, vs_js_set_cursor, (const char* name), {
    const p = Module["vramscopePlatform"];
    const cursor = UTF8ToString(name);
    if (p.cursor !== cursor) p.canvas.style.cursor = p.cursor = cursor;
})

EM_JS(int, vs_js_focused, (void), {
    const p = Module["vramscopePlatform"];
    return p.active() === p.canvas ? 1 : p.active() === p.text ? 2 : 0;
})

EM_JS(void, vs_js_focus, (int text), {
    const p = Module["vramscopePlatform"];
    const pointing = p.pointing;
    p.pointing = true;
    (text ? p.text : p.canvas).focus({ preventScroll: true });
    p.pointing = pointing;
})

EM_JS(void, vs_js_blur, (void), {
    const element = Module["vramscopePlatform"].active();
    if (element) element.blur();
})

EM_JS(void, vs_js_place_text, (float x, float y, float height, unsigned text_rgb, unsigned field_rgb), {
    const p = Module["vramscopePlatform"];
    const box = p.canvas.getBoundingClientRect();
    const colour = rgb => "#" + rgb.toString(16).padStart(6, "0");
    const tall = Math.max(height, 24);
    Object.assign(p.text.style, {
        left: box.left + p.canvas.clientLeft + x - 4 + "px",
        top: box.top + p.canvas.clientTop + y + (height - tall) / 2 + "px",
        height: tall + "px",
        color: colour(text_rgb),
        background: colour(field_rgb),
    });
})

EM_JS(void, vs_js_describe_text, (const char* label, int numeric), {
    const p = Module["vramscopePlatform"];
    const text = p.text;
    const name = UTF8ToString(label) || p.canvas.getAttribute("aria-label") || "";
    const mode = numeric ? "decimal" : "text";
    if (text.getAttribute("aria-label") !== name) text.setAttribute("aria-label", name);
    if (text.inputMode !== mode) text.inputMode = mode;
})

EM_JS(void, vs_js_write_clipboard, (const char* utf8, int report), {
    const p = Module["vramscopePlatform"];
    const copied = UTF8ToString(utf8);
    const answer = success => {
        if (report && Module["vramscopePlatform"] === p) _vs_on_clipboard_written(success ? 1 : 0);
    };
    if (p.event) {
        p.event.clipboardData.setData("text/plain", copied);
        p.event.preventDefault();
        return answer(true);
    }
    // The old way works without HTTPS; it needs a selection, which the hidden field lends.
    const by_command = () => {
        const focused = p.active();
        const value = p.text.value;
        p.copying = copied;
        p.text.value = "-";
        p.text.focus({ preventScroll: true });
        p.text.select();
        let success = false;
        try { success = document.execCommand("copy"); } catch (refused) {}
        p.copying = null;
        p.text.value = value;
        if (focused && focused !== p.text) focused.focus({ preventScroll: true });
        answer(success);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(copied).then(() => answer(true), by_command);
    else by_command();
})

EM_JS(void, vs_js_open_url, (const char* utf8), {
    const url = UTF8ToString(utf8);
    if (url.startsWith("https://") || url.startsWith("http://")) window.open(url, "_blank", "noopener");
})

// Glyphs. One small canvas that stays in main memory, because each glyph is read back at once.
EM_JS(void, vs_js_set_language, (const char* utf8), {
    const tag = UTF8ToString(utf8);
    if (!tag && Module["vramscopeGlyphs"]) return;  // start() after an early set_language()
    const g = Module["vramscopeGlyphs"] || (Module["vramscopeGlyphs"] = {});
    // Han characters have a form per region: the fonts are named, since "lang" alone is not
    // honoured everywhere.
    const han = {
        "ja": '"Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", "Yu Gothic UI", "Meiryo"',
        "ko": '"Apple SD Gothic Neo", "Noto Sans KR", "Noto Sans CJK KR", "Malgun Gothic"',
        "tw": '"PingFang TC", "Noto Sans TC", "Noto Sans CJK TC", "Microsoft JhengHei"',
        "zh": '"PingFang SC", "Noto Sans SC", "Noto Sans CJK SC", "Microsoft YaHei"',
    };
    const lower = tag.toLowerCase();
    const traditional = ["zh-tw", "zh-hk", "zh-mo", "zh-hant"].some(t => lower.startsWith(t));
    const regional = han[traditional ? "tw" : lower.slice(0, 2)] || han["ja"];
    const emoji = '"Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"';
    const sans = '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, system-ui, ' + regional + ", sans-serif, " + emoji;
    const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace, ' + regional + ", " + emoji;
    g.faces = [["400 ", sans], ["600 ", sans], ["400 ", mono]];
    g.tag = tag;
    g.font = "";
    g.metrics = new Map();
    if (!g.canvas) {
        g.canvas = document.createElement("canvas");
        g.context = g.canvas.getContext("2d", { willReadFrequently: true });
        g.resize = (width, height) => {
            g.canvas.width = width;
            g.canvas.height = height;
            g.font = "";
            g.context.fillStyle = "#fff";
            g.context["lang"] = g.tag || "inherit";
        };
        g.use = (face, em) => {
            const font = g.faces[face][0] + em + "px " + g.faces[face][1];
            if (g.font !== font) g.context.font = g.font = font;
            return g.context;
        };
        // Arrows, ticks and the like as plain signs in the colour of the text; pictures as emoji.
        g.string = code => String.fromCodePoint(code) +
            (code >= 0x2190 && code <= 0x2bff ? "\ufe0e" : code >= 0x1f000 && code < 0x20000 ? "\ufe0f" : "");
    }
    g.canvas.lang = tag;
    g.resize(64, 64);
})

EM_JS(void, vs_js_font_metrics, (int face, float em, float* out), {
    const g = Module["vramscopeGlyphs"];
    const context = g.use(face, em);
    let found = g.metrics.get(g.font);
    if (!found) {
        const digits = Array.from("0123456789", digit => context.measureText(digit).width);
        found = [context.measureText("H").actualBoundingBoxAscent, Math.max(...digits)];
        g.metrics.set(g.font, found);
    }
    HEAPF32.set(found, out >>> 2);
})

EM_JS(void, vs_js_glyph_metrics, (int face, float em, unsigned code, float* out), {
    const g = Module["vramscopeGlyphs"];
    const m = g.use(face, em).measureText(g.string(code));
    HEAPF32.set([m.width, -m.actualBoundingBoxLeft, -m.actualBoundingBoxAscent, m.actualBoundingBoxRight, m.actualBoundingBoxDescent], out >>> 2);
})

EM_JS(int, vs_js_draw_glyph, (int face, float em, unsigned code, int left, int top, int width, int height, unsigned char* rgba), {
    const g = Module["vramscopeGlyphs"];
    if (g.canvas.width < width || g.canvas.height < height)
        g.resize(Math.max(g.canvas.width, width), Math.max(g.canvas.height, height));
    const context = g.use(face, em);
    context.clearRect(0, 0, width, height);
    context.fillText(g.string(code), -left, -top);
    const pixels = context.getImageData(0, 0, width, height).data;
    let coloured = 0;
    for (let i = 0; i < pixels.length && !coloured; i += 4)
        if (pixels[i + 3] > 32 && Math.min(pixels[i], pixels[i + 1], pixels[i + 2]) < 200) coloured = 1;
    // Transparent texels of a plain glyph are white too: blending never meets black.
    if (!coloured) for (let i = 0; i < pixels.length; i += 4) pixels[i] = pixels[i + 1] = pixels[i + 2] = 255;
    HEAPU8.set(pixels, rgba);
    return coloured;
})
// clang-format on

namespace vramscope::platform {

namespace browser_js {

bool attach(const char* selector) {
    if (vs_js_attach(selector) == 0)
        return false;
    glyph_source::set_language("");
    return true;
}

void watch_size() {
    vs_js_watch_size();
}
void measure() {
    vs_js_measure();
}
void detach() {
    vs_js_detach();
}
unsigned environment() {
    return static_cast<unsigned>(vs_js_environment());
}

void set_cursor(const char* css_name) {
    vs_js_set_cursor(css_name);
}
bool canvas_has_focus() {
    return vs_js_focused() == 1;
}
bool text_has_focus() {
    return vs_js_focused() == 2;
}
void focus_canvas() {
    vs_js_focus(0);
}
void focus_text() {
    vs_js_focus(1);
}
void blur() {
    vs_js_blur();
}
void place_text(float x, float y, float height, unsigned text_rgb, unsigned field_rgb) {
    vs_js_place_text(x, y, height, text_rgb, field_rgb);
}

void describe_text(std::string_view label, bool numeric) {
    vs_js_describe_text(std::string(label).c_str(), numeric ? 1 : 0);
}

void write_clipboard(std::string_view text, bool report) {
    vs_js_write_clipboard(std::string(text).c_str(), report ? 1 : 0);
}

void open_url(std::string_view url) {
    vs_js_open_url(std::string(url).c_str());
}

} // namespace browser_js

namespace glyph_source {

FontMetrics font_metrics(Face face, float em) {
    float out[2] = {};
    vs_js_font_metrics(static_cast<int>(face), em, out);
    return {out[0], out[1]};
}

GlyphMetrics glyph_metrics(Face face, float em, char32_t codepoint) {
    float out[5] = {};
    vs_js_glyph_metrics(static_cast<int>(face), em, codepoint, out);
    return {out[0], out[1], out[2], out[3], out[4]};
}

bool draw_glyph(Face face, float em, char32_t codepoint, int left, int top, int width, int height,
                std::uint8_t* rgba) {
    return vs_js_draw_glyph(static_cast<int>(face), em, codepoint, left, top, width, height,
                            rgba) != 0;
}

void set_language(std::string_view tag) {
    vs_js_set_language(std::string(tag).c_str());
}

} // namespace glyph_source

} // namespace vramscope::platform
