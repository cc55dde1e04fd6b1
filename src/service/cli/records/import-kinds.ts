/** The kinds of records that can be imported: how each is read from its fields and checked. */

import { operations } from '@concordat/core/contract';
import { argon2Hasher } from '@concordat/core/identity/argon2';
import {
  type OrderImport,
  type OrderItemImport,
  type OrderStatus,
  type ProductImport,
  type Storage,
  type UserImport,
  OrderImporter,
  ProductImporter,
  ServiceError,
  UserImporter,
  invalidInput,
  orderStatuses,
  systemClock,
} from '@concordat/core';
import { type Check, failureOf } from 'concordat';
import { type ImportJob, type ImportReport, importFile } from './import-file.js';
import { type Fields, orderColumns, passwordColumn, productColumns, userColumns } from './kinds.js';

const TIMES = ['createdAt', 'updatedAt'];

export const userKind = {
  name: 'users',
  columns: [...userColumns, passwordColumn],
  read: (fields: Fields): UserImport => {
    const body = without(fields, ['id', 'links', 'orders', ...TIMES]);
    requireBody(operations.createUser.requestBody.content['application/json'].check, body);
    return { ...(body as unknown as UserImport), ...timesIn(fields) }; // the check has verified the type
  },
  importer: (storage: Storage) => new UserImporter(storage, argon2Hasher(), systemClock.now()),
};

const productKind = {
  name: 'products',
  columns: productColumns,
  read: (fields: Fields): ProductImport => {
    const body = without(fields, ['id', 'links', 'categories']);
    requireBody(operations.createProduct.requestBody.content['application/json'].check, body);
    return { ...(body as unknown as ProductImport), categories: namesIn(fields) };
  },
  importer: (storage: Storage) => new ProductImporter(storage),
};

const orderKind = {
  name: 'orders',
  columns: orderColumns,
  read: (fields: Fields): OrderImport => {
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
    };
  },
  importer: (storage: Storage) => new OrderImporter(storage, systemClock.now()),
};

/** The imports by their name on the command line. */
export const importRecords = {
  users: (job: ImportJob) => importFile(userKind, job),
  products: (job: ImportJob) => importFile(productKind, job),
  orders: (job: ImportJob) => importFile(orderKind, job),
} satisfies Record<string, (job: ImportJob) => Promise<ImportReport>>;

function requireBody(check: Check, body: Fields): void {
  if (!check(body)) throw new ServiceError('invalid-input', failureOf(check, body, '').trim());
}

/** An item in the form of the contract: without the id of an exported item, and without its product id if it has a price. */
function asInput(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  return without(item as Fields, 'unitPrice' in item ? ['id', 'productId'] : ['id']);
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
