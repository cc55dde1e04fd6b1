/** The records that a world has from the start: its first admin, and many of one owner. They are stored directly, as an import does. */

import type { Storage } from '@concordat/core';
import type { SqlStorage, TableRow } from '@concordat/core/storage/sqlite';
import { timestampOf } from '../../src/core/model/timestamp.js';
import { addPost } from './actions/graphql.js';
import { addUser } from './actions/users.js';
import { type Model, emptyModel } from './model.js';
import type { Crowd, WorldSettings } from './settings.js';

/** A webhook that a world has from the start. */
export interface SeededWebhook {
  readonly url: string;
  readonly secret: string;
}

/** Of a world on any store. */
type StartSettings = Omit<WorldSettings, 'store'> & { readonly store: string };

const item = { name: 'one of many', quantity: 1, unitPrice: 0.01 };
const input = { phone: undefined, city: undefined, role: 'user', status: 'active' } as const;

/** So many of each kind, at least. */
export function countOf({ crowd, firstId }: StartSettings, kind: Crowd['kind']): number {
  const isThere = firstId > 1 || (kind === 'orders' && crowd.kind === 'comments' && crowd.count > 0);
  return Math.max(isThere ? 1 : 0, crowd.kind === kind ? crowd.count : 0);
}

/** The id of the record at a place, from 0. Only a database lets a world choose its ids. */
function idOf({ store, firstId }: StartSettings, place: number): string {
  return String(BigInt(store === 'memory' ? 1 : firstId) + BigInt(place));
}

/** Some are long, so that a few dozen of them under many aliases are a large answer. */
const titleOf = (place: number): string => item.name.repeat(1 + (place % 20));
const contentOf = (place: number): string => 'x'.repeat(1 + (place % 7) * 40);

const emailOf = (place: number): string => `crowd${String(place)}@example.com`;

function* rowsOf(settings: StartSettings, now: number, passwordHash: string): Generator<TableRow> {
  const [createdAt, first] = [timestampOf(now), idOf(settings, 0)];
  const times = { createdAt, updatedAt: createdAt };
  const places = (kind: Crowd['kind']) =>
    Array.from({ length: countOf(settings, kind) }, (_, place) => ({ place, id: idOf(settings, place) }));
  const root = { id: first, name: 'Root', email: 'root@example.com', role: 'admin', status: 'active' };
  yield { table: 'users', row: { ...root, passwordHash, ...times } };
  for (const { place, id } of places('users').slice(1))
    yield {
      table: 'users',
      row: { id, name: 'one of many', email: emailOf(place), role: 'user', status: 'active', ...times },
    };
  for (const { place, id } of places('posts')) {
    const at = timestampOf(now - 1_000_000 + place);
    yield {
      table: 'posts',
      row: { id, title: titleOf(place), content: contentOf(place), author_id: first, created_at: at },
    };
  }
  for (const { id } of places('products'))
    yield { table: 'products', row: { id, name: item.name, priceCents: 1 } };
  for (const { id } of places('orders')) {
    const row = { id, userId: first, status: 'pending', totalCents: 1, lastItemId: 1, ...times };
    const rows = [{ id: '1', name: item.name, quantity: 1, unitPriceCents: 1 }];
    yield { table: 'orders', row, parts: { table: 'order_items', rows } };
  }
  for (const { id } of places('comments'))
    yield {
      table: 'comments',
      row: { id, order_id: first, user_id: first, order_user_id: first, text: 'x', created_at: createdAt },
    };
}

export async function store(
  storage: Storage | SqlStorage,
  settings: StartSettings,
  webhooks: readonly SeededWebhook[],
  now: number,
  passwordHash: string,
): Promise<void> {
  await storeRecords(storage, settings, now, passwordHash);
  for (const { url, secret } of webhooks)
    await storage.outbox.create({ consumer: undefined, url, secrets: [{ secret }] }, timestampOf(now));
}

async function storeRecords(
  storage: Storage | SqlStorage,
  settings: StartSettings,
  now: number,
  passwordHash: string,
): Promise<void> {
  if ('rows' in storage) {
    // eslint-disable-next-line @typescript-eslint/require-await -- the rows are there
    const rows = async function* () {
      yield* rowsOf(settings, now, passwordHash);
    };
    const outcome = await storage.rows.write(rows());
    if (typeof outcome !== 'number') throw new Error(`row ${String(outcome.position)}: ${outcome.reason}`);
    return;
  }
  const at = timestampOf(now);
  const root = { ...input, name: 'Root', email: 'root@example.com', role: 'admin', passwordHash } as const;
  await storage.users.create(root, at);
  const repeat = async (kind: Crowd['kind'], create: (place: number) => Promise<unknown>) => {
    for (let place = kind === 'users' ? 1 : 0; place < countOf(settings, kind); place += 1)
      await create(place);
  };
  await repeat('users', (place) =>
    storage.users.create({ ...input, name: item.name, email: emailOf(place), passwordHash: undefined }, at),
  );
  await repeat('posts', (place) =>
    storage.posts.create(
      { title: titleOf(place), content: contentOf(place), authorId: '1' },
      timestampOf(now - 1_000_000 + place),
    ),
  );
  await repeat('products', () =>
    storage.products.create({ name: item.name, description: undefined, priceCents: 1 }),
  );
  const items = [{ productId: undefined, name: item.name, quantity: 1, unitPriceCents: 1 }];
  await repeat('orders', () => storage.orders.create({ userId: '1', totalCents: 1, items }, at));
  await repeat('comments', () => storage.comments.create({ orderId: '1', userId: '1', text: 'x' }, at));
}

/** The model of what {@link store} stores. */
export function modelOf(settings: StartSettings, webhooks: readonly SeededWebhook[], now: number): Model {
  const model = emptyModel(settings, now);
  const root = idOf(settings, 0);
  addUser(model, root, { name: 'Root', email: 'root@example.com', password: 'password root', role: 'admin' });
  const repeat = (kind: Crowd['kind'], last: string, add: (id: string, place: number) => void) => {
    const count = countOf(settings, kind);
    for (let place = kind === 'users' ? 1 : 0; place < count; place += 1) add(idOf(settings, place), place);
    if (count > 0) model.last[last] = idOf(settings, count - 1);
  };
  repeat('users', 'user', (id, place) => {
    addUser(model, id, { name: item.name, email: emailOf(place) });
  });
  repeat('posts', 'post', (id, place) => {
    addPost(model, id, { title: titleOf(place), content: contentOf(place) }, root);
  });
  repeat('products', 'product', (id) =>
    model.products.set(id, { id, name: item.name, price: 0.01, categories: [] }),
  );
  repeat('orders', 'order', (id) =>
    model.orders.set(id, { id, userId: root, status: 'pending', items: [{ ...item, productId: undefined }] }),
  );
  repeat('comments', 'comment', (id) =>
    model.comments.set(id, { id, orderId: root, userId: root, text: 'x' }),
  );
  model.last['user'] ??= root;
  for (const [place, { url, secret }] of webhooks.entries()) {
    const id = String(place + 1);
    const secrets = [{ secret, since: 0, until: Infinity }];
    const state = { status: 'active', isRepeated: false, due: [] } as const;
    model.webhooks.set(id, { id, url, types: undefined, secrets, ...state });
    model.last['webhook'] = id;
  }
  model.written.clear();
  return model;
}
