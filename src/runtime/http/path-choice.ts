/** Decides which requests of a server go to a handler, with which path, and to which of the methods of a path. */

import { belowSpelling } from './other-spellings.js';
import type { HttpHandler, HttpResponse } from './message.js';
import { Problem, refusals } from './problem.js';

/** The options of every transport. */
export interface TransportOptions {
  /** The path at which the handler is mounted, such as `/v1`. The handler sees paths without it. */
  readonly prefix?: string;
  /**
   * For a path that the handler does not have: `next` passes the request on to the server's next handler, `answer` lets this
   * handler answer 404. This handler answers a known path with another method, unless it leaves that to `others`.
   */
  readonly unknownPaths?: 'next' | 'answer';
  /**
   * For a request that the handler refuses, and for an error that it masks: `answer` writes the handler's response, `throw` gives the
   * server's error handler a `Problem`, which has the properties of the errors of `http-errors`. Default: `answer`.
   */
  readonly refusals?: 'answer' | 'throw';
}

/**
 * @param getResponse - writes the response, for error handlers as that of Hono, which ask the error for it
 * @throws the reason of a refusal if the server's error handler answers it, with the headers that hooks have added to the response
 */
export function throwRefusal(
  response: HttpResponse,
  { refusals: mode }: { readonly refusals?: TransportOptions['refusals'] | undefined },
  getResponse?: () => Response,
): void {
  const refusal = mode === 'throw' ? refusals.get(response) : undefined;
  if (refusal === undefined) return;
  const { status, headers } = response;
  const fields = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type');
  const { message, failures } = refusal;
  const texts = Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
  const error = new Problem(status, message, texts, failures);
  throw Object.assign(error, { cause: refusal, ...(getResponse && { getResponse }) });
}

/** A path that no handler has. */
const NOWHERE = '';

/**
 * Makes the function that maps a server's path to the handler's.
 *
 * @returns a function from a path and a method to the path within the handler; undefined for a request that is passed on
 * @throws when no request is passed on, and the handler has operations for the next handler
 */
export function compilePathChoice(
  handler: Pick<HttpHandler, 'serves' | 'others'>,
  { prefix = '', unknownPaths }: TransportOptions,
): (path: string, method: string) => string | undefined {
  const within = (path: string): string | undefined => {
    if (prefix === '') return path;
    if (!path.startsWith(prefix)) return undefined;
    const rest = path.slice(prefix.length);
    return rest === '' || rest.startsWith('/') ? rest : undefined;
  };
  const { serves } = handler;
  if (unknownPaths === 'answer') requireAll(handler);
  // Such a handler answers every path, so paths outside its prefix are never passed to it.
  if (serves === undefined) return within;
  if (unknownPaths === 'answer') return (path) => within(path) ?? NOWHERE;
  return (path, method) => {
    const own = within(path);
    if (own !== undefined) return serves(method, own) ? own : undefined;
    // A router takes another spelling of the prefix too. Only a handler that claims other spellings serves one with a slash too many.
    const below = belowSpelling(prefix, path);
    return below !== undefined && serves(method, `${below}/`) ? NOWHERE : undefined;
  };
}

/** @throws when the handler leaves operations to the next one, for callers that have none */
export function requireAll({ others }: Pick<HttpHandler, 'others'>): void {
  if (others === undefined) return;
  throw new Error(
    "the engine has others: 'next', and there is no next handler: serve it with unknownPaths: 'next', or write all handlers",
  );
}

/** The target for a method; `GET` also serves `HEAD` (RFC 9110 §9.3.2), unless others serve methods of its path. */
export function targetOf<Target extends { readonly sharesPath: boolean }>(
  targets: ReadonlyMap<string, Target>,
  method: string,
): Target | undefined {
  const own = targets.get(method);
  if (own !== undefined || method !== 'HEAD') return own;
  const get = targets.get('GET');
  return get?.sharesPath === true ? undefined : get;
}
