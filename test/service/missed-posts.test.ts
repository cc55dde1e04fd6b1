/** Subscribers that reconnect get every post: 5,000 arrive while the service is killed twice and Redis once. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { compileService } from '../support/compiled-service.js';
import { ServiceProcess } from '../crash/service-process.js';
import { run } from '../http/graphql-requests.js';
import { RedisServer, withRedis } from '../support/redis-server.js';
import { until } from '../support/until.js';

const POSTS = 2_000;
const WRITERS = 16;
const createPost = 'mutation ($id: ID) { createPost(title: "T", content: "C", authorId: $id) { id } }';

/** A client that connects again until it has got as many posts. */
interface Client {
  readonly ids: readonly string[];
  readonly connections: () => number;
  readonly done: Promise<void>;
}

/** A client without knowledge of the schema: it sends the last `id:` that it has received. */
function eventSource(url: () => string, signal: AbortSignal): Client {
  const ids: string[] = [];
  let connections = 0;
  let last = '';
  const connect = async (): Promise<void> => {
    const query = encodeURIComponent('subscription { postAdded { id } }');
    const headers = { accept: 'text/event-stream', ...(last !== '' && { 'last-event-id': last }) };
    const response = await fetch(`${url()}/graphql?query=${query}`, { headers, signal });
    connections += 1;
    let text = '';
    for await (const chunk of response.body ?? []) {
      const events = (text + Buffer.from(chunk).toString()).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        last = /^id: (.*)$/m.exec(event)?.[1] ?? last;
        const id = /^data: .*"id":"(\d+)"/m.exec(event)?.[1];
        if (id !== undefined) ids.push(id);
      }
    }
  };
  return { ids, connections: () => connections, done: again(connect, ids, signal) };
}

/** A client that passes the id of its last post as the argument. */
function webSocket(url: () => string, signal: AbortSignal): Client {
  const ids: string[] = [];
  let connections = 0;
  const connect = async (): Promise<void> => {
    const client = createClient({
      url: `${url().replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      on: { connected: () => (connections += 1) },
    });
    signal.addEventListener('abort', () => void client.dispose(), { once: true });
    const query = 'subscription ($since: ID) { postAdded(since: $since) { id } }';
    const results = client.iterate<{ readonly postAdded: { readonly id: string } }>({
      query,
      variables: { since: ids.at(-1) ?? '0' },
    });
    for await (const { data } of results) if (data) ids.push(data.postAdded.id);
  };
  return { ids, connections: () => connections, done: again(connect, ids, signal) };
}

async function again(
  connect: () => Promise<void>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  while (ids.length < POSTS && !signal.aborted) {
    await connect().catch(() => undefined);
    await sleep(20);
  }
}

withRedis('subscribers that lose their connection', function () {
  let directory = '';
  let data = '';
  let redis: RedisServer;
  before(async () => {
    [directory, data] = [await compileService(), await mkdtemp(join(tmpdir(), 'concordat-missed-'))];
    redis = await RedisServer.start();
  });
  after(async () => {
    await redis.kill();
    for (const each of [directory, data]) await rm(each, { recursive: true });
  });

  it(`get ${String(POSTS)} of ${String(POSTS)} posts in order, across restarts of the service and of Redis`, async () => {
    const start = () =>
      ServiceProcess.start(directory, `sqlite:${join(data, 'posts.db')}`, {
        EVENTS_URL: redis.url,
        LOG_LEVEL: 'silent',
      });
    const writer = await start();
    let reader = await start();
    const leave = new AbortController();
    const clients = [eventSource, webSocket].map((connect) => connect(() => reader.url, leave.signal));
    try {
      const user = await run(writer, 'mutation { createUser(name: "A", email: "a@example.com") { id } }');
      const { id } = user.data?.['createUser'] as { readonly id: string };
      await until('both are connected', () => clients.every(({ connections }) => connections() > 0));
      let written = 0;
      const write = async (): Promise<void> => {
        while (written < POSTS) {
          written += 1;
          const { errors } = await run(writer, createPost, { variables: { id } });
          expect(errors).to.equal(undefined);
        }
      };
      const writing = Promise.all(Array.from({ length: WRITERS }, write));
      for (const moment of [0.2, 0.6]) {
        await until('some are written', () => written > POSTS * moment);
        await reader.kill();
        const missedFrom = written;
        await until('some are missed', () => written > missedFrom + 100);
        reader = await start();
      }
      await redis.kill();
      await writing;
      await redis.restart();
      const all = Array.from({ length: POSTS }, (_, index) => String(index + 1));
      for (const { ids } of clients) {
        await until(`all have arrived`, () => ids.length >= POSTS);
        expect(ids).to.deep.equal(all);
      }
      for (const { connections } of clients) expect(connections()).to.be.at.least(3);
    } finally {
      leave.abort();
      await Promise.all([reader.kill(), writer.kill(), ...clients.map(({ done }) => done)]);
    }
  });
});
