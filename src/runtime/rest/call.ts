/** Runs the calls of one operation: its steps, its hooks, and the recovery from errors. */

import { refusals } from '../http/problem.js';
import { discardBody, type HttpResponse, isThenable } from '../http/message.js';
import type { OperationHooks } from './operation/hooks.js';
import type { Answer } from './operation/handler.js';
import type { RestOperation } from './operation/operation.js';
import { checkReplacement } from './operation/response-check.js';
import type { Recover } from './recovery.js';
import { type Exchange, authenticate, negotiate } from './steps/exchange.js';
import { convertRequest, decode, keepExact, validate } from './steps/read.js';
import { encode, handle } from './steps/respond.js';

/** Answers a call; it never throws or rejects. The response is a promise only if a step or a hook returns one. */
export type Call<Caller> = (exchange: Exchange<Caller>) => HttpResponse | Promise<HttpResponse>;

/** Returns the answer of the handler or of a hook, or nothing, at once or as a promise. */
type Step<Caller> = (exchange: Exchange<Caller>) => unknown;

/** Composes the calls of an operation, so that requests do not pay for steps or hooks that it does not have. */
export function compileCall<Caller>(
  operation: RestOperation<Caller>,
  { before, after }: OperationHooks,
  recover: Recover,
): Call<Caller> {
  const optional: readonly (Step<Caller> | false)[] = [
    operation.negotiate !== undefined && negotiate,
    operation.security !== undefined && authenticate,
    decode,
    operation.isExact && keepExact,
    validate,
    operation.converts && convertRequest,
    after.length > 0 &&
      ((exchange) => {
        exchange.isAccepted = true;
        return undefined;
      }),
    ...before.map((hook) => unlessAnswered<Caller>((exchange) => hook(exchange.decoded, exchange))),
    before.length > 0 ? unlessAnswered<Caller>(handle) : handle,
    encode,
  ];
  const steps = optional.filter((step) => step !== false);

  function fail(exchange: Exchange<Caller>, error: unknown): HttpResponse {
    exchange.error = error;
    return recover(error, exchange.request, operation);
  }

  /** Runs the steps that are left; those after one that returns a promise, when it has resolved. */
  function run(exchange: Exchange<Caller>): HttpResponse | Promise<HttpResponse> {
    try {
      while (exchange.response === undefined) {
        const step = steps[exchange.stepsDone];
        if (step === undefined) throw new Error('the last step left no response');
        exchange.stepsDone += 1;
        const result = step(exchange);
        if (isThenable(result)) return resume(exchange, result);
        if (result !== undefined) exchange.answer = result;
      }
      return exchange.response;
    } catch (error) {
      return fail(exchange, error);
    }
  }

  async function resume(exchange: Exchange<Caller>, pending: PromiseLike<unknown>): Promise<HttpResponse> {
    try {
      const result = await pending;
      if (result !== undefined) exchange.answer = result;
    } catch (error) {
      return fail(exchange, error);
    }
    return run(exchange);
  }

  if (after.length === 0) return run;
  return async (exchange) => {
    const start = performance.now();
    let response = await run(exchange);
    const duration = performance.now() - start;
    for (const hook of after) {
      try {
        const { error } = exchange;
        const answer = exchange.answer as Answer | undefined;
        const request = exchange.isAccepted ? exchange.decoded : undefined;
        const given = await hook({ request, answer, error, response, duration }, exchange);
        if (given === undefined) continue;
        checkReplacement(operation, given, error === undefined ? undefined : response.status);
        const refusal = given.status === response.status ? refusals.get(response) : undefined;
        if (refusal !== undefined) refusals.set(given, refusal);
        response = given;
      } catch (error) {
        discardBody(response);
        response = fail(exchange, error);
      }
    }
    return response;
  };
}

/** A step that is left out if a hook has answered. */
function unlessAnswered<Caller>(step: Step<Caller>): Step<Caller> {
  return (exchange) => (exchange.answer === undefined ? step(exchange) : undefined);
}
