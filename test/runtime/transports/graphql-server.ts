/** Subscriptions over WebSocket and server-sent events, over real HTTP, with bounds and intervals that a test can wait for. */
import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Koa from 'koa';
import { jwtCodec } from '../../../src/core/identity/jwt.js';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import {
  type GraphqlClient,
  type GraphqlHttpOptions,
  graphqlHttp,
} from '../../../src/runtime/graphql/index.js';
import { koaTransport } from '../../../src/runtime/transports/koa.js';
import { type GraphqlWsOptions, graphqlWs } from '../../../src/runtime/transports/graphql-ws.js';
import { timestampOf } from '../../../src/core/model/timestamp.js';
import {
  type GraphqlContext,
  openGraphqlSession,
  serviceGraphqlEngine,
} from '../../../src/core/resolvers/index.js';
import { openPolicy } from '../../../src/core/services/rights/policy.js';
import type { SubscriberBounds } from '../../../src/core/services/context/service-context.js';
import { createServices } from '../../../src/core/services/services.js';
import { secrets } from '../../support/sign-in.js';
import { bareUser } from '../../support/bare-records.js';

export const postAdded = 'subscription { postAdded { id content } }';

type Own = 'engine' | 'report';
type Options = Partial<Omit<GraphqlWsOptions<GraphqlContext> & GraphqlHttpOptions<GraphqlContext>, Own>> & {
  readonly bounds?: Partial<SubscriberBounds>;
  /** What a token is not looked at before. */
  readonly beforeSession?: () => Promise<void>;
};

export class GraphqlServer {
  /** What no client was told in words. */
  readonly reported: unknown[] = [];
  /** How often posts were read for subscribers. */
  readings = 0;
  /** The server's side of all connections that are open. */
  readonly sockets = new Set<Socket>();
  readonly #storage = memoryStorage();
  readonly #tokens = jwtCodec(secrets);
  readonly #services;
  readonly #server: Server;
  readonly #stop: () => Promise<void>;

  private constructor({ bounds, beforeSession, ...options }: Options) {
    const { posts } = this.#storage;
    const listSince = posts.listSince.bind(posts);
    posts.listSince = (...slice) => {
      this.readings += 1;
      return listSince(...slice);
    };
    const report = (error: unknown): void => void this.reported.push(error);
    this.#services = createServices({
      storage: this.#storage,
      policy: openPolicy,
      tokens: this.#tokens,
      report,
      ...(bounds && { subscriberBounds: bounds }),
    });
    const parts = {
      engine: serviceGraphqlEngine({ services: this.#services, report }),
      openSession: async (client: GraphqlClient) => {
        await beforeSession?.();
        return await openGraphqlSession(this.#services, client);
      },
      report,
      ...options,
    };
    const ws = graphqlWs(parts);
    const answer = new Koa().use(koaTransport(graphqlHttp(parts.engine, parts))).callback();
    const server = createServer((asked, response) => void answer(asked, response));
    server.on('upgrade', ws.handleUpgrade).on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    this.#server = server.listen(0, '127.0.0.1');
    this.#stop = async () => {
      for (const socket of this.sockets) socket.destroy();
      await ws.close();
      await new Promise((resolve) => server.close(resolve));
    };
  }

  static async start(options: Options = {}): Promise<GraphqlServer> {
    const server = new GraphqlServer(options);
    await once(server.#server, 'listening');
    const fields = { name: 'Ada', email: 'ada@example.com', role: 'user', status: 'active' } as const;
    await server.#storage.users.create({ ...bareUser, ...fields }, timestampOf(Date.now()));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Ada's, valid for so long. */
  tokenFor(seconds: number): string {
    return this.#tokens.signAccess(
      { email: undefined, role: undefined, userId: '1' },
      { from: timestampOf(Date.now()), seconds },
    );
  }

  /** @returns their ids */
  async write(count: number, bytes = 1): Promise<readonly string[]> {
    const input = { title: 'News', content: 'x'.repeat(bytes), authorId: '1' };
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) {
      ids.push((await this.#services.posts.create({ kind: 'anonymous' }, input)).id);
    }
    return ids;
  }

  /** The most that waits in the memory of this process to be sent to any one client. */
  get waitingBytes(): number {
    return Math.max(0, ...[...this.sockets].map(({ writableLength }) => writableLength));
  }

  /** Subscribes over server-sent events. */
  async stream(headers: Readonly<Record<string, string>> = {}): Promise<EventStreamClient> {
    const path = `/graphql?query=${encodeURIComponent(postAdded)}`;
    const asking = request(this.url + path, {
      headers: { accept: 'text/event-stream', ...headers },
      agent: false,
    });
    const [response] = (await once(asking.end(), 'response')) as [IncomingMessage];
    return new EventStreamClient(response);
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

/** A client that has what it received as text. */
export class EventStreamClient {
  text = '';
  /** How the stream ended. */
  readonly ended: Promise<'ended' | 'cut off'>;

  constructor(readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
    this.ended = new Promise((resolve) => {
      response.once('end', () => resolve('ended')).once('error', () => resolve('cut off'));
    });
  }

  /** The ids of the posts that it was told of. */
  get ids(): readonly string[] {
    return [...this.text.matchAll(/"postAdded":\{"id":"(\d+)"/g)].map(([, id = '']) => id);
  }
}
