/** The mock of a contract, spoken to over HTTP. */

import { type Server, createServer } from 'node:http';
import { expect } from 'chai';
import { memoryRequest } from '../../../src/runtime/http/memory-request.js';
import { fixture } from '../../codegen/contract-list.js';
import { mockHandler } from '../../../src/tools/mock/mock-handlers.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import { listening, mockOf } from './mock-server.js';

describe('the mock of a contract', () => {
  let server: Server;
  let url = '';

  before(async () => {
    server = createServer(nodeTransport(await mockHandler('openapi.yaml')));
    url = await listening(server);
  });

  after(() => server.close());

  const json = { 'content-type': 'application/json' };
  const anybody = { authorization: 'Bearer anybody' };

  it('answers with the example of success', async () => {
    const answer = await fetch(`${url}/api/users/1`);
    expect(answer.status).to.equal(200);
    expect(await answer.json()).to.include({ id: '1', email: 'ada@example.com' });
  });

  it('answers with the status that the request prefers', async () => {
    const answer = await fetch(`${url}/api/users/1`, { headers: { prefer: 'code=404' } });
    expect(answer.status).to.equal(404);
    expect(await answer.json()).to.deep.equal({ error: 'User not found' });
  });

  it('has no body where the contract has none', async () => {
    const answer = await fetch(`${url}/api/users/1`, { method: 'DELETE', headers: anybody });
    expect(answer.status).to.equal(204);
    expect(await answer.text()).to.equal('');
  });

  it('takes any credential but a wrong one', async () => {
    const profile = async (headers: Record<string, string>): Promise<readonly [number, unknown]> => {
      const answer = await fetch(`${url}/api/profile`, { headers });
      return [answer.status, await answer.json()];
    };
    expect((await profile(anybody))[0]).to.equal(200);
    const refused = { error: 'A credential that begins with "wrong" is refused' };
    expect(await profile({ authorization: 'Bearer wrong' })).to.deep.equal([401, refused]);
    const missing = { error: 'A credential is missing: the mock takes any that does not begin with "wrong"' };
    expect(await profile({})).to.deep.equal([401, missing]);
  });

  it('marks the answers of the contract', async () => {
    const mark = async (path: string) => (await fetch(url + path)).headers.get('x-mock');
    expect([await mark('/api/users/1'), await mark('/api/nonsense')]).to.deep.equal(['true', null]);
  });

  const refusals: readonly (readonly [number, string, string, RequestInit])[] = [
    [404, '/api/nonsense', 'Not found', {}],
    [405, '/api/users', 'Method not allowed', { method: 'PUT' }],
    [406, '/api/users/1', 'The contract has no such answer', { headers: { prefer: 'code=418' } }],
    [406, '/api/users/1', 'Not acceptable', { headers: { accept: 'image/png' } }],
    [
      400,
      '/api/users',
      'body/email must match format "email"',
      { method: 'POST', headers: json, body: '{"name":"x","email":"y"}' },
    ],
  ];
  for (const [status, path, error, request] of refusals) {
    it(`refuses ${request.method ?? 'GET'} ${path} with ${String(status)}: ${error}`, async () => {
      const answer = await fetch(url + path, request);
      expect(answer.status).to.equal(status);
      // Problem details where the contract declares nothing, else what it declares.
      const told = (await answer.json()) as { readonly error?: string; readonly detail?: string };
      expect(told.error ?? told.detail).to.include(error);
    });
  }

  for (const [prefer, status] of [
    ['respond-async, Code=404', 404],
    ['code = "404"; wait=1', 404],
    ['code=404; example="no such"', 406],
    ['zipcode=404', 200],
  ] as const) {
    it(`answers with ${String(status)} to Prefer: ${prefer}`, async () => {
      expect((await fetch(`${url}/api/users/1`, { headers: { prefer } })).status).to.equal(status);
    });
  }
});

describe('concordat mock, of a contract whose errors have a range or a default', () => {
  const link = { $ref: 'https://example.com/notes/1', display: 'One' };
  const json = (example: unknown) => ({ description: 'x', content: { 'application/json': { example } } });
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes': {
        get: { responses: { 200: json([link]), '4XX': json('range'), default: json('default') } },
      },
    },
  };
  let server: Server;
  let url = '';

  before(async () => {
    [server, url] = await mockOf(contract);
    url += '/notes';
  });

  after(() => server.close());

  const rows = [
    [404, 'range'],
    [503, 'default'],
  ] as const;
  for (const [status, body] of rows) {
    it(`answers ${String(status)} with the ${body}`, async () => {
      const answer = await fetch(url, { headers: { prefer: `code=${String(status)}` } });
      expect(answer.status).to.equal(status);
      expect(await answer.json()).to.equal(body);
    });
  }

  it('has no answer of a status that is none', async () => {
    expect((await fetch(url, { headers: { prefer: 'code=default' } })).status).to.equal(406);
  });

  it('answers with an example that itself contains a $ref', async () => {
    expect(await (await fetch(url)).json()).to.deep.equal([link]);
  });
});

describe('concordat mock, of a contract of OpenAPI 3.2', () => {
  const latest = fixture('latest.openapi-3.2.yaml').file;
  const answered = async (method: string, path: string, query = '') => {
    const handler = await mockHandler(latest);
    const headers = { 'x-key': 'k', 'content-type': 'application/json', 'content-length': '9' };
    const body = method === 'QUERY' ? '{"age":1}' : '';
    const { status, body: text } = await handler(memoryRequest({ method, path, query, headers, body }));
    return [status, text];
  };

  it('answers QUERY with the data of an example, checks methods of its own, and takes any whole query', async () => {
    expect(await answered('QUERY', '/pets')).to.deep.equal([200, '[{"name":"Rex"},{"name":"Tom"}]']);
    expect(await answered('COPY', '/pets', 'to=ab')).to.deep.equal([204, undefined]);
    expect((await answered('COPY', '/pets'))[0]).to.equal(400);
    expect(await answered('GET', '/json', '%7B%22flag%22%3Anull%7D')).to.deep.equal([204, undefined]);
  });
});
