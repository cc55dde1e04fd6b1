/** Answers a request that does not get as far as the contract, in the contract's own words. */

import type Koa from 'koa';
import { KoaRequest, pathOf, sendResponse } from 'concordat/koa';
import type { Problem, RestEngine } from 'concordat';

/** Sends a problem in the shape and the media type that an operation's errors have. */
export type Refuse = (context: Koa.Context, problem: Problem) => void;

export function refuseLike({ refuse }: Pick<RestEngine<never>, 'refuse'>): Refuse {
  return (context, problem) => {
    sendResponse(context, refuse(problem, new KoaRequest(context, pathOf(context))));
  };
}
