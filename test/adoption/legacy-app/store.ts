/** The store: one Map per kind of record, filled from the seed. */

import * as seed from './seed.js';
import type {
  Customer,
  Invoice,
  Job,
  Movement,
  Note,
  Payment,
  Product,
  StockItem,
  StoredFile,
  User,
} from './types.js';

export interface Store {
  users: Map<number, User>;
  sessions: Map<string, number>;
  customers: Map<number, Customer>;
  notes: Map<number, Note[]>;
  invoices: Map<string, Invoice>;
  payments: Map<string, Payment>;
  products: Map<string, Product>;
  images: Map<string, { type: string; content: Buffer }>;
  stock: Map<string, StockItem>;
  movements: Movement[];
  files: Map<string, StoredFile>;
  jobs: Map<number, Job>;
  /** Payments by the Idempotency-Key that made them. */
  idempotency: Map<string, string>;
  /** The next number of a sequence. */
  next(sequence: string): number;
}

export function createStore(): Store {
  const sequences = new Map<string, number>([
    ['customer', 3],
    ['note', 1],
    ['invoice', 1003],
    ['payment', 1],
    ['movement', 2],
  ]);
  return {
    users: byKey(seed.users, ({ id }) => id),
    sessions: new Map(Object.entries(seed.apiTokens)),
    customers: byKey(seed.customers, ({ id }) => id),
    notes: new Map(Object.entries(seed.notes).map(([id, list]) => [Number(id), structuredClone(list)])),
    invoices: byKey(seed.invoices, ({ id }) => id),
    payments: byKey(seed.payments, ({ id }) => id),
    products: byKey(seed.products, ({ sku }) => sku),
    images: new Map(),
    stock: byKey(seed.stock, ({ sku }) => sku),
    movements: structuredClone(seed.movements),
    files: new Map(),
    jobs: new Map(),
    idempotency: new Map(),
    next(sequence) {
      const value = (sequences.get(sequence) ?? 0) + 1;
      sequences.set(sequence, value);
      return value;
    },
  };
}

function byKey<K, T>(records: readonly T[], keyOf: (record: T) => K): Map<K, T> {
  return new Map(records.map((record) => [keyOf(record), structuredClone(record)]));
}
