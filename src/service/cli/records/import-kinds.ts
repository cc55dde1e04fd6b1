/** The kinds of records that can be imported: how each is read from its fields and checked. */

import { operations } from '@concordat/core/contract';
import { argon2Hasher } from '@concordat/core/identity/argon2';
import {
  type Id,
  type Importer,
  type OrderImport,
  type OrderItemImport,
  type OrderStatus,
  type ProductImport,
  type Storage,
  type TableRow,
  type UserImport,
  OrderImporter,
  ProductImporter,
  ServiceError,
  UserImporter,
  asRefusal,
  checkPostTexts,
  invalidInput,
  keptId,
  orderStatuses,
  requireId,
  systemClock,
  timesOf,
} from '@concordat/core';
import { type Check, failureOf } from '@concordat/runtime';
import { type ImportJob, type ImportReport, importFile } from './import-file.js';
import type { Fields } from './json-lines.js';

const TIMES = ['createdAt', 'updatedAt'];

export const userKind = {
  name: 'users',
  read: (fields: Fields, keepsId: boolean): UserImport => {
    const body = without(fields, ['id', 'links', 'orders', ...TIMES]);
    requireBody(operations.createUser.requestBody.content['application/json'].check, body);
    return { ...(body as unknown as UserImport), ...timesIn(fields), ...idIn(fields, keepsId) }; // the check has verified the type
  },
  importer: (storage: Storage) => new UserImporter(storage, argon2Hasher(), systemClock.now()),
};

const productKind = {
  name: 'products',
  read: (fields: Fields, keepsId: boolean): ProductImport => {
    const body = without(fields, ['id', 'links', 'categories']);
    requireBody(operations.createProduct.requestBody.content['application/json'].check, body);
    return { ...(body as unknown as ProductImport), categories: namesIn(fields), ...idIn(fields, keepsId) };
  },
  importer: () => new ProductImporter(),
};

const orderKind = {
  name: 'orders',
  read: (fields: Fields, keepsId: boolean): OrderImport => {
    const { items, userEmail } = fields;
    if (userEmail != null && typeof userEmail !== 'string') throw invalidInput('userEmail', 'must be string');
    const body = {
      ...without(fields, ['id', 'total', 'links', 'status', 'userEmail', ...TIMES]),
      ...(Array.isArray(items) && { items: items.map(asInput) }),
    };
    requireBody(operations.createOrder.requestBody.content['application/json'].check, body);
    return {
      ...(body as unknown as OrderImport),
      items: items as readonly OrderItemImport[],
      userEmail,
      status: statusIn(fields),
      ...timesIn(fields),
      ...idIn(fields, keepsId),
    };
  },
  importer: (storage: Storage) => new OrderImporter(storage, systemClock.now()),
};

/** Checks each record on its own, and makes one row of it. */
function rowImporter<Input>(rowOf: (input: Input) => Promise<TableRow>): Importer<Input> {
  return { check: (inputs) => Promise.all(inputs.map((input) => rowOf(input).catch(asRefusal))) };
}

/** The user of a record: by email where ids differ between stores. */
async function userOf(storage: Storage, fields: Fields, idName: string, emailName: string): Promise<Id> {
  const email = 'id' in fields ? undefined : textIn(fields, emailName);
  const id = textIn(fields, idName) ?? '';
  const user =
    email === undefined ? await storage.users.find(id) : (await storage.users.findCredentials(email))?.user;
  if (user !== undefined) return user.id;
  throw invalidInput(email === undefined ? idName : emailName, 'must be that of a user');
}

function createdIn(fields: Fields): string {
  const now = systemClock.now();
  const { createdAt } = timesOf({ createdAt: textIn(fields, 'createdAt'), updatedAt: undefined }, now);
  if (createdAt > now) throw invalidInput('createdAt', 'must not be in the future');
  return createdAt;
}

const postKind = {
  name: 'posts',
  read: (fields: Fields, keepsId: boolean): Fields => ({
    ...without(fields, ['id']),
    ...idIn(fields, keepsId),
  }),
  importer: (storage: Storage) =>
    rowImporter(async (fields: Fields) => {
      const { id, title = '', content = '' } = fields as Partial<Record<string, string>>;
      checkPostTexts({ title, content });
      const author_id = await userOf(storage, fields, 'authorId', 'authorEmail');
      return {
        table: 'posts',
        row: { ...keptId({ id }), title, content, author_id, created_at: createdIn(fields) },
      };
    }),
};

const commentKind = {
  name: 'comments',
  read: postKind.read,
  importer: (storage: Storage) =>
    rowImporter(async (fields: Fields) => {
      const { id, orderId = '', text = '' } = fields as Partial<Record<string, string>>;
      requireBody(operations.createComment.requestBody.content['application/json'].check, { orderId, text });
      const order = await storage.orders.find(orderId);
      if (order === undefined) throw invalidInput('orderId', 'must be the id of an order');
      const user_id = await userOf(storage, fields, 'userId', 'userEmail');
      const row = { order_id: order.id, user_id, order_user_id: order.userId, text };
      return { table: 'comments', row: { ...keptId({ id }), ...row, created_at: createdIn(fields) } };
    }),
};

/** The imports by their name on the command line, in the order of their references. */
export const importRecords = {
  users: (job: ImportJob) => importFile(userKind, job),
  products: (job: ImportJob) => importFile(productKind, job),
  orders: (job: ImportJob) => importFile(orderKind, job),
  posts: (job: ImportJob) => importFile(postKind, job),
  comments: (job: ImportJob) => importFile(commentKind, job),
} satisfies Record<string, (job: ImportJob) => Promise<ImportReport>>;

function requireBody(check: Check, body: Fields): void {
  if (!check(body)) throw new ServiceError('invalid-input', failureOf(check, body, '').trim());
}

/** An item in the form of the contract: without the id of an exported item, and without its product id if it has a price. */
function asInput(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  return without(item as Fields, 'unitPrice' in item ? ['id', 'productId'] : ['id']);
}

/** The id of a record that keeps it. */
function idIn(fields: Fields, keepsId: boolean): { readonly id?: Id } {
  return keepsId ? { id: requireId('id', textIn(fields, 'id') ?? '') } : {};
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function timesIn(fields: Fields): Pick<UserImport, 'createdAt' | 'updatedAt'> {
  return { createdAt: textIn(fields, 'createdAt'), updatedAt: textIn(fields, 'updatedAt') };
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidInput(name, 'must be string');
}

function statusIn(fields: Fields): OrderStatus | undefined {
  const status = textIn(fields, 'status');
  if (status === undefined) return undefined;
  const known = orderStatuses.find((each) => each === status);
  if (known === undefined) throw invalidInput('status', `must be one of ${orderStatuses.join(', ')}`);
  return known;
}

function namesIn({ categories }: Fields): readonly string[] | undefined {
  if (categories === undefined) return undefined;
  const isList = Array.isArray(categories) && categories.every((name) => typeof name === 'string');
  if (!isList) throw invalidInput('categories', 'must be an array of names');
  return categories;
}
