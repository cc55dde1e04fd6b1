/** Every adapter resolves the names of its servers alike, and ends in time where a name server is silent. */
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { postgresEvents } from '../../../src/core/events/postgres.js';
import { redisEvents } from '../../../src/core/events/redis.js';
import { webhookSender } from '../../../src/core/events/webhooks.js';
import { oidcProvider } from '../../../src/core/identity/oidc.js';
import { redisAttemptLimiter } from '../../../src/core/limits/redis.js';
import { timestampOf } from '../../../src/core/model/timestamp.js';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { askAt, askTheSystem } from '../../support/asked-name-server.mjs';
import { type NameServer, startNameServer } from '../../support/name-server.js';
import { until } from '../../support/until.js';

/** Uses the server at an address, such as `name.example.com:4000`, until it fails. */
const adapters: Readonly<Record<string, (address: string) => Promise<unknown>>> = {
  postgresStorage: (address) => postgresStorage({ url: `postgres://${address}/service` }),
  'postgresStorage of several servers': (address) =>
    postgresStorage({ url: `postgres://${address},${address}/service` }),
  postgresEvents: (address) => postgresEvents({ url: `postgres://${address}/service` }),
  redisEvents: (address) => redisEvents({ url: `redis://${address}` }),
  'redisEvents over TLS': (address) => redisEvents({ url: `rediss://${address}` }),
  'redisEvents of a cluster': (address) => redisEvents({ url: `redis://${address},${address}` }),
  'redisEvents of Sentinels': (address) => redisEvents({ url: `redis://${address}?sentinel=concordat` }),
  redisAttemptLimiter: (address) => limited(`redis://${address}`),
  'redisAttemptLimiter of a cluster': (address) => limited(`redis://${address},${address}`),
  'redisAttemptLimiter of Sentinels': (address) => limited(`redis://${address}?sentinel=concordat`),
  webhookSender: (address) =>
    webhookSender({ allow: [address.split(':')[0] ?? ''] }).send(`http://${address}/`, {}, ''),
  oidcProvider: (address) =>
    oidcProvider({
      issuer: `https://${address}`,
      clientId: 'client',
      clientSecret: 'secret',
      redirectUri: 'https://service.example/callback',
      ticketSecret: 'x'.repeat(32),
    }).start(timestampOf(Date.now())),
};

/** Fails with the first error of its connection. */
async function limited(url: string): Promise<void> {
  let limiter: ReturnType<typeof redisAttemptLimiter> | undefined;
  try {
    await new Promise((_, reject) => {
      limiter = redisAttemptLimiter({ url, onError: reject });
    });
  } finally {
    await limiter?.close();
  }
}

describe('the servers of adapters', () => {
  let names: NameServer;
  let server: Server;
  let port = '';
  let connections = 0;
  before(async () => {
    names = await startNameServer({ 'known.example.com': '127.0.0.1' });
    askAt(names.port);
    server = createServer((socket) => {
      connections += 1;
      // A connection that only ends is no error to every client.
      socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = String((server.address() as AddressInfo).port);
  });
  after(() => {
    askTheSystem();
    names.stop();
    server.close();
  });

  const fault = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  for (const [name, use] of Object.entries(adapters))
    it(`${name} connects to the address that the name server gives`, async () => {
      connections = 0;
      names.asked.length = 0;
      expect(await fault(use(`known.example.com:${port}`))).to.be.instanceOf(Error);
      await until('a connection arrives', () => connections > 0);
      expect(names.asked).to.include('known.example.com');
    });

  it('the master that Sentinels name is looked up at the name server too', async () => {
    const answers = (text: string): string =>
      [...text.matchAll(/\*\d+\r\n(?:\$\d+\r\n[^\r]*\r\n)+/g)]
        .map(([command]) => {
          if (!command.includes('get-master-addr-by-name')) return '+OK\r\n';
          return `*2\r\n$17\r\nknown.example.com\r\n$${String(port.length)}\r\n${port}\r\n`;
        })
        .join('');
    const sentinel = createServer((socket) => {
      socket.on('error', () => undefined).on('data', (bytes) => socket.write(answers(String(bytes))));
    }).listen(0, '127.0.0.1');
    await once(sentinel, 'listening');
    const at = String((sentinel.address() as AddressInfo).port);
    names.asked.length = 0;
    connections = 0;
    await fault(redisEvents({ url: `redis://127.0.0.1:${at}?sentinel=concordat` }));
    await until('a connection arrives', () => connections > 0);
    expect(names.asked).to.include('known.example.com');
    sentinel.close();
  });

  it('are given up where the name server is silent', async () => {
    await Promise.all(
      ['postgresStorage', 'redisEvents', 'redisAttemptLimiter', 'webhookSender', 'oidcProvider'].map(
        async (name) => {
          const host = `silent-${name}.example.com`.toLowerCase();
          expect(
            await fault(adapters[name]?.(`${host}:${port}`) ?? Promise.resolve()),
            name,
          ).to.be.instanceOf(Error);
          expect(names.asked, name).to.include(host);
        },
      ),
    );
  });
});
