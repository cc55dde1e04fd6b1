/**
 * Lists the rows of a table by page. A page by position reads only ids until it reaches its rows, in an index that has them in order.
 * It starts from the nearer end where counters know the number of rows.
 */
import { type Compilable, type Expression, type SelectQueryBuilder, sql } from 'kysely';
import type { Slice } from '../../../model/page.js';
import { rowCount } from './clauses.js';
import { PreparedPages, PreparedQuery } from './prepared.js';
import type { SqlRunner } from './runner.js';
import type { Ids, ListedTable, Some, Tables } from './schema.js';
import { type CountRow, countOf, type Runnable, rowsOf, type SqlTask } from './task.js';

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

  function pageAfter(parts: readonly Rows[], after: string, limit: number) {
    const later = parts.map((part) => part.where('id', '>', after));
    return pageOf(idsOf(later, 'asc', sql.lit(limit)).limit(sql.lit(limit)));
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
      return some === undefined ? pagesAfter.with(after, limit) : pageAfter(some.parts, after, limit);
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
