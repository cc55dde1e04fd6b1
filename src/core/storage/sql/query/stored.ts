/** How SQL reads and writes the application's own fields, which each row has as one JSON object, and the indexes of those that filter lists. */
import { createHash } from 'node:crypto';
import { type Expression, sql, type RawBuilder, type SqlBool } from 'kysely';
import {
  type JsonValue,
  type KeptFields,
  recordNames,
  type RecordName,
  type StoredField,
  type StoredChange,
  type StoredValues,
  valuesOf,
} from '../../../model/stored.js';
import type { Id } from '../../../model/id.js';
import { isSearchable } from './clauses.js';
import type { Database } from './query.js';
import { rowOf, type SqlRunner, type SqlTask } from './runner.js';

const tableOf = {
  User: 'users',
  Product: 'products',
  Order: 'orders',
  Post: 'posts',
  Comment: 'comments',
  Category: 'categories',
} as const satisfies Record<RecordName, string>;

/** The columns of a record, without that of the application's fields if it has none: then nothing reads it. */
export function keptColumns<Fields extends { readonly stored: unknown }>(
  { ownFields }: Pick<SqlRunner, 'ownFields'>,
  name: RecordName,
  fields: Fields,
): Fields {
  if (ownFields?.[name] !== undefined) return fields;
  const { stored: _, ...others } = fields;
  return others as Fields;
}

/** The column of the fields in an insertion; none if the record has no fields. */
export function insertedStored(
  { dialect, ownFields }: Pick<SqlRunner, 'dialect' | 'ownFields'>,
  name: RecordName,
  given: StoredValues | undefined,
): { readonly stored?: never } {
  if (ownFields?.[name] === undefined) return {};
  return { stored: dialect.json(given === undefined ? null : JSON.stringify(given)) as never };
}

/** The column in an update, which leaves the values that are not given. */
export function updatedStored(
  { dialect, ownFields }: Pick<SqlRunner, 'dialect' | 'ownFields'>,
  name: RecordName,
  given: StoredValues | undefined,
): { readonly stored?: never } {
  if (given === undefined || ownFields?.[name] === undefined) return {};
  return { stored: dialect.mergedStored(given) as never };
}

/**
 * {@link updatedStored} for a change, for whose function the row is read, and locked until the transaction ends.
 *
 * @param condition - the columns by which the update finds the row; undefined ones are not compared
 * @returns `invalid` if the function refuses
 */
export function* changedStored<Name extends RecordName>(
  runner: SqlRunner,
  name: Name,
  condition: { readonly id: Id; readonly version?: number | undefined; readonly status?: string },
  given: StoredChange<Name>,
): SqlTask<{ readonly stored?: never } | 'invalid'> {
  const { builder, dialect, ownFields } = runner;
  if (typeof given !== 'function') return updatedStored(runner, name, given);
  if (ownFields?.[name] === undefined) return {};
  const row = yield* rowOf(
    builder
      .selectFrom(tableOf[name] as 'users')
      .select(sql<string | null>`cast(stored as text)`.as('stored'))
      .where((eb) => eb.and(JSON.parse(JSON.stringify(condition)) as { readonly id: Id }))
      .modifyEnd(dialect.locks),
  );
  if (row === undefined) return {};
  const values = valuesOf(given, JSON.parse(row.stored ?? '{}') as StoredValues);
  return values === 'invalid' ? values : updatedStored(runner, name, values);
}

/** The conditions of a filter. */
export function storedConditions(
  { dialect, ownFields }: Pick<SqlRunner, 'dialect' | 'ownFields'>,
  name: RecordName,
  filter: StoredValues | undefined,
): readonly Expression<SqlBool>[] {
  return Object.entries(filter ?? {}).map(([field, value = null]) => {
    if (typeof value === 'string' && !isSearchable(value)) return sql<SqlBool>`1 = 0`;
    const found = sql.raw(storedExpression(dialect.database, field, ownFields?.[name]?.[field]));
    return sql<SqlBool>`${found} = ${dialect.storedValue(value)}`;
  });
}

/** The value of a field, or its default. An index serves a filter only if both have the same expression. */
function storedExpression(database: Database, name: string, { default: value }: StoredField = {}): string {
  const stored = database === 'sqlite' ? `json_extract(stored, '$.${name}')` : `(stored -> '${name}')`;
  if (value === undefined) return stored;
  const text = database === 'sqlite' ? String(sqliteValue(value)) : JSON.stringify(value);
  const quoted = `'${text.replaceAll("'", "''")}'`;
  const literal = database === 'postgres' ? `${quoted}::jsonb` : typeof value === 'string' ? quoted : text;
  return `coalesce(${stored}, ${literal})`;
}

/** As `json_extract` returns a value that is no object. */
export function sqliteValue(value: JsonValue): string | number | null {
  return typeof value === 'boolean' ? Number(value) : (value as string | number | null);
}

/** The indexes of the fields that filter lists, by their names, which differ where the expressions do. */
export function storedIndexes(database: Database, kept: KeptFields = {}): ReadonlyMap<string, string> {
  const indexes = recordNames.flatMap((record) =>
    Object.entries(kept[record] ?? {}).flatMap(([name, field]) => {
      if (field.filter === undefined) return [];
      const expression = storedExpression(database, name, field);
      const digest = createHash('sha256').update(expression).digest('hex').slice(0, 8);
      const index = `${tableOf[record]}_stored_${name.toLowerCase().slice(0, 30)}_${digest}`;
      return [[index, `create index ${index} on ${tableOf[record]} (${expression}, id)`] as const];
    }),
  );
  return new Map(indexes);
}

/** The names of {@link storedIndexes}, of any contract. */
export const storedIndexName = /^(?:users|products|orders|posts|comments)_stored_\w+_[0-9a-f]{8}$/;

/** The fields after an update in SQLite. */
export function mergedInSqlite(given: StoredValues): RawBuilder<unknown> {
  const path = (name: string) => `$."${name}"`;
  const removed = Object.keys(given).filter((name) => given[name] === undefined);
  const written = Object.entries(given).filter(([, value]) => value !== undefined);
  const rest = sql.join([sql`coalesce(stored, '{}')`, ...removed.map((name) => sql`${path(name)}`)]);
  const values = written.map(([name, value]) => sql`, ${path(name)}, json(${JSON.stringify(value)})`);
  return sql`json_set(json_remove(${rest})${sql.join(values, sql``)})`;
}
