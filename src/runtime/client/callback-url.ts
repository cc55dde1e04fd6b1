/** Evaluates the runtime expressions of callbacks and links (OpenAPI, "Runtime Expressions"). */

import { unescaped } from '../failures/json-value.js';

/** The parts of the call that asked for a callback, from which its address is built. */
export interface CallbackCause {
  /** The request as the handler got it. */
  readonly request?: CausePart & { readonly path?: Values; readonly query?: Values };
  /** The handler's answer. */
  readonly response?: CausePart & { readonly status?: number };
  /** For `$method`. */
  readonly method?: string;
  /** For `$url`: the whole address of the request. */
  readonly url?: string;
}

type Values = Readonly<Record<string, unknown>>;

interface CausePart {
  readonly headers?: Values;
  readonly body?: unknown;
}

/**
 * The address of a callback: an expression, or a text with expressions in braces.
 *
 * @throws TypeError when the call does not have a value that the expression names
 * @example
 * callbackUrl('{$request.body#/url}?id={$response.body#/id}', { request: { body }, response: { body: { id: 7 } } });
 */
export function callbackUrl(template: string, cause: CallbackCause): string {
  if (template.startsWith('$')) return textOf(template, cause);
  return template.replaceAll(/\{(\$[^}]*)\}/g, (_, expression: string) => textOf(expression, cause));
}

function textOf(expression: string, cause: CallbackCause): string {
  const value = expressionValue(expression, cause);
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return String(value);
  throw new TypeError(`the call has no ${expression} for the address of its callback`);
}

/** The value of a runtime expression, such as `$response.body#/id`; undefined if the call does not have it. */
export function expressionValue(expression: string, cause: CallbackCause): unknown {
  if (expression === '$url') return cause.url;
  if (expression === '$method') return cause.method;
  if (expression === '$statusCode') return cause.response?.status;
  const [, side = '', source = '', name = ''] =
    /^\$(request|response)\.(header|query|path|body)(?:[.#](.*))?$/s.exec(expression) ?? [];
  const part: CallbackCause['request'] = side === 'request' ? cause.request : cause.response;
  switch (source) {
    case 'header':
      return Object.entries(part?.headers ?? {}).find(
        ([each]) => each.toLowerCase() === name.toLowerCase(),
      )?.[1];
    case 'query':
    case 'path':
      return member(part?.[source], name);
    case 'body':
      return pointed(part?.body, name);
    default:
      return undefined;
  }
}

/** The value at a JSON Pointer (RFC 6901). */
function pointed(value: unknown, pointer: string): unknown {
  return pointer.split('/').slice(1).map(unescaped).reduce(member, value);
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Values)[name];
}
