/**
 * Reads the records of a table by id, by several ids, and in pages. A page by position reads only ids until it reaches its rows, in an index that has them in order.
 * It starts from the nearer end where counters know the number of rows.
 */
import { type Compilable, type Expression, type SelectQueryBuilder, sql } from 'kysely';
import type { Slice } from '../../../model/page.js';
import { rowCount, distinctIds } from './clauses.js';
import {
  PreparedPages,
  PreparedQuery,
  type CountRow,
  countOf,
  type Runnable,
  rowsOf,
  type SqlTask,
  rowOf,
  type SqlRunner,
} from './runner.js';
import type { Ids, ListedTable, Some, Tables } from './schema.js';
import { parseId, type Id } from '../../../model/id.js';
import { readerOf, selectionOf, type RowOf, type Stored } from './columns.js';

/** The rows of a filter. */
export interface Selection<Table extends keyof Tables> {
  /** Disjoint, and each has an index in the order of ids. */
  readonly parts: readonly Some<Table>[];
  /** The number of rows from counters; undefined if the rows have none. */
  readonly counter: SelectQueryBuilder<Tables, 'counters', CountRow> | undefined;
}

type Counted = Selection<'users'> & { readonly counter: object };

/** A page that begins after this many rows costs more to reach than the number of all rows, which shows the nearer end. */
const far = 10_000;

/** A table's rows. The queries are valid for each of the tables, so they are typed for one of them. */
type Rows = Some<'users'>;

/**
 * @param select - adds the columns of a list to some rows
 *
 * @param read - turns the rows of a list into its records
 */
export function pagesOf<Table extends ListedTable, Row, T>(
  { builder, dialect }: SqlRunner,
  table: Table,
  select: (some: Some<Table>) => Compilable<Row>,
  read: (rows: readonly Row[]) => readonly T[],
) {
  const selected = select as unknown as (some: Rows) => Compilable<Row>;
  const rows = builder.selectFrom(table as 'users') as unknown as Rows;
  const everyRow: Selection<'users'> = {
    parts: [rows.where('id', '>', sql.lit(0))],
    counter: rowCount(builder, table),
  };
  const countAll = new PreparedQuery(`${table}.count`, rowCount(builder, table), true);
  const pagesAfter = new PreparedPages(`${table}.page`, (limit) =>
    selected(rows.where('id', '>', '0').orderBy('id').limit(sql.lit(limit))),
  );
  const pagesAt = new PreparedPages(`${table}.pageAt`, (limit) => pageFromStart(everyRow.parts, '0', limit));

  /** @param reach - the maximum number of rows of each part */
  function idsOf(parts: readonly Rows[], direction: 'asc' | 'desc', reach: Expression<number>): Ids {
    const [first, ...others] = parts.map((part) => part.select('id'));
    if (first === undefined) throw new Error('a selection has no parts');
    if (others.length === 0) return first.orderBy('id', direction);
    const inOrder = (ids: Ids) => dialect.inOrder(ids, direction, reach);
    return others.reduce((all, ids) => all.unionAll(inOrder(ids)), inOrder(first)).orderBy('id', direction);
  }

  function pageOf(ids: Ids): Compilable<Row> {
    return selected(rows.where('id', 'in', ids).orderBy('id'));
  }

  function pageFromStart(parts: readonly Rows[], offset: string, limit: number) {
    const skipped = sql`cast(${offset} as bigint)`;
    const reach = sql<number>`(select ${skipped} + ${sql.lit(limit)})`;
    // PostgreSQL assumes that a sub-select skips a tenth of the rows. If it knew that it skips more, it would sort them all.
    return pageOf(
      idsOf(parts, 'asc', reach)
        .limit(sql.lit(limit))
        .offset(sql<number>`(select ${skipped})`),
    );
  }

  /** Counts in the same query, so that rows that others add or delete do not shift the page. */
  function pageFromEnd({ parts, counter }: Counted, offset: string, limit: number) {
    const size = sql.lit(limit);
    const behind = sql<number>`(select count - cast(${offset} as bigint) - ${size} from ${counter.as('total')})`;
    const atLeast0 = (value: Expression<number>) =>
      sql<number>`(select case when value > 0 then value else 0 end from (select ${value} as value) as rest)`;
    const reach = sql<number>`(select ${atLeast0(behind)} + ${size})`;
    const last = idsOf(parts, 'desc', reach).limit(size).offset(atLeast0(behind));
    // The last page may have fewer rows than the limit; these ids then begin before it.
    const missing = atLeast0(sql<number>`(select -${behind})`);
    const ids = builder.selectFrom(last.as('page')).select('id').orderBy('id').limit(size).offset(missing);
    return pageOf(ids as unknown as Ids);
  }

  /** @param some - every row unless given. A page of some rows is not prepared, because the best plan depends on the values */
  function* list(slice: Slice, some?: Selection<Table>): SqlTask<readonly T[]> {
    const query = yield* queryOf(slice, some as unknown as Selection<'users'> | undefined);
    return query === undefined ? [] : read(yield* rowsOf(query));
  }

  function* queryOf(slice: Slice, some?: Selection<'users'>): SqlTask<Runnable<Row> | undefined> {
    const { limit } = slice;
    if (!('offset' in slice) || slice.offset === 0) {
      const after = ('after' in slice ? slice.after : undefined) ?? '0';
      if (some === undefined) return pagesAfter.with(after, limit);
      const later = some.parts.map((part) => part.where('id', '>', after));
      return pageOf(idsOf(later, 'asc', sql.lit(limit)).limit(sql.lit(limit)));
    }
    const { offset } = slice;
    const { parts, counter } = some ?? everyRow;
    if (offset >= far && counter !== undefined) {
      const total = yield* countOf(counter);
      if (offset >= total) return undefined;
      if (offset > total / 2) return pageFromEnd({ parts, counter }, String(offset), limit);
    }
    return some === undefined
      ? pagesAt.with(String(offset), limit)
      : pageFromStart(parts, String(offset), limit);
  }

  /** The number of rows: without counters it reads the index of each part. */
  function* count(some?: Selection<Table>): SqlTask<number> {
    if (some === undefined) return yield* countOf(countAll.with(table));
    if (some.counter !== undefined) return yield* countOf(some.counter);
    let count = 0;
    for (const part of some.parts as unknown as readonly Rows[]) {
      count += yield* countOf(part.select(({ fn }) => fn.countAll().as('count')));
    }
    return count;
  }

  return { list, count };
}

/** Tables whose rows are records with ids. */
type RecordTable = 'users' | 'posts' | 'products' | 'comments' | 'api_keys';

/** @param fields - how the records are stored */
export function recordsIn<T extends { readonly id: Id }>(
  { builder, dialect }: SqlRunner,
  table: RecordTable,
  fields: Stored<T>,
) {
  // The queries below are valid for each of these tables, so they are typed for one of them.
  const rows = builder
    .selectFrom(table as 'users')
    .select(selectionOf(fields, dialect))
    .$castTo<RowOf<T>>();
  const recordOf = readerOf(fields);
  const byId = new PreparedQuery(`${table}.byId`, rows.where('id', '=', '1'));

  function* find(id: string): SqlTask<T | undefined> {
    if (parseId(id) === undefined) return undefined;
    const row = yield* rowOf(byId.with(id));
    return row && recordOf(row);
  }

  /** @returns one entry per id, in the order of the ids */
  function* findMany(ids: readonly string[]): SqlTask<readonly (T | undefined)[]> {
    const known = distinctIds(ids);
    const query = rows.where('id', 'in', dialect.idList(known));
    const found = known.length > 0 ? (yield* rowsOf(query)).map(recordOf) : [];
    const byId = new Map(found.map((record) => [record.id, record]));
    return ids.map((id) => byId.get(id));
  }

  return { find, findMany, recordOf };
}

/** As {@link recordsIn}, for a table that is listed by position too. */
export function listedRecordsIn<T extends { readonly id: Id }, Table extends RecordTable & ListedTable>(
  runner: SqlRunner,
  table: Table,
  fields: Stored<T>,
) {
  const records = recordsIn(runner, table, fields);
  const select = (some: Some<Table>) =>
    (some as unknown as Some<'users'>).select(selectionOf(fields, runner.dialect)).$castTo<RowOf<T>>();
  return { ...records, ...pagesOf(runner, table, select, (rows) => rows.map(records.recordOf)) };
}
