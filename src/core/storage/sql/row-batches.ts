/** The tables of a copy of a store, and the groups of its rows: parts, each for one transaction, and batches for statements that store several. */
import type { TableRow } from '../../ports/store-rows.js';

/** Enough that round trips cost little; the parameters stay far below the limit of a query (SQLite: 32,766). */
const batchSize = 100;

/** The rows of one transaction, of which other writers wait for the end. */
const partSize = 500;

/** Rows of long texts make a part shorter. */
const partCharacters = 1_000_000;

/** Reads each part before its transaction begins, which so never waits for the file. */
export async function* partsOf(rows: AsyncIterable<TableRow>): AsyncGenerator<readonly TableRow[]> {
  let part: TableRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    part.push(row);
    characters += JSON.stringify(row).length;
    if (part.length < partSize && characters < partCharacters) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

/** @returns the rows in batches of one table, which all have ids or none */
export function batchesOf(rows: readonly TableRow[]): readonly (readonly TableRow[])[] {
  const kindOf = ({ table, row }: TableRow) => `${table} ${String(row['id'] === undefined)}`;
  const batches: TableRow[][] = [];
  for (const row of rows) {
    const batch = batches.at(-1);
    const isNext = batch?.[0] && batch.length < batchSize && kindOf(batch[0]) === kindOf(row);
    if (isNext) batch.push(row);
    else batches.push([row]);
  }
  return batches;
}

export interface CopiedTable {
  readonly key: readonly string[];
  /** The column with the id of the user to whom a row belongs. */
  readonly user?: string;
  /** The column with the id of the record of which a row is a part. */
  readonly record?: string;
}

/** In the order of their references. `counters` follows by its triggers. */
export const copiedTables: Readonly<Record<string, CopiedTable>> = {
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
