/**
 * What resolvers return, as graphql-js and compiled queries get it. graphql-js runs a list to its end at once, and abandons
 * the pending items when a later one fails at once. So it gets each item as a promise that waits for its turn.
 * graphql-js 17 leaves what it got when another field ends the operation, so the rejection of each promise is handled here.
 */

import { type GraphQLOutputType, getNullableType, isLeafType, isListType } from 'graphql';
import { disown } from '../compiler/disowned.js';
import { isThenable } from '../../http/message.js';
import { sizeOf } from '../compiler/json-writer.js';
import { isTurnOver } from '../compiler/turns.js';
import type { Run } from './running-operation.js';

type AnyRun = Run<unknown>;

/**
 * Counts a leaf while others are still being resolved; the whole response is measured when it is complete.
 *
 * @param type - of the field
 * @param isLeaf - whether its named type is a leaf, which is still to be counted
 * @param isInterpreted - whether graphql-js gets it; a value that a compiled query waits for may come when graphql-js runs already
 */
export function received(
  value: unknown,
  type: GraphQLOutputType,
  isLeaf: boolean,
  run: AnyRun,
  isInterpreted = run.isInterpreted,
): unknown {
  if (typeof value === 'string') {
    if (isLeaf) run.take(value.length);
    return value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isThenable(value)) {
    // A compiled query waits by itself.
    if (isInterpreted) return disown(settled(value, type, isLeaf, run, isInterpreted));
    return isLeaf ? settled(value, type, isLeaf, run, isInterpreted) : value;
  }
  if (isLeaf) run.take(sizeOf(value, run.maxResponseBytes));
  return isInterpreted ? handedOver(value, type, run) : value;
}

async function settled(
  value: PromiseLike<unknown>,
  type: GraphQLOutputType,
  isLeaf: boolean,
  run: AnyRun,
  isInterpreted: boolean,
): Promise<unknown> {
  try {
    const later = await value;
    // Many values may become known at once.
    const waits = isInterpreted && isTurnOver(run);
    if (waits || run.isOver) disown(later);
    run.check();
    if (waits) return await inTurn(later, type, isLeaf, run);
    return received(later, type, isLeaf, run, isInterpreted);
  } catch (error) {
    return run.refused(error);
  }
}

function handedOver(value: object, type: GraphQLOutputType, run: AnyRun): unknown {
  disown(value);
  const list = getNullableType(type);
  // graphql-js explains a value that is no list.
  if (!isListType(list) || !(Symbol.iterator in value)) return value;
  const items = Array.isArray(value)
    ? (value as unknown[])
    : Array.from(value as Iterable<unknown>, (item) => (isThenable(item) ? disown(item) : item));
  const isPlain = isLeafType(getNullableType(list.ofType)) && !items.some(isThenable);
  return isPlain ? items : items.map((item) => disown(inTurn(item, list.ofType, false, run)));
}

async function inTurn(
  value: unknown,
  type: GraphQLOutputType,
  isLeaf: boolean,
  run: AnyRun,
): Promise<unknown> {
  await new Promise<void>((resolve) => run.later(resolve));
  return received(value, type, isLeaf, run);
}
