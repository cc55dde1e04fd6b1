/** Whole rows of a database: for a copy of everything in another database, of whichever kind, or of what one user had. */
import { type RawBuilder, sql } from 'kysely';
import { compareIds, type Id } from '../../model/id.js';
import { latestOf, nextTimestamp, type Timestamp } from '../../model/timestamp.js';
import { emailKey } from '../../model/user.js';
import type { Row, RowRefusal, StoreRows, TableRow } from '../../ports/store-rows.js';
import type { UserStore } from '../../ports/user-store.js';
import type { auditTasks } from './audit.js';
import { createdAgain, type eventAddition } from './outbox-events.js';
import { batchesOf } from './row-batches.js';
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

interface CopiedTable {
  readonly key: readonly string[];
  /** The column with the user whose row it is. */
  readonly user?: string;
  /** The column with the record that its rows are part of. */
  readonly record?: string;
}

/** In the order of their references. `counters` follows by its triggers. */
const tables: Readonly<Record<string, CopiedTable>> = {
  users: { key: ['id'], user: 'id' },
  external_identities: { key: ['issuer', 'subject'], user: 'user_id' },
  api_keys: { key: ['id'], user: 'owner_id' },
  refresh_tokens: { key: ['hash'] },
  categories: { key: ['id'] },
  products: { key: ['id'] },
  product_categories: { key: ['product_id', 'category_id'], record: 'product_id' },
  orders: { key: ['id'] },
  order_items: { key: ['order_id', 'id'], record: 'order_id' },
  comments: { key: ['id'], user: 'user_id' },
  posts: { key: ['id'], user: 'author_id' },
  post_clock: { key: ['last_id'] },
  idempotency_keys: { key: ['caller', 'key_hash'] },
  audit_log: { key: ['id'] },
  outbox_receivers: { key: ['id'] },
  outbox_deliveries: { key: ['id'] },
};

const isAssigned = (table: string): table is AssignedTable =>
  (assignedTables as readonly string[]).includes(table);

/** The table that a copy has for the last ids, in front of all others. */
const lastIds = 'last_ids';
const pageSize = 500;

const pieceSize = 1_000;

export function sqlRows(
  runner: SqlRunner,
  parts: {
    readonly users: Pick<TasksOf<UserStore>, 'find'>;
    readonly audit: Pick<ReturnType<typeof auditTasks>, 'add'>;
    readonly outbox: { readonly publish: ReturnType<typeof eventAddition> };
  },
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

  function* add(table: string, given: readonly Row[]): SqlTask<RowRefusal | undefined> {
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
  function* addRecords(batch: readonly TableRow[]): SqlTask<RowRefusal | undefined> {
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
      let counted: string | undefined;
      let counting: ReturnType<NonNullable<typeof dialect.countsImport>>;

      /** Begins to count the rows of a table at their end, and counts those of the table before it. */
      function* countAtEnd(table: string | undefined): SqlTask<void> {
        if (table === counted) return;
        if (counting) yield counting.end;
        counted = table;
        counting = table === undefined ? undefined : dialect.countsImport?.(table);
        if (counting) yield counting.begin;
      }

      async function* tasks(): AsyncGenerator<() => SqlTask<RowRefusal | undefined>> {
        for await (const batch of batchesOf(rows)) {
          const first = count;
          count += batch.length;
          yield function* () {
            yield* countAtEnd(batch[0]?.row['id'] === undefined ? batch[0]?.table : undefined);
            const refusal = yield* addRecords(batch);
            return refusal && { ...refusal, position: first + refusal.position };
          };
        }
        yield function* () {
          yield* countAtEnd(undefined);
          if (entryOf) yield* parts.audit.add([entryOf(count)]);
          const id = published?.();
          const user = id === undefined ? undefined : yield* parts.users.find(id);
          if (user !== undefined) yield* parts.outbox.publish(createdAgain(user));
          return undefined;
        };
      }
      return (await runner.runAllAtomically(tasks())) ?? count;
    },
  };
}
