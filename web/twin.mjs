// The text version: real headings, labelled inputs and tables, made from the view as JSON (keys are
// the field names of src/app/view_model.h). It formats nothing and knows no rule; what a person does
// goes back as an Action.

/** h('p', {class: 'dim'}, 'text', child …); `on*` props are listeners, empty ones are left out. */
function h(tag, props, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(props ?? {})) {
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else if (value !== undefined && value !== '' && value !== false) {
            element.setAttribute(name, value === true ? '' : value);
        }
    }
    element.append(...children.flat().filter((child) => child !== undefined && child !== ''));
    return element;
}

const tone = (value, more = '') => `${more}${value ? ` tone-${value}` : ''}`.trim();
const id = (name) => `twin-${name.replace(/\W/g, '-')}`;

/**
 * Shows views in `root`. `act(action)` is called with what a person did, `copy(text)` copies and
 * says whether it could; `link()` is the address that reproduces the view.
 */
export function createTwin(root, act, copy, link) {
    const sections = new Map(); // name -> {element, shown}
    const fields = new Map(); // control id -> {element, shape, update}
    let view;

    const action = (does, label, key, props) =>
        does ? h('button', { type: 'button', 'data-key': key, class: 'plain', ...props, onclick: () => act(does) }, label) : label;

    // Builds a section anew when its data changed; the focus stays on the same thing.
    function section(name, data, build) {
        const shown = JSON.stringify(data);
        let known = sections.get(name);
        if (!known) {
            known = { element: h('section', { id: id(name), class: 'card', 'aria-labelledby': id(`${name}-title`) }) };
            sections.set(name, known);
            root.append(known.element);
        }
        if (known.shown === shown) return;
        known.shown = shown;
        const key = known.element.contains(document.activeElement) && document.activeElement.dataset.key;
        known.element.replaceChildren(...[build()].flat());
        if (key) known.element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
    }
    // The first answer does without some sections; their places are kept.
    function later(name, has, data, build) {
        section(name, has && data, has ? build : () => []);
        sections.get(name).element.hidden = !has;
    }
    function drop(name) {
        sections.get(name)?.element.remove();
        sections.delete(name);
    }
    const title = (name, text, level = 'h2') => h(level, { id: id(`${name}-title`) }, text ?? '');

    function pick(label, choices, key) {
        const select = h(
            'select',
            { id: id(key), 'data-key': key, onchange: () => act(choices[select.selectedIndex].action) },
            choices.map((choice) => h('option', { selected: choice.selected }, choice.label)),
        );
        return h('div', { class: 'row' }, h('label', { for: id(key) }, label), select);
    }

    // Controls keep their elements while their shape stays, so that dragging and typing go on.
    function field(control) {
        const { value, value_text, edit_text, error, choices, effect, ...rest } = control;
        const shape = JSON.stringify([rest, choices?.map(({ selected, ...choice }) => choice)]);
        let known = fields.get(control.id);
        if (known?.shape !== shape) {
            const made = build(control);
            const focused = known?.element.contains(document.activeElement) && document.activeElement.dataset.key;
            known?.element.replaceWith(made.element);
            known = { ...made, shape };
            fields.set(control.id, known);
            if (focused) known.element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
        }
        known.update(control);
        return known.element;
    }

    function build(control) {
        const name = id(control.id);
        const help = control.help && h('small', { id: `${name}-help` }, control.help);
        const error = h('p', { class: 'error', id: `${name}-error` });
        const described = `${control.help ? `${name}-help ` : ''}${name}-error`;
        const send = (value) => act({ kind: 'set_field', key: control.id, value });
        const does = (choice) => (choice.action ? act(choice.action) : send(choice.value ?? ''));
        const inputs = [];
        let element;
        let set;
        if (control.kind === 'segmented') {
            const options = control.choices.map((choice, i) => {
                const input = h('input', { type: 'radio', name, 'data-key': `${control.id} ${i}`, 'aria-describedby': described, onchange: () => does(choice) });
                inputs.push(input);
                return h('label', { title: choice.tooltip }, input, choice.label);
            });
            element = h('fieldset', { class: 'field' }, h('legend', null, control.label), h('div', { class: 'options' }, options));
            set = ({ choices }) => choices.forEach((choice, i) => (inputs[i].checked = !!choice.selected));
        } else if (control.kind === 'select') {
            const select = h(
                'select',
                { id: name, 'data-key': control.id, 'aria-describedby': described, onchange: () => does(control.choices[select.selectedIndex]) },
                control.choices.map(({ label, detail }) => h('option', null, detail ? `${label} · ${detail}` : label)),
            );
            inputs.push(select);
            element = h('div', { class: 'field' }, h('label', { for: name }, control.label), select);
            set = ({ choices }) => (select.selectedIndex = choices.findIndex((choice) => choice.selected));
        } else {
            const input = h('input', {
                id: name, type: 'text', inputmode: 'decimal', autocomplete: 'off', 'data-key': control.id, 'aria-describedby': described,
                onchange: () => send(input.value.normalize('NFKC').trim()),
            });
            inputs.push(input);
            const label = control.unit ? `${control.label} (${control.unit})` : control.label;
            element = h('div', { class: 'field' }, h('label', { for: name }, label));
            let range;
            if (control.kind === 'slider') {
                range = h('input', {
                    type: 'range', 'data-key': `${control.id} range`, 'aria-label': control.label, 'aria-describedby': described,
                    min: Math.log2(control.minimum), max: Math.log2(control.maximum), step: 1,
                    oninput: () => send(String(2 ** range.value)),
                });
                element.append(range);
            }
            element.append(input);
            set = ({ edit_text = '', value, value_text }) => {
                if (document.activeElement !== input || input.dataset.shown !== edit_text) input.value = edit_text;
                input.dataset.shown = edit_text;
                if (!range) return;
                if (document.activeElement !== range || 2 ** range.value !== value) range.value = Math.log2(value);
                range.setAttribute('aria-valuetext', value_text);
            };
        }
        if (help) element.append(help);
        const effect = h('small');
        element.append(effect, error);
        return {
            element,
            update(state) {
                set(state);
                error.textContent = state.error ?? '';
                effect.textContent = [state.flag, state.effect].filter(Boolean).join(' · ');
                for (const input of inputs) {
                    if (state.error) input.setAttribute('aria-invalid', 'true');
                    else input.removeAttribute('aria-invalid');
                }
            },
        };
    }

    function setup() {
        let known = sections.get('setup');
        if (!known) {
            const advanced = h('details', { ontoggle: () => act({ kind: 'show_advanced', value: advanced.open ? '1' : '' }) }, h('summary', { 'data-key': 'advanced' }), h('div', { class: 'fields' }));
            const element = h('section', { id: id('setup'), class: 'card', 'aria-labelledby': id('setup-title') },
                title('setup'), h('div', { class: 'fields' }), advanced);
            sections.set('setup', (known = { element, advanced }));
            root.append(element);
        }
        const { element, advanced } = known;
        element.firstChild.textContent = view.setup_title;
        advanced.firstChild.textContent = view.advanced_label;
        const place = (parent, elements) => {
            elements.forEach((child, i) => parent.children[i] !== child && parent.insertBefore(child, parent.children[i] ?? null));
            while (parent.children.length > elements.length) parent.lastChild.remove();
        };
        element.querySelector('.gpu')?.remove();
        if (view.gpu_hint) {
            element.children[0].after(h('p', { class: 'gpu row' },
                action(view.gpu_hint.action, view.gpu_hint.label, 'gpu use', { title: view.gpu_hint.tooltip }),
                action(view.gpu_forget.action, view.gpu_forget.label, 'gpu forget')));
        }
        const controls = view.controls ?? [];
        place(element.querySelector('.fields'), controls.filter((control) => !control.advanced).map(field));
        place(advanced.lastChild, controls.filter((control) => control.advanced).map(field));
        const all = [...controls, ...(view.mode?.filters ?? [])];
        for (const key of fields.keys()) if (!all.some((control) => control.id === key)) fields.delete(key);
    }

    const figure = (data, bytes) =>
        h('div', { title: data.tooltip },
            h('dt', null, action(data.action, data.label, `explain ${data.id}`, { 'aria-pressed': view.explained === data.id ? 'true' : 'false' })),
            h('dd', { class: tone(data.tone === 'bad' && 'bad', 'value'), 'data-figure': data.id, 'data-exact': data.exact, 'data-bytes': bytes ? data.exact : undefined },
                data.value, data.unit ? `\u00a0${data.unit}` : ''),
            data.detail ? h('dd', { class: 'dim' }, data.detail) : '');

    function table(data) {
        if (!data?.rows && !data?.note) return;
        section(data.id, data, () => {
            const cells = (row, r) => (row.cells ?? []).map((cell, i) => {
                const content = action(cell.action, `${cell.sign ? `${cell.sign} ` : ''}${cell.text ?? ''}`, `${data.id} ${r} ${i}`, { title: cell.tooltip, 'aria-pressed': cell.selected && 'true' });
                const props = { class: tone(cell.tone, data.columns[i].numeric ? 'number' : ''), 'data-exact': cell.exact, title: cell.action ? '' : cell.tooltip };
                return i === 0 ? h('th', { scope: 'row', ...props }, content) : h('td', props, content);
            });
            return [
                title(data.id, data.title),
                h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-labelledby': id(`${data.id}-title`) },
                    h('table', { 'data-table': data.id },
                        h('caption', null, data.caption ?? ''),
                        h('thead', null, h('tr', null, data.columns.map((column) => h('th', { scope: 'col', class: column.numeric ? 'number' : '' }, column.label)))),
                        h('tbody', null, (data.rows ?? []).map((row, r) => h('tr', { 'aria-current': row.selected && 'true' }, cells(row, r)))))),
                data.note ? h('p', { class: 'dim' }, data.note) : '',
            ].filter(Boolean);
        });
    }

    /** What the chosen tab adds: a section below the list of tabs, or none. */
    function tabPanel(name, data, show) {
        if (!data) return drop(name);
        show();
        sections.get('tabs').element.after(sections.get(name).element);
    }

    const messages = (list) => (list ?? []).map((message) => h('p', { class: tone(message.tone), 'data-message': message.tone ?? 'normal' }, message.text));

    function command(data) {
        const button = copyButton(`copy ${data.id}`, view.copy_label, `${view.copy_label}: ${data.title}`, () => data.text);
        return [
            h('h3', null, data.title),
            ...(data.text ? [h('pre', { 'data-command': data.id, tabindex: 0, 'aria-label': data.title }, data.text), h('div', null, button)] : []),
            data.note ? h('p', { class: 'dim' }, data.note) : '',
        ].filter(Boolean);
    }

    function search() {
        const results = h('ul', null, (view.search_results ?? []).map((choice, i) =>
            h('li', null, action(choice.action, choice.label, `search ${i}`), ` ${choice.detail ?? ''}`)));
        return view.search_results ? [results] : [];
    }

    /** A button that copies and says so. */
    function copyButton(key, label, name, value) {
        const button = h('button', {
            type: 'button', 'data-key': key, 'aria-label': name,
            onclick: async () => { if (await copy(value())) button.textContent = view.copied_label; },
        }, label);
        return button;
    }

    // Pages, undo and export; the same order as in the drawing.
    const strip = () => h('nav', { 'aria-label': view.modes_label }, h('ul', { class: 'chips pages' }, (view.modes ?? []).map((mode, i) =>
        h('li', null, h('button', { type: 'button', 'data-key': `mode ${i}`, 'aria-current': mode.selected && 'page', onclick: () => act({ kind: 'select_mode', value: mode.id ?? '' }) }, mode.label)))));
    const does = (choice, key) => choice?.label &&
        h('button', { type: 'button', 'data-key': key, 'aria-disabled': choice.disabled && 'true', onclick: () => !choice.disabled && act(choice.action) }, choice.label);

    const frame = () => {
        const input = h('input', {
            type: 'search', id: id('search'), 'data-key': 'search', placeholder: view.search_hint,
            oninput: () => act({ kind: 'search', value: input.value }),
        });
        return [
            ...(view.modes ? [strip()] : []),
            title('frame', view.mode?.title ?? (view.model_name || view.page_title), 'h1'),
            ...(!view.mode || view.mode.id === 'need' ? [
                view.mode ? h('p', null, view.model_name) : '',
                h('p', { class: 'dim' }, view.model_subtitle ?? ''),
                h('ul', { class: 'chips' }, (view.chips ?? []).map((chip) => h('li', null, chip))),
                h('p', null, view.summary ?? ''),
            ] : []),
            h('div', { class: 'row' },
                pick(view.language_label, view.languages, 'language'),
                pick(view.theme_label, view.themes, 'theme'),
                pick(view.unit_label, view.units, 'unit'),
                h('button', { type: 'button', 'data-key': 'open-files', onclick: () => act({ kind: 'open_files' }) }, view.open_label),
                copyButton('share', view.share_label, '', link),
                h('button', { type: 'button', 'data-key': 'reset', onclick: () => act({ kind: 'reset' }) }, view.reset_label),
                does(view.undo, 'undo') ?? '', does(view.redo, 'redo') ?? '', does(view.add_to_compare, 'compare') ?? ''),
            view.exports ? h('div', { class: 'row', role: 'group', 'aria-label': view.export_label }, h('span', { 'aria-hidden': 'true' }, view.export_label), view.exports.map((choice, i) => does(choice, `export ${i}`))) : '',
            h('div', { class: 'field' }, h('label', { for: id('search') }, view.search_label), input),
            view.shortcuts ? h('details', { id: id('shortcuts') }, h('summary', { 'data-key': 'shortcuts' }, view.shortcuts_title),
                h('dl', { class: 'facts' }, view.shortcuts.flatMap(({ label, value }) => [h('dt', null, label), h('dd', null, h('kbd', null, value))]))) : '',
        ];
    };

    // The other pages take the place of the simulator's sections.
    let inMode = false;
    let modes;
    function leaveMode() {
        inMode = false;
        for (const name of [...sections.keys()]) if (name !== 'frame') drop(name);
        fields.clear();
    }
    function showMode() {
        if (inMode !== view.mode.id) {
            leaveMode();
            inMode = view.mode.id;
        }
        if (view.controls) setup();
        section('answer', view.messages, () => [title('answer', view.mode.title), ...messages(view.messages)]);
        if (!view.messages) drop('answer');
        if (modes) return modes(view.mode);
        import('./modes.js').then(({ createModes }) => {
            modes = createModes({ h, act, action, section, drop, title, tone, id, field });
            if (view.mode) modes(view.mode);
        });
    }

    return function show(next) {
        view = next;
        const { languages, themes, units } = view;
        section('frame', [view.model_name, view.model_subtitle, view.chips, view.summary, languages, themes, units, view.modes, view.mode?.title, view.undo, view.redo, view.add_to_compare, view.exports], frame);
        const box = sections.get('frame').element;
        box.querySelector(':scope > ul:not(.chips)')?.remove();
        box.append(...search());
        if (view.mode) {
            showMode();
            return;
        }
        if (inMode) leaveMode();
        setup();
        if (!view.total?.label) {
            section('answer', view.messages, () => [title('answer', view.page_title), ...messages(view.messages)]);
            return;
        }
        section('answer', [view.verdict_text, view.verdict_detail, view.change, view.total, view.parts, view.figures, view.messages, view.explained], () => [
            title('answer', view.answer_title),
            h('p', { class: tone(view.verdict_tone, 'verdict'), id: 'twin-verdict', 'data-verdict': view.verdict_tone }, `${view.verdict_sign} ${view.verdict_text}`),
            h('p', null, view.verdict_detail),
            view.change ? h('p', null, action(view.change.action, view.change.label, 'change'), ` ${view.change.detail}`) : '',
            h('dl', { class: 'figures' }, figure(view.total, true), (view.parts ?? []).map((part) => figure(part, true))),
            h('dl', { class: 'figures' }, view.figures.map((data) => figure(data, false))),
            ...messages(view.messages),
        ]);
        if (view.advice) {
            table(view.advice);
            sections.get('answer').element.after(sections.get('advice').element);
        } else {
            drop('advice');
        }
        section('tabs', [view.tabs, view.views_title], () => [
            title('tabs', view.views_title),
            h('div', { class: 'row' }, view.tabs.map((tab) => h('button', {
                type: 'button', 'data-key': `tab ${tab.id}`, 'aria-pressed': tab.selected ? 'true' : 'false',
                onclick: () => act({ kind: 'select_tab', value: tab.id }),
            }, tab.label))),
        ]);
        sections.get('answer').element.after(sections.get('tabs').element);
        tabPanel('heat', view.heat, () => table(view.heat));
        for (const name of ['measured', 'capacity', 'decode']) {
            tabPanel(name, view.speed?.[name], () => table(view.speed[name]));
        }
        tabPanel('speed', view.speed, () => section('speed', { ...view.speed, decode: 0, capacity: 0 }, () => [
            title('speed', view.speed.limit_title ?? view.tabs.find((tab) => tab.selected).label),
            h('p', null, view.speed.limit_text),
            h('ul', null, (view.speed.shares ?? []).map((part) => h('li', null, `${part.label}: ${part.percent_text}, ${part.value_text}`))),
            ...[view.speed.users_text, view.speed.dots_label].filter(Boolean).map((text) => h('p', null, text)),
        ]));
        tabPanel('layers', view.layers, () => table(view.layers));
        for (const data of [view.devices, view.matrix]) table(data);
        for (const name of ['hardware', 'files']) {
            if (!view[name]?.rows) later(name, false);
            table(view[name]);
            sections.get(name).element.hidden = !view[name]?.rows && !view[name]?.note;
        }
        later('model', view.architecture, [view.architecture_title, view.architecture, view.notes], () => [
            title('model', view.architecture_title),
            h('dl', { class: 'facts' }, view.architecture.flatMap(({ label, value, url }) => [
                h('dt', null, label), h('dd', null, url ? h('a', { href: url, rel: 'noopener' }, value) : value)])),
            h('h3', null, view.notes_title), ...messages(view.notes),
        ]);
        section('why', [view.why_title, view.why, view.assumptions, view.explained], () => [
            title('why', view.why_title),
            view.why_back ? h('p', null, action(view.why_back.action, view.why_back.label, 'why back')) : '',
            h('div', { class: 'columns' }, view.why.map((part) =>
                h('div', { class: tone(part.tone, 'part') }, h('h3', null, `${part.title}: ${part.value}`),
                    part.formula ? h('p', { class: 'mono' }, part.formula) : '', part.range ? h('p', null, part.range) : '', part.text ? h('p', { class: 'dim' }, part.text) : '', h('p', { class: 'dim' }, part.source ?? '')))),
            h('p', null, action({ kind: 'copy_explanation' }, view.why_copy, 'why copy')),
            h('h3', null, view.assumptions_title), h('ul', null, view.assumptions.map((text) => h('li', null, text))),
        ]);
        later('run', view.commands, [view.run_title, view.commands], () => [title('run', view.run_title), ...view.commands.flatMap(command)]);
        section('related', [view.related_title, view.related, view.footer], () => [
            title('related', view.related_title ?? view.page_title),
            h('ul', null, (view.related ?? []).map((choice, i) => h('li', null, action(choice.action, choice.label, `related ${i}`), ` ${choice.detail ?? ''}`))),
            h('p', { class: 'dim' }, view.footer),
            view.report ? h('p', null, h('a', { href: view.report.action.value, rel: 'noopener' }, view.report.label)) : '',
        ]);
    };
}
