/** Guards the service before a request is answered: against foreign pages and hosts, and against too many requests of one client. */

import type { IncomingMessage } from 'node:http';
import {
  type AttemptLimiter,
  isLoopback,
  networkOf,
  problemOf,
  tooManyRequests,
  openPolicy,
  type Policy,
} from '@concordat/core';
import { Problem } from '@concordat/runtime';
import type { Settings } from '../settings/settings.js';

export interface OriginGuard {
  /** @returns the problem of a refused request: 400 or 421 for its `Host`, 403 for its origin */
  findProblem(request: IncomingMessage): Problem | undefined;
  /** @returns the problem of a request's `Host` */
  findHostProblem(request: IncomingMessage): Problem | undefined;
  /** Whether a page of another origin sends the request, and CORS_ORIGINS does not list that origin. */
  isForeign(request: IncomingMessage): boolean;
}

/** Methods that change nothing (RFC 9110 §9.2.1). Without CORS, pages cannot read the answers. */
const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** `uri-host [ ":" port ]` (RFC 9110 §7.2). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * @param isLocal - whether only loopback names are served. A page whose name resolves to this machine (DNS rebinding) is of the
 *   same origin, but the browser sends that name as `Host`
 */
export function originGuard(
  { corsOrigins, publicUrl }: Pick<Settings, 'corsOrigins' | 'publicUrl'>,
  isLocal: boolean,
): OriginGuard {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  /** The last `Host` that was served. Nearly every request has the same one. */
  let servedHost: string | undefined;

  function findHostProblem(request: IncomingMessage): Problem | undefined {
    const { host } = request.headers;
    if (host === undefined) {
      // HTTP/1.0 does not require it.
      const isRequired = request.httpVersionMajor === 1 && request.httpVersionMinor === 1;
      return isRequired ? new Problem(400, 'Host is missing') : undefined;
    }
    // `headers` has only the first of several.
    let count = 0;
    for (let index = 0; index < request.rawHeaders.length; index += 2) {
      const name = request.rawHeaders[index];
      if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
    }
    if (count > 1) return new Problem(400, 'Host must be given once');
    if (host === servedHost) return undefined;
    if (!HOST.test(host))
      return new Problem(400, 'Host must be a name or an address, with or without a port');
    if (isLocal && host !== publicHost && !isLocalName(host)) {
      return new Problem(
        421,
        'Only names of this machine are served, such as localhost: others need AUTH_POLICY',
      );
    }
    servedHost = host;
    return undefined;
  }

  function isForeign({ headers }: IncomingMessage): boolean {
    const { origin, host, 'sec-fetch-site': site } = headers;
    if (corsOrigins === '*') return false;
    // A client that is not a browser sends neither.
    if (origin === undefined && site === undefined) return false;
    if (origin !== undefined && corsOrigins?.has(origin) === true) return false;
    // `Sec-Fetch-Site` is right even if a proxy has changed `Host`. `none` means that the user sent the request (Fetch Metadata).
    if (site !== undefined) return site !== 'same-origin' && site !== 'none';
    // The scheme is not compared, because a proxy that terminates TLS changes it. The origin `null` of sandboxed pages is no URL.
    const from = origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined;
    return from === undefined || (from !== host && from !== publicHost);
  }

  return {
    findHostProblem,
    isForeign,
    findProblem(request) {
      const problem = findHostProblem(request);
      if (problem !== undefined || SAFE_METHODS.has(request.method) || !isForeign(request)) return problem;
      return new Problem(
        403,
        'Pages of this origin may not send this request: CORS_ORIGINS does not have it',
      );
    },
  };
}

/** `localhost`, a name below it (RFC 6761 §6.3), or a loopback address. */
function isLocalName(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, '');
  return isLoopback(name) || name.endsWith('.localhost');
}

/** Counts a request of an address. @returns the problem of a request beyond the limit */
export type RequestCount = (address: string) => Promise<Problem | undefined>;

/** @param limiter - counts the requests per key, in this process or for all processes */
export function requestCount(limiter: AttemptLimiter): RequestCount {
  return async (address) => {
    const wait = await limiter.take(`request from ${networkOf(address)}`);
    return wait === undefined ? undefined : problemOf(tooManyRequests('Too many requests', wait));
  };
}

/**
 * The client's address as Koa finds it, for requests that do not pass through Koa.
 *
 * @param trustProxy - the number of entries of `X-Forwarded-For`, from the right, that trusted proxies have written
 */
export function addressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustProxy: number,
): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  if (trustProxy === 0 || typeof forwarded !== 'string') return socket.remoteAddress;
  return forwarded.split(/\s*,\s*/).slice(-trustProxy)[0] || socket.remoteAddress;
}

type Host = Pick<Settings, 'host' | 'policy' | 'isPolicyGiven' | 'socket' | 'trustProxy' | 'console'>;

/**
 * Whether the open policy applies because it is the default on loopback, and not because it was chosen.
 *
 * @param policy - that of the application
 */
export function isOpenByDefault(policy: Policy | undefined, settings: Host): boolean {
  const isChosen = policy !== undefined || settings.isPolicyGiven;
  return !isChosen && settings.policy === openPolicy && isLoopback(settings.host);
}

/** A socket that systemd holds, and a proxy, may lead to a network. */
export function hasConsole(policy: Policy | undefined, settings: Host): boolean {
  const { console, host, socket, trustProxy } = settings;
  if (console !== undefined) return console;
  const isOpen = (policy ?? settings.policy) === openPolicy;
  return isOpen && isLoopback(host) && socket === undefined && trustProxy === 0;
}
