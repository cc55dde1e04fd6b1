/** The client of a service with streams: both directions at once, parts of forms, bytes, and items that do not fit. */

import { expect } from 'chai';
import type { Answer } from '@concordat/runtime';
import { testClient } from '@concordat/runtime/testing';
import { Streams, of } from '../../codegen/served-streams.js';
import { until } from '../../support/until.js';
import { type Loose, clientOf, listen, rejection, served, useServers } from './served-client.js';

describe('restClient with streams', () => {
  useServers();
  const streams = new Streams();
  let client: Loose;
  let setup: Awaited<ReturnType<typeof served>>;
  before(async () => {
    setup = await served('streams.openapi-3.2.yaml', { operations: streams.operations });
    ({ client } = setup);
  });
  beforeEach(() => {
    streams.read = [];
  });

  it('sends items as they are made, and gets them as they are answered, at the same time', async () => {
    let next: (name: string) => void = () => undefined;
    async function* entries() {
      yield { name: 'first', level: 1 };
      yield { name: await new Promise<string>((resolve) => (next = resolve)), level: 2 };
    }
    const answer = await client['echoEntries']?.({ body: entries() });
    const items = (answer?.body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    expect(await items.next()).to.deep.equal({ done: false, value: { name: 'first', level: 1 } });
    next('second');
    expect(await items.next()).to.deep.equal({ done: false, value: { name: 'second', level: 2 } });
    expect(await items.next()).to.include({ done: true });
  });

  const bodies: readonly (readonly [id: string, body: readonly unknown[], read?: readonly unknown[]])[] = [
    [
      'addEntries',
      [
        { name: 'a', level: 1 },
        { name: 'b', level: 2 },
      ],
    ],
    ['addEvents', [{ data: 'a\nb' }, { data: 'c', event: 'added' }]],
    ['addPictures', [{ id: 1 }, Uint8Array.of(1, 2)]],
    ['writeFile', [Uint8Array.of(1), Uint8Array.of(2)], [Uint8Array.of(1, 2)]],
  ];
  for (const [id, items, read = items] of bodies) {
    it(`sends the stream of ${id}`, async () => {
      const answer = await client[id]?.({ path: { name: 'a' }, body: of(items) });
      expect(answer?.status, JSON.stringify(answer)).to.equal(200);
      const pieces = streams.read.every((each) => each instanceof Uint8Array)
        ? [new Uint8Array(Buffer.concat(streams.read))]
        : streams.read.map((each) => (each instanceof Uint8Array ? new Uint8Array(each) : each));
      expect(pieces).to.deep.equal(read);
    });
  }

  it('sends a form part by part, with its files as they are made', async () => {
    const parts = [
      { name: 'title', value: 'a "b"' },
      { name: 'size', value: 7 },
      {
        name: 'photo',
        filename: 'a"b.png',
        contentType: 'image/png',
        body: of([Uint8Array.of(65), Uint8Array.of(66)]),
      },
    ];
    const answer = await client['upload']?.({ body: of(parts) });
    expect(answer?.status, JSON.stringify(answer)).to.equal(200);
    const [title, size, photo] = parts;
    expect(streams.read).to.deep.equal([title, size, { ...photo, body: 'AB' }]);
  });

  it('sends and gets the same without a socket, with testClient', async () => {
    const direct = testClient(setup.engine, setup.contract) as unknown as Loose;
    const entries = [{ name: 'a', level: 1 }];
    const echoed = await direct['echoEntries']?.({ body: of(entries) });
    const items: unknown[] = [];
    for await (const item of echoed?.body as AsyncIterable<unknown>) items.push(item);
    expect(items).to.deep.equal(entries);
    streams.source = () => of([Uint8Array.of(65), Uint8Array.of(66)]);
    const file = await direct['readFile']?.({ path: { name: 'a' } });
    expect(await new Response(file?.body as ReadableStream).text()).to.equal('AB');
  });

  it('gets bytes as a stream, which its signal aborts', async () => {
    streams.source = () => streams.ticks(() => Uint8Array.of(1));
    const controller = new AbortController();
    const answer = await client['readFile']?.({ path: { name: 'a' } }, { signal: controller.signal });
    const reader = (answer?.body as ReadableStream<Uint8Array>).getReader();
    expect((await reader.read()).value?.[0]).to.equal(1);
    controller.abort();
    expect(await rejection(reader.closed)).to.include({ name: 'AbortError' });
    await until('the stream is released', () => streams.open === 0);
  });

  it('rejects where an item does not fit, or reports it', async () => {
    const { contract, responseChecks } = setup;
    const url = await listen((_request, response) => {
      response.setHeader('Content-Type', 'application/jsonl');
      response.end('{"name":"a"}\n{"name":1}\n{"name":"c"}\n');
    });
    const readAll = async (answer: Answer | undefined) => {
      const items: unknown[] = [];
      for await (const item of answer?.body as AsyncIterable<unknown>) items.push(item);
      return items;
    };
    const strict = clientOf(contract, url, { responseChecks });
    const problem = 'readEntries was answered 200 against the contract: body/1/name must be string';
    expect(await rejection(readAll(await strict['readEntries']?.()))).to.include({ message: problem });
    const reported: string[] = [];
    const report = ({ message }: Error) => void reported.push(message);
    const lenient = clientOf(contract, url, { responseChecks, check: 'report', report });
    expect(await readAll(await lenient['readEntries']?.())).to.have.length(3);
    expect(reported).to.deep.equal([problem]);
  });
});
