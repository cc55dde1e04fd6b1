/** Writes a large result as JSON in turns, so that other requests need not wait for all of it. */

import { nextTurn } from '../../http/next-turn.js';
import { joined } from '../../http/read-body.js';
import { sizeOf } from './json-writer.js';
import { isTurnOver } from './turns.js';

/** The characters of one chunk, at least. */
const CHUNK = 64 * 1024;
/** A longer list of leaves is written item by item. */
const MOST_LEAVES = 1000;

const encoder = new TextEncoder();

/**
 * @param limit - in bytes
 * @returns the text of `JSON.stringify(value)` in UTF-8; undefined beyond the limit, also for a value that contains itself
 * @throws what `JSON.stringify` throws, such as for a bigint
 */
export async function jsonInTurns(value: object, limit: number): Promise<Uint8Array | undefined> {
  if (sizeOf(value, limit) > limit) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let text = '';
  for (const piece of piecesOf(value)) {
    text += piece;
    if (text.length > CHUNK) {
      const chunk = encoder.encode(text);
      text = '';
      size += chunk.length;
      if (size > limit) return undefined;
      chunks.push(chunk);
    }
    if (isTurnOver()) await new Promise<void>(nextTurn);
  }
  const last = encoder.encode(text);
  if (size + last.length > limit) return undefined;
  return joined([...chunks, last]);
}

function* piecesOf(value: unknown): Generator<string, void> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || hasOnlyLeaves(value)) {
    // A list has null in the place of a value that JSON does not have.
    yield isAbsent(value) ? 'null' : JSON.stringify(value);
    return;
  }
  let separator = '';
  if (Array.isArray(value)) {
    yield '[';
    for (const each of value) {
      yield separator;
      separator = ',';
      yield* piecesOf(each);
    }
    yield ']';
    return;
  }
  yield '{';
  for (const [name, each] of Object.entries(value)) {
    if (isAbsent(each)) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    yield* piecesOf(each);
  }
  yield '}';
}

function isAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** Whether an object is written at once. */
function hasOnlyLeaves(value: object): boolean {
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.length <= MOST_LEAVES && members.every((each) => typeof each !== 'object' || each === null);
}
