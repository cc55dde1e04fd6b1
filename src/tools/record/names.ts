/** Names for what a recording found: path parameters, operations and security schemes. */

import { decoded, singular } from './observed/path-segments.js';
import type { CredentialPlace } from './observed/secrets.js';

/** The words of a text, each with a capital. */
const pascal = (text: string): string =>
  decoded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

const camel = (text: string): string => {
  const name = pascal(text);
  return name.slice(0, 1).toLowerCase() + name.slice(1);
};

/** The path with names for its parameters, after the segments before them: `/customers/{customerId}`. */
export function templateOf(segments: readonly (string | undefined)[]): string {
  const used = new Set<string>();
  const parts = segments.map((segment, index) => {
    if (segment !== undefined) return segment.replaceAll(/[{}]/g, encodeURIComponent);
    const before = segments.slice(0, index).findLast((each) => each !== undefined);
    const base =
      before === undefined || segments[index - 1] === undefined ? 'id' : `${camel(singular(before))}Id`;
    let name = base;
    for (let number = 2; used.has(name); number += 1) name = `${base}${String(number)}`;
    used.add(name);
    return `{${name}}`;
  });
  return `/${parts.join('/')}`;
}

/** Names of operations, each given once. */
export class OperationNames {
  readonly #used: Set<string>;

  /** @param used - the names of a document that is there already */
  constructor(used: Iterable<string>) {
    this.#used = new Set(used);
  }

  /** `listCustomers`, `getCustomer`, `createCustomer`, `sendInvoice`, `login`. */
  nameOf(method: string, segments: readonly (string | undefined)[]): string {
    const name = baseName(method, segments);
    let free = name;
    for (let number = 2; this.#used.has(free); number += 1) free = `${name}${String(number)}`;
    this.#used.add(free);
    return free;
  }
}

const VERBS: Readonly<Record<string, string>> = {
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
  HEAD: 'head',
};

function baseName(method: string, segments: readonly (string | undefined)[]): string {
  const words = segments.filter((each): each is string => each !== undefined && each !== '');
  const last = words.at(-1) ?? 'root';
  const isItem = segments.length > 0 && segments.at(-1) === undefined;
  const isPlural = !last.includes('.') && singular(last) !== last;
  // The words before name the owner: `listCustomerNotes`.
  const owner = words
    .slice(0, -1)
    .map((word) => pascal(singular(word)))
    .join('');
  const one = owner + pascal(isItem || method === 'POST' ? singular(last) : last);
  const noun = isItem && !isPlural ? `${one}ById` : one;
  if (method === 'POST' && !isItem) {
    if (isPlural) return `create${noun}`;
    // An action on one of them, or on all.
    return camel(last) + (segments.at(-2) === undefined ? owner : words.slice(0, -1).map(pascal).join(''));
  }
  if (method === 'GET') return `${isPlural && !isItem ? 'list' : 'get'}${noun}`;
  return `${VERBS[method] ?? method.toLowerCase()}${noun}`;
}

/** `bearerAuth`, `basicAuth`, and for keys their name. */
export function schemeName(place: CredentialPlace): string {
  if (place.type === 'http') return `${place.scheme}Auth`;
  return camel(place.name) + (place.in === 'cookie' ? 'Cookie' : '');
}
