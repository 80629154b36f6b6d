// An estimate as text and as HTML, for what is made before the page runs: the table in index.html and
// what build-wasm.sh prints. Takes the JSON of `estimate` and the texts of a language.

const parts = ['weights', 'kv', 'state', 'compute', 'overhead', 'output', 'total'];

// Parts that are nothing are left out, the total never.
function rows(estimate, texts) {
    return parts
        .map((part) => ({ label: texts[`part.${part}`], bytes: estimate[`${part}_bytes`], part }))
        .filter(({ part, bytes }) => part === 'total' || (bytes && bytes.high > 0));
}

function gib(bytes, texts) {
    return new Intl.NumberFormat(texts.language, {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
    }).format(bytes / 2 ** 30);
}

function amount({ low, expected, high }, texts) {
    const [least, likely, most] = [low, expected, high].map((bytes) => gib(bytes, texts));
    return { likely: `${likely} GiB`, range: least === most ? '' : `${least}–${most} GiB` };
}

/** Lines for a terminal. */
export function estimateText(estimate, texts) {
    const lines = rows(estimate, texts).map(({ label, bytes }) => {
        const { likely, range } = amount(bytes, texts);
        return `${label.padEnd(20)}${likely.padStart(11)}  ${range}`.trimEnd();
    });
    const verdict = texts[`verdict.${estimate.verdict}`] ?? estimate.verdict;
    return [...lines, `${texts['verdict.label'] ?? 'Verdict'}: ${verdict}`].join('\n');
}

/** A table for index.html. */
export function estimateHtml(estimate, texts) {
    const body = rows(estimate, texts)
        .map(({ label, bytes }) => {
            const { likely, range } = amount(bytes, texts);
            return `<tr><th scope="row">${escaped(label)}</th><td>${likely}</td><td>${range}</td></tr>`;
        })
        .join('\n');
    return `<table>\n<tbody>\n${body}\n</tbody>\n</table>`;
}

function escaped(text) {
    return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
}
