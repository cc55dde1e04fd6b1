/** How the Koa adapter reads requests and writes responses. */
import * as consumers from 'node:stream/consumers';
import { expect } from 'chai';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import type { ResponseContract } from '../../../src/runtime/contract/contract.js';
import type { Answer } from '../../../src/runtime/rest/operation/handler.js';
import { koaTransport } from '../../../src/runtime/transports/koa.js';
import type { HttpAnswer } from '../../support/send.js';
import { contractEngine, type ContractEngineOptions, type KoaServer, withServer } from './koa-server.js';

type SetUp = (app: Koa) => unknown;

/** Serves the small contract, and demands that Koa itself has nothing to report. */
async function serving(
  options: ContractEngineOptions,
  test: (server: KoaServer, reported: readonly unknown[]) => Promise<void>,
  before: SetUp = () => undefined,
): Promise<void> {
  const { engine, reported } = contractEngine(options);
  await withServer(
    (app) => {
      before(app);
      app.use(koaTransport(engine).routes());
    },
    async (server) => {
      await test(server, reported);
      expect(server.errors).to.deep.equal([]);
    },
  );
}

/** What `GET /` answers when its handler answers this. */
async function answered(answer: Answer, contract: ResponseContract, method = 'GET'): Promise<HttpAnswer> {
  const received: HttpAnswer[] = [];
  const options = { answers: { root: () => answer }, responses: { root: { [answer.status]: contract } } };
  await serving(options, async (server, reported) => {
    received.push(await server.send({ method, path: '/' }));
    expect(reported).to.deep.equal([]);
  });
  const [first] = received;
  if (first === undefined) throw new Error('no answer');
  return first;
}

const MASKED =
  '{"type":"about:blank","title":"Internal Server Error","status":500,"detail":"Internal server error"}';

describe('a response through koaTransport', () => {
  for (const status of [200, 201, 202, 302, 401, 404, 418, 500, 503]) {
    it(`keeps the status ${String(status)} without a body, and then has no media type`, async () => {
      const { text, headers, status: received } = await answered({ status, headers: { Location: '/x' } }, {});
      expect([received, text, headers['content-length'], headers.location]).to.deep.equal([
        status,
        '',
        '0',
        '/x',
      ]);
      expect(headers).to.not.have.property('content-type');
    });
  }

  for (const status of [204, 205, 304]) {
    it(`keeps the status ${String(status)}, which has no content`, async () => {
      const { text, headers, status: received } = await answered({ status, headers: { ETag: '"1"' } }, {});
      expect([received, text, headers.etag]).to.deep.equal([status, '', '"1"']);
      expect(headers).to.not.have.property('content-type');
      if (status !== 205) expect(headers).to.not.have.property('content-length');
    });
  }

  it('has bytes as they are, be they a Buffer, a Uint8Array or a view of a larger one', async () => {
    const contract: ResponseContract = { content: { 'image/png': { kind: 'bytes' } } };
    const larger = Uint8Array.from('....PNG....', (character) => character.charCodeAt(0));
    for (const body of [Buffer.from('PNG'), Uint8Array.of(80, 78, 71), larger.subarray(4, 7)]) {
      const { text, headers } = await answered({ status: 200, body }, contract);
      expect([text, headers['content-type'], headers['content-length']]).to.deep.equal([
        'PNG',
        'image/png',
        '3',
      ]);
    }
    const { status, text } = await answered({ status: 200, body: new Uint8Array() }, contract);
    expect([status, text]).to.deep.equal([200, '']);
  });

  it('has text as it is, and the media type of the contract', async () => {
    for (const body of ['<b>é</b>', '', '{"a":1}']) {
      const contract: ResponseContract = { content: { 'text/plain': { kind: 'text' } } };
      const { text, headers } = await answered({ status: 200, body }, contract);
      expect([text, headers['content-type']]).to.deep.equal([body, 'text/plain']);
      expect(headers['content-length']).to.equal(String(Buffer.byteLength(body)));
    }
  });

  it('of an error is the 500 of the engine, and Koa knows nothing of it', async () => {
    const fail = (): Answer => {
      throw new Error('secret');
    };
    await serving({ answers: { root: fail } }, async (server, reported) => {
      expect(await server.echo('/')).to.equal(`500 ${MASKED}`);
      expect(reported.map(String)).to.deep.equal(['Error: secret']);
    });
  });
});

describe('a request through koaTransport', () => {
  const TEXT = { 'content-type': 'text/plain' };
  const post = { method: 'POST', path: '/users', headers: TEXT };

  it('has the query as it was sent, and whatever name a prototype has', async () => {
    await serving({}, async (server) => {
      expect(await server.echo('/users/constructor?__proto__=1&?x=/a/b')).to.deep.equal({
        id: 'getUser',
        path: { id: 'constructor' },
      });
      expect(await server.echo('/users/__proto__?')).to.have.property('id', 'getUser');
    });
  });

  it('whose body was read before reports that', async () => {
    const parser: Middleware = async (context, next) => {
      context.state['body'] = await consumers.text(context.req);
      await next();
    };
    await serving(
      {},
      async (server, reported) => {
        const { status, text } = await server.send({ ...post, body: 'text' });
        expect([status, text]).to.deep.equal([500, MASKED]);
        expect(reported.map(String).join()).to.match(
          /body was read before the router saw it: mount body parsers behind/,
        );
        expect((await server.get('/users')).status).to.equal(200);
      },
      (app) => app.use(parser),
    );
  });
});
