/** Whatever is printed of a request, and of what carries one, has its method, path and id, and no credential. */

import { Console } from 'node:console';
import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { format, inspect } from 'node:util';
import { expect } from 'chai';
import { buildSchema } from 'graphql';
import { pino } from 'pino';
import { graphqlEngine } from '../../../src/runtime/graphql/index.js';
import { type HttpHandler, type HttpRequest, Problem, memoryRequest } from '../../../src/runtime/index.js';
import { ConnectedClient } from '../../../src/runtime/transports/graphql-ws/protocol.js';
import { listeners, listenTo } from '../transports/listeners.js';
import { transports, withListener } from '../transports/transports.js';
import { oneOperation } from '../rest/one-operation.js';

const SECRET = 'secret-1f2e';
const SENT = {
  authorization: `Bearer ${SECRET}`,
  cookie: `session=${SECRET}`,
  'x-api-key': SECRET,
  'x-request-id': 'request-7',
};
const TARGET = `/thing?token=${SECRET}`;

/** Writes with a console, as a program does. */
function written(write: (console: Console) => void): string {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  write(new Console(stream, stream));
  return text;
}

function logged(value: unknown): string {
  let text = '';
  pino({ level: 'info' }, { write: (line: string) => (text += line) }).info({ value }, 'logged');
  return text;
}

/** By the way in which a value is printed. */
const PRINTS: Readonly<Record<string, (value: unknown) => string>> = {
  inspect: (value) => inspect(value),
  'inspect to any depth, with all that is hidden': (value) =>
    inspect(value, { depth: Infinity, showHidden: true, getters: false }),
  'inspect that asks no value how it is printed': (value) =>
    inspect(value, { depth: Infinity, showHidden: true, customInspect: false }),
  '%o': (value) => format('%o', value),
  '%O': (value) => format('%O', value),
  '%j': (value) => format('%j', value),
  'console.error': (value) => written((console) => console.error(new Error('failed'), value)),
  'console.dir': (value) => written((console) => console.dir(value, { depth: null })),
  'JSON.stringify': (value) => JSON.stringify(value),
  pino: logged,
  'a copy of its properties': (value) => JSON.stringify({ ...(value as object) }),
};

/** @param beside - what is printed with it */
function expectPrinted(value: unknown, ways: readonly string[] = Object.keys(PRINTS)): void {
  for (const way of ways) {
    const text = PRINTS[way]?.(value) ?? '';
    expect(text, way).not.to.include(SECRET);
    expect(text.split('\n').length, way).to.be.below(40);
  }
}

const served = { ...listeners };

describe('a request that is printed', () => {
  for (const [name, listen] of Object.entries(served)) {
    it(`shows its method, path and id alone, behind ${name}`, async () => {
      let request: HttpRequest | undefined;
      const handler: HttpHandler = async (received) => {
        request = received;
        await received.readBody(1000);
        expect(received.headers['authorization']).to.equal(SENT.authorization);
        expect(received.query).to.equal(`token=${SECRET}`);
        expect(received.signal.aborted).to.equal(false);
        return { status: 204, headers: {} };
      };
      const server = await listenTo(listen(handler));
      try {
        const headers = { ...SENT, 'content-type': 'text/plain' };
        expect((await fetch(server.url + TARGET, { method: 'POST', headers, body: SECRET })).status).to.equal(
          204,
        );
      } finally {
        await server.close();
      }
      expectPrinted(request);
      expect(JSON.parse(JSON.stringify(request))).to.deep.equal({
        method: 'POST',
        path: '/thing',
        id: 'request-7',
      });
      expect(inspect(request)).to.equal("{ method: 'POST', path: '/thing', id: 'request-7' }");
    });
  }

  it('shows no more where it is in memory, or inside another value', () => {
    const request = memoryRequest({
      method: 'POST',
      path: '/thing',
      query: `token=${SECRET}`,
      headers: SENT,
      body: SECRET,
    });
    expectPrinted(request);
    expectPrinted({ failed: [{ request }] });
    expectPrinted(Object.assign(new Error('failed'), { request }), [
      'inspect',
      '%o',
      'JSON.stringify',
      'pino',
    ]);
    expect(inspect({ failed: [{ request }] }, { depth: null })).to.include("path: '/thing'");
  });

  it('shows no id that no proxy gives', () => {
    const headers = { 'x-request-id': 'x'.repeat(200) };
    expect(JSON.stringify(memoryRequest({ headers }))).to.equal('{"method":"GET","path":"/"}');
  });
});

describe('a failure that is reported', () => {
  for (const { name, listen } of transports) {
    it(`is a few lines without credentials, behind ${name}`, async () => {
      let lines = '';
      const report = (...reported: readonly unknown[]): void => {
        lines += written((console) => console.error(...reported));
      };
      const handler = (): never => {
        throw new Error('the handler failed');
      };
      const engine = oneOperation({ handler, report, operation: { requestBody: undefined as never } });
      await withListener(await listen(engine), async (url) => {
        const headers = { ...SENT, 'content-type': 'text/plain' };
        const { status } = await fetch(url + TARGET, { method: 'POST', headers });
        expect(status).to.equal(500);
      });
      expect(lines).to.include('the handler failed').and.include("path: '/thing'").and.include('request-7');
      expect(lines).not.to.include(SECRET);
      expect(lines.split('\n').length).to.be.below(20);
    });
  }

  it('has the context of its call without credentials', async () => {
    let context: unknown;
    const engine = oneOperation({
      handler: (_request, given) => {
        context = given;
        throw new Problem(409, 'Busy');
      },
    });
    await engine.send({ headers: SENT, query: `token=${SECRET}` });
    expectPrinted(context, ['inspect', '%o', 'console.error', 'JSON.stringify', 'pino']);
    expect(JSON.parse(JSON.stringify(context))).to.deep.equal({
      operationId: 'doIt',
      request: { method: 'POST', path: '/thing', id: 'request-7' },
    });
  });

  it('has the place of a GraphQL error without credentials', () => {
    const places: unknown[] = [];
    const engine = graphqlEngine<undefined>({
      schema: buildSchema('type Query { a: Int }'),
      explain: () => undefined,
      report: (_error, place) => places.push(place),
    });
    engine.failure(new Error('failed'), SENT);
    expect(places).to.have.length(1);
    expectPrinted(places[0]);
    expect((places[0] as { headers: unknown }).headers).to.equal(SENT);
    expect(JSON.stringify(places[0])).to.equal('{"id":"request-7"}');
  });

  it('has the client of a WebSocket without credentials', () => {
    const client = new ConnectedClient(
      { headers: SENT } as unknown as IncomingMessage,
      { authorization: SECRET },
      '203.0.113.7',
    );
    expectPrinted(client);
    expect(client.connectionParams).to.deep.equal({ authorization: SECRET });
    expect(JSON.stringify(client)).to.equal('{"address":"203.0.113.7","id":"request-7"}');
  });

  it('has no text of a header that cannot be sent', async () => {
    const engine = oneOperation({
      handler: () => ({ status: 200, body: 1, headers: { 'Set-Cookie': [`session=${SECRET}\n`] } }),
    });
    await engine.send();
    expect(engine.reported).to.have.length(1);
    expect(String(engine.reported[0])).to.equal('TypeError: A header cannot hold "\\n"');
  });
});
