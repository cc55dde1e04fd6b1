/** Parts of queries that several stores share. */
import {
  isExpression,
  sql,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely';
import { parseId, type Id } from '../../../model/id.js';
import type { Timestamp } from '../../../model/timestamp.js';
import type { CountersTable, Tables } from './schema.js';
import type { SqlInteger } from './query.js';
import type { CountRow } from './runner.js';

/** The sum of counters, which triggers update in the same transaction as the rows: no scan is needed. */
export function rowCount(
  builder: Kysely<Tables>,
  ...names: readonly CountersTable['table_name'][]
): SelectQueryBuilder<Tables, 'counters', CountRow> {
  // A sum has more digits than an integer in PostgreSQL, which would not compare it with one.
  return builder
    .selectFrom('counters')
    .where('table_name', 'in', names)
    .select(sql<SqlInteger>`cast(coalesce(sum(value), 0) as bigint)`.as('count'));
}

/** Inserts a row of a user, unless the user does not exist. @param column - the column that gets the id of the user */
export function insertOfUser<Table extends 'orders' | 'posts' | 'api_keys', Column extends string>(
  builder: Kysely<Tables>,
  table: Table,
  column: Column & keyof Tables[Table],
  userId: Id,
  values: Omit<Insertable<Tables[Table]>, Column>,
) {
  const user = builder.selectFrom('users').where('users.id', '=', userId).select('users.id');
  return builder
    .insertInto(table)
    .columns([column, ...Object.keys(values)] as never)
    .expression((eb) =>
      user.select(
        Object.entries(values).map(([name, value]) =>
          isExpression(value) ? sql`${value}`.as(name) : eb.val(value).as(name),
        ),
      ),
    );
}

/** The later of a column and a moment, in SQL that both databases accept. */
export function notBefore(column: string, moment: Timestamp): RawBuilder<Timestamp> {
  const former = sql.ref(column);
  return sql`case when ${former} > ${moment} then ${former} else ${moment} end`;
}

/**
 * Whether a stored text can equal this one. U+0000 and lone surrogates are never stored; PostgreSQL would refuse U+0000 and read a
 * lone surrogate as U+FFFD. A search for such a text finds nothing and needs no query.
 */
export function isSearchable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/** @returns the texts that are ids, each once */
export function distinctIds(texts: readonly string[]): readonly Id[] {
  return [...new Set(texts)].filter((text) => parseId(text) !== undefined);
}

/** @returns one list per owner, in the order of the owners, which may repeat; the records keep their order */
export function listsByOwner<T>(
  owners: readonly string[],
  records: readonly T[],
  ownerOf: (record: T) => Id,
): readonly (readonly T[])[] {
  const lists = new Map<string, T[]>();
  for (const record of records) {
    const list = lists.get(ownerOf(record));
    if (list === undefined) lists.set(ownerOf(record), [record]);
    else list.push(record);
  }
  return owners.map((owner) => [...(lists.get(owner) ?? [])]);
}
