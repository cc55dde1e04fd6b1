/** The servers of a PostgreSQL URL: an error names the server that it comes from, whichever is found meanwhile. */

import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { expect } from 'chai';
import { openPool } from '../../../src/core/storage/postgres/pools.js';
import { PostgresConnection } from '../../../src/core/storage/postgres/connection.js';
import { freePort } from '../../support/free-port.js';
import { sharedPostgres } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

describe('a pool of several servers', () => {
  it('names the server of an error, though another task has found another server', async () => {
    const closed = await freePort();
    const real = new URL((await sharedPostgres()).url('postgres'));
    // A standby that is promoted after the first connection: this one is held, and then refused.
    const held: Socket[] = [];
    const standby = createServer((socket) => {
      if (held.length === 0) held.push(socket);
      else socket.pipe(connect(Number(real.port), real.hostname)).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(standby, 'listening');
    const { port } = standby.address() as AddressInfo;
    const hosts = `127.0.0.1:${String(closed)},127.0.0.1:${String(port)}`;
    const pool = openPool(real.href.replace(/@[^/]+/, `@${hosts}`), 'test', {});
    try {
      const failure = PostgresConnection.open(pool, 5_000).catch((error: unknown) => error);
      await until('the first is held', () => held.length === 1);
      (await PostgresConnection.open(pool, 5_000)).release();
      held[0]?.destroy();
      expect(await failure)
        .to.have.property('cause')
        .that.includes({ code: 'ECONNREFUSED', host: '127.0.0.1', port: closed });
    } finally {
      await pool.end();
      standby.close();
    }
  });
});
