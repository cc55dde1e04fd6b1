/** All records of a service, as an API key sees them over HTTP. */

import { Fault, sameParts } from '../calls.js';
import type { Model } from '../model.js';
import { expectOrder } from '../actions/orders.js';
import { expectProduct } from '../actions/products.js';
import { expectUser } from '../actions/users.js';

export interface Found {
  readonly id: string;
}

export const kinds = ['users', 'orders', 'products', 'comments', 'posts'] as const;
export type Kind = (typeof kinds)[number];
export type Contents = Readonly<Record<Kind, readonly Found[]>>;

/** Reads a path as JSON. */
export type Read = (path: string) => Promise<unknown>;

export async function readContents(read: Read): Promise<Contents> {
  return {
    users: await paged(read, '/api/users?envelope=false'),
    orders: await paged(read, '/api/orders?envelope=false'),
    products: await paged(read, '/api/products?envelope=false'),
    comments: await paged(read, '/api/comments?envelope=false'),
    posts: await readPosts(read),
  };
}

async function paged(read: Read, path: string): Promise<readonly Found[]> {
  const all: Found[] = [];
  for (let page = 1; ; page += 1) {
    const found = (await read(`${path}&limit=100&page=${String(page)}`)) as readonly Found[];
    all.push(...found);
    if (found.length < 100) return all;
  }
}

async function readPosts(read: Read): Promise<readonly Found[]> {
  const all: Found[] = [];
  for (let since = ''; ;) {
    const query = since === '' ? '' : `&since=${encodeURIComponent(since)}`;
    const { data } = (await read(`/api/posts?limit=100${query}`)) as {
      readonly data: readonly (Found & { readonly createdAt: string })[];
    };
    all.push(...data);
    const last = data.at(-1);
    if (data.length < 100 || last === undefined) return all;
    since = last.createdAt;
  }
}

/** @throws {@link Fault} unless these are the records of the model */
export function expectContents(model: Model, contents: Contents): void {
  for (const kind of kinds) {
    const expected: ReadonlyMap<string, Found> = model[kind];
    const ids = new Set(contents[kind].map(({ id }) => id));
    for (const id of expected.keys()) if (!ids.has(id)) throw new Fault(`${kind}/${id} is gone`);
    for (const record of contents[kind]) {
      const what = `${kind}/${record.id}`;
      if (!expected.has(record.id)) throw new Fault(`${what} is there: ${JSON.stringify(record)}`);
    }
  }
  const of = <T>(records: ReadonlyMap<string, T>, { id }: Found): T => records.get(id) as T;
  for (const each of contents.users) expectUser(`users/${each.id}`, each, of(model.users, each));
  for (const each of contents.orders) expectOrder(`orders/${each.id}`, each, of(model.orders, each));
  for (const each of contents.products) expectProduct(`products/${each.id}`, each, of(model.products, each));
  for (const each of contents.comments)
    sameParts(`comments/${each.id}`, each, { ...of(model.comments, each) });
  for (const each of contents.posts) sameParts(`posts/${each.id}`, each, { ...of(model.posts, each) });
}
