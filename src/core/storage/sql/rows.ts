/** Whole rows of a database: for a copy of everything in another database, of whichever kind, or of what one user had. */
import { setTimeout } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { compareIds, type Id } from '../../model/id.js';
import { latestOf, nextTimestamp, type Timestamp } from '../../model/timestamp.js';
import { emailKey } from '../../model/user.js';
import type { Row, RowRefusal, RowsEntry, StoreRows, TableRow } from '../../ports/store-rows.js';
import type { UserStore } from '../../ports/user-store.js';
import type { auditTasks } from './audit.js';
import { createdAgain, type eventAddition } from './outbox-events.js';
import { type CopiedTable, copiedTables as tables } from './copied-tables.js';
import { batchesOf, partsOf } from './row-batches.js';
import { addCategories } from './products.js';
import { columnOf } from './query/columns.js';
import {
  type AssignedTable,
  assignedTables,
  type SqlRunner,
  rowOf,
  rowsOf,
  type SqlTask,
  type TasksOf,
} from './query/runner.js';

const isAssigned = (table: string): table is AssignedTable =>
  (assignedTables as readonly string[]).includes(table);

/** The table that a copy has for the last ids, in front of all others. */
const lastIds = 'last_ids';
const pageSize = 500;

const pieceSize = 1_000;

/** After this time a part of an import ends, so that other writers do not wait for more. */
const partMs = 50;

/** As long as a process that waits for SQLite may pause. */
const pauseMs = 25;

/** A refusal within a batch. */
type Refusal = Omit<RowRefusal, 'written'>;

export function sqlRows(
  runner: SqlRunner,
  users: Pick<TasksOf<UserStore>, 'find'>,
  addEvent: ReturnType<typeof eventAddition>,
  addEntries: ReturnType<typeof auditTasks>['add'],
): StoreRows {
  const { builder, dialect } = runner;
  const ask = <T>(query: RawBuilder<T>): SqlTask<readonly T[]> => rowsOf(query.compile(builder));
  const listOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

  function* page(
    table: string,
    { key, user }: CopiedTable,
    last?: Row,
    userId?: Id,
  ): SqlTask<readonly Row[]> {
    const columns = yield* ask(dialect.columnsOf(table));
    const selected = columns.map(({ name, isMoment }) => {
      const column = sql.ref(name);
      if (name === 'stored') return sql`cast(${column} as text)`.as(name);
      return isMoment ? dialect.moment(name).as(name) : column.as(name);
    });
    const after = last && sql`(${listOf(key)}) > (${sql.join(key.map((name) => last[name]))})`;
    const ofUser =
      userId !== undefined && user !== undefined ? sql`${sql.ref(user)} = ${userId}` : sql`1 = 1`;
    return yield* ask(sql<Row>`select ${sql.join(selected)} from ${sql.table(table)}
      where ${after ?? sql`1 = 1`} and ${ofUser} order by ${listOf(key)} limit ${sql.lit(pageSize)}`);
  }

  /** Raises the last id of a table to the largest of some ids, unless it is greater already. */
  function* raise(table: AssignedTable, ids: readonly Id[]): SqlTask<void> {
    const largest = ids.reduce((one, other) => (compareIds(one, other) > 0 ? one : other));
    for (const query of dialect.raiseLastId(table, largest)) yield* ask(query);
  }

  /** The texts of insertions, because the batches of an import are alike, and compiling one takes longer than running it. */
  const insertions = new Map<string, string>();

  /** @returns the position of the first row that is not stored because another has its key; -1 if all are */
  function* insert(table: string, { key }: CopiedTable, rows: readonly Row[]): SqlTask<number> {
    const given = new Set<string>();
    for (const row of rows) for (const name in row) if (row[name] !== undefined) given.add(name);
    const names = [...given];
    const kind = `${table} ${names.join()} ${String(rows.length)}`;
    let text = insertions.get(kind);
    if (text === undefined) {
      const values = rows.map(() => sql`(${sql.join(names.map(() => null))})`);
      const insertion = sql`insert into ${sql.table(table)} (${listOf(names.map(columnOf))}) ${dialect.keepsIds}
        values ${sql.join(values)} on conflict do nothing returning ${listOf(key)}`;
      insertions.set(kind, (text = insertion.compile(builder).sql));
    }
    const parameters: unknown[] = [];
    for (const row of rows) for (const name of names) parameters.push(row[name] ?? null);
    const made = yield* rowsOf<Row>({ sql: text, parameters });
    if (made.length === rows.length) return -1;
    const keyOf = (row: Row): string => key.map((name) => String(row[name])).join(' ');
    const found = new Set(made.map(keyOf));
    return rows.findIndex((row) => !found.has(keyOf(row)));
  }

  /** Locks the clock of the posts, and gives those without an id the next ids, with later times than those before them. */
  function* clocked(rows: readonly Row[]): SqlTask<readonly Row[]> {
    const last = dialect.moment('last_created_at').as('at');
    const lock = builder.updateTable('post_clock').set((eb) => ({ last_id: eb.ref('last_id') }));
    const clock = yield* rowOf(lock.returning(['last_id', last]));
    let id = String(clock?.last_id);
    let at: Timestamp | null | undefined = clock?.at;
    const posts = rows.map((row) => {
      const given = row['created_at'] as Timestamp;
      if (row['id'] !== undefined) {
        const own = String(row['id']);
        if (compareIds(own, id) > 0) [id, at] = [own, at == null ? given : latestOf(at, given)];
        return row;
      }
      id = String(BigInt(id) + 1n);
      at = at == null ? given : latestOf(given, nextTimestamp(at));
      return { ...row, id, created_at: at };
    });
    yield* rowsOf(builder.updateTable('post_clock').set({ last_id: id, last_created_at: at ?? null }));
    return posts;
  }

  /** Replaces the names of categories by their ids; those that do not exist are added. */
  function* withCategoryIds(rows: readonly Row[]): SqlTask<readonly Row[]> {
    const names = new Set(rows.flatMap(({ category }) => (typeof category === 'string' ? [category] : [])));
    if (names.size === 0) return rows;
    yield* addCategories(builder, [...names].sort());
    const query = builder
      .selectFrom('categories')
      .select(['id', 'name'])
      .where('name', 'in', [...names]);
    const ids = new Map((yield* rowsOf(query)).map(({ id, name }) => [name, id]));
    return rows.map(({ product_id, category }) => ({ product_id, category_id: ids.get(String(category)) }));
  }

  function* add(table: string, given: readonly Row[]): SqlTask<Refusal | undefined> {
    const copied = tables[table];
    let rows = given;
    if (table === lastIds) {
      const used = yield* ask(
        sql`select 1 from users union all select 1 from orders union all select 1 from products limit 1`,
      );
      if (used.length > 0) return { position: 0, reason: 'not-empty' };
      for (const row of rows) yield* raise(row['table_name'] as AssignedTable, [String(row['last_id'])]);
      return undefined;
    }
    if (copied === undefined) return { position: 0, reason: 'unknown-table' };
    if (table === 'post_clock') {
      const clock = rows[0] ?? {};
      yield* rowsOf(
        builder.updateTable('post_clock').set({
          last_id: String(clock['last_id']),
          last_created_at: clock['last_created_at'] as Timestamp | null,
        }),
      );
      return undefined;
    }
    if (table === 'users') rows = rows.map((row) => ({ email_key: emailKey(String(row['email'])), ...row }));
    if (table === 'posts') rows = yield* clocked(rows);
    if (table === 'comments') {
      const ids = dialect.idList(rows.map((row) => String(row['order_id'])));
      const found = yield* rowsOf(builder.selectFrom('orders').select('id').where('id', 'in', ids));
      const orders = new Set(found.map(({ id }) => String(id)));
      rows = rows.filter((row) => orders.has(String(row['order_id'])));
    }
    if (table === 'product_categories') rows = yield* withCategoryIds(rows);
    // The store that takes the rows has entries of its own, of the command that takes them.
    if (table === 'audit_log') rows = rows.map((row) => ({ ...row, id: undefined }));
    if (rows.length === 0) return undefined;
    const refused = yield* insert(table, copied, rows);
    if (refused >= 0 && table !== 'audit_log') return { position: refused, reason: 'exists' };
    // Orders outlive their user, so the id of that user is never assigned again.
    if (table === 'orders')
      yield* raise(
        'users',
        rows.map((row) => String(row['user_id'] ?? row['userId'])),
      );
    if (table !== 'posts') return undefined;
    const ids = rows.map(({ id }) => String(id));
    // Only beside the neighbours of each row: all pairs of neighbours are checked when the later of the two is stored.
    const neighbour = (side: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
      sql`(select created_at from posts where id ${side} p.id order by id ${order} limit 1)`;
    const [wrong] = yield* ask(sql<Row>`select p.id from posts as p where p.id in ${dialect.idList(ids)}
      and (p.created_at <= ${neighbour(sql`<`, sql`desc`)} or p.created_at >= ${neighbour(sql`>`, sql`asc`)}) limit 1`);
    return wrong && { position: ids.indexOf(String(wrong['id'])), reason: 'post-order' };
  }

  /** @param batch - of one table, all with ids or all without */
  function* addRecords(batch: readonly TableRow[]): SqlTask<Refusal | undefined> {
    const { table = '', parts } = batch[0] ?? {};
    let rows = batch.map(({ row }) => row);
    const haveIds = rows[0]?.['id'] !== undefined;
    if (isAssigned(table) && !haveIds) {
      const ids = yield* ask(dialect.nextIds(table, rows.length));
      rows = rows.map((row, index) => ({ ...row, id: String(ids[index]?.id) }));
    }
    const refusal = yield* add(table, rows);
    if (refusal !== undefined) return refusal;
    if (isAssigned(table) && haveIds)
      yield* raise(
        table,
        rows.map(({ id }) => String(id)),
      );
    if (parts === undefined) return undefined;
    const record = tables[parts.table]?.record ?? '';
    const partRows: Row[] = [];
    const positions: number[] = [];
    for (const [position, each] of batch.entries()) {
      for (const row of each.parts?.rows ?? []) {
        partRows.push({ ...row, [record]: rows[position]?.['id'] });
        positions.push(position);
      }
    }
    for (let start = 0; start < partRows.length; start += pieceSize) {
      const refused = yield* add(parts.table, partRows.slice(start, start + pieceSize));
      if (refused) return { ...refused, position: positions[start + refused.position] ?? 0 };
    }
    return undefined;
  }

  return {
    async *read(userId) {
      if (userId === undefined) {
        for (const table of assignedTables) {
          const [row] = await runner.run(() => ask(dialect.lastIdOf(table)));
          if (row?.id != null) yield { table: lastIds, row: { table_name: table, last_id: row.id } };
        }
      }
      for (const [table, copied] of Object.entries(tables)) {
        if (userId !== undefined && copied.user === undefined) continue;
        let last: Row | undefined;
        for (;;) {
          const rows = await runner.runList(() => page(table, copied, last, userId));
          for (const row of rows) yield { table, row };
          if (rows.length < pageSize) break;
          last = rows.at(-1);
        }
      }
    },
    async write(rows, entryOf, published) {
      let count = 0;
      for await (const part of partsOf(rows)) {
        const batches = batchesOf(part);
        for (let next = 0; next < batches.length;) {
          // Between the parts, a process that waits for SQLite, and asks now and then whether it is free, gets its turn.
          if (count > 0) await setTimeout(pauseMs);
          const written = await runner
            .runAtomically(() => writePart(batches.slice(next), count, entryOf, published))
            .catch(refusalOf);
          if ('reason' in written) return written;
          next += written.batches;
          count += written.rows;
        }
      }
      return count;
    },
  };

  /** Writes batches until their time is over. @throws Refused at the first row that cannot be stored, so that the part is undone */
  function* writePart(
    batches: readonly (readonly TableRow[])[],
    first: number,
    entryOf: RowsEntry | undefined,
    published: Id | undefined,
  ): SqlTask<{ readonly batches: number; readonly rows: number }> {
    const end = performance.now() + partMs;
    let [done, written] = [0, 0];
    if (dialect.beginsImport) yield dialect.beginsImport;
    for (const batch of batches) {
      const { table = '', row = {} } = batch[0] ?? {};
      const counting = row['id'] === undefined ? dialect.countsImport?.(table) : undefined;
      if (counting) yield counting.begin;
      const refusal = yield* addRecords(batch);
      if (refusal)
        throw new Refused({ ...refusal, position: first + written + refusal.position, written: first });
      if (counting) yield counting.end;
      const isPublished = table === 'users' && batch.some((each) => String(each.row['id']) === published);
      const user = isPublished && published ? yield* users.find(published) : undefined;
      if (user !== undefined) yield* addEvent(createdAgain(user));
      done += 1;
      written += batch.length;
      if (performance.now() > end) break;
    }
    if (entryOf) yield* addEntries([entryOf(first + 1, first + written)]);
    return { batches: done, rows: written };
  }
}

class Refused extends Error {
  constructor(readonly refusal: RowRefusal) {
    super(refusal.reason);
  }
}

function refusalOf(error: unknown): RowRefusal {
  if (error instanceof Refused) return error.refusal;
  throw error;
}
