/** The slowest statement of each work of the outbox, beside few and many deliveries: delivered ones, and as many behind a failing record. */

import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { sqliteStorage } from '../../../src/core/storage/sqlite.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import { median } from '../compare.js';
import { postgresStores, sqliteStores } from './grown-stores.js';
import type { Cost, Growth, GrowthTask } from './growth-row.js';

const SMALL = 1000;
const MOST_MS = 20;
const NOW = '2027-01-01T00:00:00.000000Z';
const LEASE = '2027-01-01T00:01:00.000000Z';

type Work = (outbox: Storage['outbox'], round: number, size: number) => Promise<unknown>;

const WORKS: Readonly<Record<string, Work>> = {
  'look for what is due': (outbox) => outbox.receivers(NOW),
  'claim deliveries': (outbox) => outbox.claim('1', NOW, LEASE, 100),
  'list an empty webhook': async (outbox) => [
    await outbox.countDeliveries('2', undefined, 10_000),
    await outbox.listDeliveries('2', { offset: 0, limit: 100 }),
  ],
  'list a full webhook': async (outbox) => [
    await outbox.countDeliveries('1', undefined, 10_000),
    await outbox.listDeliveries('1', { offset: 0, limit: 100 }),
  ],
  'count what waits': (outbox) => outbox.countWaiting(undefined, 10_000),
  'make what waits due': (outbox) => outbox.hasten('1', undefined, NOW, 500),
  'repeat what failed': (outbox) => outbox.redeliver('1', undefined, NOW, 500),
  'settle deliveries': (outbox, round, size) =>
    outbox.settle(
      Array.from({ length: 100 }, (_, index) => String(size + 100 * round + index + 1)),
      { status: 'delivered', changedAt: NOW, isAttempt: true },
    ),
  'delete what has expired': (outbox) => outbox.deleteExpired('2026-01-01T00:05:00.000000Z', 1000),
  'delete a part of a full webhook': (outbox) => outbox.delete('1', 500),
};

export const outboxTask: GrowthTask = {
  name: 'outbox',
  async run({ rows, rounds }) {
    const growths: Growth[] = [];
    for (const [name, stores] of [
      ['SQLite', sqliteStores],
      ['PostgreSQL', postgresStores],
    ] as const) {
      const maker = await stores();
      const costs = new Map<string, Cost[]>(Object.keys(WORKS).map((work) => [work, []]));
      try {
        for (const size of [SMALL, rows]) {
          const { storage, url } = await maker.make(size === SMALL ? 1 : 2, { posts: 1, deliveries: size });
          await storage.close();
          const slowest: number[] = [];
          const observer = { statement: (_: string, ms: number) => void slowest.push(ms) };
          const path = url.replace('sqlite:', '');
          const observed =
            name === 'SQLite'
              ? await sqliteStorage({ path, observer })
              : await postgresStorage({ url, observer });
          for (const [work, run] of Object.entries(WORKS)) {
            const times: number[] = [];
            for (let round = 0; round < rounds; round += 1) {
              slowest.length = 0;
              await run(observed.outbox, round, size);
              times.push(Math.max(0, ...slowest) * 1000);
            }
            costs
              .get(work)
              ?.push({ size: `${size.toLocaleString('en')} of each`, microseconds: median(times) });
          }
          await observed.close();
        }
      } finally {
        await maker.remove();
      }
      for (const [work, each] of costs)
        growths.push({ work: `${name}: ${work}, its slowest statement`, costs: each, mostMs: MOST_MS });
    }
    return growths;
  },
};
