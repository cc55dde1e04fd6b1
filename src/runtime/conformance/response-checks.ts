/** Checks that a client gets a response as the handler gave it. */

import assert from 'node:assert/strict';
import type { HttpResponse } from '../http/message.js';
import { OK, type TransportCheck, answering, serving, must } from './transport-check.js';
import { type ReceivedResponse, ask } from './client.js';

export const responseChecks: readonly TransportCheck[] = [
  gets('response-status', 'a client gets the status', { status: 418, headers: {} }, ({ status }) =>
    assert.equal(status, 418),
  ),
  gets(
    'response-headers',
    'a client gets the headers',
    { status: 200, headers: { 'X-One': 'a, b', 'Content-Type': 'text/x-odd' }, body: 'x' },
    ({ headers }) => assert.deepEqual([headers['x-one'], headers['content-type']], ['a, b', 'text/x-odd']),
  ),
  gets(
    'response-header-list',
    'a list is a header that is sent once per entry',
    { status: 200, headers: { 'Set-Cookie': ['a=1', 'b=2; Expires=Fri, 31 Dec 2027 00:00:00 GMT'] } },
    ({ headers }) =>
      assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2; Expires=Fri, 31 Dec 2027 00:00:00 GMT']),
  ),
  gets(
    'response-text',
    'a text is sent as UTF-8, with its length in bytes',
    { ...OK, body: 'né' },
    ({ text, headers }) => assert.deepEqual([text, headers['content-length']], ['né', '3']),
  ),
  gets(
    'response-bytes',
    'bytes are sent as they are, also those of a view of a larger buffer',
    { ...OK, body: Uint8Array.from([46, 65, 66, 46]).subarray(1, 3) },
    ({ text, headers }) => assert.deepEqual([text, headers['content-length']], ['AB', '2']),
  ),
  gets(
    'response-empty',
    'a response without a body has no content and no media type',
    { status: 404, headers: {} },
    ({ status, text, headers }) =>
      assert.deepEqual([status, text, headers['content-type']], [404, '', undefined]),
  ),
  gets(
    'response-204',
    'a 204 has no content and no length',
    { status: 204, headers: { ETag: '"1"' } },
    ({ status, text, headers }) =>
      assert.deepEqual([status, text, headers['content-length'], headers.etag], [204, '', undefined, '"1"']),
  ),
  gets(
    'response-304',
    'a 304 has no content',
    { status: 304, headers: { ETag: '"1"' } },
    ({ status, text }) => assert.deepEqual([status, text], [304, '']),
  ),
  gets(
    'response-head',
    'HEAD is answered with the headers, and without the body',
    { status: 200, headers: { 'Content-Type': 'text/x-odd' }, body: 'text' },
    ({ status, text, headers }) =>
      assert.deepEqual([status, text, headers['content-type']], [200, '', 'text/x-odd']),
    'HEAD',
  ),
  must(
    'response-length',
    'a length that the handler gives is sent once, and as it is for the body',
    async (serve) => {
      for (const [name, length] of [
        ['Content-Length', '4'],
        ['content-length', '2'],
        ['Content-Length', '7'],
        ['Content-Length', 'long'],
      ] as const) {
        for (const body of ['text', Uint8Array.from([116, 101, 120, 116])]) {
          await answering(serve, { headers: { [name]: length }, body }, async (url) => {
            const { text, headers, names, isComplete } = await ask(url);
            assert.deepEqual([text, headers['content-length'], isComplete], ['text', '4', true]);
            assert.equal(names.filter((each) => each === 'content-length').length, 1);
            assert.equal((await ask(url, { method: 'HEAD' })).headers['content-length'], '4');
          });
        }
      }
    },
  ),
  gets(
    'response-length-head',
    'a response to HEAD without a body has the length that the handler gives',
    { status: 200, headers: { 'Content-Length': '1234', 'Content-Type': 'text/x-odd' } },
    ({ text, headers, isComplete }) =>
      assert.deepEqual(
        [text, headers['content-length'], headers['content-type'], isComplete],
        ['', '1234', 'text/x-odd', true],
      ),
    'HEAD',
  ),
  gets(
    'response-length-204',
    'a 204 has no length, also where the handler gives one',
    { status: 204, headers: { 'Content-Length': '4' } },
    ({ status, headers }) => assert.deepEqual([status, headers['content-length']], [204, undefined]),
  ),
  gets(
    'response-encoding',
    'a transfer encoding that the handler gives is not sent beside a length',
    { status: 200, headers: { 'Transfer-Encoding': 'chunked' }, body: 'text' },
    ({ text, headers, isComplete }) =>
      assert.deepEqual(
        [text, headers['content-length'], headers['transfer-encoding'], isComplete],
        ['text', '4', undefined, true],
      ),
  ),
  gets(
    'response-date',
    'a date that the handler gives is sent once, in place of the own one of the server',
    { status: 200, headers: { Date: 'Fri, 31 Dec 2027 00:00:00 GMT' } },
    ({ headers, names }) =>
      assert.deepEqual(
        [headers.date, names.filter((name) => name === 'date').length],
        ['Fri, 31 Dec 2027 00:00:00 GMT', 1],
      ),
  ),
  must('response-close', 'a handler may ask for the end of the connection', (serve) => {
    const response = { headers: { Connection: 'close' }, body: 'text' };
    return answering(serve, response, async (url) => {
      const { text, headers, names } = await ask(url, { headers: { connection: 'keep-alive' } });
      assert.deepEqual([text, headers.connection], ['text', 'close']);
      assert.equal(names.filter((name) => name === 'connection').length, 1);
    });
  }),
  must('response-promise', 'a handler may answer at once or later', async (serve) => {
    for (const response of [{ ...OK, body: 'a' }, Promise.resolve({ ...OK, body: 'a' })]) {
      await serving(
        serve,
        () => response,
        async (url) => {
          assert.equal((await ask(url)).text, 'a');
        },
      );
    }
  }),
  must(
    'response-throws',
    'a handler that throws or rejects gives a 500 that reveals nothing of the error, and the server keeps running',
    (serve) => {
      const failing = ({ path }: { readonly path: string }): HttpResponse | Promise<HttpResponse> => {
        if (path === '/throw') throw new Error('secret');
        return path === '/reject' ? Promise.reject(new Error('secret')) : OK;
      };
      return serving(serve, failing, async (url) => {
        for (const path of ['/throw', '/reject']) {
          const { status, text } = await ask(url, { path });
          assert.equal(status, 500);
          assert.doesNotMatch(text, /secret/);
        }
        assert.equal((await ask(url)).status, 200);
      });
    },
  ),
];

function gets(
  id: string,
  name: string,
  response: HttpResponse,
  test: (answer: ReceivedResponse) => void,
  method = 'GET',
): TransportCheck {
  return must(id, name, (serve) =>
    answering(serve, response, async (url) => {
      test(await ask(url, { method }));
    }),
  );
}
