/** Sound adapters that are broken on purpose: tables of how a method misbehaves, and which checks must find it. */
import type { RunTransaction, Storage, Stores, Transaction } from '../../../../src/core/ports/storage.js';

export interface Fault<Subject> {
  readonly name: string;
  /** The ids of the checks that must find it. */
  readonly checks: readonly string[];
  readonly breakIt: (subject: Subject) => void;
}

/** Faults by their name and the ids of the checks that must find them, as `name: id, id`. */
type Table<Breaks> = Readonly<Record<`${string}: ${string}`, Breaks>>;

/** Adapters, or storages, that are broken as a whole. */
export function faults<Subject>(table: Table<Fault<Subject>['breakIt']>): readonly Fault<Subject>[] {
  return Object.entries(table).map(([key, breakIt]) => {
    const colon = key.lastIndexOf(': ');
    return { name: key.slice(0, colon), checks: key.slice(colon + 2).split(', '), breakIt };
  });
}

/** By the method: makes a method that misbehaves, of the sound one and its subject. */
type Methods<Target, Subject> = {
  readonly [Name in keyof Target]?: Table<(sound: Target[Name], subject: Subject) => Target[Name]>;
};

/** Adapters of which one method misbehaves. @param part - the part of a subject that has the methods */
export function methodFaults<Subject, Target extends object>(
  part: (subject: Subject) => Target,
  methods: Methods<Target, Subject>,
): readonly Fault<Subject>[] {
  return (Object.keys(methods) as (keyof Target)[]).flatMap((name) => {
    const table = Object.entries(methods[name] ?? {}).map(([key, misbehaving]) => {
      const breakIt = (subject: Subject): void => {
        const target = part(subject);
        const method = target[name];
        const sound = (typeof method === 'function' ? method.bind(target) : method) as Target[typeof name];
        Reflect.set(target, name, misbehaving(sound, subject));
      };
      return [key, breakIt] as const;
    });
    return faults<Subject>(Object.fromEntries(table));
  });
}

/** Storages of which one method of a store misbehaves. */
export function storeFaults<Name extends keyof Stores>(
  name: Name,
  methods: Methods<Stores[Name], Storage>,
): readonly Fault<Storage>[] {
  return methodFaults((storage: Storage) => storage[name], methods);
}

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

export const byIdAsText = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : 1;
