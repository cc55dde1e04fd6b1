/** Stores that answer from a cache which no write clears: one read method each. */
import type { Stores } from '../../../../src/core/ports/storage.js';
import type { Faults } from './fault.js';

/** The read methods of each store, and the check that finds a cache of any of them. */
const reads: { readonly [Name in keyof Stores]?: readonly [check: string, ...(keyof Stores[Name])[]] } = {
  users: ['users-fresh-reads', 'find', 'findMany', 'findCredentials', 'list', 'count'],
  externalIdentities: ['identities-fresh-reads', 'findUser'],
  posts: ['posts-fresh-reads', 'find', 'list', 'listSince', 'listBefore', 'listByAuthor', 'listByAuthors'],
  orders: ['orders-fresh-reads', 'find', 'list', 'count', 'summarize'],
  products: ['products-fresh-reads', 'find', 'findMany', 'list', 'count', 'listCategories'],
  comments: ['comments-fresh-reads', 'find', 'list', 'count'],
  refreshTokens: ['refresh-tokens-fresh-reads', 'find'],
  apiKeys: ['api-keys-fresh-reads', 'find', 'findCredentials', 'list', 'count'],
};

function cache(store: object, method: string): void {
  const read = Reflect.get(store, method) as (...input: readonly unknown[]) => unknown;
  const answers = new Map<string, unknown>();
  Reflect.set(store, method, (...input: readonly unknown[]) => {
    const key = JSON.stringify(input);
    if (!answers.has(key)) answers.set(key, read.apply(store, [...input]));
    return answers.get(key);
  });
}

export const cacheFaults: Faults = Object.fromEntries(
  Object.entries(reads).flatMap(([name, [check, ...methods]]) =>
    methods.map((method) => [
      `${name}.${method} answers from a cache that no write clears`,
      [
        [check],
        (storage) => {
          cache(storage[name as keyof Stores], method);
        },
      ],
    ]),
  ),
);
