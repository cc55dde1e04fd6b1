/** Finds the credentials of a request. A recording describes where they are and counts callers by them, and never has their values. */

import { createHash } from 'node:crypto';
import type { RequestHeaders } from '@concordat/runtime';
import { cookiePairs } from '@concordat/runtime/observe';
import { isVariableName } from './names.js';

/** Where a request has a credential, as a security scheme describes it. */
export type CredentialPlace =
  | { readonly type: 'http'; readonly scheme: 'bearer' | 'basic' }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string };

/** A credential as it was sent. Its value is used only to leave it out of all that is written. */
export interface FoundCredential {
  readonly place: CredentialPlace;
  readonly value: string;
}

const KEY_HEADER =
  /^(?:x-)?(?:[a-z]+-)*(?:api-?key|access-?key|auth-?key|auth-?token|access-?token|session-?token)$/;

const KEY_PARAMETER = /^(?:api[_-]?key|access[_-]?token|auth[_-]?token|key|token|sig|signature)$/i;

const SESSION_COOKIE = /(?:^|[._-])(?:s?sid|sess(?:ion)?(?:id)?|auth|token|jwt)(?:$|[._-])|sess(?:ion)?_?id/i;

/** The texts of a header, which may be repeated. */
export const textsOf = (header: RequestHeaders[string]): readonly string[] => [header ?? []].flat();

/** The credentials of a request: in `Authorization`, in headers for keys, in cookies of sessions and in the query. */
export function credentialsOf(headers: RequestHeaders, query: URLSearchParams): readonly FoundCredential[] {
  const apiKey = (at: 'header' | 'query' | 'cookie', name: string, value: string): FoundCredential => ({
    place: { type: 'apiKey', in: at, name },
    value,
  });
  const inHeaders = Object.entries(headers).flatMap(([name, given]) =>
    textsOf(given).flatMap((value): readonly FoundCredential[] => {
      if (name === 'authorization') {
        const [, scheme = '', credential = ''] = /^(\S+)\s+(.*)$/.exec(value) ?? [];
        const known = (['bearer', 'basic'] as const).find((each) => each === scheme.toLowerCase());
        if (known === undefined) return [apiKey('header', name, value)];
        return [{ place: { type: 'http', scheme: known }, value: credential }];
      }
      if (name === 'cookie')
        return cookiePairs(value).flatMap(([cookie, text]) => {
          // `session.sig` of Koa and Express signs the cookie before it.
          const isSession = SESSION_COOKIE.test(cookie) && !/\.sig$/.test(cookie);
          return isSession && !isVariableName(cookie) ? [apiKey('cookie', cookie, text)] : [];
        });
      return KEY_HEADER.test(name) ? [apiKey('header', name, value)] : [];
    }),
  );
  const inQuery = [...query].filter(([name]) => isKeyParameter(name));
  return [...inHeaders, ...inQuery.map(([name, value]) => apiKey('query', name, value))];
}

/** Whether a member of a query is a credential, and so not a parameter. */
export const isKeyParameter = (name: string): boolean => KEY_PARAMETER.test(name);

/** Tells callers apart: by their credentials, and without one by their address, which begins with `@`. */
export function callerOf(
  credentials: readonly FoundCredential[],
  { 'x-forwarded-for': forwarded }: RequestHeaders,
  address = '',
): string {
  if (credentials.length === 0) return `@${textsOf(forwarded)[0] ?? address}`;
  const values = credentials.map(({ value }) => value);
  return createHash('sha256').update(values.join('\n')).digest('base64');
}
