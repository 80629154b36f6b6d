// Makes the page work without a network: registers the service worker once everything is here, and
// says when a newer version of the page waits. Loaded by main.mjs after the first answer.

const hour = 3_600_000;

/** `say(key)` gives a text in the page's language. */
export async function start(say) {
    const workers = navigator.serviceWorker;
    if (!workers) return; // not a secure address
    const isControlled = !!workers.controller;
    let leaving = false;
    const reload = () => {
        if (!leaving) location.reload(); // the address holds the settings
        leaving = true;
    };
    // Accepted here or in another tab: what is loaded later must be of the same version.
    workers.addEventListener('controllerchange', () => isControlled && reload());
    const registration = await workers.register(new URL('service_worker.js', import.meta.url), { updateViaCache: 'none' });
    const offer = (worker) => showOffer(say, () => {
        worker.addEventListener('statechange', () => worker.state === 'activated' && reload());
        worker.postMessage('use');
    });
    const follow = (worker) => worker?.addEventListener('statechange', () => {
        if (worker.state === 'installed' && registration.active) offer(worker);
    });
    if (registration.waiting) offer(registration.waiting);
    follow(registration.installing);
    registration.addEventListener('updatefound', () => follow(registration.installing));
    let asked = Date.now();
    document.addEventListener('visibilitychange', () => {
        if (document.hidden || Math.abs(Date.now() - asked) < hour) return;
        asked = Date.now();
        registration.update().catch(() => {}); // without a network there is nothing newer
    });
}

function showOffer(say, use) {
    document.getElementById('update')?.remove();
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: say('page.update.use') });
    const line = Object.assign(document.createElement('p'), { id: 'update', textContent: say('page.update') });
    line.setAttribute('role', 'status');
    button.addEventListener('click', () => {
        button.disabled = true;
        use();
    });
    line.append(button);
    document.body.prepend(line);
}
