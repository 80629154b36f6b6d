// A headless Chromium that draws WebGL2 without a GPU, and pages that write down what goes wrong.

import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';

export const viewports = {
    desktop: { viewport: { width: 1440, height: 900 } },
    tablet: { viewport: { width: 1024, height: 768 } },
    phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};

const flags = [
    '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
    // Nothing but our own server can be reached, so a stray request fails and is seen.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

function chromiumPath() {
    if (process.env.CHROMIUM) return process.env.CHROMIUM;
    return execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser || command -v google-chrome'], { encoding: 'utf8' }).trim();
}

export function launch(more = []) {
    return chromium.launch({ executablePath: chromiumPath(), headless: true, chromiumSandbox: false, args: [...flags, ...more] });
}

// Remarks about this browser, not about the page: screenshots of a WebGL canvas, no service worker, no GPU.
const driverRemark = /GL Driver Message .*GPU stall due to ReadPixels|Service Worker registration blocked by Playwright|No available adapters/;

/**
 * A page in a fresh profile. `page.trouble` fills with what should never happen: console errors and
 * warnings, exceptions, failed requests, requests to other hosts, refusals by the content security
 * policy. `page.requests` holds every address that was asked for. No service worker unless asked for with
 * `serviceWorkers: 'allow'`.
 */
export async function newPage(browser, options = {}) {
    const context = await browser.newContext({ ...viewports.desktop, locale: 'en-US', colorScheme: 'dark', serviceWorkers: 'block', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.trouble = [];
    page.requests = [];
    const trouble = (text) => page.trouble.push(text);
    page.on('console', (message) => {
        if (!['error', 'warning'].includes(message.type()) || driverRemark.test(message.text())) return;
        trouble(`console ${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => trouble(`exception: ${error.stack}`));
    page.on('requestfailed', (request) => trouble(`failed: ${request.url()} ${request.failure()?.errorText}`));
    page.on('response', (response) => response.status() >= 400 && trouble(`HTTP ${response.status()}: ${response.url()}`));
    page.on('request', (request) => {
        page.requests.push(request.url());
        if (/^(https?|wss?):/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1') trouble(`elsewhere: ${request.url()}`);
    });
    await context.exposeBinding('tellViolation', (source, text) => trouble(`policy: ${text}`));
    await context.addInitScript(watch);
    return page;
}

// Runs in the page before its own scripts.
function watch() {
    document.addEventListener('securitypolicyviolation', (event) => {
        window.tellViolation(`${event.violatedDirective} refused ${event.blockedURI || 'inline'}`);
    });
    // What a page at rest must not do.
    const count = { frames: 0, draws: 0, timers: 0, started: 0 };
    window.activity = count;
    const counted = (callback, what) => (...args) => {
        ++count[what];
        return typeof callback === 'function' ? callback(...args) : undefined;
    };
    const request = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) => request(counted(callback, 'frames'));
    for (const name of ['setTimeout', 'setInterval']) {
        const original = window[name].bind(window);
        window[name] = (callback, ...rest) => (++count.started, original(counted(callback, 'timers'), ...rest));
    }
    const clear = WebGL2RenderingContext.prototype.clear;
    WebGL2RenderingContext.prototype.clear = function (...args) {
        ++count.draws;
        return clear.apply(this, args);
    };
}

/** As in a browser that has no WebGL2; for pages opened from now on. */
export const withoutWebGl = (page) =>
    page.addInitScript(() => {
        const original = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
            return /webgl/.test(kind) ? null : original.call(this, kind, ...rest);
        };
    });

/** Goes to an address and waits until everything is there, shown and at rest. */
export async function open(page, url) {
    await page.goto(url, { waitUntil: 'load' });
    await ready(page);
}

export async function ready(page) {
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    await answered(page);
}

/** Waits until canvas and text version show an answer and have come to rest. */
export async function answered(page) {
    await page.waitForSelector('#twin-verdict', { state: 'attached' });
    await page.waitForFunction(() => window.activity.draws > 0 || document.querySelector('.fallback'));
    await rest(page);
}

/** Waits until nothing has been drawn and no timer has ended for a while: longer than the address waits. */
export async function rest(page, quiet = 350) {
    await page.evaluate(async (quiet) => {
        const seen = () => JSON.stringify(window.activity);
        const channel = new MessageChannel();
        const tick = () => new Promise((resolve) => {
            channel.port1.onmessage = resolve;
            channel.port2.postMessage(0);
        });
        let last = seen();
        let since = performance.now();
        const end = since + 15_000;
        while (performance.now() - since < quiet) {
            // A frame of the browser's, without going through what is counted.
            await document.body.animate([], 30).finished;
            await tick();
            const now = seen();
            if (now !== last) [last, since] = [now, performance.now()];
            if (performance.now() > end) throw new Error(`the page does not come to rest: ${now}`);
        }
    }, quiet);
}

export const activity = (page) => page.evaluate(() => ({ ...window.activity }));
