/** Sends webhooks and callbacks over Fetch, and checks both the requests and the answers. */

import type { Exchange, OutgoingContract } from '../contract/outgoing.js';
import { unescaped } from '../failures/json-value.js';
import { type Fetch, type SendExchange, type SendOptions, compileExchange } from './outgoing-exchange.js';

/** Options of a client. */
export interface OutgoingOptions {
  /**
   * Sends each request; the global `fetch` unless given. Your own function may sign the body, set a header, retry, or refuse
   * addresses inside your network.
   */
  readonly fetch?: Fetch;
  /** The maximum size of an answer in bytes; 1 MiB when not given. */
  readonly answerLimit?: number;
}

type Exchanges<Named> = Readonly<Record<keyof Named, Exchange>>;

export interface WebhookClient<Webhooks extends Exchanges<Webhooks>> {
  /**
   * Sends a webhook to an address, once and without following redirects.
   *
   * @param name - the operationId, or the name of the webhook in the contract
   * @returns the receiver's answer, one of those that the contract declares
   * @throws TypeError, before anything is sent, when the request does not fit the contract or the address is not http or https
   * @throws UnexpectedAnswer when the answer is not one that the contract declares
   */
  send<Name extends keyof Webhooks & string>(
    name: Name,
    request: Webhooks[Name]['request'] & SendOptions & { readonly url: string | URL },
  ): Promise<Webhooks[Name]['answer']>;
}

export interface CallbackClient<Callbacks extends Exchanges<Callbacks>> {
  /**
   * Sends a callback in the same way as a webhook. Its address is the value of its expression for the call that asked for it.
   *
   * @param name - the operationId, or `operation.callback`
   * @throws also a TypeError when the call lacks a value that the expression names
   */
  send<Name extends keyof Callbacks & string>(
    name: Name,
    request: Callbacks[Name]['request'] & SendOptions & { readonly of: CallbackCause },
  ): Promise<Callbacks[Name]['answer']>;
}

/**
 * Makes a client for the webhooks of a contract. A registered address may lead into your network: the caller must decide which
 * addresses are allowed, before `send` or in `fetch`.
 *
 * @param webhooks - the `webhooks` of the generated `outgoing.ts`
 *
 * @example
 * ```ts
 * const client = webhookClient(webhooks);
 * const answer = await client.send('newPet', {
 *   url: 'https://example.com/hooks',
 *   body: { name: 'Rex' },
 *   signal: AbortSignal.timeout(5000),
 * });
 * console.log(answer.status);
 * ```
 */
export function webhookClient<Webhooks extends Exchanges<Webhooks>>(
  webhooks: OutgoingContract<Webhooks>,
  options: OutgoingOptions = {},
): WebhookClient<Webhooks> {
  const send = compileExchanges(webhooks, options);
  // The generated types are narrower than the client's own; both come from the same contract.
  return { send: (name, { url, ...request }) => send(name, () => String(url), request as SendOptions) };
}

/**
 * Makes a client for the callbacks of a contract. Their addresses come from clients' requests and may lead into your network:
 * the caller must decide which addresses are allowed, in `fetch`.
 *
 * @param callbacks - the `callbacks` of the generated `outgoing.ts`
 *
 * @example
 * ```ts
 * const client = callbackClient(callbacks);
 * // In the handler of `subscribe`, or later:
 * await client.send('subscribe.onEvent', { of: { request }, body: { id: '1' } });
 * ```
 */
export function callbackClient<Callbacks extends Exchanges<Callbacks>>(
  callbacks: OutgoingContract<Callbacks>,
  options: OutgoingOptions = {},
): CallbackClient<Callbacks> {
  const send = compileExchanges(callbacks, options);
  return {
    send: (name, { of, ...request }) =>
      send(name, (expression) => callbackUrl(expression, of), request as SendOptions),
  };
}

const MEBIBYTE = 1024 * 1024;

/** @returns a function that sends the request of a name */
function compileExchanges<Named extends Exchanges<Named>>(
  { requests }: OutgoingContract<Named>,
  { fetch = globalThis.fetch, answerLimit = MEBIBYTE }: OutgoingOptions,
): (name: string, ...given: Parameters<SendExchange>) => ReturnType<SendExchange> {
  const contracts = Object.entries<OutgoingContract<Named>['requests'][keyof Named & string]>(requests);
  const exchanges = new Map(
    contracts.map(([name, contract]) => [name, compileExchange(name, contract, fetch, answerLimit)]),
  );
  return async (name, ...given) => {
    const send = exchanges.get(name);
    if (send === undefined) throw new TypeError(`the contract does not send ${name}`);
    return send(...given);
  };
}

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
