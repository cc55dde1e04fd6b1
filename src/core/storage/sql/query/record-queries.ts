/** Reads the records of one table: by id, by several ids, in pages, and counted. */
import { sql, type SelectQueryBuilder } from 'kysely';
import { parseId, type Id } from '../../../model/id.js';
import type { Slice } from '../../../model/page.js';
import { distinctIds, rowCount, stretchOf } from './clauses.js';
import { readerOf, selectionOf, type RowOf, type Stored } from './columns.js';
import { PreparedPages, PreparedQuery } from './prepared.js';
import type { SqlRunner } from './runner.js';
import type { Tables } from './schema.js';
import { countOf, rowOf, rowsOf, type SqlTask } from './task.js';

/** Tables whose rows are records with ids. */
type RecordTable = 'users' | 'posts' | 'products' | 'comments' | 'api_keys';

/** Some rows of a table, before columns are selected. */
type Some<Table extends RecordTable> = SelectQueryBuilder<Tables, Table, object>;

/** @param fields - how the records are stored */
export function recordsIn<T extends { readonly id: Id }, Table extends RecordTable>(
  { builder, dialect }: SqlRunner,
  table: Table,
  fields: Stored<T>,
) {
  // The queries below are valid for each of these tables, so they are typed for one of them.
  const typed = (some: Some<Table>): Some<'users'> => some as Some<never>;
  const selected = (some: Some<'users'>) => some.select(selectionOf(fields, dialect)).$castTo<RowOf<T>>();
  const rows = selected(builder.selectFrom(table as 'users'));
  const recordOf = readerOf(fields);
  const byId = new PreparedQuery(`${table}.byId`, rows.where('id', '=', '1'));
  const page = rows.where('id', '>', '0').orderBy('id');
  const pages = new PreparedPages(`${table}.page`, (limit) => page.limit(limit));
  const countAll =
    table === 'posts' || table === 'api_keys'
      ? undefined
      : rowCount(builder, table as Exclude<Table, 'posts' | 'api_keys'>);

  function* find(id: string): SqlTask<T | undefined> {
    if (parseId(id) === undefined) return undefined;
    const row = yield* rowOf(byId.with(id));
    return row && recordOf(row);
  }

  /** @returns one entry per id, in the order of the ids: a separate object each time an id is repeated */
  function* findMany(ids: readonly string[]): SqlTask<readonly (T | undefined)[]> {
    const known = distinctIds(ids);
    const query = rows.where('id', 'in', dialect.idList(known));
    const found = known.length > 0 ? (yield* rowsOf(query)).map(recordOf) : [];
    const byId = new Map(found.map((record) => [record.id, record]));
    const given = new Set<string>();
    return ids.map((id) => {
      const record = byId.get(id);
      if (!given.has(id)) {
        given.add(id);
        return record;
      }
      return record && { ...record };
    });
  }

  /**
   * A page, ascending by id.
   *
   * @param some - the rows to page through: all unless given. A page of some rows is not prepared, because the best plan depends on
   *   the values
   */
  function* list(slice: Slice, some?: Some<Table>): SqlTask<readonly T[]> {
    const { after, limit, offset } = stretchOf(slice);
    const list = () =>
      (some ? selected(typed(some)) : rows).where('id', '>', after).orderBy('id').limit(limit).offset(offset);
    const query = some === undefined && offset === 0 ? pages.with(after, limit) : list();
    return (yield* rowsOf(query)).map(recordOf);
  }

  /** The number of rows, or of some of them: a scan, except for all rows of a table with a counter. */
  function* count(some?: Some<Table>): SqlTask<number> {
    if (some === undefined && countAll !== undefined) return yield* countOf(countAll.with());
    const counted = some ? typed(some) : builder.selectFrom(table as 'users');
    return yield* countOf(counted.select(sql<number>`count(*)`.as('count')));
  }
  return { find, findMany, list, count, recordOf };
}
