/** The values that the resolvers of a compiled query returned. If the query fails, graphql-js uses them and calls no resolver twice. */

import type { GraphQLResolveInfo } from 'graphql';
import type { FieldPlan } from './query-source.js';

export type Path = GraphQLResolveInfo['path'];

/** The value of one resolver, with a link to the one before. Such a linked list costs a fraction of an array for each call. */
export interface Outcome {
  readonly plan: FieldPlan;
  /** Of the object that has the field. */
  readonly path: Path | undefined;
  readonly value: unknown;
  readonly before: Outcome | undefined;
}

/** The value of a resolver that threw. */
export class Thrown {
  constructor(readonly error: unknown) {}
}

/** The values of resolvers by the {@link placeOf} their fields. */
export type Outcomes = ReadonlyMap<string, unknown>;

export function outcomesUpTo(last: Outcome | undefined): Outcomes {
  const outcomes = new Map<string, unknown>();
  for (let each = last; each !== undefined; each = each.before) {
    const [{ alias, name }] = each.plan.nodes;
    outcomes.set(placeOf({ prev: each.path, key: (alias ?? name).value, typename: undefined }), each.value);
  }
  return outcomes;
}

/** @returns a text that no other field of a response has: names have no dots */
export function placeOf({ prev, key }: Path): string {
  return prev === undefined ? String(key) : `${placeOf(prev)}.${String(key)}`;
}
