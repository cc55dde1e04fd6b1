/** The tables of the database: how each record is stored, and the types of all columns. A test compares them with the migrations. */
import type { ColumnType, SelectQueryBuilder } from 'kysely';
import type { AuditEntry } from '../../../model/audit.js';
import type { ApiKey } from '../../../model/credentials.js';
import type { Comment, Order, OrderItem } from '../../../model/order.js';
import type { Post } from '../../../model/post.js';
import type { Category, Product } from '../../../model/product.js';
import type { Timestamp } from '../../../model/timestamp.js';
import type { User } from '../../../model/user.js';
import type { Delivery, Receiver } from '../../../model/webhook.js';
import { columnsOf, type ColumnsOf } from './columns.js';
import type { SqlInteger } from './query.js';

type IdColumn = ColumnType<SqlInteger, SqlInteger, never>;
/** Select it with `SqlDialect.moment` only, which keeps the microseconds. */
type Moment = Timestamp;

export const userColumns = columnsOf<User>()({
  id: 'id',
  name: 'text',
  email: 'text',
  phone: 'text?',
  city: 'text?',
  role: 'text',
  status: 'text',
  createdAt: 'moment',
  updatedAt: 'moment',
  sessionsFrom: 'moment?',
  version: 'integer',
  stored: 'json?',
});

export const postColumns = columnsOf<Post>()({
  id: 'id',
  title: 'text',
  content: 'text',
  authorId: 'id',
  createdAt: 'moment',
  stored: 'json?',
});

/** An order without its items. */
type StoredOrder = Omit<Order, 'items'>;

/** No foreign key: orders outlive their user. */
export const orderColumns = columnsOf<StoredOrder>()({
  id: 'id',
  userId: 'id',
  status: 'text',
  totalCents: 'integer',
  createdAt: 'moment',
  updatedAt: 'moment',
  version: 'integer',
  stored: 'json?',
});

/** Ids count from 1 within the order. No foreign key: items outlive their product. */
export const itemColumns = columnsOf<OrderItem>()({
  id: 'id',
  productId: 'id?',
  name: 'text',
  quantity: 'integer',
  unitPriceCents: 'integer',
});

export const productColumns = columnsOf<Product>()({
  id: 'id',
  name: 'text',
  description: 'text?',
  priceCents: 'integer',
  version: 'integer',
  stored: 'json?',
});

export const categoryColumns = columnsOf<Category>()({ id: 'id', name: 'text', stored: 'json?' });

export const commentColumns = columnsOf<Comment>()({
  id: 'id',
  orderId: 'id',
  userId: 'id',
  text: 'text',
  createdAt: 'moment',
  stored: 'json?',
});

export interface RefreshTokensTable {
  hash: string;
  user_id: IdColumn;
  /** The hash of the first token of the family. */
  family: string;
  /** 1 once another token has replaced it, else 0. */
  used: ColumnType<SqlInteger, number, number>;
  expires_at: Moment;
}

export const apiKeyColumns = columnsOf<ApiKey>()({
  id: 'id',
  name: 'text',
  active: 'flag',
  createdAt: 'moment',
  lastUsedAt: 'moment?',
});

/** No foreign key: entries outlive the records that they name. */
export const auditColumns = columnsOf<AuditEntry>()({
  id: 'id',
  at: 'moment',
  actor: 'text',
  action: 'text',
  target: 'text?',
  address: 'text?',
  outcome: 'text',
  detail: 'text?',
});

export const receiverColumns = columnsOf<Receiver>()({
  id: 'id',
  consumer: 'text?',
  url: 'text',
  types: 'json?',
  secrets: 'json?',
  status: 'text',
  createdAt: 'moment',
});

export const deliveryColumns = columnsOf<Delivery>()({
  id: 'id',
  receiverId: 'id',
  eventId: 'text',
  type: 'text',
  subject: 'text',
  time: 'moment',
  data: 'json?',
  status: 'text',
  attempts: 'integer',
  changedAt: 'moment',
  dueAt: 'moment',
  answer: 'text?',
});

/** The row counts of some tables, maintained by triggers. A count is the sum over all shards. */
export interface CountersTable {
  /** Users are also counted by role and status, and by city: `users/admin active` and `users/admin active/London`. */
  table_name: ListedTable | `users/${string}`;
  shard: SqlInteger;
  value: SqlInteger;
}

/** The tables that are listed by position. */
export type ListedTable = 'users' | 'orders' | 'products' | 'comments' | 'api_keys';

export interface Tables {
  users: ColumnsOf<User, typeof userColumns> & {
    /** `emailKey` of the email: unique without relying on the database's rules for case. */
    email_key: string;
    password_hash: string | null;
  };
  /** The users' identities at identity providers. */
  external_identities: {
    issuer: string;
    subject: string;
    user_id: IdColumn;
  };
  posts: ColumnsOf<Post, typeof postColumns>;
  /** One row: the id and time of the newest post, kept after that post is deleted. */
  post_clock: {
    last_id: SqlInteger;
    last_created_at: Moment | null;
  };
  orders: ColumnsOf<StoredOrder, typeof orderColumns> & {
    /** The greatest item id that the order has ever had. */
    last_item_id: ColumnType<SqlInteger, number, SqlInteger>;
  };
  order_items: ColumnsOf<OrderItem, typeof itemColumns> & {
    order_id: IdColumn;
  };
  products: ColumnsOf<Product, typeof productColumns>;
  categories: ColumnsOf<Category, typeof categoryColumns>;
  product_categories: {
    product_id: IdColumn;
    category_id: IdColumn;
  };
  comments: ColumnsOf<Comment, typeof commentColumns> & {
    /** The user of the order, which never changes: stored here so that an index finds all comments on a user's orders. */
    order_user_id: IdColumn;
  };
  refresh_tokens: RefreshTokensTable;
  api_keys: ColumnsOf<ApiKey, typeof apiKeyColumns> & {
    hash: string;
    owner_id: ColumnType<SqlInteger | null, SqlInteger | undefined, never>;
  };
  /** The idempotency keys of the last 24 hours. */
  idempotency_keys: {
    caller: string;
    key_hash: string;
    request_hash: string;
    /** Null within the transaction that creates the record. No foreign key: keys outlive their record. */
    record_id: ColumnType<SqlInteger, undefined, SqlInteger | null>;
    expires_at: Moment;
  };
  counters: CountersTable;
  outbox_receivers: ColumnsOf<Receiver, typeof receiverColumns>;
  outbox_deliveries: ColumnsOf<Delivery, typeof deliveryColumns> & {
    /** `claimed` while a process is at a pending one, `behind` while it waits for an earlier one about its subject. */
    hold: string | null;
  };
  audit_log: ColumnsOf<AuditEntry, typeof auditColumns>;
}

/** Some rows of a table, before columns are selected. */
export type Some<Table extends keyof Tables> = SelectQueryBuilder<Tables, Table, object>;

/** The ids of some rows. Queries that are valid for several tables are typed for one of them. */
export type Ids = SelectQueryBuilder<Tables, 'users', { id: SqlInteger }>;
