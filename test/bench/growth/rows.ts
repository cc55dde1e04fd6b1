/** What a page costs in a store of a thousand rows and in one of many, in SQLite and in PostgreSQL, and over HTTP. The stores take turns. */

import { timestampOf } from '../../../src/core/model/timestamp.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import { everyUser } from '../../../src/core/ports/user-store.js';
import { type Reached, median, takeTurns } from '../compare.js';
import { findMeter } from '../load.js';
import { ServerProcess } from '../server-process.js';
import { type GrownStore, type StoreMaker, postgresStores, sqliteStores } from './grown-stores.js';
import type { Growth, GrowthOptions, GrowthTask } from './growth-row.js';

const SMALL = 1000;
const LIMIT = 1.5;
const SAMPLES = 600;
const WARM_UP = 100;
/** One more than a page has, as the core reads. */
const PAGE = 11;

/** @param position - how many rows come before the page */
type ReadPage = (storage: Storage, position: number, rows: number) => Promise<readonly unknown[]>;

const FIRST_SECOND = Date.UTC(2026, 0, 1) / 1000;

const SCHEMES: Readonly<Record<string, ReadPage>> = {
  'cursor, users': ({ users }, position) => users.list(everyUser, { after: String(position), limit: PAGE }),
  'cursor, active users': ({ users }, position) =>
    users.list({ ...everyUser, status: 'active' }, { after: String(position), limit: PAGE }),
  'keyset, posts': ({ posts }, position) =>
    posts.listSince(timestampOf((FIRST_SECOND + position) * 1000), PAGE),
  'feed, posts': ({ posts }, position, rows) => posts.listBefore(String(rows - position + 1), PAGE),
  'total, users': async ({ users }) => [await users.count(everyUser)],
};

/** The starts of consecutive pages. */
const PLACES: Readonly<Record<string, (rows: number, page: number) => number>> = {
  first: () => 0,
  middle: (rows, page) => Math.floor(rows / 2) + ((10 * page) % Math.floor(rows / 4)),
  last: (rows) => rows - PAGE,
};

const MAKERS = [
  ['SQLite', sqliteStores],
  ['PostgreSQL', postgresStores],
] as const;

export const rowsTask: GrowthTask = {
  name: 'rows',
  async run(options) {
    const growths: Growth[] = [];
    for (const [name, stores] of MAKERS) growths.push(...(await ofStore(name, await stores(), options)));
    return growths;
  },
};

async function ofStore(name: string, maker: StoreMaker, options: GrowthOptions): Promise<readonly Growth[]> {
  const sizes = [SMALL, options.rows];
  const stores: GrownStore[] = [];
  try {
    for (const size of sizes) stores.push(await maker.make(size));
    const growths: Growth[] = [];
    for (const [scheme, read] of Object.entries(SCHEMES)) {
      const cases = sizes.flatMap((size, index) =>
        Object.entries(PLACES).map(([place, positionOf]): Case => {
          const storage = stores[index]?.storage;
          if (storage === undefined) throw new Error('a store is missing');
          return {
            size: `${place} of ${size.toLocaleString('en')}`,
            read: (page) => read(storage, positionOf(size, page), size),
            microseconds: [],
          };
        }),
      );
      await measure(cases);
      const costs = cases.map(({ size, microseconds }) => ({ size, microseconds: median(microseconds) }));
      growths.push({ work: `${name}: ${scheme}`, costs, limit: LIMIT });
    }
    return [...growths, await overHttp(name, stores, sizes, options)];
  } finally {
    for (const { storage } of stores) await storage.close();
    await maker.remove();
  }
}

interface Case {
  readonly size: string;
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

/** Pages from everywhere in the store, asked of the whole service, whose memory is measured. */
async function overHttp(
  name: string,
  stores: readonly GrownStore[],
  sizes: readonly number[],
  { rounds, seconds }: GrowthOptions,
): Promise<Growth> {
  const services: ServerProcess[] = [];
  try {
    for (const { url } of stores) {
      services.push(await ServerProcess.startService({ DATABASE_URL: url, LOG_LEVEL: 'info' }));
    }
    const contenders = services.map(({ url, pid }, index) => {
      const step = Math.floor((sizes[index] ?? 0) / 100);
      const [first = '/', ...others] = Array.from(
        { length: 100 },
        (_, page) => `/api/users?limit=10&cursor=${String(page * step)}`,
      );
      return { load: { url, paths: [first, ...others] as const }, pid };
    });
    const reached = await takeTurns(findMeter().measure, contenders, { count: rounds, seconds });
    const costs = reached.map(({ rate, cpu, mebibytes }: Reached, index) => {
      const size = `pages of ${(sizes[index] ?? 0).toLocaleString('en')}`;
      return { size, microseconds: 1e6 / rate, cpu, mebibytes };
    });
    return { work: `${name}: GET /api/users?cursor of the service`, costs, limit: LIMIT };
  } finally {
    for (const service of services) await service.stop();
  }
}
