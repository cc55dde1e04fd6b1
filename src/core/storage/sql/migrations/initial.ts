/** The first migration: users, posts, orders, products and comments. */
import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely';
import { countRows } from './row-counters.js';
import type { Words } from './words.js';

type Database = Kysely<unknown>;

/** Makes the tables in an empty database. What they are for says `schema.ts`. */
export async function initial(db: Database, words: Words): Promise<void> {
  await addUsers(db, words);
  await addPosts(db, words);
  await addOrders(db, words);
  await addProducts(db, words);
  await addComments(db, words);
  await countRows(db, words, ['users', 'orders', 'products', 'comments']);
}

const required = (column: ColumnDefinitionBuilder) => column.notNull();
const partOf = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(target).onDelete('cascade');
const startingAt1 = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(1);

async function addUsers(db: Database, words: Words): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', words.integer, words.assigned)
    .addColumn('name', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('email_key', words.key, required)
    .addColumn('phone', 'text')
    .addColumn('city', words.key)
    .addColumn('role', words.key, required)
    .addColumn('status', words.key, required)
    .addColumn('password_hash', 'text')
    .addColumn('created_at', words.moment, required)
    .addColumn('updated_at', words.moment, required)
    .addColumn('version', words.integer, startingAt1)
    .addUniqueConstraint('users_email_key', ['email_key'])
    .modifyEnd(words.table)
    .execute();
  // One for each combination of filters: only then a page costs its rows, however rare the combination is among the rows
  // that each filter alone lets through.
  for (const filters of combinations(['role', 'status', 'city'])) {
    await addIndex(db, words, 'users', filters);
  }
}

async function addPosts(db: Database, words: Words): Promise<void> {
  await db.schema
    .createTable('posts')
    .addColumn('id', words.integer, (column) => column.primaryKey()) // from the clock, see post_clock
    .addColumn('title', 'text', required)
    .addColumn('content', 'text', required)
    .addColumn('author_id', words.integer, partOf('users.id'))
    .addColumn('created_at', words.moment, (column) => column.notNull().unique())
    .modifyEnd(words.table)
    .execute();
  await addIndex(db, words, 'posts', ['author_id']);
  await db.schema
    .createTable('post_clock')
    .addColumn('last_id', words.integer, required)
    .addColumn('last_created_at', words.moment)
    .modifyEnd(words.table)
    .execute();
  await sql`insert into post_clock (last_id) values (0)`.execute(db);
}

async function addOrders(db: Database, words: Words): Promise<void> {
  await db.schema
    .createTable('orders')
    .addColumn('id', words.integer, words.assigned)
    .addColumn('user_id', words.integer, required)
    .addColumn('status', 'text', required)
    .addColumn('total_cents', words.integer, required)
    .addColumn('last_item_id', words.integer, required)
    .addColumn('created_at', words.moment, required)
    .addColumn('updated_at', words.moment, required)
    .addColumn('version', words.integer, startingAt1)
    .modifyEnd(words.table)
    .execute();
  await addIndex(db, words, 'orders', ['user_id']);
  await db.schema
    .createTable('order_items')
    .addColumn('order_id', words.integer, partOf('orders.id'))
    .addColumn('id', words.integer, required)
    .addColumn('product_id', words.integer)
    .addColumn('name', 'text', required)
    .addColumn('quantity', words.integer, required)
    .addColumn('unit_price_cents', words.integer, required)
    .addPrimaryKeyConstraint('order_items_key', ['order_id', 'id'])
    .modifyEnd(words.keyedTable)
    .execute();
}

async function addProducts(db: Database, words: Words): Promise<void> {
  await db.schema
    .createTable('products')
    .addColumn('id', words.integer, words.assigned)
    .addColumn('name', 'text', required)
    .addColumn('description', 'text')
    .addColumn('price_cents', words.integer, required)
    .addColumn('version', words.integer, startingAt1)
    .modifyEnd(words.table)
    .execute();
  await db.schema
    .createTable('categories')
    .addColumn('id', words.integer, words.assigned)
    .addColumn('name', words.key, (column) => column.notNull().unique())
    .modifyEnd(words.table)
    .execute();
  await db.schema
    .createTable('product_categories')
    .addColumn('product_id', words.integer, partOf('products.id'))
    .addColumn('category_id', words.integer, (column) => column.notNull().references('categories.id'))
    .addPrimaryKeyConstraint('product_categories_key', ['product_id', 'category_id'])
    .modifyEnd(words.keyedTable)
    .execute();
}

async function addComments(db: Database, words: Words): Promise<void> {
  await db.schema
    .createTable('comments')
    .addColumn('id', words.integer, words.assigned)
    .addColumn('order_id', words.integer, partOf('orders.id'))
    .addColumn('user_id', words.integer, partOf('users.id'))
    .addColumn('order_user_id', words.integer, required)
    .addColumn('text', 'text', required)
    .addColumn('created_at', words.moment, required)
    .modifyEnd(words.table)
    .execute();
  for (const column of ['order_id', 'user_id', 'order_user_id'])
    await addIndex(db, words, 'comments', [column]);
}

async function addIndex(
  { schema }: Database,
  { inOrderOfIds }: Words,
  table: string,
  columns: readonly string[],
): Promise<void> {
  await schema
    .createIndex([table, ...columns, 'index'].join('_'))
    .on(table)
    .columns([...columns, ...inOrderOfIds])
    .execute();
}

/** Every choice of at least one. */
function combinations(items: readonly string[]): readonly (readonly string[])[] {
  const [first, ...others] = items;
  if (first === undefined) return [];
  const rest = combinations(others);
  return [[first], ...rest.map((chosen) => [first, ...chosen]), ...rest];
}
