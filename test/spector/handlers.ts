/** Handlers that compare what the engine decoded with what a scenario sends, and answer as the scenario does. */

import type { Answer, CallContext, DecodedRequest } from '../../src/runtime/rest/operation/handler.js';
import type { OperationContract } from '../../src/runtime/contract/contract.js';
import type { HttpRequest } from '../../src/runtime/http/message.js';
import { differenceOf } from './decoded-request.js';
import { type Content, type Exchange, rawOf, type Target } from './scenarios.js';

interface Setting {
  readonly operation: OperationContract;
  readonly exchanges: readonly Exchange[];
  /** Where the service is mounted. */
  readonly prefix: string;
  readonly target: Target;
}

type Handler = (given: DecodedRequest, context: CallContext<string>) => Promise<Answer>;

/** One operation's handler. It throws when what it was given is not what any scenario of its path sends. */
export function handlerOf({ operation, exchanges, prefix, target }: Setting): Handler {
  return async (given, { request, caller }) => {
    const differences: string[] = [];
    for (const exchange of exchanges.filter((each) => isSentTo(each, request, prefix))) {
      const own = { ...exchange, path: exchange.path.slice(prefix.length) };
      const difference = await differenceOf(operation, { ...given, caller }, own, target);
      if (difference === undefined) return answerOf(exchange, operation, given, target);
      differences.push(difference);
    }
    throw new Error(`the engine ${differences.join(', or ')}`);
  };
}

/** @param prefix - some transports leave it in the request's path */
export function isSentTo({ method, path }: Exchange, request: HttpRequest, prefix: string): boolean {
  return method === request.method && (path === request.path || path === prefix + request.path);
}

function answerOf(
  { answer }: Exchange,
  operation: OperationContract,
  given: DecodedRequest,
  target: Target,
): Answer {
  const { status, headers = {}, body } = answer;
  const declared = operation.responses[status]?.content;
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => name.toLowerCase() !== 'content-type')
        .map(([name, value]) => [name, headerValue(String(value))]),
    ),
    ...(body !== undefined && { contentType: body.contentType, body: valueOf(body, target) }),
    // A scenario without content, where the contract has some, sends back what it was sent.
    ...(body === undefined && declared !== undefined && { body: given.body }),
  };
}

/** Scenarios have the text of a header; a handler has its value. */
function headerValue(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** The value that the engine writes: JSON parsed, and other content as it is. */
function valueOf(content: Content, target: Target): unknown {
  const raw = rawOf(content, target);
  return typeof raw === 'string' && /[/+]json$/.test(content.contentType) ? JSON.parse(raw) : raw;
}
