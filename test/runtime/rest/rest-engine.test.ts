/** Tests of the whole engine: the faults that stop it from starting, and that every request gets an answer. */
import { expect } from 'chai';
import type { OperationContract } from '../../../src/runtime/contract/contract.js';
import { restEngine, type RestEngineOptions } from '../../../src/runtime/rest/rest-engine.js';
import { Problem } from '../../../src/runtime/http/problem.js';
import { bodyOf, oneOperation, problem, requestOf, ServiceError, type Who } from './one-operation.js';

const operation: OperationContract = {
  method: 'GET',
  path: '/a',
  security: [],
  responses: { '200': { content: { 'application/json': { kind: 'json' } } } },
};

type Options = RestEngineOptions<Who>;

const complete: Options = {
  contract: {
    operations: { getA: operation, getB: { ...operation, path: '/b', security: [{ bearer: [] }] } },
    paths: { literals: { a: { operations: { GET: 'getA' } }, b: { operations: { GET: 'getB' } } } },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    xmlNames: {},
  },
  operations: { getA: () => ({ status: 200, body: 'a' }), getB: () => ({ status: 200, body: 'b' }) },
  security: { bearer: { missing: 'no token', authenticate: () => ({ refused: 'no' }) } },
  anonymous: 'nobody',
  report: () => undefined,
};

const MASKED = problem(500, 'Internal Server Error', 'Internal server error');

describe('restEngine', () => {
  describe('refuses to start', () => {
    const handler = (): unknown => undefined;
    const { getA } = complete.operations;
    const { bearer } = complete.security;
    const xml: OperationContract = {
      ...operation,
      responses: { '200': { content: { 'application/xml': { kind: 'other' } } } },
    };
    const refused: readonly (readonly [what: string, options: Partial<Options>, sentence: string])[] = [
      ['without a handler', { operations: { getA: handler } }, 'the handlers do not fit the contract; missing: getB'],
      ['without any', { operations: {} }, 'the handlers do not fit the contract; missing: getA, getB'],
      [
        'with a handler too many',
        { operations: { ...complete.operations, getC: handler, toString: handler } },
        'the handlers do not fit the contract; not in the contract: getC, toString',
      ],
      [
        'with one for another',
        { operations: { getA: handler, getC: handler } },
        'the handlers do not fit the contract; missing: getB; not in the contract: getC',
      ],
      [
        'with a handler that only a prototype has',
        { operations: Object.create({ getA, getB: handler }) as Options['operations'] },
        'the handlers do not fit the contract; missing: getA, getB',
      ],
      ['without a security handler', { security: {} }, 'the security handlers do not fit the contract; missing: bearer'],
      [
        'with a security handler too many',
        { security: bearer === undefined ? {} : { bearer, apiKey: bearer } },
        'the security handlers do not fit the contract; not in the contract: apiKey',
      ],
      [
        'without an encoder',
        { contract: { ...complete.contract, operations: { getA: operation, getB: xml } } },
        'operation getB: there is no encoder for application/xml',
      ],
      [
        'without an encoder of problems',
        { problems: { mediaTypes: ['application/xml'], body: () => '' } },
        'there is no encoder for application/xml',
      ],
      ['without a media type of problems', { problems: { mediaTypes: [], body: () => '' } }, 'the problem format names no media type'],
      [
        'with an alias that is no media type',
        { contract: { ...complete.contract, operations: { getA: operation, getB: { ...operation, extensions: { 'x-media-type-aliases': { 'a/*': 1 } } } } } },
        'operation getB: x-media-type-aliases must be an object of media types',
      ],
      ...[['a b'], [], 'Origin'].map((names) => [
        `with ${JSON.stringify(names)} for the names of headers`,
        { contract: { ...complete.contract, operations: { getA: operation, getB: { ...operation, extensions: { 'x-vary': names } } } } },
        'operation getB: x-vary must be a list of names of request headers',
      ] as const),
    ]; // prettier-ignore
    for (const [what, options, sentence] of refused) {
      it(`${what}, and says so in one sentence`, () => {
        expect(() => restEngine({ ...complete, ...options })).to.throw(Error, new RegExp(`^${sentence}$`));
      });
    }

    it('with a handler that is not a function', () => {
      const operations = { ...complete.operations, getB: 'getB' } as unknown as Options['operations'];
      expect(() => restEngine({ ...complete, operations })).to.throw(
        Error,
        'operation getB: its handler is no function',
      );
    });
  });

  it('lists its operations in the order of the contract, and finds them', () => {
    const engine = restEngine(complete);
    expect(engine.operations.map(({ id, method, path }) => [id, method, path])).to.deep.equal([
      ['getA', 'GET', '/a'],
      ['getB', 'GET', '/b'],
    ]);
    expect(engine.findPath('/b')?.targets.get('GET')).to.equal(engine.operations[1]);
    expect(engine.findPath('/c')).to.equal(undefined);
  });

  it('answers at once where nothing has to be waited for', () => {
    const response = restEngine(complete)(requestOf({ method: 'GET', path: '/a' }));
    expect(response).to.not.be.instanceOf(Promise);
  });

  it('does not route a request that the transport has routed', async () => {
    const engine = restEngine(complete);
    const [getA] = engine.operations;
    if (getA === undefined) throw new Error('no operation');
    const request = requestOf({ method: 'GET', path: '/prefix/a' });
    expect((await engine(request)).status).to.equal(404);
    expect((await engine(request, { operation: getA, values: [] })).status).to.equal(200);
  });

  describe('masks unexpected errors', () => {
    const secret = new Error('password=hunter2 at /srv/secret.ts');
    const handlers: Readonly<Record<string, () => unknown>> = {
      'a handler that throws': () => {
        throw secret;
      },
      'a handler that rejects': () => Promise.reject(secret),
      'a handler that rejects late': async () => {
        await new Promise((resolve) => setImmediate(resolve));
        throw secret;
      },
      'an answer that rejects, but is no Promise': () => ({
        then: (_resolve: unknown, reject: (reason: unknown) => void) => {
          reject(secret);
        },
      }),
      'an answer that throws when it is asked to settle': () => ({
        then: () => {
          throw secret;
        },
      }),
    };
    for (const [what, handler] of Object.entries(handlers)) {
      it(`of ${what}, and reports it as it is`, async () => {
        const engine = oneOperation({ handler });
        const response = await engine.send();
        expect(response).to.deep.equal({
          status: 500,
          headers: { 'Content-Type': 'application/problem+json' },
          body: JSON.stringify(MASKED),
        });
        expect(engine.reported).to.deep.equal([secret]);
      });
    }

    for (const thrown of [
      undefined,
      null,
      'text',
      0,
      Symbol('s'),
      { status: 404, message: 'x' },
      Object.create(null),
    ]) {
      it(`of ${typeof thrown === 'object' ? JSON.stringify(thrown) : String(thrown)} that is thrown`, async () => {
        const engine = oneOperation({
          handler: () => {
            throw thrown;
          },
        });
        expect(bodyOf(await engine.send())).to.deep.equal(MASKED);
        expect(engine.reported).to.deep.equal([thrown]);
      });
    }

    it('together with the request', async () => {
      const seen: unknown[] = [];
      const engine = oneOperation({
        handler: () => {
          throw secret;
        },
        report: (error, { method, path }) => void seen.push([error, method, path]),
      });
      await engine.send();
      expect(seen).to.deep.equal([[secret, 'POST', '/thing']]);
    });

    it('of a body that cannot be read', async () => {
      const engine = oneOperation({
        operation: { requestBody: { content: { 'text/plain': { kind: 'text' } } } },
      });
      const request = { body: 'x', headers: { 'content-type': 'text/plain' } };
      for (const readBody of [
        () => Promise.reject(secret),
        () => {
          throw secret;
        },
      ]) {
        expect(bodyOf(await engine.send({ ...request, readBody }))).to.deep.equal(MASKED);
      }
      expect(engine.reported).to.deep.equal([secret, secret]);
    });
  });

  describe('tells', () => {
    it('problems, with their headers, and reports nothing', async () => {
      const engine = oneOperation({
        handler: () => {
          throw new Problem(429, 'Slow down', { 'Retry-After': '3' });
        },
      });
      const response = await engine.send();
      expect(response.status).to.equal(429);
      expect(response.headers).to.include({ 'Retry-After': '3' });
      expect(bodyOf(response)).to.deep.equal(problem(429, 'Too Many Requests', 'Slow down'));
      expect(engine.reported).to.deep.equal([]);
    });

    it('errors of the service as it explains them', async () => {
      const engine = oneOperation({ handler: () => Promise.reject(new ServiceError('In use')) });
      expect(bodyOf(await engine.send())).to.deep.equal(problem(409, 'Conflict', 'In use'));
      expect(engine.reported).to.deep.equal([]);
    });

    it('its own problems as the service explains them, which may know the request', async () => {
      const engine = oneOperation({
        operation: { requestBody: { required: true, content: { 'application/json': { kind: 'json' } } } },
        explain: (error, { path }) =>
          error instanceof Problem && error.failures.length > 0
            ? new Problem(422, `${path}: ${String(error.failures[0]?.pointer)}`)
            : undefined,
      });
      const response = await engine.send({ headers: { 'content-type': 'application/json' }, body: '{' });
      expect([response.status, bodyOf(response)]).to.deep.equal([
        422,
        problem(422, 'Unprocessable Content', '/thing: /body'),
      ]);
      expect((await engine.send({ path: '/nothing' })).status).to.equal(404);
      expect(engine.reported).to.deep.equal([]);
    });
  });

  describe('answers although a function of the service fails', () => {
    const throwing = (what: string) => (): never => {
      throw new Error(`${what} failed`);
    };

    it('to explain an error', async () => {
      const engine = oneOperation({ handler: throwing('the handler'), explain: throwing('explain') });
      expect(bodyOf(await engine.send())).to.deep.equal(MASKED);
      expect(engine.reported.map(String)).to.deep.equal([
        'Error: explain failed',
        'Error: the handler failed',
      ]);
    });

    it('to report one', async () => {
      const engine = oneOperation({ handler: throwing('the handler'), report: throwing('report') });
      expect(bodyOf(await engine.send())).to.deep.equal(MASKED);
    });

    it('to write one: then the status says all', async () => {
      const problems = { mediaTypes: ['application/json'], body: throwing('the format') };
      const engine = oneOperation({ problems });
      expect(await engine.send({ path: '/nothing' })).to.deep.equal({ status: 500, headers: {} });
      expect(engine.reported.map(String)).to.deep.equal(['Error: the format failed']);
    });

    it('to keep line breaks out of the headers of one', async () => {
      const engine = oneOperation({
        handler: () => {
          throw new Problem(401, 'No', { 'WWW-Authenticate': 'Bearer\r\nSet-Cookie: a=b' });
        },
      });
      expect(await engine.send()).to.deep.equal({ status: 500, headers: {} });
      expect(engine.reported.map(String).join()).to.include('A header cannot hold');
    });
  });
});
