/** Tests values with types of their own in the items of streams, and in webhooks. */

import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { type DecodedRequest, type RestEngine, memoryRequest } from '@concordat/runtime';
import { webhookClient } from '@concordat/runtime/client';
import type { OutgoingContract } from '../../../../src/runtime/contract/outgoing.js';
import { generateContract, removeDirectory, temporaryPackage } from '../../generated-contract.js';
import { complaints } from '../../strict-compiler.js';

const openapi = fileURLToPath(new URL('../../../fixtures/values/streams.yaml', import.meta.url));

const at = '2024-02-29T12:30:00.250Z';
const id = 9007199254740993n;
const visit = { id, at: new Date(at) };
const written = `{"id":${String(id)},"at":"${at}"}`;

const TYPED = `
import type { Operations, Webhooks } from './operations.js';
import { contract } from './routing.js';
import { webhooks } from './outgoing.js';

export const echoVisits: Operations['echoVisits'] = async ({ body, contentType }) => {
  if (contentType !== 'application/jsonl') throw new Error(contentType);
  async function* later() {
    for await (const { id, at } of body as AsyncIterable<{ id: bigint; at: Date }>) yield { id: id + 1n, at };
  }
  return { status: 200, contentType, body: later() };
};
export const sent: Webhooks['visited']['request'] = { query: { since: new Date() }, body: { id: 1n, at: new Date() } };
export { contract, webhooks };
`;

interface Visited {
  readonly visited: {
    readonly request: { readonly query: object; readonly body: object };
    readonly answer: { readonly status: number };
  };
}

describe('values with types of their own', () => {
  let directory = '';
  let engine: RestEngine<string>;
  let given: unknown[] = [];
  before(async () => {
    directory = await temporaryPackage();
    const { start } = await generateContract(directory, {
      openapi,
      values: { 'date-time': 'Date', int64: 'bigint' },
    });
    async function* seen(items: AsyncIterable<unknown>) {
      for await (const item of items) {
        given.push(item);
        yield item;
      }
    }
    engine = start({
      operations: {
        echoVisits: ({ body, contentType = '' }: DecodedRequest) => ({
          status: 200,
          contentType,
          body: seen(body as AsyncIterable<unknown>),
        }),
      },
    });
  });
  after(() => removeDirectory(directory));

  async function echo(contentType: string, body: string): Promise<string> {
    given = [];
    const headers = {
      'content-type': contentType,
      'content-length': String(body.length),
      accept: contentType,
    };
    const request = memoryRequest({ method: 'POST', path: '/visits', headers, body: Buffer.from(body) });
    const answer = await engine(request);
    return await textOf(answer.body as AsyncIterable<Uint8Array>);
  }

  it('are in the types of streams and webhooks', async () => {
    await writeFile(join(directory, 'typed.ts'), TYPED);
    expect(complaints(directory, ['typed.ts'])).to.deep.equal([]);
  });

  for (const [contentType, body, item] of [
    ['application/jsonl', `${written}\n`, visit],
    ['application/json-seq', `\x1e${written}\n`, visit],
    ['text/event-stream', `data: ${written}\n\n`, { data: visit }],
  ] as const) {
    it(`are the items of ${contentType}`, async () => {
      expect(await echo(contentType, body)).to.equal(body);
      expect(given).to.deep.equal([item]);
    });
  }

  it('are refused at their place in an item', async () => {
    const failure = await echo('application/jsonl', `${written}\n{"id":1,"at":"today"}\n`).catch(String);
    expect(failure).to.include('body/1/at');
  });

  it('are what webhooks send and are answered', async () => {
    const module = (await import(pathToFileURL(join(directory, 'outgoing.ts')).href)) as {
      readonly webhooks: OutgoingContract<Visited>;
    };
    const received: string[] = [];
    const server = createServer((request, response) => {
      void textOf(request).then((body) => {
        received.push(request.url ?? '', body);
        response.writeHead(200, { 'Content-Type': 'application/json', 'Taken-At': at }).end(body);
      });
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
      const answer = await webhookClient(module.webhooks).send('visited', {
        url,
        query: { since: new Date(at) },
        body: visit,
      });
      expect(received).to.deep.equal([`/?since=${encodeURIComponent(at)}`, written]);
      expect(answer).to.deep.equal({
        status: 200,
        headers: { 'Taken-At': new Date(at) },
        contentType: 'application/json',
        body: visit,
      });
    } finally {
      server.close();
    }
  });
});
