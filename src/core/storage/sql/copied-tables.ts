/** The tables that a copy of a store has. For each: its key, and the columns that name the user or the record to which a row belongs. */

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
