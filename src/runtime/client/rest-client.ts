/** Calls the operations of a service over Fetch: credentials, retries, and the checks of its own options. */

import type { ResponseChecks, RestContract, Signatures } from '../contract/contract.js';
import { randomId } from '../http/response-writers.js';
import { headerText, isStreamed, type RequestHeaders } from '../http/message.js';
import { UnexpectedAnswer } from './answers.js';
import { type Credentials, compileCredentials } from './credentials.js';
import { type CallOptions, type OperationCalls, type Send, compileCalls } from './operation-calls.js';
import type { Fetch } from './outgoing-exchange.js';
import { fetchBody } from './outgoing-request.js';

/** Options of a client of a service. */
export interface RestClientOptions<
  Id extends string,
  Scheme extends string,
  Handlers extends Signatures<Handlers>,
> {
  /** The `contract` of the generated `routing.ts`. */
  readonly contract: RestContract<Id, Scheme, Handlers>;
  /** The address in front of the paths of the contract, such as `https://example.com/v1`. No request goes to another origin. */
  readonly baseUrl: string | URL;
  /** Sends each request; the global `fetch` unless given. */
  readonly fetch?: Fetch;
  /**
   * By the name of the security scheme: a token or key, `{ username, password }`, a function that gives one for each call, or `true`
   * if `fetch` or the browser adds it. Each operation that needs a credential must have one.
   */
  readonly credentials?: Credentials<NoInfer<Scheme>>;
  /** The headers of every call; names in lower case. */
  readonly headers?: RequestHeaders;
  /**
   * What the client does with an answer that does not fit the contract. With `throw`, the default, the call rejects. With `report`, the
   * function `report` gets the problem, and the call resolves. With `off`, the call resolves. An answer whose status is not declared, or
   * that cannot be read, always rejects.
   */
  readonly check?: 'throw' | 'report' | 'off';
  /** The exports of the generated `response-validators.js`. Without them, the values of answers are not checked. */
  readonly responseChecks?: ResponseChecks;
  /** Gets each problem, with `check: 'report'`. */
  readonly report?: (problem: UnexpectedAnswer) => void;
  /**
   * How often a request is repeated after a failed connection, a 429, 502, 503 or 504, at most 10; 2 unless given. Only a request with
   * an idempotent method or an `Idempotency-Key` is repeated, and none with a stream.
   */
  readonly retries?: number;
  /** The maximum size in bytes of an answer, or of an item of a stream; 16 MiB unless given. */
  readonly answerLimit?: number;
}

/** One function per operation; `options` of a call has its headers and its `signal`. */
export type RestClient<Handlers extends Signatures<Handlers>> = OperationCalls<Handlers, CallOptions>;

const MEBIBYTE = 1024 * 1024;

type Rule = readonly [expected: string, isMet: (value: unknown) => boolean];

const A_FUNCTION: Rule = ['a function', (value) => typeof value === 'function'];
const AN_OBJECT: Rule = ['an object', (value) => typeof value === 'object' && value !== null];

/** For each option, the words for a valid value, and its test. */
const OPTIONS: Readonly<Record<keyof RestClientOptions<string, string, object>, Rule>> = {
  contract: [
    'the contract of the generated routing.ts',
    (value) => typeof value === 'object' && value !== null && 'operations' in value,
  ],
  baseUrl: ['an http or https URL without a password, a query and a fragment', isBaseUrl],
  fetch: A_FUNCTION,
  credentials: AN_OBJECT,
  headers: AN_OBJECT,
  check: ["'throw', 'report' or 'off'", (value) => /^(?:throw|report|off)$/.test(String(value))],
  responseChecks: AN_OBJECT,
  report: A_FUNCTION,
  retries: ['an integer from 0 to 10', (value) => /^(?:\d|10)$/.test(String(value))],
  answerLimit: ['a number of bytes', (value) => Number(value) > 0],
};

/**
 * Makes a client of a service. A request is written in the styles of the contract, with typed values; the service checks it. The
 * answer is one of those that the contract declares. Redirects are not followed: they are answers too.
 *
 * @returns a function per operation, which rejects with a TypeError, before anything is sent, for a request that cannot be written
 * or lacks a credential; with an `UnexpectedAnswer` for an answer against the contract; and with the error of `fetch`
 * @throws TypeError for a wrong option, and for an operation whose credential is missing
 *
 * @example
 * ```ts
 * const client = restClient({ contract, responseChecks, baseUrl: 'https://example.com', credentials: { bearerAuth: () => token } });
 * const answer = await client.getUser({ path: { id: '1' } }, { signal: AbortSignal.timeout(5000) });
 * if (answer.status === 200) console.log(answer.body.name);
 * ```
 */
export function restClient<Id extends string, Scheme extends string, Handlers extends Signatures<Handlers>>(
  options: RestClientOptions<Id, Scheme, Handlers>,
): RestClient<Handlers> {
  requireOptions({ ...options });
  const { contract, credentials = {}, headers: common, check = 'throw', responseChecks, report } = options;
  const { fetch = (url, init) => globalThis.fetch(url, init), retries = 2 } = options;
  const base = new URL(options.baseUrl).href.replace(/\/$/, '');
  const authorize = compileCredentials(contract, credentials);
  const send: Send<CallOptions> = async (
    { id, operation, path, body, ...written },
    { headers: own, signal },
  ) => {
    const { method } = operation;
    const { headers: given, query } = await authorize(id, operation, written);
    const headers = new Headers();
    for (const [name, value] of Object.entries({ ...given, ...common, ...own })) {
      const text = headerText(value);
      if (text !== undefined) headers.set(name, text);
    }
    const takesKey = operation.parameters?.some(
      (each) => each.in === 'header' && each.name.toLowerCase() === KEY,
    );
    if (takesKey === true && !IDEMPOTENT.has(method) && retries > 0 && !headers.has(KEY))
      headers.set(KEY, randomId());
    const url = new URL(`${base}${path}${query === '' ? '' : `?${query}`}`);
    const init: RequestInit = { method, headers, redirect: 'manual', ...(await fetchBody(body)) };
    const isRepeatable = !isStreamed(body) && (IDEMPOTENT.has(method) || headers.has(KEY));
    const attempt = (): Promise<Response> => fetch(url, signal === undefined ? init : { ...init, signal });
    const response = await repeated(attempt, isRepeatable ? retries : 0, signal);
    if (response.type === 'opaqueredirect')
      throw new UnexpectedAnswer(id, 0, 'a browser does not show redirects');
    return response;
  };
  const settle = (problem: UnexpectedAnswer): void => {
    if (check === 'throw') throw problem;
    if (check === 'report') report?.(problem);
  };
  const { answerLimit: limit = 16 * MEBIBYTE } = options;
  return compileCalls(contract, check === 'off' ? undefined : responseChecks, { limit, settle }, send);
}

/** @throws TypeError for an option that there is not, or that has another value than it may have */
function requireOptions(options: Readonly<Record<string, unknown>>): void {
  const required = ['contract', 'baseUrl', ...(options['check'] === 'report' ? ['report'] : [])];
  for (const name of new Set([...Object.keys(options), ...required])) {
    if (!Object.hasOwn(OPTIONS, name)) throw new TypeError(`restClient has no option ${name}`);
    const [expected, isMet] = OPTIONS[name as keyof typeof OPTIONS];
    const value = options[name];
    if ((value !== undefined || required.includes(name)) && !isMet(value))
      throw new TypeError(`restClient: ${name} must be ${expected}`);
  }
}

function isBaseUrl(value: unknown): boolean {
  if (!URL.canParse(String(value))) return false;
  const { protocol, username, password, search, hash } = new URL(String(value));
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

/** The idempotent methods (RFC 9110 §9.2.2, and QUERY). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE', 'QUERY']);

/** The header with which a service recognises a request that it has answered before. */
const KEY = 'idempotency-key';

/** The statuses after which a repeated request may succeed. */
const REPEATED = new Set([429, 502, 503, 504]);

/** Times in milliseconds: the longest `Retry-After` that is waited for, and the longest wait before the first retry without one. */
const MAX_WAIT = 30_000;
const FIRST_WAIT = 100;

/** The response of the first attempt that need not be repeated, or of the last one. */
async function repeated(
  attempt: () => Promise<Response>,
  retries: number,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let count = 0; ; count += 1) {
    // Clients that failed together must not come back together.
    let wait = Math.random() * FIRST_WAIT * 2 ** count;
    try {
      const response = await attempt();
      const retryAfter = response.headers.get('retry-after');
      if (retryAfter !== null)
        wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
      if (count >= retries || !REPEATED.has(response.status) || !(wait <= MAX_WAIT)) return response;
      await response.body?.cancel();
    } catch (error) {
      if (count >= retries || signal?.aborted === true) throw error;
    }
    await passed(wait, signal);
  }
}

/** Waits for a time in milliseconds. @throws the reason of the signal when it aborts */
async function passed(time: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve(undefined);
    };
    const timer = setTimeout(end, time);
    signal?.addEventListener('abort', end);
  });
  signal?.throwIfAborted();
}
