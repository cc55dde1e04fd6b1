/** Stores that answer from a cache which no write clears: one read method each. */
import type { Storage } from '../../../../src/core/ports/storage.js';
import { faults } from './fault.js';

/** The store, the check that finds a cache, and the read methods that may have one. */
const reads = [
  ['users', 'users-fresh-reads', 'find', 'findMany', 'findCredentials', 'list', 'count'],
  ['externalIdentities', 'identities-fresh-reads', 'findUser'],
  ['posts', 'posts-fresh-reads', 'find', 'list', 'listSince', 'listBefore', 'listByAuthor', 'listByAuthors'],
  ['orders', 'orders-fresh-reads', 'find', 'list', 'count', 'summarize'],
  ['products', 'products-fresh-reads', 'find', 'findMany', 'list', 'count'],
  ['products', 'products-categories', 'listCategories'],
  ['comments', 'comments-fresh-reads', 'find', 'list', 'count'],
  ['refreshTokens', 'refresh-tokens-fresh-reads', 'find'],
  ['apiKeys', 'api-keys-fresh-reads', 'find', 'findCredentials', 'list', 'count'],
] as const;

function cache(store: object, method: string): void {
  const read = Reflect.get(store, method) as (...input: readonly unknown[]) => unknown;
  const answers = new Map<string, unknown>();
  Reflect.set(store, method, (...input: readonly unknown[]) => {
    const key = JSON.stringify(input);
    if (!answers.has(key)) answers.set(key, read.apply(store, [...input]));
    return answers.get(key);
  });
}

export const cacheFaults = faults<Storage>(
  Object.fromEntries(
    reads.flatMap(([name, check, ...methods]) =>
      methods.map((method) => [
        `${name}.${method} answers from a cache that no write clears: ${check}`,
        (storage: Storage) => {
          cache(storage[name], method);
        },
      ]),
    ),
  ),
);
