/** Adds the credentials of a caller to requests, at the places that the security schemes of the contract name. */

import type { OperationContract, RestContract, SecurityScheme } from '../contract/contract.js';
import { encodeHeaderValue } from '../http/response-writers.js';

/** A token or key; the name and password of `http` `basic`; `true` if `fetch` or the browser adds the credential itself. */
export type Credential = string | { readonly username: string; readonly password: string } | true;

/** By the name of the security scheme: a credential, or a function that gives it for each call; undefined if there is none now. */
export type Credentials<Scheme extends string> = {
  readonly [Name in Scheme]?: Credential | (() => Credential | undefined | Promise<Credential | undefined>);
};

/** The parts of a request that hold credentials. */
export interface Authorized {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without `?`; empty when there is none. */
  readonly query: string;
}

/**
 * Compiles the credentials of a client.
 *
 * @returns a function that adds those of the first security requirement of which there are all; it rejects with a TypeError when
 * there is no such requirement
 * @throws TypeError for a credential that is no scheme's, that has another type than its scheme needs, or that an operation lacks
 */
export function compileCredentials(
  { operations, securitySchemes }: Pick<RestContract, 'operations' | 'securitySchemes'>,
  given: Credentials<string>,
): (id: string, operation: OperationContract, request: Authorized) => Promise<Authorized> {
  const schemes = new Map(Object.entries(securitySchemes));
  const sources = new Map(Object.entries(given).filter(([, source]) => source !== undefined));
  for (const [name, source] of sources) {
    const scheme = schemes.get(name);
    if (scheme === undefined)
      throw new TypeError(`credentials.${name}: the contract has no such security scheme`);
    if (typeof source !== 'function') added({ headers: {}, query: '' }, name, scheme, source);
  }
  for (const [id, { security }] of Object.entries(operations)) {
    const lacking = security.map((scopes) => Object.keys(scopes).find((name) => !sources.has(name)));
    if (lacking[0] !== undefined && !lacking.includes(undefined))
      throw new TypeError(`credentials.${lacking[0]} is missing: ${id} needs it`);
  }
  return async (id, { security }, request) => {
    const requirements = security.map((scopes) => Object.keys(scopes));
    // A requirement without schemes lets anyone in, so a caller that has credentials prefers the others.
    for (const names of [...requirements.filter(({ length }) => length > 0), ...requirements]) {
      const found = await Promise.all(
        names.map(async (name) => {
          const source = sources.get(name);
          return typeof source === 'function' ? await source() : source;
        }),
      );
      if (found.includes(undefined)) continue;
      return names.reduce((sum, name, index) => added(sum, name, schemes.get(name), found[index]), request);
    }
    if (security.length === 0) return request;
    const wanted = requirements.map((names) => names.join(' and ')).join(' or ');
    throw new TypeError(`${id}: there is no credential for ${wanted}`);
  };
}

/** @throws TypeError for a credential that its scheme cannot have; the message does not repeat it */
function added(
  request: Authorized,
  name: string,
  scheme: SecurityScheme | undefined,
  credential: Credential | undefined,
): Authorized {
  if (scheme === undefined || credential === undefined || credential === true) return request;
  const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic';
  const { username, password } = Object(credential) as Readonly<Record<string, unknown>>;
  if (isBasic && typeof username === 'string' && typeof password === 'string' && !username.includes(':')) {
    const bytes = new TextEncoder().encode(`${username}:${password}`);
    return withCredential(request, scheme, btoa(String.fromCharCode(...bytes)));
  }
  if (!isBasic && scheme.type !== 'mutualTLS' && typeof credential === 'string' && credential !== '')
    return withCredential(request, scheme, credential);
  const expected = isBasic ? '{ username, password }, without a colon in the username' : 'a text';
  throw new TypeError(`credentials.${name} must be ${scheme.type === 'mutualTLS' ? 'true' : expected}`);
}

/**
 * Adds the text of a credential to a request, unless the connection has it (`mutualTLS`).
 *
 * @param text - the key or token, or what follows the name of another HTTP scheme
 */
export function withCredential(
  { headers, query }: Authorized,
  scheme: SecurityScheme,
  text: string,
): Authorized {
  if (scheme.type === 'mutualTLS') return { headers, query };
  if (scheme.type !== 'apiKey') {
    const name = scheme.type === 'http' ? scheme.scheme : 'bearer';
    // Some servers refuse `bearer`, although names are case-insensitive (RFC 9110 §11.1).
    const spelled = /^(?:basic|bearer|digest)$/i.test(name)
      ? name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()
      : name;
    return { headers: { ...headers, authorization: encodeHeaderValue(`${spelled} ${text}`) }, query };
  }
  const { in: place, name } = scheme;
  if (place === 'query') {
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
    return { headers, query: query === '' ? pair : `${query}&${pair}` };
  }
  const value = encodeHeaderValue(text);
  if (place === 'header') return { headers: { ...headers, [name.toLowerCase()]: value }, query };
  const { cookie } = headers;
  const pair = `${name}=${value}`;
  return { headers: { ...headers, cookie: cookie === undefined ? pair : `${cookie}; ${pair}` }, query };
}
