/** Tests that the service deletes expired records by itself, counts them in its metrics, and goes on after a failure. */
import { expect } from 'chai';
import { openLog } from '../../src/service/watch/log.js';
import { once } from '../../src/core/ports/idempotency-store.js';
import { memoryStorage } from '../../src/core/storage/memory.js';
import { Shutdown } from '../../src/service/listen/shutdown.js';
import { deleteExpiredRecords } from '../../src/service/open/repeated-work.js';
import { Metrics } from '../../src/service/watch/metrics.js';
import { until } from '../support/until.js';

describe('the service', () => {
  it('deletes expired records from time to time until it stops, also after a failure', async () => {
    const storage = memoryStorage();
    const lines: string[] = [];
    const log = await openLog('warn', { write: (line) => void lines.push(line) });
    const metrics = new Metrics();
    const shutdown = new Shutdown();
    const create = async (number: number) => {
      const key = {
        caller: 'Ada',
        keyHash: `${number}`,
        requestHash: 'hash',
        expiresAt: '2001-01-01T00:00:00.000000Z',
      };
      const lamp = { name: 'Lamp', description: undefined, priceCents: 1 };
      await storage.transaction((tx) =>
        once(tx, key, '2000-01-01T00:00:00.000000Z', () => tx.products.create(lamp)),
      );
    };
    for (let number = 1; number <= 1_001; number += 1) await create(number);
    const deleteExpired = storage.idempotency.deleteExpired.bind(storage.idempotency);
    let isBroken = true;
    storage.idempotency.deleteExpired = (now, limit) =>
      isBroken ? Promise.reject(new Error('a fault')) : deleteExpired(now, limit);

    deleteExpiredRecords(storage, { log, metrics, shutdown }, 5);
    await until('the failure is logged', () =>
      Promise.resolve(lines.some((line) => line.includes('a fault'))),
    );
    isBroken = false;
    const deleted = async (count: number) =>
      (await metrics.render()).text.includes(
        `expired_records_deleted_total{kind="idempotency_keys"} ${count}`,
      );
    await until('all are deleted', () => deleted(1_001));
    await create(1_002);
    await until('a later one is deleted', () => deleted(1_002));
    await shutdown.close();
    await create(1_003);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await deleteExpired('2026-01-01T00:00:00.000000Z', 9), 'left after the stop').to.equal(1);
  });
});
