/** An engine in which some operations are real, and the others answer with the examples of the contract. */

import { expect } from 'chai';
import {
  type HttpResponse,
  type RestEngine,
  type SecurityHandler,
  memoryRequest,
  restEngine,
} from '@concordat/runtime';
import { mockHandlers } from '@concordat/tools/mock';
import * as responseChecks from '../../../generated/response-validators.js';
import { contract } from '../../../generated/routing.js';
import { xmlEncoder } from '../../../src/runtime/encoding/xml.js';

const anybody: SecurityHandler<string> = { missing: 'no', authenticate: (caller) => ({ caller }) };

const mocksOf = (state: boolean) => mockHandlers('openapi.yaml', contract, { state });
type Mocks = Awaited<ReturnType<typeof mocksOf>>;

describe('an engine with mocks', () => {
  const warnings: string[] = [];
  const { warn } = console;
  let make: (mocks?: Mocks) => RestEngine<string>;
  let engine: RestEngine<string>;

  before(async () => {
    const plain = await mocksOf(false);
    make = (mocks = plain) =>
      restEngine({
        contract,
        operations: {
          ...mocks,
          deleteUser: ({ path }) =>
            path.id === '1' ? { status: 204 } : { status: 404, body: { error: 'No such user' } },
        },
        security: { bearerAuth: anybody, apiKeyAuth: anybody },
        anonymous: 'nobody',
        encoders: { 'application/xml': xmlEncoder(contract.xmlNames) },
        report: () => undefined,
        checkResponses: responseChecks,
      });
    console.warn = (text: string) => void warnings.push(text);
    engine = make();
  });
  after(() => {
    console.warn = warn;
  });

  const send = async (method: string, path: string, headers = {}): Promise<HttpResponse> =>
    engine(memoryRequest({ method, path, headers: { authorization: 'Bearer t', ...headers } }));

  it('serves the operations with a handler for real', async () => {
    const { status, headers } = await send('DELETE', '/api/users/1');
    expect(status).to.equal(204);
    expect(headers).not.to.have.property('X-Mock');
    expect((await send('DELETE', '/api/users/2')).status).to.equal(404);
  });

  it('serves the others from their examples, and says so', async () => {
    const { status, headers, body } = await send('GET', '/api/users/1');
    expect(status).to.equal(200);
    expect(headers).to.include({ 'X-Mock': 'true', 'Content-Type': 'application/json' });
    expect(JSON.parse(body as string)).to.include({ id: '1', email: 'ada@example.com' });
  });

  it('answers what the request prefers, in the format that it accepts', async () => {
    expect((await send('GET', '/api/users/1', { prefer: 'code=404' })).status).to.equal(404);
    expect((await send('GET', '/api/users/1', { prefer: 'code=418' })).status).to.equal(406);
    const { headers, body } = await send('GET', '/api/users/1', { accept: 'application/xml' });
    expect(headers).to.include({ 'Content-Type': 'application/xml' });
    expect(body).to.include('<email>ada@example.com</email>');
  });

  it('still holds requests against the contract', async () => {
    const request = memoryRequest({
      method: 'POST',
      path: '/api/users',
      headers: { 'content-type': 'application/json' },
      body: '{"name":5}',
    });
    const { status, headers } = await engine(request);
    expect(status).to.equal(400);
    expect(headers).not.to.have.property('X-Mock');
    expect((await engine(memoryRequest({ path: '/api/profile' }))).status).to.equal(401);
  });

  it('names the operations without a handler in one warning', () => {
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/^These operations answer with the examples of the contract: login, /);
    expect(warnings[0]).to.include('getUser').and.not.include('deleteUser');
  });

  it('does not start in production', () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      expect(() => make()).to.throw(/have no handler, only examples, and NODE_ENV is production: login, /);
    } finally {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
    }
  });

  it('remembers with state', async () => {
    const remembering = make(await mocksOf(true));
    const [path, headers] = ['/api/products', { 'content-type': 'application/json' }];
    const body = '{"name":"Shears","price":24.5}';
    const created = await remembering(memoryRequest({ method: 'POST', path, headers, body }));
    const read = await remembering(memoryRequest({ path: String(created.headers['Location']) }));
    expect(read.body).to.equal(created.body).and.to.include('Shears');
    // The engine marks whatever a mock answers.
    expect(read.headers).to.include({ 'X-Mock': 'true' });
  });
});
