/** Two service processes that share a store and a broker: posts made through either reach the subscribers of both. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { Redis } from 'ioredis';
import pg from 'pg';
import { WebSocket } from 'ws';
import { compileService } from '../support/compiled-service.js';
import { ServiceProcess } from '../crash/service-process.js';
import { run } from '../http/graphql-requests.js';
import { PgBouncer, poolerAbsence } from '../support/pgbouncer-server.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { redisAbsence, sharedRedis } from '../support/redis-server.js';
import { until } from '../support/until.js';

const query = 'subscription { postAdded { id author { name } } }';
const createPost = 'mutation ($id: ID) { createPost(title: "T", content: "C", authorId: $id) { id } }';

/** The store and broker that the two processes share. */
interface Shared {
  readonly databaseUrl: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Listens to the topic directly at the broker. @returns the received ids, and a function that stops listening */
  readonly listen: () => Promise<{ readonly heard: readonly string[]; readonly stop: () => Promise<void> }>;
  /** Cuts every connection that the processes have for events. */
  readonly cut: () => Promise<void>;
  readonly stop?: () => void;
}

interface Deployment {
  readonly name: string;
  readonly absence?: string | undefined;
  readonly share: (directory: string) => Promise<Shared>;
}

const deployments: readonly Deployment[] = [
  {
    name: 'one PostgreSQL',
    share: async () => sharePostgres(await (await sharedPostgres()).createDatabase()),
  },
  {
    name: 'one PostgreSQL behind PgBouncer',
    absence: poolerAbsence,
    share: async () => {
      const url = await (await sharedPostgres()).createDatabase();
      const pooler = await PgBouncer.start(url, ['pool_mode = transaction', 'default_pool_size = 3']);
      const variables = {
        DATABASE_POOLER: 'transaction',
        DATABASE_DIRECT_URL: url,
        DATABASE_POOL_SIZE: '20',
      };
      const stop = (): void => pooler.stop();
      return { ...sharePostgres(url), databaseUrl: pooler.url(url), variables, stop };
    },
  },
  {
    name: 'one SQLite file and one Redis',
    absence: redisAbsence,
    share: async (directory) => {
      const { url } = await sharedRedis();
      const cut = async (): Promise<void> => {
        const client = new Redis(url);
        expect(await client.client('KILL', 'TYPE', 'PUBSUB')).to.equal(2);
        client.disconnect();
      };
      const listen: Shared['listen'] = async () => {
        const heard: string[] = [];
        const client = new Redis(url);
        client.on('message', (_topic, id) => heard.push(id));
        await client.subscribe('POST_ADDED');
        const stop = async (): Promise<void> => {
          await client.quit();
        };
        return { heard, stop };
      };
      const databaseUrl = `sqlite:${join(directory, 'shared.db')}`;
      return { databaseUrl, variables: { EVENTS_URL: url }, listen, cut };
    },
  },
];

/** @param databaseUrl - of the server itself */
function sharePostgres(databaseUrl: string): Shared {
  const cut = async (): Promise<void> => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    const { rowCount } = await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'concordat events'",
    );
    await client.end();
    expect(rowCount).to.equal(2);
  };
  const listen: Shared['listen'] = async () => {
    const heard: string[] = [];
    const client = new pg.Client(databaseUrl);
    await client.connect();
    client.on('notification', ({ payload = '' }) => heard.push(payload));
    await client.query('listen "POST_ADDED"');
    return { heard, stop: () => client.end() };
  };
  return { databaseUrl, variables: {}, listen, cut };
}

/** A client of a process, and the posts that it has received. */
interface Subscriber {
  readonly name: string;
  /** The ids of the posts, in the order of arrival. */
  readonly ids: readonly string[];
  readonly faults: readonly unknown[];
  readonly leave: () => void;
}

/** Subscribes with the libraries that clients use. */
function subscribers({ url }: ServiceProcess, process: string): readonly Subscriber[] {
  const socket = createWsClient({ url: `${url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket });
  const events = createSseClient({ url: `${url}/graphql` });
  return [socket, events].map((client, index) => {
    const ids: string[] = [];
    const faults: unknown[] = [];
    const leave = client.subscribe<{ readonly postAdded: { readonly id: string } }>(
      { query },
      {
        next: ({ data, errors }) => {
          if (data) ids.push(data.postAdded.id);
          if (errors) faults.push(errors);
        },
        error: (error) => faults.push(error),
        complete: () => undefined,
      },
    );
    return { name: `${index === 0 ? 'WebSocket' : 'SSE'} at the ${process}`, ids, faults, leave };
  });
}

const ascending = (ids: readonly string[]): readonly string[] =>
  ids.toSorted((a, b) => Number(a) - Number(b));

describe('two service processes', () => {
  let directory = '';
  before(async () => {
    directory = await compileService();
  });
  after(() => rm(directory, { recursive: true }));

  for (const { name, absence, share } of deployments) {
    const title = `on ${name}`;
    if (absence !== undefined) it.skip(`${title} (skipped: ${absence})`);
    else describe(title, () => testDeployment(share));
  }

  function testDeployment(share: Deployment['share']): void {
    let data = '';
    let shared: Shared;
    let processes: readonly [ServiceProcess, ServiceProcess];
    let listening: readonly Subscriber[] = [];
    let author = '';

    before(async () => {
      data = await mkdtemp(join(tmpdir(), 'concordat-shared-'));
      shared = await share(data);
      const { databaseUrl } = shared;
      const variables = { ...shared.variables, LOG_LEVEL: 'warn' };
      const start = () => ServiceProcess.start(directory, databaseUrl, variables);
      // Concurrently, so that both try to migrate the empty store.
      processes = await Promise.all([start(), start()]);
      const made = await run(
        processes[0],
        'mutation { createUser(name: "Ada", email: "ada@example.com") { id } }',
      );
      author = (made.data?.['createUser'] as { readonly id: string }).id;
      listening = [...subscribers(processes[0], 'first'), ...subscribers(processes[1], 'second')];
      // A subscription over WebSocket does not report when it is active; the first post that arrives shows it.
      await until('all are subscribed', async () => {
        await post(0);
        return listening.every(({ ids }) => ids.length > 0);
      });
    });
    after(async () => {
      for (const { leave } of listening) leave();
      await Promise.all(processes.map((process) => process.kill()));
      shared.stop?.();
      await rm(data, { recursive: true });
    });

    async function post(index: 0 | 1): Promise<string> {
      const { data: made, errors } = await run(processes[index], createPost, { variables: { id: author } });
      expect(errors).to.equal(undefined);
      return (made?.['createPost'] as { readonly id: string }).id;
    }

    /** Runs four writers, two on each process. @returns the ids of their posts */
    async function write(each: number): Promise<readonly string[]> {
      const writers = [0, 1, 0, 1].map(async (index) => {
        const ids: string[] = [];
        while (ids.length < each) ids.push(await post(index as 0 | 1));
        return ids;
      });
      return (await Promise.all(writers)).flat();
    }

    /** Checks that each subscriber has received these posts, once each and in the order of their ids, and none after them. */
    async function expectHeard(written: readonly string[]): Promise<void> {
      const expected = ascending(written);
      const last = expected.at(-1) ?? '';
      for (const { name, ids, faults } of listening) {
        await until(`${name} hears ${last}`, () => ids.includes(last));
        expect(ids.slice(ids.indexOf(expected[0] ?? '')), name).to.deep.equal(expected);
        expect(ids, name).to.deep.equal(ascending([...new Set(ids)]));
        expect(faults, name).to.deep.equal([]);
      }
    }

    it('deliver the posts of each to the subscribers of both, over WebSocket and server-sent events', async () => {
      await expectHeard([await post(0), await post(1), await post(0), await post(1)]);
    });

    it('publish each stored post on the topic POST_ADDED, and nothing else', async () => {
      const { heard, stop } = await shared.listen();
      const refused = 'mutation { createPost(title: "", content: "C", authorId: 1) { id } }';
      expect((await run(processes[0], refused)).errors).to.have.length(1);
      const written = [await post(0), await post(1)];
      await until('both are told', () => heard.length >= 2);
      expect([...heard].sort()).to.deep.equal([...written].sort());
      await stop();
      await expectHeard(written);
    });

    it('deliver each post once and in the order of ids when all write at once', async () => {
      await expectHeard(await write(25));
    });

    it('reconnect when the broker cuts their connections, log what may have been missed, and miss nothing', async () => {
      const before = new Date().toISOString();
      const writing = write(25);
      await shared.cut();
      const written = [...(await writing)];
      const told = (process: ServiceProcess): readonly Record<string, unknown>[] =>
        process.lines
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .filter(({ msg, level }) => level === 50 || String(msg).startsWith('the connection for events'));
      for (const process of processes) {
        await until('it is connected again', () => told(process).length === 2);
        const [lost, restored] = told(process);
        // An event that could not be published may have noticed the loss first.
        expect(lost?.['cause']).to.match(/terminating connection|has closed the connection|ECONNRESET/);
        expect(restored?.['msg']).to.match(
          /^the connection for events is restored; events since \S+ may have been missed/,
        );
        expect(String(restored?.['missedSince']) < new Date().toISOString()).to.equal(true);
        expect(restored?.['msg']).to.include(String(restored?.['missedSince']));
        expect(Date.parse(String(lost?.['time']))).to.be.at.least(Date.parse(before));
      }
      written.push(await post(0), await post(1));
      await expectHeard(written);
      await expectHeard(await write(5));
    });
  }
});
