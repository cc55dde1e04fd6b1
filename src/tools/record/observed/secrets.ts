/** Finds the credentials of a request, which are never written. */

import { createHash } from 'node:crypto';
import { decodedPair } from '@concordat/runtime/observe';
import { type Fields, valuesOf } from '../../traffic/heads.js';
import { isVariableName } from './names.js';
import type { Exchange } from './observed-body.js';

/** Where a request has a credential, as a security scheme describes it. */
export type CredentialPlace =
  | { readonly type: 'http'; readonly scheme: 'bearer' | 'basic' }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string };

/** A credential as it was sent. Its value is used only to leave it out of all that is written. */
interface FoundCredential {
  readonly place: CredentialPlace;
  readonly value: string;
}

const KEY_HEADER =
  /^(?:x-)?(?:[a-z]+-)*(?:api-?key|access-?key|auth-?key|auth-?token|access-?token|session-?token)$/i;

const KEY_PARAMETER = /^(?:api[_-]?key|access[_-]?token|auth[_-]?token|key|token|sig|signature)$/i;

const SESSION_COOKIE = /(?:^|[._-])(?:s?sid|sess(?:ion)?(?:id)?|auth|token|jwt)(?:$|[._-])|sess(?:ion)?_?id/i;

/** The credentials of a request: in `Authorization`, in headers for keys, in cookies of sessions and in the query. */
export function credentialsOf(headers: Fields, query: URLSearchParams): readonly FoundCredential[] {
  const found: FoundCredential[] = [];
  for (const [name, value] of headers) {
    if (/^authorization$/i.test(name)) found.push(...authorization(value));
    else if (/^cookie$/i.test(name)) found.push(...cookies(value));
    else if (KEY_HEADER.test(name)) {
      found.push({ place: { type: 'apiKey', in: 'header', name: name.toLowerCase() }, value });
    }
  }
  for (const [name, value] of query) {
    if (isKeyParameter(name)) found.push({ place: { type: 'apiKey', in: 'query', name }, value });
  }
  return found;
}

/** Whether a member of a query is a credential, and so not a parameter. */
export const isKeyParameter = (name: string): boolean => KEY_PARAMETER.test(name);

function authorization(value: string): readonly FoundCredential[] {
  const [, scheme = '', credential = ''] = /^(\S+)\s+(.*)$/.exec(value) ?? [];
  const known = (['bearer', 'basic'] as const).find((each) => each === scheme.toLowerCase());
  return known === undefined
    ? [{ place: { type: 'apiKey', in: 'header', name: 'authorization' }, value }]
    : [{ place: { type: 'http', scheme: known }, value: credential }];
}

function cookies(header: string): readonly FoundCredential[] {
  return pairsOf(header).flatMap(([name, value]) => {
    // `session.sig` of Koa and Express signs the cookie before it.
    if (!SESSION_COOKIE.test(name) || /\.sig$/.test(name) || isVariableName(name)) return [];
    return [{ place: { type: 'apiKey', in: 'cookie', name } as const, value }];
  });
}

function pairsOf(header: string): readonly (readonly [name: string, value: string])[] {
  return header.split(';').map((pair) => {
    const [, name = '', value = ''] = /^\s*([^=]*)=(.*)$/.exec(pair) ?? [];
    return [name, value];
  });
}

/** Tells callers apart: by their credentials, and without one by their address, which begins with `@`. */
export function callerOf({ requestHeaders, address = '' }: Exchange, query: URLSearchParams): string {
  const values = credentialsOf(requestHeaders, query).map(({ value }) => value);
  if (values.length === 0) return `@${valuesOf(requestHeaders, 'x-forwarded-for')[0] ?? address}`;
  return createHash('sha256').update(values.join('\n')).digest('base64');
}

/** The most values that are remembered. */
const MOST_VALUES = 2000;

/** The values of credentials and cookies that were seen, in memory only. */
export class SeenSecrets {
  readonly #credentials = new Set<string>();
  readonly #values = new Set<string>();

  add({ requestHeaders, responseHeaders }: Exchange, query: URLSearchParams): void {
    const credentials = credentialsOf(requestHeaders, query).map(({ value }) => value);
    const pairs = valuesOf(requestHeaders, 'authorization')
      .filter((value) => /^basic\s/i.test(value))
      .map((value) => decodedPair(value.slice('basic '.length).trim()));
    for (const value of [...credentials, ...pairs.map(([, ...password]) => password.join(':'))]) {
      keep(this.#credentials, value);
      keep(this.#values, value);
    }
    const cookieTexts = valuesOf(requestHeaders, 'cookie')
      .flatMap(pairsOf)
      .map(([, text]) => text);
    const setCookies = valuesOf(responseHeaders, 'set-cookie').map((value) => pairsOf(value)[0]?.[1] ?? '');
    const users = pairs.map(([user = '']) => user);
    for (const value of [...cookieTexts, ...setCookies, ...users]) keep(this.#values, value);
  }

  /** Whether a text has one of the values in it. */
  isIn(text: string): boolean {
    for (const value of this.#values) if (text.includes(value)) return true;
    return false;
  }

  isCredential(text: string): boolean {
    return this.#credentials.has(text);
  }
}

/** Shorter values would be found in ordinary words, and longer texts are not written. */
function keep(values: Set<string>, value: string): void {
  if (value.length >= 4 && value.length <= 100 && values.size < MOST_VALUES) values.add(value);
}
