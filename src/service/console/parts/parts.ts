/** The parts of views: tables, pages, filters, actions, dialogs. */

import { all, addressOf, type Child, h, link } from './dom.js';

/** The address of a view, after `#/`. */
export interface Route {
  readonly path: readonly string[];
  readonly query: Texts;
}

export type Texts = Readonly<Record<string, string | undefined>>;

/** Tells the page what was done, or what went wrong; it shows the sentence, and after success the view anew. */
export function say(text: string, isProblem = false): void {
  document.dispatchEvent(new CustomEvent('said', { detail: { text, isProblem } }));
}

export function sentenceOf(error: unknown): string {
  if (error instanceof TypeError) return 'The service does not answer. Try again later.';
  return error instanceof Error ? error.message : String(error);
}

/**
 * @param columns - the cells of a row by the heads of their columns
 * The roles are written, because a table that the style lays out in another way loses them.
 */
export function table<Row>(
  label: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Child>>,
): HTMLElement {
  if (rows.length === 0) return h('p', { class: 'quiet' }, `No ${label.toLowerCase()}.`);
  const heads = Object.keys(columns).map((head) => h('th', { scope: 'col', role: 'columnheader' }, head));
  const lines = rows.map((row) => {
    const cells = Object.entries(columns).map(([head, cell]) =>
      h('td', { role: 'cell', 'data-head': head }, cell(row)),
    );
    return h('tr', { role: 'row' }, ...cells);
  });
  const head = h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, ...heads));
  return h('table', { role: 'table', 'aria-label': label }, head, h('tbody', { role: 'rowgroup' }, ...lines));
}

/** Terms and their values. */
export function facts(values: Readonly<Record<string, Child>>): HTMLElement {
  const pairs = Object.entries(values).flatMap(([term, value]) => [h('dt', {}, term), h('dd', {}, value)]);
  return h('dl', { class: 'box' }, ...pairs);
}

/** A status, in words and in colour. */
export function badge(status: string): HTMLElement {
  const isGood = ['active', 'delivered', 'done', 'ready', 'up', 'completed'].includes(status);
  const isBad = ['failed', 'disabled', 'refused', 'inactive', 'revoked', 'not ready', 'down'].includes(
    status,
  );
  return h('span', { class: `badge ${isGood ? 'good' : isBad ? 'bad' : ''}` }, status);
}

const PER_PAGE = 20;

export const pageOf = ({ query }: Route) => ({ page: Number(query['page'] ?? 1), limit: PER_PAGE });

export const beforeOf = ({ query: { before } }: Route) => ({
  limit: PER_PAGE,
  ...(before && { lastId: before }),
});

/** Where a page of a list is, with links to those beside it. @param headers - those of a list: `X-Total-Count`, `X-Page` */
export function pager({ path, query }: Route, headers: Texts): HTMLElement {
  const [total, page] = [Number(headers['x-total-count']), Number(headers['x-page'])];
  const last = Math.max(1, Math.ceil(total / PER_PAGE));
  const to = (text: string, number: number): Child =>
    number >= 1 && number <= last && link(text, path.join('/'), { ...query, page: String(number) });
  const where = last === 1 ? '' : `Page ${String(page)} of ${String(last)}, `;
  const count = h('span', {}, `${where}${String(total)} in all`);
  return pages(count, to('Previous', page - 1), to('Next', page + 1));
}

/** The same for a list that is read from the newest to the oldest. */
export function older(
  { path, query }: Route,
  { hasMore, lastId }: { readonly hasMore: boolean; readonly lastId: string | null },
): HTMLElement {
  const to = (text: string, before: string) => link(text, path.join('/'), { ...query, before });
  return pages(query['before'] !== undefined && to('Newest', ''), hasMore && to('Older', lastId ?? ''));
}

function pages(...links: readonly Child[]): HTMLElement {
  return h('nav', { class: 'row', 'aria-label': 'Pages' }, ...links);
}

/** Choices make a select; another attribute is one of the input. */
interface Field {
  readonly choices?: readonly string[];
  readonly [attribute: string]: string | number | boolean | readonly string[] | undefined;
}

export function field(label: string, { choices, ...attributes }: Field): HTMLElement {
  const { value = '', name } = attributes as Texts;
  const options = choices?.map((each) =>
    h('option', { value: each, selected: each === value }, each || 'any'),
  );
  const input = options ? h('select', { name }, ...options) : h('input', attributes as Texts);
  return h('label', {}, h('span', {}, label), input);
}

/** Spaces around a text are slips, but in a password they count. A form without files has only texts. */
function textOf(name: string, value: FormDataEntryValue): string {
  if (typeof value !== 'string') return '';
  return name === 'password' ? value : value.trim();
}

type Sending = Promise<string | undefined> | undefined;

/** A form that sends the texts of its fields. While it does, its button is disabled. */
export function form(
  label: string,
  button: string,
  fields: readonly HTMLElement[],
  send: (values: Texts, data: FormData) => Sending,
): HTMLFormElement {
  const submit = h('button', { type: 'submit' }, button);
  const submitted = (event: Event): void => {
    event.preventDefault();
    const data = new FormData(made);
    const values = Object.fromEntries([...data].map(([name, value]) => [name, textOf(name, value)]));
    void during(submit, () => send(values, data));
  };
  const made = h('form', { class: 'fields', 'aria-label': label, submit: submitted }, ...fields, submit);
  return made;
}

/** A form whose fields become the query of the view's address. @param find - the address of a single record, if one was asked for */
export function filters(
  { path, query }: Route,
  fields: Readonly<Record<string, Field & { readonly label: string }>>,
  find?: (values: Texts) => string | undefined,
): HTMLElement {
  const shown = Object.entries(fields).map(([name, { label, ...others }]) =>
    field(label, { ...others, name, value: query[name] }),
  );
  // eslint-disable-next-line @typescript-eslint/require-await -- what `find` throws is shown
  return form('Filters', 'Find', shown, async (values) => {
    const address = find?.(values) ?? addressOf(path.join('/'), values);
    // Asked again, the same is read again: deliveries go on.
    if (address === location.hash) dispatchEvent(new Event('hashchange'));
    else location.hash = address;
    return undefined;
  });
}

async function during(button: HTMLButtonElement, run: () => Sending): Promise<void> {
  button.disabled = true;
  try {
    const done = await run();
    if (done !== undefined) say(done);
  } catch (error) {
    say(sentenceOf(error), true);
  } finally {
    button.disabled = false;
    // A disabled button loses it.
    if (document.activeElement === document.body) button.focus();
  }
}

/** Asked before an action. With `typed`, that text must be typed. */
interface Question {
  readonly text: string;
  readonly typed?: string;
}

/** A button. @param run - returns the sentence that says what was done */
export function action(label: string, question: Question | undefined, run: () => Sending): HTMLElement {
  const look = question?.typed === undefined ? 'plain' : 'danger';
  const button = h('button', { type: 'button', class: look }, label);
  const clicked = async (): Promise<void> => {
    // Not disabled while the dialog is open: the focus returns to it.
    if (question === undefined || (await isConfirmed(label, question))) await during(button, run);
  };
  button.addEventListener('click', () => void clicked());
  return button;
}

/** A modal dialog, which the browser keeps the focus in. @returns the value of the button that closed it */
function ask(title: string, ...content: readonly Child[]): Promise<string> {
  return new Promise((resolve) => {
    const closed = (): void => {
      resolve(dialog.returnValue);
      dialog.remove();
    };
    const parts = [h('h2', { id: 'asked' }, title), h('form', { method: 'dialog' }, ...content)];
    const dialog = h('dialog', { 'aria-labelledby': 'asked', close: closed }, ...parts);
    document.body.append(dialog);
    dialog.showModal();
  });
}

async function isConfirmed(label: string, { text, typed }: Question): Promise<boolean> {
  const yes = h('button', { value: 'yes', class: 'danger', disabled: typed !== undefined }, label);
  const input = h('input', { autocomplete: 'off', spellcheck: 'false' });
  input.addEventListener('input', () => (yes.disabled = input.value !== typed));
  const wish = h('span', {}, 'Type ', h('code', {}, typed), ' to confirm');
  const no = h('button', { value: 'no', class: 'plain' }, 'Cancel');
  const answer = await ask(
    `${label}?`,
    h('p', {}, text),
    typed !== undefined && h('label', {}, wish, input),
    h('p', { class: 'row' }, yes, no),
  );
  return answer === 'yes';
}

/** Shows a secret once: when the dialog is closed, the page has it no more. */
export async function showSecret(title: string, secret: string): Promise<void> {
  const copied = h('span', { role: 'status', class: 'quiet' });
  const copy = async (): Promise<void> => {
    const writing = navigator.clipboard.writeText(secret);
    copied.textContent = await writing.then(
      () => 'Copied.',
      () => 'Select the text and copy it.',
    );
  };
  const copying = h('button', { type: 'button', click: () => void copy() }, 'Copy');
  const closing = h('button', { value: 'kept', class: 'plain' }, 'I have kept it');
  await ask(
    title,
    h('p', {}, 'Keep it now: it is not shown again.'),
    h('output', { class: 'secret', tabindex: '0' }, secret),
    h('p', { class: 'row' }, copying, closing, copied),
  );
}

/** The start of a view. */
export function heading(text: string, ...beside: readonly Child[]): DocumentFragment {
  return all(h('h1', { tabindex: '-1' }, text), beside.length > 0 && h('p', { class: 'row' }, ...beside));
}
