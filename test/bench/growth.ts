/**
 * The cost of a page in a store of a thousand rows and in one of a million: `npm run bench -- growth`. The stores take
 * turns; each figure is a median. `--rows 100000` takes less time, `--store sqlite` leaves the other out.
 */

import { parseArgs } from 'node:util';
import { timestampOf } from '../../src/core/model/timestamp.js';
import type { Storage } from '../../src/core/ports/storage.js';
import { median } from './compare.js';
import { type StoreMaker, postgresStores, sqliteStores } from './grown-stores.js';
import { everyUser } from '../../src/core/ports/user-store.js';

const SMALL = 1000;
/** The largest allowed ratio of the greatest to the smallest median. */
const TARGET = 1.5;
const SAMPLES = 600;
const WARM_UP = 100;
/** One more than a page has, as the core reads. */
const LIMIT = 11;

/** @param position - how many rows come before the page */
type ReadPage = (storage: Storage, position: number, rows: number) => Promise<readonly unknown[]>;

const FIRST_SECOND = Date.UTC(2026, 0, 1) / 1000;

const SCHEMES: Readonly<Record<string, ReadPage>> = {
  'cursor, users': ({ users }, position) => users.list(everyUser, { after: String(position), limit: LIMIT }),
  'cursor, active users': ({ users }, position) =>
    users.list({ ...everyUser, status: 'active' }, { after: String(position), limit: LIMIT }),
  'keyset, posts': ({ posts }, position) =>
    posts.listSince(timestampOf((FIRST_SECOND + position) * 1000), LIMIT),
  'feed, posts': ({ posts }, position, rows) => posts.listBefore(String(rows - position + 1), LIMIT),
  'total, users': async ({ users }) => [await users.count(everyUser)],
};

/** The starts of consecutive pages. */
const PLACES: Readonly<Record<string, (rows: number, page: number) => number>> = {
  first: () => 0,
  middle: (rows, page) => Math.floor(rows / 2) + ((10 * page) % Math.floor(rows / 4)),
  last: (rows) => rows - LIMIT,
};

interface Case {
  readonly label: string;
  readonly read: (page: number) => Promise<unknown>;
  readonly microseconds: number[];
}

async function measure(cases: readonly Case[]): Promise<void> {
  for (let page = 0; page < WARM_UP + SAMPLES; page += 1) {
    for (const { read, microseconds } of cases) {
      const start = performance.now();
      await read(page);
      if (page >= WARM_UP) microseconds.push((performance.now() - start) * 1000);
    }
  }
}

async function compareSizes(name: string, maker: StoreMaker, rows: number): Promise<boolean> {
  const sizes = [SMALL, rows];
  const stores: Storage[] = [];
  try {
    for (const size of sizes) stores.push(await maker.make(size));
    console.log(`\n${name}: microseconds per page`);
    const table: Record<string, Record<string, number>> = {};
    for (const [scheme, read] of Object.entries(SCHEMES)) {
      const cases = Object.entries(PLACES).flatMap(([place, positionOf]) =>
        stores.map((storage, index): Case => {
          const size = sizes[index] ?? rows;
          return {
            label: `${place} of ${size.toLocaleString('en')}`,
            read: (page) => read(storage, positionOf(size, page), size),
            microseconds: [],
          };
        }),
      );
      await measure(cases);
      const medians = cases.map(({ label, microseconds }) => [label, median(microseconds)] as const);
      const figures = medians.map(([, figure]) => figure);
      const ratio = Math.max(...figures) / Math.min(...figures);
      table[scheme] = {
        ...Object.fromEntries(medians.map(([label, figure]) => [label, Math.round(figure * 10) / 10])),
        ratio: Math.round(ratio * 100) / 100,
      };
    }
    console.table(table);
    return Object.values(table).every(({ ratio = Infinity }) => ratio <= TARGET);
  } finally {
    for (const storage of stores) await storage.close();
    await maker.remove();
  }
}

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, store: { type: 'string' } },
});
const makers = { sqlite: ['SQLite', sqliteStores], postgres: ['PostgreSQL', postgresStores] } as const;
const outcomes: boolean[] = [];
for (const [store, [name, stores]] of Object.entries(makers)) {
  if ((values.store ?? store) === store) {
    outcomes.push(await compareSizes(name, await stores(), Number(values.rows)));
  }
}
const isReached = outcomes.every(Boolean);
console.log(`the target, a ratio of at most ${TARGET}, is ${isReached ? 'reached' : 'missed'}`);
if (!isReached) process.exitCode = 1;
