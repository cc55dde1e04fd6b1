/** Records that come one by one, taken together where one query writes many. */

/** A few records that follow each other, and how many came before them. */
export interface Batch<T> {
  readonly records: readonly T[];
  readonly position: number;
}

/** @param size the most records of a batch */
export async function* batchesOf<T>(records: AsyncIterable<T>, size: number): AsyncGenerator<Batch<T>> {
  let position = 0;
  let batch: T[] = [];
  for await (const record of records) {
    if (batch.push(record) < size) continue;
    yield { records: batch, position };
    position += batch.length;
    batch = [];
  }
  if (batch.length > 0) yield { records: batch, position };
}

/** Cuts a list into pieces of at most this size. */
export function* piecesOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
