/** Two service processes behind nginx, restarted one after the other: no request fails, and subscribers reconnect. */

import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { compileService } from '../support/compiled-service.js';
import { freePort } from '../support/free-port.js';
import { NginxServer, deployment, nginxAbsence } from '../support/nginx-server.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { type StartedProcess, startProcess } from '../support/started-process.js';
import { until } from '../support/until.js';

const QUERY = 'subscription { postAdded { id } }';
const RETRIES = 1000;

/** A subscriber to posts. */
interface Subscriber {
  /** The ids of the received posts, in the order of arrival. */
  readonly posts: number[];
  connections: number;
  failure?: unknown;
  dispose?: () => void;
}

const title = 'two services behind nginx, restarted one after the other';
(nginxAbsence === undefined ? describe : describe.skip)(
  nginxAbsence === undefined ? title : `${title} (skipped: ${nginxAbsence})`,
  () => {
    let directory = '';
    const children: ChildProcess[] = [];
    before(async () => {
      directory = await compileService();
    });
    after(async () => {
      for (const child of children) child.kill('SIGKILL');
      await rm(directory, { recursive: true });
    });

    async function start(port: number, databaseUrl: string): Promise<StartedProcess> {
      const started = await startProcess(directory, {
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        LOG_LEVEL: 'error',
        TRUST_PROXY: '1',
        ACCESS_TOKEN_SECRET: 'a'.repeat(32),
        REFRESH_TOKEN_SECRET: 'b'.repeat(32),
      });
      children.push(started.child);
      return started;
    }

    function subscribe(url: string): { readonly webSocket: Subscriber; readonly sse: Subscriber } {
      const webSocket: Subscriber = { posts: [], connections: 0 };
      const sse: Subscriber = { posts: [], connections: 0 };
      const sinkOf = (subscriber: Subscriber) => ({
        next: ({ data }: { data?: Record<string, unknown> | null }) => {
          const { id } = data?.['postAdded'] as { readonly id: string };
          subscriber.posts.push(Number(id));
        },
        error: (error: unknown) => (subscriber.failure = error),
        complete: () => (subscriber.failure = 'complete'),
      });
      const wsClient = createWsClient({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: RETRIES,
        retryWait: () => sleep(20),
        // By default the client gives up when it cannot connect, and a refused upgrade of a stopping process is such a failure.
        shouldRetry: () => true,
        on: { connected: () => webSocket.connections++ },
      });
      wsClient.subscribe({ query: QUERY }, sinkOf(webSocket));
      webSocket.dispose = () => {
        void wsClient.dispose();
      };
      const sseClient = createSseClient({
        url: `${url}/graphql`,
        retryAttempts: RETRIES,
        retry: () => sleep(20),
      });
      sseClient.subscribe({ query: QUERY }, sinkOf(sse), { connected: () => sse.connections++ });
      sse.dispose = () => {
        sseClient.dispose();
      };
      return { webSocket, sse };
    }

    /**
     * A subscriber may miss posts between the end of its connection and the start of the next, because `postAdded` delivers
     * only new posts. A client that needs every post reads `GET /api/posts?since=` after it has reconnected.
     */
    it('fails no request, and then delivers new posts to the subscribers again, in order and once', async () => {
      const databaseUrl = await (await sharedPostgres()).createDatabase();
      const ports = [await freePort(), await freePort()] as const;
      const services = await Promise.all(ports.map((port) => start(port, databaseUrl)));
      const nginx = await NginxServer.start(deployment(ports));
      const { webSocket, sse } = subscribe(nginx.url);
      const subscribers = [webSocket, sse];
      const answers = new Map<string, number>();
      let isOver = false;
      let lastPost = 0;

      async function send(path: string, init?: RequestInit): Promise<unknown> {
        let outcome: string;
        let body: unknown;
        try {
          const answer = await fetch(nginx.url + path, init);
          outcome = String(answer.status);
          if (answer.ok) body = await answer.json();
          else outcome += ` to ${init?.method ?? 'GET'}: ${await answer.text()}`;
        } catch (error) {
          outcome = String(error);
        }
        answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
        return body;
      }
      const post = (path: string, body: unknown) =>
        send(path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });

      try {
        const { id: author } = (await post('/api/users', { name: 'Ada', email: 'ada@example.com' })) as {
          readonly id: string;
        };
        expect(answers.has('201')).to.equal(true);
        answers.clear();
        const query = `mutation { createPost(title: "New", content: "It is.", authorId: "${author}") { id } }`;
        const reader = async (): Promise<void> => {
          while (!isOver) await send('/api/users');
        };
        const writer = async (): Promise<void> => {
          while (!isOver) {
            const body = await post('/graphql', { query });
            const { data } = (body ?? {}) as { data?: { createPost: { id: string } } };
            if (data !== undefined) lastPost = Math.max(lastPost, Number(data.createPost.id));
          }
        };
        const clients = [reader(), reader(), reader(), reader(), writer(), writer()];
        const answered = (): number => answers.get('200') ?? 0;
        /** Checks that both receive the posts created from now on, while requests are answered. */
        const allIsWell = async (what: string): Promise<void> => {
          const [since, before] = [lastPost, answered()];
          const isWell = (): boolean =>
            answered() > before + 100 && subscribers.every(({ posts }) => (posts.at(-1) ?? 0) > since);
          await until(what, isWell);
        };

        await allIsWell('both are there');
        for (const [index, port] of ports.entries()) {
          services[index]?.child.kill('SIGTERM');
          expect(await services[index]?.exit).to.equal(0);
          await allIsWell('the other one serves alone');
          await start(port, databaseUrl);
          await allIsWell('both serve again');
        }
        isOver = true;
        await Promise.all(clients);

        expect([...answers.keys()]).to.deep.equal(['200']);
        for (const { posts, connections, failure } of subscribers) {
          expect(failure).to.equal(undefined);
          // They were connected to one of the two processes, which was restarted.
          expect(connections).to.be.at.least(2);
          expect(posts).to.deep.equal([...new Set(posts)].sort((a, b) => a - b));
        }
      } finally {
        isOver = true;
        for (const { dispose } of subscribers) dispose?.();
        await nginx.stop();
      }
    });
  },
);
