/** Streams of a mock: a few items of the schema, or those of an example. */

import { type Server, createServer } from 'node:http';
import { expect } from 'chai';
import { nodeTransport } from '@concordat/runtime/node';
import { mockHandler } from '@concordat/tools/mock';
import { fixture } from '../../codegen/contract-list.js';
import { listening, mockOf } from './mock-server.js';

describe('concordat mock, of streams', () => {
  const streams = fixture('streams.openapi-3.2.yaml').file;
  const pet = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const written = {
    openapi: '3.2.0',
    info: { title: 'Written', version: '1' },
    paths: {
      '/': {
        get: {
          responses: {
            200: {
              description: 'x',
              content: {
                'application/jsonl': { itemSchema: pet, example: [{ name: 'Rex' }, { name: 'Tom' }, {}] },
                'application/json-seq': { itemSchema: pet, example: [{ name: 'Rex' }] },
              },
            },
          },
        },
      },
    },
  };
  const rows: readonly (readonly [path: string, type: string, body: RegExp])[] = [
    ['/entries', 'application/jsonl', /^\{"name":"Example","level":1\}\n\{"name":"Example","level":1\}\n$/],
    ['/entries', 'application/json-seq', /^(?:.\{"name":"Example","level":1\}\n){2}$/],
    ['/changes', 'text/event-stream', /^(?:event: added\ndata: \{"id":1\}\n\n){2}$/],
    ['/pictures', 'multipart/mixed', /application\/json\r\n\r\n\{"id":1\}\r\n.*image\/png\r\n\r\n./s],
    ['/files/a', 'application/octet-stream', /^bytes$/],
  ];
  let server: Server;
  let url = '';
  before(async () => {
    server = createServer(nodeTransport(await mockHandler(streams)));
    url = await listening(server);
  });
  after(() => server.close());

  for (const [path, type, body] of rows) {
    it(`sends ${path} as ${type}`, async () => {
      const answer = await fetch(url + path, { headers: { accept: type } });
      expect(answer.headers.get('content-type')).to.match(new RegExp(`^${type}`));
      expect(await answer.text()).to.match(body);
    });
  }

  const event = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const bytes = { type: 'string', format: 'binary' };
  const wholes: readonly (readonly [
    type: string,
    schema: object | undefined,
    body: RegExp,
    example?: unknown,
  ])[] = [
    ['text/event-stream', event, /^(?:data: \{"id":1\}\n\n){2}$/],
    ['text/event-stream', { type: 'string' }, /^(?:data: text\n\n){2}$/],
    ['text/event-stream', undefined, /^(?:data: text\n\n){2}$/],
    [
      'text/event-stream',
      { type: 'array' },
      /^event: added\ndata: \{"id":7\}\n\n$/,
      [{ event: 'added', data: { id: 7 } }],
    ],
    ['text/event-stream', { type: 'string' }, /^id: 4\ndata: b\n\n$/, 'id: 4\ndata: b\n\n'],
    ['application/x-ndjson', event, /^(?:\{"id":1\}\n){2}$/],
    ['application/jsonl', { type: 'array', minItems: 3, items: event }, /^(?:\{"id":1\}\n){3}$/],
    ['application/json-seq', event, /^(?:.\{"id":1\}\n){2}$/],
    ['image/png', bytes, /^\u0089PNG\r\n.\n.*IEND.{4}$/s],
    ['image/png', { type: 'string' }, /^\u0089PNG\r\n.\n.*IEND.{4}$/s],
    ['image/gif', undefined, /^GIF89a.*;$/s],
    ['image/jpeg', bytes, /^\xff\xd8\xff.*\xff\xd9$/s],
    ['image/webp', bytes, /^RIFF.{4}WEBP/s],
    ['image/svg+xml', { type: 'string' }, /^<svg xmlns="[^"]+" width="1" height="1"\/>$/],
    ['application/pdf', bytes, /^%PDF-1\.4\n.*\nxref\n.*startxref\n162\n%%EOF\n$/s],
    ['application/zip', bytes, /^PK.{2}.*a\.txttext\n.*PK.{20}$/s],
    ['text/csv', { type: 'string' }, /^id,name\r\n1,text\r\n$/],
    ['text/csv', { type: 'string', maxLength: 3 }, /^tex$/],
    ['image/png', bytes, /^written$/, 'written'],
  ];
  it('sends a small file of each type, and whole streams in the form of their types', async () => {
    const paths = wholes.map(([type, schema, , example], index) => {
      const media = { ...(schema && { schema }), ...(example !== undefined && { example }) };
      const responses = { 200: { description: 'x', content: { [type]: media } } };
      return [`/${String(index)}`, { get: { responses } }] as const;
    });
    const document = { ...written, openapi: '3.1.0', paths: Object.fromEntries(paths) };
    const [other, address] = await mockOf(document);
    for (const [index, [type, , body]] of wholes.entries()) {
      const answer = await fetch(`${address}/${String(index)}`);
      expect(answer.headers.get('content-type')).to.match(new RegExp(`^${type.replace('+', '.')}`));
      expect(Buffer.from(await answer.arrayBuffer()).toString('latin1'), type).to.match(body);
    }
    other.close();
  });

  it('sends the items of an example if all of them fit', async () => {
    const [other, address] = await mockOf(written);
    const text = async (accept: string) => (await fetch(address, { headers: { accept } })).text();
    expect(await text('application/json-seq')).to.equal('\x1e{"name":"Rex"}\n');
    expect(await text('application/jsonl')).to.equal('{"name":"Example"}\n{"name":"Example"}\n');
    other.close();
  });
});
