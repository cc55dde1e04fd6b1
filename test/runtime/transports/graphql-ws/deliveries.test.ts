/** What subscribers over WebSocket get of one engine: each its own message, encoded once, and nothing after it has left. */
import { expect } from 'chai';
import { type GraphQLFormattedError, buildSchema } from 'graphql';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GraphqlEngine, graphqlEngine } from '../../../../src/runtime/graphql/index.js';
import { ResponseStream } from '../../../../src/runtime/graphql/execution/subscription.js';
import { graphqlWs } from '../../../../src/runtime/transports/graphql-ws.js';
import { RawSocket } from '../../../support/raw-socket.js';
import { until } from '../../../support/until.js';

const query = 'subscription { told }';
const bare = graphqlEngine<undefined>({
  schema: buildSchema('type Query { a: Int } type Subscription { told: String }'),
  explain: () => undefined,
  report: () => undefined,
});

type Result = { readonly data: { readonly told: string } };
type Next = IteratorResult<Result, void>;

/** An engine whose subscribers all get the same results. */
class Told {
  readonly engine: GraphqlEngine<undefined> = {
    ...bare,
    prepare: (parameters) => bare.prepare(parameters),
    failure: (error) => this.refusal ?? bare.failure(error),
    subscribe: () => Promise.resolve(this.#results()),
  };
  /** The answer to an operation that fails. */
  refusal: GraphQLFormattedError | undefined;
  readonly #pending: ((next: Next) => void)[] = [];

  get waiting(): number {
    return this.#pending.length;
  }

  tell(result: Result): void {
    for (const resolve of this.#pending.splice(0)) resolve({ done: false, value: result });
  }

  #results(): ResponseStream<Result> {
    const source: AsyncIterableIterator<Result> = {
      next: () => new Promise((resolve) => this.#pending.push(resolve)),
      return: () => Promise.resolve({ done: true, value: undefined }),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    return new ResponseStream(source, (event) => event as Result);
  }
}

describe('subscribers over WebSocket', () => {
  let told: Told;
  let server: Server;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    told = new Told();
    const report = (error: unknown): never => expect.fail(String(error));
    const makeContext = (): undefined => {
      if (told.refusal !== undefined) throw new Error('refused');
    };
    const openSession = () => ({ context: undefined, makeContext });
    const ws = graphqlWs({ engine: told.engine, openSession, report });
    server = createServer().on('upgrade', ws.handleUpgrade).listen(0, '127.0.0.1');
    await once(server, 'listening');
    stop = async () => {
      await ws.close();
      server.close();
    };
  });
  afterEach(() => stop());

  function connect(): Promise<RawSocket> {
    return RawSocket.connect(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  }

  it('each get the result under their own id, and it is encoded once for all', async () => {
    const ids = ['1', '1', '2', 'ä "quoted" \\ \u2028', 'x'.repeat(300)];
    const clients = await Promise.all(ids.map(connect));
    clients.forEach((client, index) => client.subscribe(ids[index] ?? '', query));
    await until('all are subscribed', () => told.waiting === ids.length);
    let encodings = 0;
    const data = { told: 'ä\u0001'.repeat(500) };
    const toJSON = (): unknown => ({ data, encoding: ++encodings });
    told.tell(Object.assign({ data }, { toJSON }));
    for (const [index, client] of clients.entries()) {
      expect(await client.hear()).to.deep.equal({
        id: ids[index],
        type: 'next',
        payload: { data, encoding: 1 },
      });
      await client.close();
    }
  });

  it('each get their own id, also while one of them does not read', async () => {
    const [slow, quick] = [await connect(), await connect()];
    slow.subscribe('a', query);
    await until('one is subscribed', () => told.waiting === 1);
    quick.subscribe('b', query);
    await until('both are subscribed', () => told.waiting === 2);
    slow.socket.pause();
    const data = { told: 'x'.repeat(100_000) };
    // Until the slow one waits, with frames that the operating system has not taken.
    let events = 0;
    for (; events < 500 && told.waiting === 2; events++) {
      told.tell({ data });
      expect(await quick.hear()).to.have.property('id', 'b');
      await until('the quick one waits for more', () => told.waiting >= 1);
      await sleep(1);
    }
    expect(events).to.be.within(2, 499);
    slow.socket.resume();
    for (let each = 0; each < events; each++) expect(await slow.hear()).to.have.property('id', 'a');
    await Promise.all([slow.close(), quick.close()]);
  });

  it('get nothing that was under way when they completed', async () => {
    const client = await connect();
    client.subscribe('1', query);
    await until('it is subscribed', () => told.waiting === 1);
    client.say({ id: '1', type: 'complete' });
    client.subscribe('2', query);
    await until('it is subscribed again', () => told.waiting === 2);
    const data = { told: 'news' };
    told.tell({ data });
    expect(await client.hear()).to.deep.equal({ id: '2', type: 'next', payload: { data } });
    await until('it waits for more', () => told.waiting === 1);
    told.tell({ data });
    expect(await client.hear()).to.include({ id: '2', type: 'next' });
    await client.close();
  });

  for (const [kind, forEach] of [
    ['waits for', undefined],
    [
      'is given',
      (take: (event: unknown) => unknown) =>
        Promise.resolve(1)
          .then(take)
          .then(() => undefined),
    ],
  ] as const) {
    it(`end a source that each ${kind}, with the error of a result that cannot be made`, async () => {
      let ends = 0;
      const source = {
        next: () => Promise.resolve({ done: false, value: 1 } as const),
        return: () => Promise.resolve({ done: true, value: ++ends } as const),
        ...(forEach && { forEach }),
        [Symbol.asyncIterator]() {
          return this;
        },
      };
      const results = new ResponseStream<Result>(source, () => Promise.reject(new Error('no result')));
      const failure: unknown = await results.forEach(() => undefined).catch((error: unknown) => error);
      expect(failure).to.have.property('message', 'no result');
      expect(ends).to.equal(1);
    });
  }

  for (const [code, closeCode] of [
    ['UNAUTHENTICATED', 4403],
    ['LIMIT_EXCEEDED', 1013],
  ] as const) {
    it(`are disconnected with the message of ${code}, as much of it as a close may have`, async () => {
      for (const [message, reason] of [
        ['Not any more', 'Not any more'],
        [`a${'é'.repeat(100)}`, `a${'é'.repeat(61)}`],
        ['😀'.repeat(40), '😀'.repeat(30)],
      ] as const) {
        const client = await connect();
        told.refusal = { message, extensions: { code } };
        client.subscribe('1', '{ a }');
        expect(await client.closed).to.deep.equal([closeCode, reason]);
        told.refusal = undefined;
      }
    });
  }
});
