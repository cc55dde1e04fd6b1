/** Bodies in pieces, for tests of what reads them as they arrive. */

import * as fc from 'fast-check';

/** A body in pieces that end where the lengths say; the last piece is the rest. */
// eslint-disable-next-line @typescript-eslint/require-await -- the pieces are there already
export async function* inPieces(
  body: string | Uint8Array,
  lengths: readonly number[] = [],
): AsyncGenerator<Uint8Array, void, void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  let start = 0;
  for (const length of lengths) {
    yield bytes.subarray(start, start + length);
    start += length;
  }
  yield bytes.subarray(start);
}

/** Where a body is split: many short pieces, empty ones among them. */
export const splits = fc.array(fc.nat(7), { maxLength: 60 });

/** Everything that an iterable gives. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** The status and the message of the problem that reading ends with, behind what was read before. */
export async function readUntilProblem(items: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  try {
    for await (const item of items) found.push(item);
  } catch (error) {
    const { status, message } = error as { readonly status?: number; readonly message: string };
    found.push(`${String(status)} ${message}`);
  }
  return found;
}
