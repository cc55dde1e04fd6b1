/** Calls the operation's handler. */

import { isThenable } from '../../http/message.js';
import type { Exchange } from './exchange.js';
import type { Answer } from '../operation/handler.js';

/** Sets the handler's answer on the exchange, at once or when its promise resolves. */
export function handle<Caller>(exchange: Exchange<Caller>): Promise<void> | undefined {
  // A handler that bypasses the types may answer anything, or nothing.
  const answer: unknown = exchange.operation.handler(exchange.decoded, exchange);
  if (!isThenable(answer)) {
    exchange.answer = asAnswer(answer);
    return undefined;
  }
  return Promise.resolve(answer).then((settled) => {
    exchange.answer = asAnswer(settled);
  });
}

function asAnswer(value: unknown): Answer | undefined {
  return typeof value === 'object' && value !== null ? (value as Answer) : undefined;
}
