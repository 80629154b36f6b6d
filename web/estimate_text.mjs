// An estimate as text and as HTML, for what is made before the page runs: the table in index.html and
// what build-wasm.sh prints. Takes the JSON of `estimate` and the texts of a language.

const parts = ['weights', 'kv', 'state', 'compute', 'overhead', 'output', 'total'];

function decimal(value, digits, texts) {
    return new Intl.NumberFormat(texts.language, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
    }).format(value);
}

// What is more than nothing does not print as nothing.
function gib(bytes, texts) {
    const value = bytes / 2 ** 30;
    return bytes > 0 && value < 0.005 ? `<${decimal(0.01, 2, texts)}` : decimal(value, 2, texts);
}

function fill(text, ...values) {
    return text.replace(/\{(\d)\}/g, (all, index) => values[index]);
}

// [low, expected, high] as {value, detail}: the likely figure, and the range when there is one.
function figure([low, expected, high], write, unit) {
    const [least, likely, most] = [low, expected, high].map(write);
    return { value: `${likely} ${unit}`, detail: least === most ? '' : `${least}–${most} ${unit}` };
}

// What is shown, top to bottom: [{label, value, detail}]. Parts that are nothing are left out.
function rows(estimate, texts) {
    const memory = ({ low, expected, high }) =>
        figure([low, expected, high], (bytes) => gib(bytes, texts), 'GiB');
    const list = parts
        .filter((part) => part === 'total' || estimate[`${part}_bytes`].high > 0)
        .map((part) => ({ label: texts[`part.${part}`], ...memory(estimate[`${part}_bytes`]) }));
    for (const device of estimate.devices) {
        list.push({
            label: device.kind === 'host' ? texts['device.host'] : device.name,
            value: memory(device.total_bytes).value,
            detail: `${fill(texts['number.percent'], decimal(device.used_fraction * 100, 0, texts))} / ${gib(device.capacity_bytes, texts)} GiB`,
        });
    }
    const { low, expected, high } = estimate.decode_tokens_per_second;
    list.push(
        { label: texts['verdict.label'], value: texts[`verdict.${estimate.verdict}`], detail: '' },
        {
            label: texts['figure.max_context'],
            value: decimal(estimate.max_context_tokens, 0, texts),
            detail: '',
        },
        {
            label: texts['figure.decode'],
            ...figure([low, expected, high], (rate) => decimal(rate, 1, texts), texts['unit.tokens_per_second']),
        },
    );
    return list;
}

/** Lines for a terminal. */
export function estimateText(estimate, texts) {
    const list = rows(estimate, texts);
    const widest = (key) => Math.max(...list.map((row) => row[key].length));
    const [label, value] = [widest('label') + 2, widest('value')];
    return [
        [estimate.model, estimate.artifact ?? estimate.quantization, estimate.engine].join(' · '),
        ...list.map((row) =>
            `${row.label.padEnd(label)}${row.value.padStart(value)}  ${row.detail}`.trimEnd(),
        ),
    ].join('\n');
}

/** A table for index.html. */
export function estimateHtml(estimate, texts) {
    const body = rows(estimate, texts)
        .map(
            ({ label, value, detail }) =>
                `<tr><th scope="row">${escaped(label)}</th><td>${escaped(value)}</td><td>${escaped(detail)}</td></tr>`,
        )
        .join('\n');
    return `<table>\n<tbody>\n${body}\n</tbody>\n</table>`;
}

function escaped(text) {
    return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
}
