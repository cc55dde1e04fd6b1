/** Groups a stream of records into batches, for queries that write many at once. */

/** A few consecutive records, and how many came before them. */
export interface Batch<T> {
  readonly records: readonly T[];
  readonly position: number;
}

/** @param size - the maximum number of records in a batch */
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

/** Splits a list into pieces of at most this size. */
export function* piecesOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
