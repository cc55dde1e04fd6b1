/** Tables of what the reads of a store give while it has exactly these records. */
import assert from 'node:assert/strict';
import type { Slice } from '../model/page.js';
import { type Row, runTable, type Table } from './check.js';
import { idsOf, start } from './samples.js';

interface Identified {
  readonly id: string;
}

/** Reads a whole collection in pages. */
export async function readAll<T extends Identified>(
  read: (slice: { after: string | undefined; limit: number }) => Promise<readonly T[]>,
  limit: number,
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const page = await read({ after: all.at(-1)?.id, limit });
    assert.ok(page.length <= limit, `a page of ${limit} has ${page.length} rows`);
    all.push(...page);
    assert.equal(new Set(idsOf(all)).size, all.length, 'no row twice');
    if (page.length < limit) return all;
  }
}

interface Lists<T, Filter extends readonly unknown[]> {
  list(...input: readonly [...filter: Filter, slice: Slice]): Promise<readonly T[]>;
  count(...filter: Filter): Promise<number>;
}

/** A list and its count have exactly these records, in every kind of slice. */
export function lists<T extends Identified, Filter extends readonly unknown[]>(
  store: Lists<T, Filter>,
  all: readonly T[],
  ...filter: Filter
): Table {
  const list = (slice: Slice) => store.list(...filter, slice);
  return [
    [() => list(start), all],
    [() => list({ offset: 1, limit: 2 }), all.slice(1, 3)],
    [() => list({ offset: all.length, limit: 2 }), []],
    [() => readAll(list, 2), all],
    [() => store.count(...filter), all.length],
  ];
}

/** Each record is found by its id, unless it is gone. */
export function finds<T extends Identified>(
  store: { find(id: string): Promise<T | undefined> },
  all: readonly T[],
  gone: readonly T[],
): Table {
  const row = ({ id }: T, found?: T): Row => [() => store.find(id), found];
  return [...all.map((record) => row(record, record)), ...gone.map((record) => row(record))];
}

/** Overwrites every field of a value, at every depth. */
function overwrite(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    overwrite(Reflect.get(value, key));
    Reflect.set(value, key, 'changed');
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0);
}

/** Overwrites a record that was returned, and all that reads give: then they must still give the same. */
export async function overwritten<T>(record: T, reads: (record: T) => Table): Promise<Table> {
  const before = structuredClone(record);
  overwrite(record);
  for (const [call] of reads(before)) overwrite(await call());
  return reads(before);
}

/**
 * Makes all reads before and after each write of a record.
 *
 * @param writes - give the record as it is then stored, or a word when it is gone
 */
export async function readAfterEach<T>(
  reads: (all: readonly T[], gone: readonly T[]) => Table,
  writes: readonly ((record: T) => Promise<T | string | undefined>)[],
): Promise<void> {
  let all: readonly T[] = [];
  let gone: readonly T[] = [];
  await runTable(reads(all, gone));
  for (const write of writes) {
    const outcome = await write(all[0] as T);
    [all, gone] = typeof outcome === 'object' ? [[outcome], []] : [[], all];
    await runTable(reads(all, gone));
  }
}
