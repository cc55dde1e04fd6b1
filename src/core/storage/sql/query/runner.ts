/** The interface between the SQL stores and a database: tasks, which are written once and run by either, prepared queries, and the SQL that differs. */
import { type Compilable, type Expression, Kysely, DummyDriver, type Dialect, type RawBuilder } from 'kysely';
import type { Id } from '../../../model/id.js';
import type { Post } from '../../../model/post.js';
import type { Timestamp } from '../../../model/timestamp.js';
import type { JsonValue, KeptFields, StoredValues } from '../../../model/stored.js';
import type { NewPost } from '../../../ports/post-store.js';
import type { Database, Query, SqlInteger } from './query.js';
import type { Ids, Tables } from './schema.js';
import type { Moments } from './columns.js';
import type { StoreTransaction } from '../../../ports/transaction.js';
import { defaultFeedLimit, defaultLimit, maxLimit } from '../../../model/page.js';

/** The row of a query that counts. */
export interface CountRow {
  readonly count: number | string | bigint;
}

/**
 * A piece of work that yields queries and receives the rows of each. SQLite runs it synchronously, so that no other work of
 * this process can come in between; PostgreSQL waits for each answer.
 *
 * A task may be run several times until it succeeds (see `SqlRunner`), so it must have no side effects besides its queries.
 */
export type SqlTask<T> = Generator<Query, T, readonly unknown[]>;

/** A compiled query with its values. */
interface BoundQuery<Row> extends Query {
  /** Only for the compiler: the type of the rows. */
  readonly row?: Row;
}

/** A query of the builder, or a prepared one. */
export type Runnable<Row> = Compilable<Row> | BoundQuery<Row>;

function queryOf(query: Runnable<unknown>): Query {
  return 'compile' in query ? query.compile() : query;
}

/** Runs a query and returns all rows. */
export function* rowsOf<Row>(query: Runnable<Row>): SqlTask<readonly Row[]> {
  // The rows belong to the yielded query, whose row type the builder knows.
  return (yield queryOf(query)) as readonly Row[];
}

/** Runs a query and returns the first row. */
export function* rowOf<Row>(query: Runnable<Row>): SqlTask<Row | undefined> {
  const [row] = (yield queryOf(query)) as readonly Row[];
  return row;
}

/** Runs a query that counts. */
export function* countOf(query: Runnable<CountRow>): SqlTask<number> {
  return Number((yield* rowOf(query))?.count);
}

export class PreparedQuery<Row> {
  #sql: string | undefined;
  readonly #name: string | undefined;

  /**
   * @param name - unique among all queries: PostgreSQL keeps the parsed query and its plan under this name. Undefined when
   *   the best plan depends on the values
   * @param query - the query with placeholder values of the right types
   * @param isShort - as of {@link BoundQuery}
   */
  constructor(
    name: string | undefined,
    private readonly query: Compilable<Row>,
    private readonly isShort = false,
  ) {
    this.#name = name && `concordat:${name}`;
  }

  /** @param parameters - in the order in which they appear in the text */
  with(...parameters: readonly unknown[]): BoundQuery<Row> {
    const sql = (this.#sql ??= this.query.compile().sql);
    return { sql, parameters, name: this.#name, isShort: this.isShort };
  }
}

/** The default limits, with and without the extra row that shows whether there are more. */
const usualLimits = [defaultLimit, defaultFeedLimit, maxLimit].flatMap((limit) => [limit, limit + 1]);

/**
 * PostgreSQL assumes that an unknown limit returns a tenth of the table. The generic plan then looks too expensive, so it
 * plans the query again on each run, which takes longer than reading the page. Therefore each limit is part of the text of its own
 * query, and those of the usual limits are prepared.
 */
export class PreparedPages<Row> {
  readonly #usual: ReadonlyMap<number, PreparedQuery<Row>>;

  /** @param page - makes the query for a limit; its only parameter is the start */
  constructor(
    name: string,
    private readonly page: (limit: number) => Compilable<Row>,
  ) {
    this.#usual = new Map(
      usualLimits.map((limit) => [limit, new PreparedQuery(`${name}.${limit}`, page(limit))]),
    );
  }

  with(start: string, limit: number): BoundQuery<Row> {
    return (this.#usual.get(limit) ?? new PreparedQuery(undefined, this.page(limit))).with(start);
  }
}

/** What the database assigns to a new post. */
export type AssignedPost = Pick<Post, 'id' | 'createdAt'>;

/** The tables whose rows are read for several owners at once, with the column of the owner. */
interface OwnedTables {
  readonly orders: 'user_id';
  readonly posts: 'author_id';
}

/** The tables whose ids the database assigns. */
export const assignedTables = [
  'users',
  'orders',
  'products',
  'categories',
  'comments',
  'api_keys',
  'outbox_receivers',
  'outbox_deliveries',
] as const;
export type AssignedTable = (typeof assignedTables)[number];

/** SQL that differs between the two databases. */
export interface SqlDialect extends Moments {
  readonly database: Database;

  /** A text as a value of a JSON column. */
  readonly json: (text: string | null) => RawBuilder<unknown>;

  /** The column `stored` after a write: an undefined value is removed, and values that are not given stay. */
  readonly mergedStored: (given: StoredValues) => RawBuilder<unknown>;

  /** A value to compare with one in the column `stored`. */
  readonly storedValue: (value: JsonValue) => RawBuilder<unknown>;

  /** Any number of ids as a single parameter, for the right side of `in`. */
  readonly idList: (ids: readonly Id[]) => Expression<SqlInteger>;

  /**
   * Prepares the ids of a part for a `union all` that is ordered, so that the database merges the parts in the order of their
   * indexes instead of sorting them.
   *
   * @param reach - the maximum number of ids that are needed
   */
  readonly inOrder: (ids: Ids, direction: 'asc' | 'desc', reach: Expression<number>) => Ids;

  /**
   * The queries around an import of rows with new ids into a table, with which they are counted once, at their end. Undefined for
   * other tables, and in a database where one transaction writes at a time.
   */
  readonly countsImport?: (table: string) => { readonly begin: Query; readonly end: Query } | undefined;

  /** The query that begins a part of an import, where the database may not know yet how much is in its tables. */
  readonly beginsImport?: Query;

  /**
   * A query that has a row if no other transaction deletes expired rows until this one ends. Undefined in a database where
   * one transaction writes at a time.
   */
  readonly deletesAlone?: Query;

  /** Stores a post with a canonical `authorId`, in a transaction that holds the lock of posts until it ends. */
  readonly createPost: (post: NewPost, now: Timestamp) => SqlTask<AssignedPost | 'author-not-found'>;

  /** The end of a query that locks its rows until the transaction ends. Rows that refer to them can be inserted meanwhile. */
  readonly locks: RawBuilder<unknown>;

  /** The SQL that follows the columns of an insertion with given ids. */
  readonly keepsIds: RawBuilder<unknown>;

  /** The columns of a table. */
  readonly columnsOf: (table: string) => RawBuilder<{ readonly name: string; readonly isMoment: unknown }>;

  /** The last id that was assigned in a table; null if none was. */
  readonly lastIdOf: (table: AssignedTable) => RawBuilder<{ readonly id: SqlInteger | null }>;

  /** Assigns the next ids of a table, in ascending order. */
  readonly nextIds: (table: AssignedTable, count: number) => RawBuilder<{ readonly id: SqlInteger }>;

  /** Queries after which greater ids are assigned only. */
  readonly raiseLastId: (table: AssignedTable, id: Id) => readonly RawBuilder<unknown>[];

  /** The ids of the first rows: at most `limit` per owner and `total` in all, for the right side of `in`. Reads no other rows. */
  readonly firstIdsOf: <Table extends keyof OwnedTables>(
    table: Table,
    owner: OwnedTables[Table],
    owners: readonly Id[],
    limit: number,
    total?: number,
  ) => Expression<SqlInteger>;
}

/** A transaction that runs tasks. */
export interface SqlTransaction extends StoreTransaction {
  /** Runs a task after the calls before it; a failed one fails the transaction. */
  readonly run: <T>(task: () => SqlTask<T>) => Promise<T>;
}

/**
 * A database that runs tasks. A task that loses a race against another writer (a deadlock, a key that was taken or a row
 * that was deleted in the meantime, a locked database) is rolled back and run again, and then sees the other's changes.
 */
export interface SqlRunner {
  /** Builds queries; it has no connection. */
  readonly builder: Kysely<Tables>;
  readonly dialect: SqlDialect;
  /** The application's own fields. */
  readonly ownFields?: KeptFields | undefined;

  /** Runs a task without a transaction around it: each query is its own transaction. */
  run<T>(task: () => SqlTask<T>): Promise<T>;

  /** Runs a task that may read many rows, as {@link run}. Such tasks never hold all connections, so that short ones find one. */
  runList<T>(task: () => SqlTask<T>): Promise<T>;

  /** Runs a task in one transaction. */
  runAtomically<T>(task: () => SqlTask<T>): Promise<T>;

  /** Runs work in one transaction. @param isBrief - as of `RunTransaction` */
  transact<T>(isBrief: boolean | undefined, work: (transaction: SqlTransaction) => Promise<T>): Promise<T>;

  /** Resolves when the database answers, has all migrations and, as far as is known, accepts writes. */
  ping(): Promise<void>;

  /** Closes the connections that were opened here, once the running tasks have ended. */
  close(): Promise<void>;
}

/** Whether this transaction may delete expired rows, because no other does. */
export function* isAlone({ deletesAlone }: SqlDialect): SqlTask<boolean> {
  return deletesAlone === undefined || (yield deletesAlone).length > 0;
}

/** The methods of a store as tasks, which may also be parts of other tasks. */
export type TasksOf<Store> = {
  readonly [Method in keyof Store]: Store[Method] extends (...given: infer Given) => Promise<infer Outcome>
    ? (...given: Given) => SqlTask<Outcome>
    : never;
};

/** How a method runs: each query as its own transaction, the same for many rows, or all queries in one transaction. */
type Mode = 'run' | 'runList' | 'runAtomically';

type OutcomeOf<Method> = Method extends (...given: never) => Promise<infer Outcome> ? Outcome : never;

/** The methods that return a list or a number, and may have to read many rows for it. */
type MethodsOverMany<Store> = {
  [Method in keyof Store]: [Extract<OutcomeOf<Store[Method]>, number | readonly unknown[]>] extends [never]
    ? never
    : Method;
}[keyof Store];

/** The modes of the methods of a store; `run` unless given. */
type Modes<Store> = Readonly<Partial<Record<keyof Store, Mode>> & Record<MethodsOverMany<Store>, Mode>>;

export function storeOf<Store extends object>(
  runner: SqlRunner,
  tasks: TasksOf<Store>,
  modes: Modes<Store>,
): Store {
  const methods = Object.entries<(...given: unknown[]) => SqlTask<unknown>>(tasks).map(([name, task]) => {
    const mode = (modes as Readonly<Record<string, Mode>>)[name] ?? 'run';
    return [name, (...given: unknown[]) => runner[mode](() => task(...given))];
  });
  return Object.fromEntries(methods) as Store;
}

/** @param parts - Kysely's dialect for the database, without a driver */
export function queryBuilder(parts: Omit<Dialect, 'createDriver'>): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: { ...parts, createDriver: () => new DummyDriver() } });
}
