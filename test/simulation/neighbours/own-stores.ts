/** Stores that a deployer puts in the place of the storage's own, as the guide on stores describes it. */

import { setImmediate as turn } from 'node:timers/promises';
import type { Storage, Transaction } from '@concordat/core';

type Name = 'orders' | 'users' | 'posts';

/** They take part in the transactions, and are slow. */
export function withOwnStores(storage: Storage, names: readonly Name[]): Storage {
  const own = names.map((name) => {
    const within = (transaction: unknown) => slow((transaction as Transaction)[name]);
    return [name, { ...slow(storage[name]), within }] as const;
  });
  const joined = Object.fromEntries(names.map((name) => [name, storage[name]]));
  return { ...storage, ...Object.fromEntries(own), joined: { ...storage.joined, ...joined } };
}

function slow(store: object): object {
  const methods = Object.entries(store).map(([name, method]: [string, unknown]) => {
    if (typeof method !== 'function') return [name, method] as const;
    const call = async (...given: unknown[]): Promise<unknown> => {
      await turn();
      return (await Reflect.apply(method, store, given)) as unknown;
    };
    return [name, call] as const;
  });
  return Object.fromEntries(methods);
}
