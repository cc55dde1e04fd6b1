/** The kinds of records that can be imported: how each is read from its fields and checked. */

import { contract as ownContract } from '@concordat/core/contract';
import { argon2Hasher } from '@concordat/core/identity/argon2';
import {
  type Id,
  type Importer,
  type OrderImport,
  type OrderItemImport,
  type OrderStatus,
  type ProductImport,
  type RecordName,
  type Storage,
  type StoredOf,
  type TableRow,
  type UserImport,
  OrderImporter,
  ProductImporter,
  ServiceError,
  UserImporter,
  asRefusal,
  checkPostTexts,
  checkStored,
  givenFields,
  invalidInput,
  keptFieldsOf,
  keptId,
  orderStatuses,
  requireId,
  rowFields,
  systemClock,
  timesOf,
} from '@concordat/core';
import { type RestContract, failureOf } from '@concordat/runtime';
import { type ImportContract, type ImportJob, type ImportReport, importFile } from './import-file.js';
import type { Fields } from './json-lines.js';

const TIMES = ['createdAt', 'updatedAt'];

export const userKind = {
  name: 'users',
  read: (fields: Fields, keepsId: boolean, contract: ImportContract): UserImport => {
    const body = bodyIn(fields, contract, 'createUser', 'User', ['id', 'links', 'orders', ...TIMES]);
    return { ...(body as unknown as UserImport), ...timesIn(fields), ...idIn(fields, keepsId) }; // the check has verified the type
  },
  importer: (storage: Storage) => new UserImporter(storage, argon2Hasher(), systemClock.now()),
};

const productKind = {
  name: 'products',
  read: (fields: Fields, keepsId: boolean, contract: ImportContract): ProductImport => {
    const body = bodyIn(fields, contract, 'createProduct', 'Product', ['id', 'links', 'categories']);
    return { ...(body as unknown as ProductImport), categories: namesIn(fields), ...idIn(fields, keepsId) };
  },
  importer: () => new ProductImporter(),
};

const orderKind = {
  name: 'orders',
  read: (fields: Fields, keepsId: boolean, contract: ImportContract): OrderImport => {
    const { items, userEmail } = fields;
    if (userEmail != null && typeof userEmail !== 'string') throw invalidInput('userEmail', 'must be string');
    const given = { ...fields, ...(Array.isArray(items) && { items: items.map(asInput) }) };
    const others = ['id', 'total', 'links', 'status', 'userEmail', ...TIMES];
    const body = bodyIn(given, contract, 'createOrder', 'Order', others);
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
      const stored = givenFields(storage.stored, 'Post', fields, 'all');
      checkStored(storage.stored, 'Post', stored);
      const { id, title = '', content = '' } = fields as Partial<Record<string, string>>;
      checkPostTexts({ title, content });
      const author_id = await userOf(storage, fields, 'authorId', 'authorEmail');
      return {
        table: 'posts',
        row: {
          ...keptId({ id }),
          ...rowFields({ title, content, author_id, created_at: createdIn(fields), stored }),
        },
      };
    }),
};

const commentKind = {
  name: 'comments',
  read(fields: Fields, keepsId: boolean, contract: ImportContract): Fields {
    const others = ['id', 'userId', 'userEmail', 'createdAt'];
    const { stored } = bodyIn(fields, contract, 'createComment', 'Comment', others);
    return { ...postKind.read(fields, keepsId), stored };
  },
  importer: (storage: Storage) =>
    rowImporter(async (fields: Fields) => {
      const { id, orderId = '', text = '' } = fields as Partial<Record<string, string>>;
      const stored = fields['stored'] as StoredOf<'Comment'> | undefined;
      const order = await storage.orders.find(orderId);
      if (order === undefined) throw invalidInput('orderId', 'must be the id of an order');
      const user_id = await userOf(storage, fields, 'userId', 'userEmail');
      const ids = { order_id: order.id, user_id, order_user_id: order.userId };
      const row = rowFields({ ...ids, text, created_at: createdIn(fields), stored });
      return { table: 'comments', row: { ...keptId({ id }), ...row } };
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

/**
 * The body of a request that creates the record, with the values of the application's fields, read-only ones too.
 *
 * @param others - the names of fields that such a request does not have
 * @throws ServiceError `invalid-input` for a body that the contract does not allow
 */
function bodyIn(
  fields: Fields,
  contract: ImportContract,
  operation: string,
  name: RecordName,
  others: readonly string[],
): Fields {
  const kept = keptFieldsOf(contract);
  const known = Object.entries(kept?.[name] ?? {});
  // A record from before a required field lacks it, so that only the core's own contract has a check for the rest.
  const isOlder = known.some(([field, { required }]) => required && fields[field] === undefined);
  const { operations } = (isOlder ? undefined : contract) ?? ownContract;
  const apart = known.flatMap(([field, { readOnly }]) => (isOlder || readOnly ? [field] : []));
  const body = without(fields, [...others, ...apart]);
  const content = (operations as RestContract['operations'])[operation]?.requestBody?.content[
    'application/json'
  ];
  const check = content && 'check' in content ? content.check : undefined;
  if (check?.(body) === false) throw new ServiceError('invalid-input', failureOf(check, body, '').trim());
  const stored = givenFields(kept, name, { ...fields, ...body }, 'all');
  checkStored(kept, name, stored);
  return { ...body, stored };
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
