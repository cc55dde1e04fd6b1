/** The first migration: users, posts, orders, products and comments. */
import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely';
import { countRows } from './row-counters.js';
import type { ColumnTypes } from './column-types.js';

type Database = Kysely<unknown>;

/** Creates the tables in an empty database. `schema.ts` describes them. */
export async function initial(db: Database, types: ColumnTypes): Promise<void> {
  await addUsers(db, types);
  await addPosts(db, types);
  await addOrders(db, types);
  await addProducts(db, types);
  await addComments(db, types);
  await countRows(db, types, ['users', 'orders', 'products', 'comments']);
}

const required = (column: ColumnDefinitionBuilder) => column.notNull();
const partOf = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(target).onDelete('cascade');
const startingAt1 = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(1);

async function addUsers(db: Database, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', types.integer, types.assigned)
    .addColumn('name', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('email_key', types.key, required)
    .addColumn('phone', 'text')
    .addColumn('city', types.key)
    .addColumn('role', types.key, required)
    .addColumn('status', types.key, required)
    .addColumn('password_hash', 'text')
    .addColumn('created_at', types.moment, required)
    .addColumn('updated_at', types.moment, required)
    .addColumn('version', types.integer, startingAt1)
    .addUniqueConstraint('users_email_key', ['email_key'])
    .modifyEnd(types.table)
    .execute();
  // One index per combination of filters. With fewer, a page would read many rows that match one filter but not the others.
  for (const filters of combinations(['role', 'status', 'city'])) {
    await addIndex(db, types, 'users', filters);
  }
}

async function addPosts(db: Database, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('posts')
    .addColumn('id', types.integer, (column) => column.primaryKey()) // assigned by post_clock
    .addColumn('title', 'text', required)
    .addColumn('content', 'text', required)
    .addColumn('author_id', types.integer, partOf('users.id'))
    .addColumn('created_at', types.moment, (column) => column.notNull().unique())
    .modifyEnd(types.table)
    .execute();
  await addIndex(db, types, 'posts', ['author_id']);
  await db.schema
    .createTable('post_clock')
    .addColumn('last_id', types.integer, required)
    .addColumn('last_created_at', types.moment)
    .modifyEnd(types.table)
    .execute();
  await sql`insert into post_clock (last_id) values (0)`.execute(db);
}

async function addOrders(db: Database, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('orders')
    .addColumn('id', types.integer, types.assigned)
    .addColumn('user_id', types.integer, required)
    .addColumn('status', 'text', required)
    .addColumn('total_cents', types.integer, required)
    .addColumn('last_item_id', types.integer, required)
    .addColumn('created_at', types.moment, required)
    .addColumn('updated_at', types.moment, required)
    .addColumn('version', types.integer, startingAt1)
    .modifyEnd(types.table)
    .execute();
  await addIndex(db, types, 'orders', ['user_id']);
  await db.schema
    .createTable('order_items')
    .addColumn('order_id', types.integer, partOf('orders.id'))
    .addColumn('id', types.integer, required)
    .addColumn('product_id', types.integer)
    .addColumn('name', 'text', required)
    .addColumn('quantity', types.integer, required)
    .addColumn('unit_price_cents', types.integer, required)
    .addPrimaryKeyConstraint('order_items_key', ['order_id', 'id'])
    .modifyEnd(types.keyedTable)
    .execute();
}

async function addProducts(db: Database, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('products')
    .addColumn('id', types.integer, types.assigned)
    .addColumn('name', 'text', required)
    .addColumn('description', 'text')
    .addColumn('price_cents', types.integer, required)
    .addColumn('version', types.integer, startingAt1)
    .modifyEnd(types.table)
    .execute();
  await db.schema
    .createTable('categories')
    .addColumn('id', types.integer, types.assigned)
    .addColumn('name', types.key, (column) => column.notNull().unique())
    .modifyEnd(types.table)
    .execute();
  await db.schema
    .createTable('product_categories')
    .addColumn('product_id', types.integer, partOf('products.id'))
    .addColumn('category_id', types.integer, (column) => column.notNull().references('categories.id'))
    .addPrimaryKeyConstraint('product_categories_key', ['product_id', 'category_id'])
    .modifyEnd(types.keyedTable)
    .execute();
}

async function addComments(db: Database, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('comments')
    .addColumn('id', types.integer, types.assigned)
    .addColumn('order_id', types.integer, partOf('orders.id'))
    .addColumn('user_id', types.integer, partOf('users.id'))
    .addColumn('order_user_id', types.integer, required)
    .addColumn('text', 'text', required)
    .addColumn('created_at', types.moment, required)
    .modifyEnd(types.table)
    .execute();
  for (const column of ['order_id', 'user_id', 'order_user_id'])
    await addIndex(db, types, 'comments', [column]);
}

async function addIndex(
  { schema }: Database,
  { inOrderOfIds }: ColumnTypes,
  table: string,
  columns: readonly string[],
): Promise<void> {
  await schema
    .createIndex([table, ...columns, 'index'].join('_'))
    .on(table)
    .columns([...columns, ...inOrderOfIds])
    .execute();
}

/** All non-empty subsets. */
function combinations(items: readonly string[]): readonly (readonly string[])[] {
  const [first, ...others] = items;
  if (first === undefined) return [];
  const rest = combinations(others);
  return [[first], ...rest.map((chosen) => [first, ...chosen]), ...rest];
}
