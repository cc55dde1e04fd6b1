/** Stores that a deployer puts in the place of the storage's own, as the guide on stores describes it. */

import { setImmediate as turn } from 'node:timers/promises';
import type { Storage, Transaction } from '@concordat/core';
import { isAfter } from '../model.js';

type Name = 'orders' | 'users' | 'posts';

/** They take part in the transactions, and are slow. A record that was created past its store is not found. @param last - the greatest ids so far */
export function withOwnStores(
  storage: Storage,
  names: readonly Name[],
  last: Readonly<Partial<Record<string, string>>>,
): Storage {
  const own = names.map((name) => {
    // External sign-ins create users by another store.
    const first = name === 'users' ? undefined : (last[name.slice(0, -1)] ?? '0');
    const made = { after: first, ids: new Set<unknown>() };
    const within = (transaction: unknown) => slow((transaction as Transaction)[name], made);
    return [name, { ...slow(storage[name], made), within }] as const;
  });
  const joined = Object.fromEntries(names.map((name) => [name, storage[name]]));
  return { ...storage, ...Object.fromEntries(own), joined: { ...storage.joined, ...joined } };
}

/** The records that an own store has created, and the id after which it must have created all. */
interface Made {
  readonly after: string | undefined;
  readonly ids: Set<unknown>;
}

function slow(store: object, { after, ids }: Made): object {
  const methods = Object.entries(store).map(([name, method]: [string, unknown]) => {
    if (typeof method !== 'function') return [name, method] as const;
    const call = async (...given: unknown[]): Promise<unknown> => {
      await turn();
      const outcome = (await Reflect.apply(method, store, given)) as unknown;
      const { id } = Object(outcome) as { readonly id?: string };
      if (name === 'create') ids.add(id);
      const isLost = name === 'find' && after !== undefined && id !== undefined && isAfter(id, after);
      return isLost && !ids.has(id) ? undefined : outcome;
    };
    return [name, call] as const;
  });
  return Object.fromEntries(methods);
}
