// The text version of the pages beside the simulator: filters, the long table a page at a time, and the
// comparison. Loaded when such a page is opened first; made with the tools of twin.mjs.

export function createModes({ h, act, action, section, drop, title, tone, id, field }) {
    // Heads that sort say how, and rows say what they are.
    function headed(data) {
        const heads = data.columns.map((column) => {
            const order = column.order > 0 ? 'ascending' : column.order < 0 ? 'descending' : undefined;
            const label = column.action ? h('button', { type: 'button', class: 'plain', 'data-key': `sort ${column.label}`, onclick: () => act(column.action) }, column.label, order ? h('span', { 'aria-hidden': 'true' }, column.order > 0 ? ' ▲' : ' ▼') : '') : column.label;
            return h('th', { scope: 'col', class: column.numeric ? 'number' : '', 'aria-sort': order }, label);
        });
        const rows = (data.rows ?? []).map((row, r) => h('tr', { class: row.marked ? 'marked' : '' }, (row.cells ?? []).map((cell, i) => {
            const text = `${cell.sign ? `${cell.sign} ` : ''}${cell.text ?? ''}`;
            const props = { class: tone(cell.tone, data.columns[i].numeric ? 'number' : ''), 'data-exact': cell.exact, title: i > 0 ? cell.tooltip : '' };
            if (i > 0) return h('td', props, text);
            return h('th', { scope: 'row', ...props }, action(row.action, text, `row ${r}`), row.action && cell.tooltip ? h('small', { class: 'below' }, cell.tooltip) : '');
        })));
        return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-labelledby': id('mode-title') },
            h('table', { 'data-table': data.id }, h('caption', null, data.caption ?? ''), h('thead', null, h('tr', null, heads)), h('tbody', null, rows)));
    }

    const turn = (choice, key) => h('button', { type: 'button', 'data-key': key, 'aria-disabled': choice.disabled && 'true', onclick: () => !choice.disabled && act(choice.action) }, choice.label);

    const button = (choice, key, about) =>
        h('button', { type: 'button', 'data-key': key, 'aria-label': about ? `${choice.label}: ${about}` : '', 'aria-disabled': choice.disabled && 'true', onclick: () => !choice.disabled && act(choice.action) }, choice.label);

    return function show(mode) {
        if (mode.filters) {
            section('filters', [mode.id, mode.filters_title], () => [title('filters', mode.filters_title), h('div', { class: 'fields' })]);
            const fields = document.getElementById(id('filters')).lastChild;
            // Columns sort by their heads.
            const wanted = mode.filters.filter((control) => control.id !== 'sort').map(field);
            wanted.forEach((child, i) => fields.children[i] !== child && fields.insertBefore(child, fields.children[i] ?? null));
            while (fields.children.length > wanted.length) fields.lastChild.remove();
        } else drop('filters');
        section('mode', { ...mode, filters: undefined }, () => {
            const { table } = mode;
            return [
                title('mode', mode.lead),
                h('p', { id: 'twin-progress', 'data-done': mode.done }, mode.progress ?? ''),
                ...(mode.add ? [h('div', null, button(mode.add, 'add'))] : []),
                ...(table && table.count ? [headed(table), h('div', { class: 'row' }, turn(table.previous, 'previous'), h('span', null, table.page_text), turn(table.next, 'next'))] : []),
                ...((table && !table.count && mode.done >= 1) || (!table && !mode.cards) ? [h('p', null, mode.empty)] : []),
                ...(table?.note ? [h('p', { class: 'dim' }, table.note)] : []),
                ...(mode.cards ? [h('div', { class: 'columns' }, mode.cards.map((card) => h('div', { class: 'part' },
                    h('h3', null, `${card.letter} · ${card.title}`), h('p', { class: 'dim' }, card.detail),
                    h('div', { class: 'row' }, card.actions.map((choice, i) => button(choice, `${card.letter} ${i}`, `${card.letter} · ${card.title}`))))))] : []),
                ...(mode.comparison ? [headed(mode.comparison)] : []),
            ];
        });
    };
}
