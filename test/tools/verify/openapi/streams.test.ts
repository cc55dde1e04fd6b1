/** `concordat verify` reads streams for a moment, and holds the items that came against their `itemSchema`. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { verifyDocument } from './verify-document.js';

const tick = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const event = {
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'string', contentMediaType: 'application/json', contentSchema: tick } },
};
const answers = (content: object): object => ({
  get: { responses: { 200: { description: 'Items', content } } },
});
const document = {
  openapi: '3.2.0',
  info: { title: 'Ticks', version: '1' },
  paths: {
    '/lines': answers({ 'application/jsonl': { itemSchema: tick } }),
    '/events': answers({ 'text/event-stream': { itemSchema: event } }),
    '/parts': answers({ 'multipart/related': { itemSchema: tick } }),
  },
};

/** What each stream sends around the value of an item. */
const STREAMS: Readonly<
  Record<string, { readonly type: string; readonly around: readonly [string, string] }>
> = {
  '/lines': { type: 'application/jsonl', around: ['{"n":', '}\n'] },
  '/events': { type: 'text/event-stream', around: ['data: {"n":', '}\n\n'] },
  '/parts': { type: 'multipart/related; boundary=b', around: ['--b\r\n\r\n{"n":', '}\r\n'] },
};

describe('verify: streams', () => {
  /** The value of each item, whose number is given. */
  let value: (n: number) => unknown = (n) => n;
  let isSlow = false;
  /** Whether the parts say that they are no JSON. */
  let isOfOtherType = false;

  function answer({ method, url }: IncomingMessage, response: ServerResponse): void {
    const stream = STREAMS[url ?? ''];
    if (method !== 'GET' || stream === undefined) {
      response.writeHead(405, { allow: 'GET' }).end();
      return;
    }
    const type = isOfOtherType && url === '/parts' ? 'Content-Type: text/html\r\n' : '';
    response.writeHead(200, { 'content-type': stream.type });
    // Without an end, and in the middle of an item whenever it is cut.
    const [start, end] = [stream.around[0].replace('\r\n', `\r\n${type}`), stream.around[1]];
    let n = 0;
    const item = (): string => `${JSON.stringify(value((n += 1)))}${end}${start}`;
    // Enough of it is read at once; only one stream is read for as long as one is.
    const count = isSlow && url === '/lines' ? 1 : 8000;
    response.write(`${start}${Array.from({ length: count }, item).join('')}`);
    const timer = setInterval(() => void response.write(item()), 20);
    response.on('close', () => {
      clearInterval(timer);
    });
  }

  it('finds nothing in streams of items that fit', async () => {
    value = (n) => n;
    isSlow = true;
    const { violations, operations } = await verifyDocument(document, answer, { requests: 100 });
    isSlow = false;
    expect(violations).to.deep.equal([]);
    expect(operations.map(({ successes }) => successes > 0)).to.deep.equal([true, true, true]);
  });

  it('finds the first item that does not fit', async () => {
    value = (n) => (n < 3 ? n : String(n));
    const { violations } = await verifyDocument(document, answer, { requests: 100 });
    expect(violations.map(({ rule, operation, message }) => [rule, operation, message])).to.deep.equal([
      ['wrong-answer', 'GET /lines', '200: body/2/n must be integer'],
      ['wrong-answer', 'GET /events', '200: body/2/data/n must be integer'],
      ['wrong-answer', 'GET /parts', '200: body/2/n must be integer'],
    ]);
  });

  it('finds a part of another content type', async () => {
    value = (n) => n;
    isOfOtherType = true;
    const { violations } = await verifyDocument(document, answer, { requests: 100 });
    expect(violations.map(({ rule, message }) => [rule, message])).to.deep.equal([
      ['wrong-answer', '200: body/0 must be of type application/json'],
    ]);
  });
});
