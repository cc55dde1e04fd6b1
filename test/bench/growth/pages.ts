/** The database time of pages by position in lists of many rows: every list, filtered or not, in each store. */

import { everyComment, everyOrder } from '../../../src/core/ports/order-store.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import { type UserFilter, everyUser } from '../../../src/core/ports/user-store.js';
import type { Slice } from '../../../src/core/model/page.js';
import { median } from '../compare.js';
import { memoryStores, postgresStores, sqliteStores, type GrownStore } from './grown-stores.js';
import type { Growth, GrowthTask } from './growth-row.js';

const LIMIT = 10;
const SAMPLES = 5;
/** The most that a page and its total may take together in a database. */
const MOST_MS = 250;

interface List {
  readonly list: (slice: Slice) => Promise<readonly unknown[]>;
  readonly count: () => Promise<number>;
}

const FILTERS: readonly Partial<UserFilter>[] = [
  {},
  { role: 'admin' },
  { role: 'user' },
  { status: 'active' },
  { city: 'City 7' },
  { stored: { shelf: 'Shelf 7' } },
  { role: 'user', status: 'active' },
  { role: 'user', city: 'City 7' },
  { status: 'active', city: 'City 7' },
  { role: 'user', status: 'active', city: 'City 7' },
];

function listsOf({ users, orders, products, comments }: Storage): Readonly<Record<string, List>> {
  const ofUsers = FILTERS.map((given): [string, List] => {
    const filter = { ...everyUser, ...given };
    const { stored = {}, role, status, city } = given;
    const name = ['users', role, status, city, stored['shelf']]
      .filter((each) => typeof each === 'string')
      .join(' ');
    return [name, { list: (slice) => users.list(filter, slice), count: () => users.count(filter) }];
  });
  const ofOrders = [everyOrder, { userId: '1' }].map((filter): [string, List] => [
    filter.userId === undefined ? 'orders' : 'orders of one user',
    { list: (slice) => orders.list(filter, slice), count: () => orders.count(filter) },
  ]);
  const ofComments = Object.entries({
    comments: everyComment,
    'comments on one order': { ...everyComment, orderId: '1' },
    'comments that concern a user': { ...everyComment, concerning: '1' },
  }).map(([name, filter]): [string, List] => [
    name,
    { list: (slice) => comments.list(filter, slice), count: () => comments.count(filter) },
  ]);
  return {
    ...Object.fromEntries([...ofUsers, ...ofOrders, ...ofComments]),
    products: { list: (slice) => products.list(slice), count: () => products.count() },
  };
}

const PLACES: Readonly<Record<string, (total: number) => number>> = {
  first: () => 0,
  middle: (total) => Math.floor(total / 2),
  '100,000th': () => 99_999 * LIMIT,
  last: (total) => Math.max(0, total - LIMIT),
};

export const pagesTask: GrowthTask = {
  name: 'pages',
  async run({ rows }) {
    const growths: Growth[] = [];
    for (const [name, makeStores, mostMs] of [
      ['SQLite', sqliteStores, MOST_MS],
      ['PostgreSQL', postgresStores, MOST_MS],
      // It reads every row of a filtered list: it is for tests and demonstrations.
      ['memory', memoryStores, undefined],
    ] as const) {
      const maker = await makeStores();
      const store = await maker.make(rows, { orders: rows, products: rows, shelves: true });
      try {
        growths.push(...(await pagesOf(name, store, mostMs)));
      } finally {
        await store.storage.close();
        await maker.remove();
      }
    }
    return growths;
  },
};

async function pagesOf(
  store: string,
  { storage }: GrownStore,
  mostMs: number | undefined,
): Promise<readonly Growth[]> {
  const growths: Growth[] = [];
  for (const [name, { list, count }] of Object.entries(listsOf(storage))) {
    const total = await count();
    const costs = [];
    for (const [place, offsetOf] of Object.entries(PLACES)) {
      const slice = { offset: offsetOf(total), limit: LIMIT };
      const milliseconds: number[] = [];
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const start = performance.now();
        await list(slice);
        await count();
        milliseconds.push(performance.now() - start);
      }
      costs.push({ size: place, microseconds: median(milliseconds) * 1000 });
    }
    growths.push({
      work: `${store}: ${name}, ${total.toLocaleString('en')}`,
      costs,
      ...(mostMs !== undefined && { mostMs }),
    });
  }
  return growths;
}
