/** Decides which segments of a path, and which keys of an object, are names, and names parameters and operations. */

import { camelCase, freeName, pascalCase, percentDecoded } from 'concordat/contract';
import { singular } from '../../running/resources.js';

const pascal = (text: string): string => pascalCase(percentDecoded(text));
export const camel = (text: string): string => camelCase(percentDecoded(text));

/** The path with names for its parameters, after the segments before them: `/customers/{customerId}`. */
export function templateOf(segments: readonly (string | undefined)[]): string {
  const used = new Set<string>();
  const parts = segments.map((segment, index) => {
    if (segment !== undefined) return segment.replaceAll(/[{}]/g, encodeURIComponent);
    const before = segments.slice(0, index).findLast((each) => each !== undefined);
    const base =
      before === undefined || segments[index - 1] === undefined ? 'id' : `${camel(singular(before))}Id`;
    return `{${freeName(base, used)}}`;
  });
  return `/${parts.join('/')}`;
}

const VERBS: Readonly<Record<string, string>> = {
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
  HEAD: 'head',
};

/** `listCustomers`, `getCustomer`, `createCustomer`, `sendInvoice`, `login`. */
export function operationName(method: string, segments: readonly (string | undefined)[]): string {
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

/**
 * Whether a segment of a path looks like a value, such as `7`, `INV-1001`, `pay_0001` or a UUID. Words are names until others are
 * seen in their place.
 */
export function isVariableSegment(segment: string): boolean {
  const text = percentDecoded(segment);
  if (/^v\d+(?:\.\d+)*$/i.test(text)) return false;
  return (
    /[^\w.~!$'()*+,:=-]/.test(text) ||
    /^\d+$/.test(text) ||
    /\d{4}/.test(text) ||
    /[._~:+-]\d|\d[._~:+-]/.test(text) ||
    (/\d/.test(text) && /[A-Z]/.test(text)) ||
    (/\d/.test(text) && text.length >= 12) ||
    text.length >= 32 ||
    (text.match(/[a-z][A-Z]/g) ?? []).length > 5
  );
}

/** Whether the key of an object is an id, a date, an address or a token, and not the name of a property. */
export function isVariableName(name: string): boolean {
  return (
    name.length > 64 ||
    // Some validators pass over it.
    name === '__proto__' ||
    !/^[\p{L}_$@][\p{L}\p{N}_$@.:/ -]*$/u.test(name) ||
    /^.+@/.test(name) ||
    /\d{4}/.test(name) ||
    /[.:/ -]\d/.test(name) ||
    (name.match(/\d+/g) ?? []).length > 2 ||
    (name.length >= 32 && !/[_.:/ -]|[a-z][A-Z]/.test(name))
  );
}
