/** Records in the order of their ids, found by id in constant time and by position in logarithmic time. */
import type { Id } from '../../model/id.js';
import type { Slice } from '../../model/page.js';

/** Ids count up from 1 and stay far below `Number.MAX_SAFE_INTEGER`. */
export class Table<Row extends { readonly id: Id }> {
  readonly #byId = new Map<Id, Row>();
  /** Ascending by id; `#keys` holds the same ids as numbers. */
  readonly #rows: Row[] = [];
  readonly #keys: number[] = [];
  readonly #indexes: Index<Row>[] = [];
  #lastId = 0;

  /** Adds an index that groups the rows by owner. Call it while the table is empty. */
  index(groupOf: (row: Row) => Id): Index<Row> {
    const index = new Index(groupOf);
    this.#indexes.push(index);
    return index;
  }

  /** Accepts any text; only the id of a stored row finds one. */
  get(id: string): Row | undefined {
    return this.#byId.get(id);
  }

  /** @returns an id that was never used before */
  nextId(): Id {
    return String(++this.#lastId);
  }

  /** Adds a row whose id is greater than that of every row added before. */
  add(row: Row): void {
    this.#byId.set(row.id, row);
    this.#rows.push(row);
    this.#keys.push(Number(row.id));
    for (const index of this.#indexes) index.of(row).add(row);
  }

  /** Replaces the stored row with the same id; both must be in the same groups of every index. */
  replace(row: Row): void {
    this.#byId.set(row.id, row);
    this.#rows[this.#firstFrom(Number(row.id))] = row;
    for (const index of this.#indexes) index.of(row).replace(row);
  }

  delete(id: Id): void {
    const row = this.#byId.get(id);
    if (row === undefined) return;
    this.#byId.delete(id);
    for (const index of this.#indexes) index.delete(row);
    const position = this.#firstFrom(Number(id));
    this.#rows.splice(position, 1);
    this.#keys.splice(position, 1);
  }

  /** Ascending by id; without a test, the cost depends only on the number of rows returned. */
  slice(slice: Slice, test?: (row: Row) => boolean): Row[] {
    const start = 'after' in slice ? this.#firstFrom(Number(slice.after ?? 0) + 1) : 0;
    const skip = 'offset' in slice ? slice.offset : 0;
    if (test === undefined) return this.#rows.slice(start + skip, start + skip + slice.limit);

    const found: Row[] = [];
    let skipped = 0;
    for (let position = start; position < this.#rows.length && found.length < slice.limit; position++) {
      const row = this.#rows[position];
      if (row === undefined || !test(row)) continue;
      if (skipped < skip) skipped++;
      else found.push(row);
    }
    return found;
  }

  /** A copy of the rows, ascending by id. */
  all(): Row[] {
    return this.#rows.slice();
  }

  /** Descending by id, from the row before an id, or from the last. */
  sliceBefore(before: Id | undefined, limit: number): Row[] {
    const end = before === undefined ? this.#rows.length : this.#firstFrom(Number(before));
    return this.#rows.slice(Math.max(0, end - limit), end).reverse();
  }

  /** Ascending by id, from the first row that passes the test; all later rows must pass it too. */
  sliceFrom(test: (row: Row) => boolean, limit: number): Row[] {
    const start = bisect(this.#rows, test);
    return this.#rows.slice(start, start + limit);
  }

  /** The number of rows, or of those that pass the test. */
  count(test?: (row: Row) => boolean): number {
    if (test === undefined) return this.#rows.length;
    let count = 0;
    for (const row of this.#rows) if (test(row)) count++;
    return count;
  }

  /** @returns the position of the first row whose id is not less than the key */
  #firstFrom(key: number): number {
    return bisect(this.#keys, (candidate) => candidate >= key);
  }
}

/** The rows of a table in groups, such as the posts of each author. */
export class Index<Row extends { readonly id: Id }> {
  readonly #groups = new Map<Id, Table<Row>>();
  readonly #groupOf: (row: Row) => Id;

  constructor(groupOf: (row: Row) => Id) {
    this.#groupOf = groupOf;
  }

  /** The rows of a group; undefined when there are none. */
  get(group: string): Table<Row> | undefined {
    return this.#groups.get(group);
  }

  /** The table of the group that a row is in. */
  of(row: Row): Table<Row> {
    const group = this.#groupOf(row);
    let table = this.#groups.get(group);
    if (table === undefined) this.#groups.set(group, (table = new Table()));
    return table;
  }

  delete(row: Row): void {
    const table = this.of(row);
    table.delete(row.id);
    if (table.count() === 0) this.#groups.delete(this.#groupOf(row));
  }
}

/** @returns the position of the first item that passes the test, given that all later items pass it too. */
function bisect<T>(items: readonly T[], test: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as T))
      high = middle; // within bounds: low <= middle < high
    else low = middle + 1;
  }
  return low;
}
