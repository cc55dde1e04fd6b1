/** `concordat mock`, as the pages of a front end see it: both contracts on one port, under the path of the document's servers. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fixture } from '../../codegen/contract-list.js';
import { whileMocking } from './mock-server.js';

const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.example/{version}', variables: { version: { default: 'v2' } } }],
  paths: {
    '/items/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      put: {
        operationId: 'putItem',
        responses: {
          200: { description: 'Done', content: { 'application/json': { example: 'an item' } } },
        },
      },
    },
  },
};

describe('concordat mock', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-mock-program-'));
    await writeFile(join(directory, 'openapi.json'), JSON.stringify(OPENAPI));
    await writeFile(join(directory, 'schema.graphql'), 'type Query { name: String! }');
  });
  after(() => rm(directory, { recursive: true }));

  const serving = (
    options: readonly string[],
    ask: (url: string, line: string) => Promise<void>,
  ): Promise<void> => {
    const contracts = ['openapi.json', 'schema.graphql'].map((name) => join(directory, name));
    return whileMocking([...contracts, ...options], ask);
  };

  const put = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(url, { method: 'PUT', headers });

  it('says at its start how many operations keep no state', () =>
    whileMocking([fixture('library/openapi.yaml').file, '--state'], (_, line) => {
      expect(line).to.match(/\n2 of 4 operations keep no state; --explain says why\n$/);
      return Promise.resolve();
    }));

  it('serves both contracts, the document under the path of its first server', () =>
    serving([], async (url, line) => {
      const item = await put(`${url}/v2/items/7`);
      expect([item.status, await item.json()]).to.deep.equal([200, 'an item']);
      const missing = await put(`${url}/items/7`);
      expect([missing.status, missing.headers.get('content-type')]).to.deep.equal([
        404,
        'application/problem+json',
      ]);
      const answer = await fetch(`${url}/graphql?query=%7Bname%7D`);
      expect(await answer.json()).to.deep.equal({ data: { name: 'name' } });
      expect(line).to.match(/, with the paths of the document under \/v2\n$/);
    }));

  it('lets pages of other origins ask', () =>
    serving([], async (url) => {
      const origin = 'http://localhost:5173';
      for (const path of ['/v2/items/7', '/graphql', '/nowhere']) {
        const preflight = await fetch(url + path, {
          method: 'OPTIONS',
          headers: {
            origin,
            'access-control-request-method': 'PUT',
            'access-control-request-headers': 'authorization, x-a',
          },
        });
        expect(preflight.status, path).to.equal(204);
        expect(preflight.headers.get('access-control-allow-origin')).to.equal(origin);
        expect(preflight.headers.get('access-control-allow-methods')).to.equal('PUT');
        expect(preflight.headers.get('access-control-allow-headers')).to.equal('authorization, x-a');
      }
      const { headers } = await put(`${url}/v2/items/7`, { origin });
      expect(headers.get('access-control-allow-origin')).to.equal(origin);
      expect(headers.get('vary')).to.include('Origin');
    }));

  it('does not with --no-cors', () =>
    serving(['--no-cors'], async (url) => {
      for (const [sent, expected] of [
        [{ origin: 'http://localhost:5173' }, 403],
        [{ 'sec-fetch-site': 'cross-site' }, 403],
        [{ origin: url }, 200],
        [{}, 200],
      ] as const) {
        const { status, headers } = await put(`${url}/v2/items/7`, sent);
        expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([expected, null]);
      }
    }));
});
