// The framed side of the handshake in embed_frames.mjs.

/** Says hello to the page around this one; `accept(port)` is called when that is ours. */
export function helloParent(accept) {
    if (window.parent === window) return;
    const onMessage = ({ source, data, ports }) => {
        if (source !== window.parent || data?.vramscope !== 'port' || !ports[0]) return;
        removeEventListener('message', onMessage); // the first one only
        accept(ports[0]);
    };
    addEventListener('message', onMessage);
    // Says nothing but that this page is here, so anybody may hear it.
    window.parent.postMessage({ vramscope: 'hello' }, '*');
}
