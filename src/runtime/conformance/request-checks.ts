/** Checks that a handler sees a request as the client sent it. */

import assert from 'node:assert/strict';
import { Problem } from '../http/problem.js';
import type { HttpHandler, HttpRequest } from '../http/message.js';
import { OK, type TransportCheck, deferred, recording, serving, soon, must } from './transport-check.js';
import { type Question, ask, leave } from './client.js';

const OCTETS = { 'content-type': 'application/octet-stream' };
const JSON_BODY = { headers: { 'content-type': 'application/json' }, body: '{"a":[1,"é"]}' };
const LARGE = 'é0123456'.repeat(40_000);

export const requestChecks: readonly TransportCheck[] = [
  sees('MUST', 'request-method', 'a handler sees the method', { method: 'PATCH' }, ({ method }) => [
    method,
    'PATCH',
  ]),
  sees(
    'MUST',
    'request-path',
    'a handler sees the path as it was sent, without the query',
    { path: '/a%2Fb/c%20d/?x=1' },
    ({ path }) => [path, '/a%2Fb/c%20d/'],
  ),
  sees(
    'MUST',
    'request-query',
    'a handler sees the query as it was sent, without the question mark',
    { path: '/?a=%20b&a=+?&c' },
    ({ query }) => [query, 'a=%20b&a=+?&c'],
  ),
  sees('MUST', 'request-no-query', 'the query is empty where there is none', {}, ({ query }) => [query, '']),
  sees(
    'MUST',
    'request-headers',
    'a handler sees headers by their names in lower case',
    { headers: { 'X-Ask': 'One, Two' } },
    ({ headers }) => [headers['x-ask'], 'One, Two'],
  ),
  reads('request-body', 'readBody gives a body in one piece', { body: 'né' }, whole, 'né'),
  reads('request-body-chunked', 'readBody gives a chunked body', { body: ['a', 'b', 'c'] }, whole, 'abc'),
  reads('request-body-large', 'readBody gives a large body', { body: LARGE }, whole, LARGE),
  reads('request-body-stream', 'body gives the pieces of a body in order', { body: LARGE }, pieces, LARGE),
  reads('request-body-none', 'body and readBody are empty where there is no body', {}, whole, ''),
  reads(
    'request-body-json',
    'a JSON body arrives, also behind a body parser',
    JSON_BODY,
    whole,
    '{"a":[1,"é"]}',
  ),
  must(
    'request-body-limit',
    'readBody rejects with a 413 past its limit, with and without a declared length',
    (serve) => {
      const handler: HttpHandler = async (request) => {
        const status = await request.readBody(10).then(
          () => 200,
          (error: unknown) => (error instanceof Problem ? error.status : 500),
        );
        return { status, headers: {} };
      };
      return serving(serve, handler, async (url) => {
        const bodies = ['x'.repeat(10), 'x'.repeat(11), ['x'.repeat(9), 'xx'], ['x'.repeat(300_000)]];
        const statuses = [];
        for (const body of bodies) {
          statuses.push((await ask(url, { method: 'POST', headers: OCTETS, body })).status);
        }
        assert.deepEqual(statuses, [200, 413, 413, 413]);
      });
    },
  ),
  must('request-body-unread', 'a handler need not read the body', (serve) =>
    serving(serve, recording(), async (url) => {
      const { status } = await ask(url, { method: 'POST', headers: OCTETS, body: 'x'.repeat(200_000) });
      assert.equal(status, 200);
    }),
  ),
  must('request-body-broken', 'readBody rejects with a 400 when the client breaks off', (serve) => {
    const called = deferred();
    const outcome = deferred<unknown>();
    const handler: HttpHandler = async (request) => {
      called.resolve();
      await request.readBody(1000).then(outcome.resolve, outcome.resolve);
      return OK;
    };
    return serving(serve, handler, async (url) => {
      await leave(url, called.promise, { method: 'POST', body: 'half' });
      const error = await soon('the end of readBody', outcome.promise);
      assert.ok(error instanceof Problem, 'readBody must reject with a Problem');
      assert.equal(error.status, 400);
    });
  }),
  must('request-signal', 'the signal aborts when the client goes before the response', (serve) => {
    const called = deferred();
    const aborted = deferred();
    const handler: HttpHandler = async ({ signal }) => {
      called.resolve();
      assert.equal(signal.aborted, false);
      signal.addEventListener('abort', () => aborted.resolve());
      await aborted.promise;
      return OK;
    };
    return serving(serve, handler, async (url) => {
      await leave(url, called.promise);
      try {
        await soon('the abort of the signal', aborted.promise);
      } finally {
        aborted.resolve();
      }
    });
  }),
  must('request-signal-calm', 'the signal does not abort when the client has the whole response', (serve) => {
    const signals: AbortSignal[] = [];
    const handler: HttpHandler = ({ signal }) => {
      signals.push(signal);
      return { ...OK, body: 'done' };
    };
    return serving(serve, handler, async (url) => {
      await ask(url);
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        [false],
      );
    });
  }),
  sees('SHOULD', 'request-address', 'a handler sees the address of the client', {}, ({ address }) => [
    /^(?:::ffff:)?127\.0\.0\.1$|^::1$/.test(address ?? ''),
    true,
  ]),
];

function whole(request: HttpRequest): Promise<string> {
  return request.readBody(1_000_000).then((bytes) => Buffer.from(bytes).toString());
}

async function pieces({ body }: HttpRequest): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** @param compare - maps the request to the actual and the expected value */
function sees(
  level: TransportCheck['level'],
  id: string,
  name: string,
  question: Question,
  compare: (request: HttpRequest) => readonly [actual: unknown, expected: unknown],
): TransportCheck {
  return {
    id,
    level,
    name,
    run: (serve) => {
      const compared: (readonly [unknown, unknown])[] = [];
      // Compared during the request, because servers may discard its data afterwards.
      const handler: HttpHandler = (request) => {
        compared.push(compare(request));
        return OK;
      };
      return serving(serve, handler, async (url) => {
        await ask(url, question);
        assert.equal(compared.length, 1, 'the handler must be called once');
        for (const [actual, expected] of compared) assert.equal(actual, expected);
      });
    },
  };
}

function reads(
  id: string,
  name: string,
  question: Question,
  read: (request: HttpRequest) => Promise<string>,
  expected: string,
): TransportCheck {
  return must(id, name, (serve) => {
    const handler: HttpHandler = async (request) => ({ ...OK, body: await read(request) });
    return serving(serve, handler, async (url) => {
      const answer = await ask(url, { method: 'POST', headers: OCTETS, ...question });
      assert.equal(answer.status, 200);
      assert.ok(answer.text === expected, 'the handler must read the body that was sent');
    });
  });
}
