/** `concordat verify` reads streams for a moment, and holds the items that came against their `itemSchema`. */

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { verifyOpenapi } from '../../../../src/tools/verify/openapi/verify-openapi.js';
import type { VerifyReport } from '../../../../src/tools/verify/run/verify-report.js';

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

describe('verify: streams', function () {
  this.timeout(30_000);
  let directory = '';
  let openapi = '';
  let server: Server;
  /** The value of each item, whose number is given. */
  let value: (n: number) => unknown = (n) => n;
  let isSlow = false;
  /** Whether the parts say that they are no JSON. */
  let isOfOtherType = false;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-streams-'));
    openapi = join(directory, 'openapi.json');
    await writeFile(openapi, JSON.stringify(document));
    server = createServer(({ method, url }, response) => {
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
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await rm(directory, { recursive: true, force: true });
  });

  function run(): Promise<VerifyReport> {
    const { port } = server.address() as AddressInfo; // it listens on a port
    const url = `http://127.0.0.1:${String(port)}`;
    const budget = { seed: 1, requests: 100, seconds: 20, warn: [], skip: [], protect: [] };
    return verifyOpenapi({ url, openapi, credentials: {}, ...budget });
  }

  it('finds nothing in streams of items that fit', async () => {
    value = (n) => n;
    isSlow = true;
    const { violations, operations } = await run();
    isSlow = false;
    expect(violations).to.deep.equal([]);
    expect(operations.map(({ successes }) => successes > 0)).to.deep.equal([true, true, true]);
  });

  it('finds the first item that does not fit', async () => {
    value = (n) => (n < 3 ? n : String(n));
    const { violations } = await run();
    expect(violations.map(({ rule, operation, message }) => [rule, operation, message])).to.deep.equal([
      ['wrong-answer', 'GET /lines', '200: body/2/n must be integer'],
      ['wrong-answer', 'GET /events', '200: body/2/data/n must be integer'],
      ['wrong-answer', 'GET /parts', '200: body/2/n must be integer'],
    ]);
  });

  it('finds a part of another content type', async () => {
    value = (n) => n;
    isOfOtherType = true;
    const { violations } = await run();
    expect(violations.map(({ rule, message }) => [rule, message])).to.deep.equal([
      ['wrong-answer', '200: body/0 must be of type application/json'],
    ]);
  });
});
