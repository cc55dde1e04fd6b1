/** Which operation a request leads to, and what becomes of those that lead to none. */
import { expect } from 'chai';
import type { OperationContract } from '../../../../src/runtime/contract/contract.js';
import { restEngine } from '../../../../src/runtime/rest/rest-engine.js';
import { bodyOf, problem, requestOf } from '../one-operation.js';

const operation = (method: OperationContract['method'], path: string): OperationContract => ({
  method,
  path,
  security: [],
  responses: { '200': { content: { 'application/json': { kind: 'json' } } } },
});

const ids = {
  getA: 'GET /a',
  putA: 'PUT /a',
  postB: 'POST /b',
  headC: 'HEAD /c',
  getC: 'GET /c',
  optionsC: 'OPTIONS /c',
};
type Id = keyof typeof ids;

const engine = restEngine({
  contract: {
    operations: {
      getA: operation('GET', '/a'),
      putA: operation('PUT', '/a'),
      postB: operation('POST', '/b'),
      headC: operation('HEAD', '/c'),
      getC: operation('GET', '/c'),
      optionsC: operation('OPTIONS', '/c'),
    },
    paths: {
      literals: {
        a: { operations: { GET: 'getA', PUT: 'putA' } },
        b: { operations: { POST: 'postB' } },
        c: { operations: { HEAD: 'headC', GET: 'getC', OPTIONS: 'optionsC' } },
      },
    },
    securitySchemes: {},
    xmlNames: {},
  },
  operations: Object.fromEntries(
    Object.keys(ids).map((id) => [id, () => ({ status: 200, body: id })]),
  ) as Record<Id, () => unknown>,
  security: {},
  anonymous: undefined,
  report: () => undefined,
});

async function ask(method: string, path: string): Promise<readonly unknown[]> {
  const response = await engine(requestOf({ method, path }));
  const { Allow } = response.headers;
  return [response.status, response.body === undefined ? undefined : bodyOf(response), Allow];
}

describe('the step route', () => {
  it('finds the operation of a method and a path', async () => {
    expect(await ask('GET', '/a')).to.deep.equal([200, 'getA', undefined]);
    expect(await ask('PUT', '/a')).to.deep.equal([200, 'putA', undefined]);
    expect(await ask('POST', '/b')).to.deep.equal([200, 'postB', undefined]);
  });

  it('serves HEAD with GET, unless there is a HEAD (RFC 9110 §9.3.2)', async () => {
    expect(await ask('HEAD', '/a')).to.deep.equal([200, 'getA', undefined]);
    expect(await ask('HEAD', '/c')).to.deep.equal([200, 'headC', undefined]);
    expect((await ask('HEAD', '/b'))[0]).to.equal(405);
  });

  it('answers OPTIONS with Allow, unless there is an OPTIONS', async () => {
    expect(await ask('OPTIONS', '/a')).to.deep.equal([204, undefined, 'GET, PUT, HEAD, OPTIONS']);
    expect(await ask('OPTIONS', '/b')).to.deep.equal([204, undefined, 'POST, OPTIONS']);
    expect(await ask('OPTIONS', '/c')).to.deep.equal([200, 'optionsC', undefined]);
  });

  it('answers 405 with Allow to methods that the path does not have', async () => {
    for (const method of ['DELETE', 'TRACE', 'get', '', 'constructor', '__proto__']) {
      const detail = 'Method not allowed: this path takes GET, PUT, HEAD, OPTIONS';
      expect(await ask(method, '/a')).to.deep.equal([
        405,
        problem(405, 'Method Not Allowed', detail),
        'GET, PUT, HEAD, OPTIONS',
      ]);
    }
    expect((await ask('PUT', '/c'))[2]).to.equal('HEAD, GET, OPTIONS');
  });

  it('answers 404 to paths that there are not, for any method', async () => {
    for (const method of ['GET', 'OPTIONS', 'HEAD', 'x']) {
      expect(await ask(method, '/d')).to.deep.equal([404, problem(404, 'Not Found', 'Not found'), undefined]);
    }
  });
});
