/** Reads the records of one table: by id, by several ids, and in pages. */
import { parseId, type Id } from '../../../model/id.js';
import { distinctIds } from './clauses.js';
import { readerOf, selectionOf, type RowOf, type Stored } from './columns.js';
import { pagesOf } from './pages.js';
import { PreparedQuery } from './prepared.js';
import type { SqlRunner } from './runner.js';
import type { ListedTable, Some } from './schema.js';
import { rowOf, rowsOf, type SqlTask } from './task.js';

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
