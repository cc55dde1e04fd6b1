/** The tables of a copy of a store, and the columns that tell whose their rows are. */

export interface CopiedTable {
  readonly key: readonly string[];
  /** The column with the user whose row it is. */
  readonly user?: string;
  /** The column with the record that its rows are part of. */
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
