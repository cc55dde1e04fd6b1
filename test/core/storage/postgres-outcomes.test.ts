/** A connection to PostgreSQL that breaks after a query was sent: only where that may have stored something is the outcome unknown. */
import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { everyOrder } from '../../../src/core/ports/order-store.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import { everyUser } from '../../../src/core/ports/user-store.js';
import { operator } from '../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../src/core/services/rights/policy.js';
import { createServices } from '../../../src/core/services/services.js';
import { bareUser } from '../../support/bare-records.js';
import { sharedPostgres } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

const now = '2026-01-01T00:00:00.000001Z';
const ada = { ...bareUser, name: 'Ada', email: 'ada@example.com', role: 'user', status: 'active' } as const;

/** A proxy that lets a query through to the server, and breaks the connection to the client before the answer. */
class BreakingProxy {
  /** The text of the query after which connections break. */
  query: string | undefined;
  readonly #server: Server;

  constructor(port: number) {
    this.#server = createServer((client) => {
      const server = connect(port, '127.0.0.1');
      for (const socket of [client, server]) socket.on('error', () => undefined);
      client.on('data', (data) => {
        server.write(data);
        if (this.query !== undefined && data.includes(this.query)) client.destroy();
      });
      server.on('data', (data) => client.write(data));
      client.on('close', () => server.end());
    });
  }

  async start(url: string): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    const proxied = new URL(url);
    proxied.port = String(typeof address === 'object' ? address?.port : undefined);
    return proxied.href;
  }

  stop(): void {
    this.#server.close();
  }
}

describe('a connection to PostgreSQL that breaks before the answer', () => {
  let direct: Storage;
  let proxied: Storage;
  let proxy: BreakingProxy;
  let userId = '';
  before(async () => {
    const url = await (await sharedPostgres()).createDatabase();
    direct = await postgresStorage({ url });
    proxy = new BreakingProxy(Number(new URL(url).port));
    proxied = await postgresStorage({ url: await proxy.start(url) });
    const user = await direct.users.create(ada, now);
    userId = typeof user === 'string' ? '' : user.id;
  });
  afterEach(() => (proxy.query = undefined));
  after(async () => {
    await Promise.all([direct.close(), proxied.close()]);
    proxy.stop();
  });

  const codeOf = (outcome: Promise<unknown>) =>
    outcome.then(
      () => 'done',
      (error: unknown) => (error as { readonly code?: string }).code,
    );
  const order = () => ({
    userId,
    totalCents: 1,
    items: [{ productId: undefined, name: 'Twine', quantity: 1, unitPriceCents: 1 }],
  });

  it('is outcome-unknown for a commit, which may have happened', async () => {
    proxy.query = 'commit\0'; // not the `begin isolation level read committed`
    expect(await codeOf(proxied.orders.create(order(), now))).to.equal('outcome-unknown');
    await until('the order is there', async () => (await direct.orders.count(everyOrder)) === 1);
  });

  it('undoes nothing of hooks after a write that may have been stored, and all of one that was not', async () => {
    const undone: string[] = [];
    const { users } = createServices({
      storage: proxied,
      policy: openPolicy,
      hooks: {
        'users.create': {
          after: async ({ name }, { onUndo, query }) => {
            onUndo(() => undone.push(name));
            await query('select 42');
          },
        },
      },
    });
    const create = (name: string) => codeOf(users.create(operator, { name, email: `${name}@example.com` }));
    proxy.query = 'select 42';
    expect(await create('lost')).to.equal('unavailable');
    expect(undone).to.include('lost');
    proxy.query = 'commit\0';
    expect(await create('kept')).to.equal('outcome-unknown');
    expect(undone).to.not.include('kept');
    await until(
      'the user is there',
      async () => (await direct.users.findCredentials('kept@example.com')) !== undefined,
    );
  });

  it('is outcome-unknown for a write that is a transaction of its own', async () => {
    proxy.query = 'insert into "users"';
    const eve = { ...ada, email: 'eve@example.com' };
    expect(await codeOf(proxied.users.create(eve, now))).to.equal('outcome-unknown');
    await until('the user is there', async () => (await direct.users.count(everyUser)) === 2);
  });

  it('is unavailable for a read, and for a write before its commit', async () => {
    proxy.query = 'select';
    expect(await codeOf(proxied.users.find(userId))).to.equal('unavailable');
    const before = await direct.orders.count(everyOrder);
    proxy.query = 'insert into "order_items"';
    expect(await codeOf(proxied.orders.create(order(), now))).to.equal('unavailable');
    proxy.query = undefined;
    expect(await codeOf(proxied.orders.create(order(), now))).to.equal('done');
    expect(await direct.orders.count(everyOrder)).to.equal(before + 1);
  });
});
