/** The types of the tables for the query builder. The migrations create the tables; this file must match them. */
import type { ColumnType, Generated, Insertable, Updateable } from 'kysely';
import type { OrderStatus } from '../../../model/order.js';
import type { Timestamp } from '../../../model/timestamp.js';
import type { Role, UserStatus } from '../../../model/user.js';

/** A 64-bit integer as it is read: a number from SQLite, digits from PostgreSQL. */
export type SqlInteger = number | string;

/** An id that the database assigns. */
type AssignedId = ColumnType<SqlInteger, never, never>;
/** The id of another record, or one that this package assigns; it is written as digits. */
type IdColumn = ColumnType<SqlInteger, SqlInteger, never>;
type IntegerColumn = ColumnType<SqlInteger, number, SqlInteger>;
/** Select it with `SqlDialect.moment` only, which keeps the microseconds. */
type Moment = Timestamp;
type FixedMoment = ColumnType<Timestamp, Timestamp, never>;

/** A value for every column that an insert may set, but for those that are left to their default. */
export type InsertedColumns<Table, Defaulted extends keyof Table = never> = Required<
  Omit<Insertable<Table>, Defaulted>
>;

/** A value, or undefined to leave it as it is, for every column that may change. */
export type UpdatedColumns<Table> = {
  [Column in keyof Required<Updateable<Table>>]: Updateable<Table>[Column] | undefined;
};

export interface UsersTable {
  id: AssignedId;
  name: string;
  email: string;
  /** `emailKey` of the email: unique without relying on the database's rules for case. */
  email_key: string;
  phone: string | null;
  city: string | null;
  role: Role;
  status: UserStatus;
  password_hash: string | null;
  created_at: FixedMoment;
  updated_at: Moment;
  /** Null while no tokens were revoked. */
  sessions_from: ColumnType<Moment | null, undefined, Moment>;
  version: Generated<SqlInteger>;
}

/** The users' identities at identity providers. */
export interface ExternalIdentitiesTable {
  issuer: string;
  subject: string;
  user_id: IdColumn;
}

export interface PostsTable {
  id: IdColumn;
  title: string;
  content: string;
  author_id: IdColumn;
  created_at: FixedMoment;
}

/** One row: the id and time of the newest post, kept after that post is deleted. */
export interface PostClockTable {
  last_id: SqlInteger;
  last_created_at: Moment | null;
}

export interface OrdersTable {
  id: AssignedId;
  /** No foreign key: orders outlive their user. */
  user_id: IdColumn;
  status: OrderStatus;
  total_cents: IntegerColumn;
  /** The greatest item id that the order has ever had. */
  last_item_id: IntegerColumn;
  created_at: FixedMoment;
  updated_at: Moment;
  version: Generated<SqlInteger>;
}

export interface OrderItemsTable {
  order_id: IdColumn;
  /** Counts from 1 within the order. */
  id: IdColumn;
  /** No foreign key: items outlive their product. */
  product_id: ColumnType<SqlInteger | null, string | null, never>;
  name: string;
  quantity: IntegerColumn;
  unit_price_cents: IntegerColumn;
}

export interface ProductsTable {
  id: AssignedId;
  name: string;
  description: string | null;
  price_cents: IntegerColumn;
  version: Generated<SqlInteger>;
}

export interface CategoriesTable {
  id: AssignedId;
  name: string;
}

export interface ProductCategoriesTable {
  product_id: IdColumn;
  category_id: IdColumn;
}

export interface CommentsTable {
  id: AssignedId;
  order_id: IdColumn;
  user_id: IdColumn;
  /** The user of the order, which never changes: stored here so that an index finds all comments on a user's orders. */
  order_user_id: IdColumn;
  text: string;
  created_at: FixedMoment;
}

export interface RefreshTokensTable {
  hash: string;
  user_id: IdColumn;
  /** The hash of the first token of the family. */
  family: string;
  /** 1 once another token has replaced it, else 0. */
  used: ColumnType<SqlInteger, number, number>;
  expires_at: FixedMoment;
}

export interface ApiKeysTable {
  id: AssignedId;
  name: string;
  hash: string;
  owner_id: ColumnType<SqlInteger | null, SqlInteger | undefined, never>;
  /** 1, or 0 once the key is deactivated. */
  active: ColumnType<SqlInteger, number | undefined, number>;
  created_at: FixedMoment;
  last_used_at: ColumnType<Moment | null, undefined, Moment>;
}

/** The idempotency keys of the last 24 hours. */
export interface IdempotencyKeysTable {
  caller: string;
  key_hash: string;
  request_hash: string;
  /** Null within the transaction that creates the record. No foreign key: keys outlive their record. */
  record_id: ColumnType<SqlInteger, undefined, SqlInteger | null>;
  expires_at: Moment;
}

/** The row counts of some tables, maintained by triggers. A count is the sum over all shards. */
export interface CountersTable {
  table_name: 'users' | 'orders' | 'products' | 'comments';
  shard: SqlInteger;
  value: SqlInteger;
}

export interface Tables {
  users: UsersTable;
  external_identities: ExternalIdentitiesTable;
  posts: PostsTable;
  post_clock: PostClockTable;
  orders: OrdersTable;
  order_items: OrderItemsTable;
  products: ProductsTable;
  categories: CategoriesTable;
  product_categories: ProductCategoriesTable;
  comments: CommentsTable;
  refresh_tokens: RefreshTokensTable;
  api_keys: ApiKeysTable;
  idempotency_keys: IdempotencyKeysTable;
  counters: CountersTable;
}
