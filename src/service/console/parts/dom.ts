/** Builds elements. A text is only ever set as text, so that nothing that a client has stored becomes markup. */

export type Child = Node | string | false | undefined;
type Props = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => unknown)>>;

/** @param props - attributes, and listeners by the name of their event */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== false && child !== undefined));
  return element;
}

/** Empty and absent parameters are left out. */
type Query = Readonly<Record<string, string | undefined>>;

/** Several nodes in place of one. */
export function all(...children: readonly Child[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...children.filter((child) => child !== false && child !== undefined));
  return fragment;
}

/** A link within the console. Its address can be sent. */
export function link(text: string, path: string, query: Query = {}): HTMLElement {
  return h('a', { href: addressOf(path, query) }, text);
}

export function addressOf(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value = '']) => (value === '' ? [] : [[name, value]]));
  return `#/${path}${given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`}`;
}

/** A time as the reader's locale writes it. */
export function time(at: string | undefined): HTMLElement | string {
  if (at === undefined) return '–';
  const text = new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  return h('time', { datetime: at, title: at }, text);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** How long ago a time was, in its largest unit. */
export function age(at: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 1000));
  const [name, size] = UNITS.find((unit) => seconds >= unit[1]) ?? ['second', 1];
  const count = Math.floor(seconds / size);
  return `${String(count)} ${name}${count === 1 ? '' : 's'}`;
}
