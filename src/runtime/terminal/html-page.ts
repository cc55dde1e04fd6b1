/** The page of a report: one file that loads nothing, with its style, and with a script that filters its rows. */

import { Html, html } from './html.js';

/** The properties by which rows are filtered. */
interface Sieve {
  readonly kind: string;
  readonly tags?: readonly string[] | undefined;
}

/** The attributes of an element that the filter shows or hides. */
export function filtered({ kind, tags = [] }: Sieve): Html {
  return html`data-kind="${kind}" data-tags="${JSON.stringify(tags)}"`;
}

/** @param rows - all that have the attributes of {@link filtered} @param body - sections, each a `<details class="group">` with rows */
export function reportPage(title: string, rows: readonly Sieve[], head: Html, body: readonly Html[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${head} ${rows.length > 1 ? filterForm(rows) : undefined} ${body}
        </main>
        ${new Html(`<script>${SCRIPT}</script>`)}
      </body>
    </html>`.source;
}

function filterForm(rows: readonly Sieve[]): Html {
  const kinds = new Set(rows.map(({ kind }) => kind));
  const tags = new Set(rows.flatMap((row) => row.tags ?? []));
  const choice = (label: string, name: string, values: ReadonlySet<string>): Html | undefined =>
    values.size === 0
      ? undefined
      : html`<label
          >${label}
          <select name="${name}">
            <option value="">all</option>
            ${[...values].toSorted().map((value) => html`<option>${value}</option>`)}
          </select></label
        >`;
  return html`<form hidden>
    ${choice('Kind', 'kind', kinds)} ${choice('Tag', 'tag', tags)}
    <label>With the words <input name="words" type="search" /></label>
    <button type="button">Unfold all</button>
    <p role="status" class="quiet">${rows.length} rows</p>
  </form>`;
}

/** Without it, the page shows all rows, and they unfold. Options are compared as values, so that no text becomes code. */
const SCRIPT = `
const form = document.querySelector('form');
const rows = [...document.querySelectorAll('[data-kind]')];
const groups = [...document.querySelectorAll('.group')].reverse();
const unfold = (isOpen) => document.querySelectorAll('details').forEach((each) => { each.open = isOpen; });
addEventListener('beforeprint', () => unfold(true));
if (form) {
  const { kind, tag, words } = form.elements;
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const isTag = !tag || tag.options.selectedIndex === 0 || JSON.parse(row.dataset.tags).includes(tag.value);
      const isKind = kind.options.selectedIndex === 0 || row.dataset.kind === kind.value;
      row.hidden = !(isKind && isTag && wanted.every((each) => text.includes(each)));
    }
    for (const group of groups) group.hidden = !group.querySelector('[data-kind]:not([hidden])');
    const shown = rows.filter((row) => !row.hidden).length;
    form.querySelector('p').textContent = shown === rows.length ? shown + ' rows' : shown + ' of ' + rows.length + ' rows';
  };
  const button = form.querySelector('button');
  button.hidden = !document.querySelector('details');
  button.addEventListener('click', () => {
    const isOpen = button.textContent === 'Unfold all';
    unfold(isOpen);
    button.textContent = isOpen ? 'Fold all' : 'Unfold all';
  });
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  // A browser that comes back to the page fills in what was chosen before.
  addEventListener('pageshow', filter);
  form.hidden = false;
}
`;

/** The colours are those of the service's pages. Text has a contrast of at least 7:1 to its ground (WCAG 2.2, criterion 1.4.6). */
const STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --raised: #f3f5f8; --text: #16202c; --quiet: #45505e; --line: #c3cad4; --link: #0b4a9e;
  --focus: #b14a00; --good: #0a5132; --warn: #653e00; --bad: #8c1010 }
@media (prefers-color-scheme: dark) { :root { --ground: #12161c; --raised: #1c222b; --text: #edf1f6; --quiet: #b8c2ce; --line: #475161;
  --link: #9cc7ff; --focus: #ffb066; --good: #8fe0b4; --warn: #f5c97a; --bad: #ffb3ab } }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.7rem; line-height: 1.2 }
h2 { display: inline; font-size: 1.15rem }
p { margin: .4rem 0 }
.quiet { color: var(--quiet) }
.lines { white-space: pre-line }
.counts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; padding: 0; list-style: none }
.counts li { min-width: 7rem; padding: .5rem .9rem; border: 1px solid var(--line); border-top: 4px solid currentColor; border-radius: .4rem }
.counts b { display: block; font-size: 1.6rem; line-height: 1.2 }
.error { color: var(--bad) } .warning { color: var(--warn) } .note { color: var(--quiet) } .good { color: var(--good) }
table { width: 100%; margin: .75rem 0; border-collapse: collapse }
th, td { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400 }
thead th { color: var(--quiet) }
th.number, td.number { width: 1%; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
th { overflow-wrap: normal }
td:last-child { width: 50%; padding-right: 0 }
.bar { display: block; width: 100%; height: .75rem; background: var(--raised); border-radius: .2rem }
.bar rect { fill: currentColor }
code, pre { font-family: ui-monospace, monospace; font-size: .85rem }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1rem 0; padding: .75rem; background: var(--raised); border-radius: .4rem }
label { display: grid; flex: 0 1 14rem; color: var(--quiet) }
select, input, button { width: 100%; height: 2.4rem; padding: .3rem .6rem; border: 1px solid var(--quiet); border-radius: .4rem; background: var(--ground); color: var(--text); font: inherit }
button { flex: 0 0 8rem; width: auto; color: var(--link); border-color: var(--link); font-weight: 600; cursor: pointer }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
summary { cursor: pointer; padding: .4rem 0 }
.group { margin: 1rem 0 0 }
.group .group { margin-top: 0; border-bottom: 1px solid var(--line) }
.row { border-bottom: 1px solid var(--line) }
.group .group .row:last-child { border: 0 }
.group > :not(summary) { margin-left: 1.1rem }
div.row { padding: .4rem 0 }
.about { font-weight: 600 }
.place { display: block; color: var(--quiet); font-size: .85rem }
figure { margin: .25rem 0 .75rem 1.1rem; border: 1px solid var(--line); border-radius: .4rem; overflow: hidden }
figcaption { padding: .2rem .75rem; background: var(--raised); color: var(--quiet); font-size: .85rem }
pre { margin: 0; padding: .5rem .75rem; white-space: pre-wrap }
pre > span, pre > mark { display: block; padding-left: 4.5ch; text-indent: -4.5ch }
pre i { display: inline-block; width: 4.5ch; padding-right: 1ch; text-indent: 0; text-align: right; font-style: normal; color: var(--quiet); user-select: none }
mark, mark i { color: var(--text) }
mark { background: color-mix(in srgb, var(--focus) 18%, var(--ground)) }
.records { margin: 1rem 0 0; padding: .5rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--link); border-radius: .4rem }
.records.none { border-left-color: var(--line) }
.records h2 { margin: 0; font-size: 1.1rem }
.records h2 .quiet { font-size: .85rem; font-weight: 400 }
.records ul { margin: .25rem 0; padding: 0; list-style: none }
.records li { position: relative; margin-left: .5rem; padding: .2rem 0 .2rem 1.4rem; border-left: 2px solid var(--line) }
.records li::before { content: ''; position: absolute; top: 1rem; left: 0; width: 1rem; border-top: 2px solid var(--line) }
.records .place { display: inline; padding-left: .5rem }
.action { display: inline-block; min-width: 5rem; color: var(--link) }
@media (max-width: 40rem) { main { padding: 1rem .8rem 2rem } label, button { flex: 1 1 40% } figure { margin-left: 0 } .group > :not(summary) { margin-left: .5rem } .counts li { flex: 1 1 40% } .records .place { display: block; padding: 0 } .action { min-width: 0 } td:last-child { width: 30% } }
@media print { form { display: none } body { background: none } figure, .row { break-inside: avoid } .bar { print-color-adjust: exact } }
`;

/** A test compares the hashes: the module that would compute them is missing where an observer may run. */
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-35+4KtlNs03fP9suy7jQgJSh+vXIBId4+GkE4N2gbfU='; script-src 'sha256-Z7HRPEidPu0jEjs4XwacKaocQwpxIy2BPvU48KetFX0='; base-uri 'none'; form-action 'none'`;
