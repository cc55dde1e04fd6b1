/** Sound stores that are broken on purpose, one rule at a time. */
import type { RunTransaction, Storage, Transaction } from '../../../../src/core/ports/storage.js';

/** A fault by its name: which checks must find it, and how a sound store is broken. */
export type Faults = Readonly<
  Record<string, readonly [checks: readonly string[], breakIt: (storage: Storage) => void]>
>;

/** The record without one of its fields. */
export function without<T extends object, Key extends keyof T>(record: T, key: Key): Omit<T, Key> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key)) as Omit<T, Key>;
}

/** Changes the stores of each transaction of a storage. */
export function changeInside(storage: Storage, change: (stores: Transaction) => Partial<Transaction>): void {
  const { transaction } = storage;
  const changed: RunTransaction = (work) =>
    transaction((tx) => {
      const changes: Readonly<Record<string, unknown>> = change(tx);
      const get = (own: Transaction, name: string): unknown => changes[name] ?? Reflect.get(own, name);
      return work(new Proxy(tx, { get }));
    });
  Object.assign(storage, { transaction: changed });
}

/** Runs the work of a storage's transactions without one. */
export function splitTransactions(storage: Storage): void {
  const query = () => Promise.reject(new Error('none'));
  const transaction: RunTransaction = (work) => work({ ...storage, database: undefined, query });
  Object.assign(storage, { transaction });
}

/** Adapters of a port that are broken on purpose, by the fault: which check must find it, and what makes one. */
export type PortFaults<Subject> = Readonly<
  Record<string, readonly [check: string, make: () => Subject | Promise<Subject>]>
>;
