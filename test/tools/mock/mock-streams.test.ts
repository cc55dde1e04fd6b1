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
    ['/entries', 'application/jsonl', /^\{"name":"text","level":1\}\n\{"name":"text","level":1\}\n$/],
    ['/entries', 'application/json-seq', /^(?:.\{"name":"text","level":1\}\n){2}$/],
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

  it('sends the items of an example if all of them fit', async () => {
    const [other, address] = await mockOf(written);
    const text = async (accept: string) => (await fetch(address, { headers: { accept } })).text();
    expect(await text('application/json-seq')).to.equal('\x1e{"name":"Rex"}\n');
    expect(await text('application/jsonl')).to.equal('{"name":"text"}\n{"name":"text"}\n');
    other.close();
  });
});
