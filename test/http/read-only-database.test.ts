/** Two services on a PostgreSQL that was read-only for a moment: their probes say what writes meet, although old connections stay. */

import { expect } from 'chai';
import pg from 'pg';
import { sharedPostgres } from '../support/postgres-server.js';
import { TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { userInput } from './user-requests.js';

describe('a database that was read-only', () => {
  const services = [new TestService(), new TestService()] as const;
  let operator: pg.Client;
  let database = '';
  before(async () => {
    const url = await (await sharedPostgres()).createDatabase();
    for (const service of services) await service.start({ database: { kind: 'postgres', url } });
    database = new URL(url).pathname.slice(1);
    operator = new pg.Client(url);
    await operator.connect();
  });
  after(async () => {
    for (const service of services) await service.stop();
    await operator.end();
  });

  /** The statuses of the probe and of a write, of both services. */
  const statuses = (): Promise<readonly (readonly [ready: number, write: number])[]> =>
    Promise.all(
      services.map(async (service) => {
        const write = await service.post('/api/users', userInput());
        return [(await fetch(`${service.url}/readyz`)).status, write.status] as const;
      }),
    );
  const become = (expected: readonly [ready: number, write: number]): Promise<void> =>
    until(`the probe and writes answer ${expected.join(' and ')}`, async () =>
      (await statuses()).every((each) => each.join() === expected.join()),
    );

  it('is ready again as soon as it takes writes, again and again', async () => {
    for (let round = 0; round < 2; round += 1) {
      await become([200, 201]);
      // A default of the database holds for new sessions only, and these keep it: the old ones end here, and the new ones do not below.
      await operator.query(`alter database "${database}" set default_transaction_read_only = on`);
      await operator.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await become([503, 503]);
      await operator.query(`alter database "${database}" reset default_transaction_read_only`);
    }
    await become([200, 201]);
    for (let probe = 0; probe < 20; probe += 1)
      expect(await statuses(), String(probe)).to.deep.equal([
        [200, 201],
        [200, 201],
      ]);
  });
});
