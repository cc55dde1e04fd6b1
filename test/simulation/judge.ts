/** Compares the answers of one step with the models that may hold. */

import { isDeepStrictEqual } from 'node:util';
import { type GraphqlBody, UNREAD_AUTHOR } from './actions/graphql.js';
import { type Action, type Answer, type Call, Fault } from './calls.js';
import { judgeFields } from './fields.js';
import type { Model } from './model.js';

export interface Answered {
  readonly action: Action;
  readonly call: Call;
  readonly answer: Answer;
}

/** @throws {@link Fault} for an outage, because of which nothing could be read, that does not say when to try again */
export function requireWait({ status, headers, body }: Answer): void {
  const { data, errors } = Object(body) as GraphqlBody;
  // A refusal beside it stays when the outage is over.
  const isOutage = errors?.every(({ extensions }) => extensions?.code === 'SERVICE_UNAVAILABLE') === true;
  const isBelow = (errors?.[0]?.path?.length ?? 0) > 1;
  if (isOutage && status !== 503 && (data === undefined || (data === null && !isBelow)))
    throw new Fault(`an outage over GraphQL is a ${String(status)}`);
  if (status === 503 && headers.get('retry-after') === null) throw new Fault('a 503 has no Retry-After');
}

export const isUnavailable = ({ status, text }: Answer): boolean =>
  status === 503 || (text.includes('"SERVICE_UNAVAILABLE"') && !text.includes(UNREAD_AUTHOR));

/**
 * Requests that were sent together may have happened in any order.
 *
 * @returns the models of the orders that explain the answers
 * @throws the {@link Fault} of the first order if none does
 */
export function judged(models: readonly Model[], answered: readonly Answered[]): Model[] {
  const possible: Model[] = [];
  let first: unknown;
  for (const model of models) {
    for (const callers of answered.length === 1 ? [undefined] : [undefined, copyOf(model)]) {
      for (const order of ordersOf(answered)) {
        const next = models.length === 1 && answered.length === 1 ? model : copyOf(model);
        next.callers = callers;
        next.steps += 1;
        next.isAlone = order.length === 1;
        try {
          const isTorn = order.length > 1 && order.some(({ action }) => action.isTorn);
          next.moments = isTorn ? [copyOf(next)] : undefined;
          for (const { action, call, answer } of order) {
            action.judge(next, call, answer);
            next.moments?.push(copyOf(next));
            if (next.hasFields) judgeFields(next, call, answer);
          }
          next.callers = undefined;
          next.moments = undefined;
          if (!possible.some((other) => isDeepStrictEqual(other, next))) possible.push(next);
        } catch (error) {
          first ??= error;
        }
      }
    }
  }
  if (possible.length === 0) throw first;
  return possible;
}

/** @throws the {@link Fault} of the first model unless one of them fits */
export function judgeAny(models: readonly Model[], judge: (model: Model) => void): void {
  const faults: unknown[] = [];
  for (const model of models) {
    try {
      judge(model);
      return;
    } catch (error) {
      faults.push(error);
    }
  }
  throw faults[0];
}

function ordersOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** A model that may change without the other one. Posts, comments and keyed creations never change. */
export function copyOf(model: Model): Model {
  const copies = <T extends object>(records: ReadonlyMap<string, T>): Map<string, T> =>
    new Map([...records].map(([key, record]) => [key, { ...record }]));
  return {
    ...model,
    callers: undefined,
    moments: undefined,
    users: copies(model.users),
    orders: copies(model.orders),
    products: copies(model.products),
    comments: new Map(model.comments),
    posts: new Map(model.posts),
    keys: copies(model.keys),
    sessions: copies(model.sessions),
    keyed: new Map(model.keyed),
    webhooks: copies(model.webhooks),
    identities: new Map(model.identities),
    externals: new Set(model.externals),
    stored: new Map(model.stored),
    written: new Set(model.written),
    last: { ...model.last },
    tags: new Map(model.tags),
    oldTags: new Map(model.oldTags),
    seen: new Map(model.seen),
    failed: [...model.failed],
  };
}
