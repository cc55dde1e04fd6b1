/** Calls the operation's handler. */

import type { Answer, Exchange } from '../exchange.js';

/** Leaves the handler's answer on the exchange, now or when it comes. */
export function handle<Caller>(exchange: Exchange<Caller>): Promise<void> | undefined {
  const answer = exchange.operation.handler(exchange.decoded, exchange);
  if (!isPromise(answer)) {
    exchange.answer = answer;
    return undefined;
  }
  return answer.then((settled) => {
    exchange.answer = settled;
  });
}

function isPromise(answer: Answer | Promise<Answer>): answer is Promise<Answer> {
  return 'then' in answer && typeof answer.then === 'function';
}
