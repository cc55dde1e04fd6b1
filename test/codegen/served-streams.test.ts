/** Streams of a generated contract over koa, node and fetch: items and bytes both ways, and what ends them. */

import { expect } from 'chai';
import type { ServedHandler } from '../../src/runtime/conformance/index.js';
import { listenTo } from '../runtime/transports/listeners.js';
import { transports } from '../runtime/transports/transports.js';
import { until } from '../support/until.js';
import { fixture } from './contract-list.js';
import {
  type GeneratedContract,
  generateContract,
  removeDirectory,
  temporaryPackage,
} from './generated-contract.js';
import { Streams, of } from './served-streams.js';
import { patientNow } from '../support/durations.js';

describe('a contract of streams', () => {
  let directory = '';
  let generated: GeneratedContract;

  before(async () => {
    directory = await temporaryPackage();
    const { file, accept } = fixture('streams.openapi-3.2.yaml');
    generated = await generateContract(directory, { openapi: file, accept });
  });
  after(() => removeDirectory(directory));

  // openapi-backend is given the whole body.
  for (const { name, listen } of transports.filter((each) => each.name !== 'openapi-backend')) {
    describe(`behind ${name}`, () => {
      let streams = new Streams();
      let reported: unknown[] = [];
      let served: ServedHandler;

      beforeEach(async () => {
        streams = new Streams();
        reported = [];
        const { operations } = streams;
        const engine = generated.start({ operations, report: (error) => void reported.push(error) });
        served = await listenTo(await listen(engine));
      });
      afterEach(() => served.close());

      const send = (
        method: string,
        path: string,
        type: string,
        body: string | ReadableStream<Uint8Array>,
      ): Promise<Response> =>
        fetch(served.url + path, {
          method,
          headers: { 'content-type': type },
          body,
          ...(body instanceof ReadableStream && { duplex: 'half' }),
        });

      /** The status, and the sentence of a problem or what was counted. */
      async function told(response: Response): Promise<readonly [number, unknown]> {
        const { detail, count } = (await response.json()) as { detail?: string; count?: number };
        return [response.status, detail ?? count];
      }

      async function get(
        path: string,
        accept = '*/*',
      ): Promise<readonly [type: string | null, text: string]> {
        const response = await fetch(served.url + path, { headers: { accept } });
        return [response.headers.get('content-type'), await response.text()];
      }

      it('writes items in the media type that the client accepts', async () => {
        streams.source = () => of([{ name: 'a' }, { name: 'b', level: 2 }]);
        const lines = '{"name":"a"}\n{"name":"b","level":2}\n';
        expect(await get('/entries')).to.deep.equal(['application/jsonl', lines]);
        expect(await get('/entries', 'application/json-seq')).to.deep.equal([
          'application/json-seq',
          '\x1e{"name":"a"}\n\x1e{"name":"b","level":2}\n',
        ]);
        streams.source = () => of([{ data: 'a\nb', event: 'e', id: '1' }]);
        expect(await get('/events')).to.deep.equal([
          'text/event-stream',
          'event: e\nid: 1\ndata: a\ndata: b\n\n',
        ]);
        streams.source = () =>
          of([
            { event: 'added', data: { id: 1 } },
            { event: 'removed', data: '1' },
          ]);
        expect((await get('/changes'))[1]).to.equal(
          'event: added\ndata: {"id":1}\n\nevent: removed\ndata: 1\n\n',
        );
        expect(reported).to.deep.equal([]);
      });

      it('writes parts, each with its type', async () => {
        streams.source = () => of([{ id: 1 }, Buffer.from('PNG')]);
        const [type, text] = await get('/pictures');
        const [, boundary = ''] = /^multipart\/mixed; boundary=([\w-]+)$/.exec(type ?? '') ?? [];
        expect(text.split(`--${boundary}`)).to.deep.equal([
          '',
          '\r\nContent-Type: application/json\r\n\r\n{"id":1}\r\n',
          '\r\nContent-Type: image/png\r\n\r\nPNG\r\n',
          '--\r\n',
        ]);
      });

      it('reads items, each with its defaults and checked', async () => {
        const lines = send('POST', '/entries', 'application/jsonl', '{"name":"a"}\n{"name":"b","level":2}');
        expect(await told(await lines)).to.deep.equal([200, 2]);
        expect(streams.read).to.deep.equal([
          { name: 'a', level: 1 },
          { name: 'b', level: 2 },
        ]);
        const entries = ['{"name":"a"}', '{"name":"b"}', '{"name":"c"}', '{"name":7}'];
        expect(
          await told(await send('POST', '/entries', 'application/jsonl', entries.join('\n'))),
        ).to.deep.equal([400, 'body/3/name must be string']);
        const sequence = entries.map((entry) => `\x1e${entry}\n`).join('');
        expect(await told(await send('POST', '/entries', 'application/json-seq', sequence))).to.deep.equal([
          400,
          'body/3/name must be string',
        ]);
        expect(streams.failure).to.equal('body/3/name must be string');
      });

      it('reads events, and their data where it is JSON', async () => {
        const events = 'event: added\ndata: {"id":1}\n\nevent: removed\ndata: 1\n\n';
        expect(await told(await send('POST', '/changes', 'text/event-stream', events))).to.deep.equal([
          200, 2,
        ]);
        expect(streams.read).to.deep.equal([
          { event: 'added', data: { id: 1 } },
          { event: 'removed', data: '1' },
        ]);
        const [status, detail] = await told(
          await send('POST', '/changes', 'text/event-stream', 'event: added\ndata: {"id":"x"}\n\n'),
        );
        expect([status, String(detail).startsWith('body/0')]).to.deep.equal([400, true]);
      });

      it('reads the parts of a sequence', async () => {
        const part = (type: string, content: string): string =>
          `--b\r\ncontent-type: ${type}\r\n\r\n${content}\r\n`;
        const post = async (body: string) =>
          told(await send('POST', '/pictures', 'multipart/mixed; boundary=b', `${body}--b--`));
        expect(await post(part('application/json', '{"id":1}') + part('image/jpeg', 'JPEG'))).to.deep.equal([
          200, 2,
        ]);
        expect(streams.read).to.deep.equal([{ id: 1 }, new Uint8Array(Buffer.from('JPEG'))]);
        expect(await post(part('application/json', '{"id":1}') + part('text/html', 'x'))).to.deep.equal([
          400,
          'body/1 must be of type image/png, image/jpeg',
        ]);
        expect((await post(part('application/json', '{"id":"1"}')))[1]).to.equal('body/0/id must be integer');
      });

      it('reads a form part by part', async () => {
        const form = new FormData();
        form.append('title', 'ab');
        form.append('tags', 'x');
        form.append('tags', 'y');
        form.append('place', '{"name":"here"}');
        form.append('photo', new File(['PNG'], '../a.png', { type: 'image/png' }));
        const response = await fetch(`${served.url}/uploads`, { method: 'POST', body: form });
        expect(await told(response)).to.deep.equal([200, 5]);
        expect(streams.read).to.deep.equal([
          { name: 'title', value: 'ab' },
          { name: 'tags', value: 'x' },
          { name: 'tags', value: 'y' },
          { name: 'place', value: { name: 'here', level: 1 } },
          { name: 'photo', filename: '../a.png', contentType: 'image/png', body: 'PNG' },
        ]);
        form.append('tags', 'long');
        expect(
          await told(await fetch(`${served.url}/uploads`, { method: 'POST', body: form })),
        ).to.deep.equal([400, 'body/tags must NOT have more than 3 characters']);
        expect(
          await told(await fetch(`${served.url}/closed-uploads`, { method: 'POST', body: form })),
        ).to.deep.equal([400, 'body must NOT have additional properties: tags']);
      });

      it('takes and answers bytes as they come', async () => {
        const pieces = new ReadableStream<Uint8Array>({
          start(controller) {
            for (const text of ['ab', 'cd']) controller.enqueue(Buffer.from(text));
            controller.close();
          },
        });
        expect((await send('PUT', '/files/a', 'application/octet-stream', pieces)).status).to.equal(200);
        expect(Buffer.concat(streams.read as Uint8Array[]).toString()).to.equal('abcd');
        streams.source = () => of([Buffer.from('ab'), Buffer.from('cd')]);
        expect(await get('/files/a')).to.deep.equal(['application/octet-stream', 'abcd']);
        streams.source = () => new Response('efgh').body ?? of([]);
        expect((await get('/files/a'))[1]).to.equal('efgh');
      });

      it('answers while it reads', async () => {
        const feed = new TransformStream<Uint8Array, Uint8Array>();
        const writer = feed.writable.getWriter();
        void writer.write(Buffer.from('{"name":"a"}\n'));
        const response = await send('PUT', '/entries', 'application/jsonl', feed.readable);
        const reader = response.body?.getReader();
        const next = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
        expect(await next()).to.equal('{"name":"a","level":1}\n');
        void writer.write(Buffer.from('{"name":"b"}\n'));
        expect(await next()).to.equal('{"name":"b","level":1}\n');
        await writer.close();
        expect((await reader?.read())?.done).to.equal(true);
      });

      it('limits a body by the number of bytes that its operation allows', async () => {
        const entries = '{"name":"aaaaaaaaaa"}\n'.repeat(100);
        const tooLong = [413, 'The body must not be larger than 2000 bytes'] as const;
        expect(await told(await send('POST', '/entries', 'application/jsonl', entries))).to.deep.equal(
          tooLong,
        );
        expect(streams.read).to.deep.equal([]);
        const unknown = new Response(entries).body ?? '';
        expect(await told(await send('POST', '/entries', 'application/jsonl', unknown))).to.deep.equal(
          tooLong,
        );
        expect(streams.failure).to.equal(tooLong[1]);
      });

      it('ends the handler iterator within a second when the client goes', async () => {
        const rows: readonly (readonly [path: string, item: (count: number) => unknown])[] = [
          ['/entries', (count) => ({ name: String(count) })],
          ['/events', (count) => ({ data: String(count) })],
          ['/pictures', (count) => (count === 0 ? { id: 1 } : Buffer.from('PNG'))],
          ['/files/a', () => Buffer.from('x')],
        ];
        for (const [path, item] of rows) {
          streams.source = () => streams.ticks(item);
          const client = new AbortController();
          const response = await fetch(served.url + path, { signal: client.signal });
          await response.body?.getReader().read();
          expect(streams.open, path).to.equal(1);
          client.abort();
          const left = patientNow();
          await until(`${path} has ended`, () => streams.open === 0);
          expect(patientNow() - left, path).to.be.lessThan(1000);
        }
      });

      it('cancels a web stream that waits when the client goes', async () => {
        let isCancelled = false;
        streams.source = () =>
          new ReadableStream<Uint8Array>({
            start: (controller) => controller.enqueue(Buffer.from('x')),
            cancel: () => {
              isCancelled = true;
            },
          });
        const client = new AbortController();
        const response = await fetch(`${served.url}/files/a`, { signal: client.signal });
        await response.body?.getReader().read();
        client.abort();
        await until('the stream is cancelled', () => isCancelled);
      });

      it('ends the reading of a request whose client goes', async () => {
        const feed = new TransformStream<Uint8Array, Uint8Array>();
        const writer = feed.writable.getWriter();
        void writer.write(Buffer.from('{"name":"a"}\n')).catch(() => undefined);
        const client = new AbortController();
        const asking = fetch(`${served.url}/entries`, {
          method: 'POST',
          headers: { 'content-type': 'application/jsonl' },
          body: feed.readable,
          duplex: 'half',
          signal: client.signal,
        }).catch(() => undefined);
        await until('an item is read', () => streams.read.length === 1);
        client.abort();
        await asking;
        await until('the handler has ended', () => streams.open === 0);
        expect(streams.failure).to.equal('The request ended before its body did');
      });

      it('breaks off an answer with an item that is against the contract', async () => {
        streams.source = () => of([{ name: 'a' }, { name: 7 }]);
        const response = await fetch(`${served.url}/entries`);
        const failure = await response.text().then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(failure).to.be.instanceOf(Error);
      });
    });
  }
});
