/** Hooks before and after the handlers: their order, their choice of operations, and what becomes of their answers and errors. */
import { expect } from 'chai';
import type { Check, OperationContract, RestContract } from '../../../src/runtime/contract/contract.js';
import { isStreamed, type HttpResponse } from '../../../src/runtime/http/message.js';
import { Problem } from '../../../src/runtime/http/problem.js';
import type { Hooks, Outcome } from '../../../src/runtime/rest/operation/hooks.js';
import type { AnyHandler } from '../../../src/runtime/rest/operation/handler.js';
import { restEngine, type RestEngineOptions } from '../../../src/runtime/rest/rest-engine.js';
import { transports, withListener } from '../transports/transports.js';
import { bodyOf, oneOperation, problem, requestOf, type Who } from './one-operation.js';

type HookList = readonly Hooks<Who, unknown, Readonly<Record<string, AnyHandler<Who>>>>[];

const json = { '200': { content: { 'application/json': { kind: 'json' } } } } as const;

function operation(
  path: string,
  tags: readonly string[],
  more: Partial<OperationContract> = {},
): OperationContract {
  return { method: 'GET', path, tags, security: [], responses: json, ...more };
}

const contract: RestContract = {
  operations: {
    getUser: operation('/users', ['users']),
    getBill: operation('/bills', ['billing', 'users'], { security: [{ key: [] }] }),
  },
  paths: {
    literals: { users: { operations: { GET: 'getUser' } }, bills: { operations: { GET: 'getBill' } } },
  },
  securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  xmlNames: {},
};

function engineWith(hooks: HookList, more: Partial<RestEngineOptions<Who>> = {}) {
  return restEngine<Who, unknown, string, string>({
    contract,
    operations: { getUser: () => ({ status: 200, body: 'user' }), getBill: () => ({ status: 200, body: 'bill' }) },
    security: { key: { missing: 'no key', authenticate: (key) => (key === 'k' ? { caller: 'Ada' } : { refused: 'bad key' }) } },
    anonymous: 'nobody',
    report: () => undefined,
    ...more,
    hooks,
  });
} // prettier-ignore

const get = (path: string, headers = {}) => requestOf({ method: 'GET', path, headers });

describe('hooks', () => {
  it('run in the order of the list, and after the handler in reverse, for all operations, a tag or one operation', async () => {
    const calls: string[] = [];
    const note = (name: string) => () => void calls.push(name);
    const hooks: HookList = [
      { before: note('all'), after: note('after all') },
      { before: { 'tag:billing': note('billing'), getUser: note('getUser') }, after: { 'tag:users': note('after users') } },
      { before: { getBill: note('getBill'), 'tag:users': note('users') }, after: { getBill: note('after getBill') } },
      { before: { 'path:/users/**': note('path'), 'operation:getBill': note('operation') }, after: { 'method:get': note('after method') } },
    ]; // prettier-ignore
    const handler = (name: string) => () => {
      calls.push(name);
      return { status: 200, body: name };
    };
    const engine = engineWith(hooks, { operations: { getUser: handler('user'), getBill: handler('bill') } });
    await engine(get('/users'));
    expect(calls.splice(0)).to.deep.equal([
      'all',
      'getUser',
      'users',
      'path',
      'user',
      'after method',
      'after users',
      'after all',
    ]);
    await engine(get('/bills', { 'x-key': 'k' }));
    expect(calls).to.deep.equal(
      ['all', 'billing', 'getBill', 'users', 'operation', 'bill', 'after method', 'after getBill', 'after users', 'after all'],
    ); // prettier-ignore
  });

  for (const { name, listen } of transports) {
    it(`answer and extend behind ${name}`, async () => {
      const engine = engineWith([
        {
          before: { getUser: () => ({ status: 200, body: 'from a hook' }) },
          after: ({ response }) => ({ ...response, headers: { ...response.headers, 'X-Id': '7' } }),
        },
      ]);
      await withListener(await listen(engine), async (url) => {
        const answer = await fetch(`${url}/users`);
        expect([await answer.json(), answer.headers.get('x-id')]).to.deep.equal(['from a hook', '7']);
        const refusal = await fetch(`${url}/bills`);
        expect([refusal.status, refusal.headers.get('x-id')]).to.deep.equal([401, '7']);
        expect((await fetch(`${url}/nowhere`)).headers.get('x-id')).to.equal(null);
      });
    });
  }

  it('share one context with the handler', async () => {
    const contexts = new Set<unknown>();
    const keep = (_first: unknown, context: unknown): void => void contexts.add(context);
    await engineWith([{ before: keep, after: keep }, { after: keep }], {
      operations: {
        getUser: (_request: unknown, context: unknown) => {
          contexts.add(context);
          return { status: 200, body: 'user' };
        },
        getBill: () => undefined,
      },
    })(get('/users'));
    expect(contexts).to.have.property('size', 1);
  });

  it('wait for each other', async () => {
    const calls: string[] = [];
    const late = (name: string) => async () => {
      await new Promise((resolve) => setImmediate(resolve));
      calls.push(name);
    };
    await engineWith([
      { before: late('1'), after: late('4') },
      { before: late('2'), after: late('3') },
    ])(get('/users'));
    expect(calls).to.deep.equal(['1', '2', '3', '4']);
  });

  it('cost an engine without them no promise', () => {
    expect(engineWith([])(get('/users'))).not.to.be.instanceOf(Promise);
    expect(engineWith([{ before: () => undefined }])(get('/users'))).not.to.be.instanceOf(Promise);
    const others: HookList = [{ after: { getBill: () => undefined } }];
    expect(engineWith(others)(get('/users'))).not.to.be.instanceOf(Promise);
  });

  it('get the operation, the caller, the host and the checked request', async () => {
    const seen: unknown[] = [];
    const engine = oneOperation({
      operation: {
        tags: ['things'],
        parameters: [{ in: 'query', name: 'n', style: 'form', explode: true, value: { type: 'integer' } }],
      },
      hooks: [
        {
          before: ({ query }, { operation: { id, tags, method, path }, operationId, caller, host }) =>
            void seen.push([query, id, operationId, tags, method, path, caller, host]),
          after: ({ request, answer, error, duration }, { operationId }) =>
            void seen.push([request?.query, answer, error, duration >= 0 && duration < 1000, operationId]),
        },
      ],
    });
    await engine.send({ query: 'n=7', host: 'the host' });
    expect(seen).to.deep.equal([
      [{ n: 7 }, 'doIt', 'doIt', ['things'], 'POST', '/thing', 'nobody', 'the host'],
      [{ n: 7 }, { status: 200, body: 'handled' }, undefined, true, 'doIt'],
    ]);
  });

  it('refuse to start for an operation or a tag that the engine does not have', () => {
    const start = (hooks: HookList) => () => engineWith(hooks);
    const nothing = (): undefined => undefined;
    expect(start([{ before: { getUsr: nothing } }, { after: { 'tag:bills': nothing, getUser: nothing } }, { before: { 'path:/none': nothing } }])).to.throw(
      Error, /^the engine has no operation for these hooks: getUsr, path:\/none, tag:bills$/,
    ); // prettier-ignore
    const { getUser } =
      engineWith([]).operations.length > 0 ? { getUser: () => ({ status: 200, body: 1 }) } : {};
    const part = { operations: { getUser }, others: 'next' } as unknown as Partial<RestEngineOptions<Who>>;
    expect(() => engineWith([{ before: { getBill: nothing } }], part)).to.throw(/hooks: getBill$/);
    expect(() => engineWith([{ before: Object.fromEntries([['toString', nothing]]) }])).to.throw(
      /hooks: toString$/,
    );
  });

  describe('before the handler', () => {
    it('do not run for a request that the engine refuses', async () => {
      let count = 0;
      const engine = engineWith([{ before: () => void (count += 1) }]);
      expect((await engine(get('/bills'))).status).to.equal(401);
      expect((await engine(get('/nowhere'))).status).to.equal(404);
      expect((await engine(requestOf({ method: 'PUT', path: '/users' }))).status).to.equal(405);
      expect((await engine(get('/users', { accept: 'text/csv' }))).status).to.equal(406);
      expect(count).to.equal(0);
    });

    it('answer instead of the handler and of later hooks, but not of hooks after it', async () => {
      const calls: string[] = [];
      const engine = oneOperation({
        handler: () => expect.fail('called'),
        hooks: [
          { before: () => Promise.resolve({ status: 200, headers: { 'X-From': 'hook' }, body: { a: 1 } }) },
          { before: () => void calls.push('later'), after: ({ answer }) => void calls.push(JSON.stringify(answer)) },
        ],
      }); // prettier-ignore
      const { status, headers, body } = await engine.send();
      expect([status, headers['X-From'], body]).to.deep.equal([200, 'hook', '{"a":1}']);
      expect(calls).to.deep.equal(['{"status":200,"headers":{"X-From":"hook"},"body":{"a":1}}']);
    });

    it('answer as the contract declares, or not at all', async () => {
      for (const answer of [{ status: 302 }, null, 'text', 0]) {
        const engine = oneOperation({ hooks: [{ before: () => answer as never }] });
        expect((await engine.send()).status, JSON.stringify(answer)).to.equal(500);
        expect(engine.reported).to.have.length(1);
      }
    });

    it('answer with values that the contract converts, also where the handler is a mock', async () => {
      const mock = Object.assign(() => ({ status: 200, body: 'example' }), {
        isMock: true as const,
      });
      const encode = (value: unknown): unknown => (value as Date).getTime();
      const responses = { '200': { content: { 'application/json': { kind: 'json', encode } } } } as const;
      const { warn } = console;
      console.warn = () => undefined;
      try {
        const engine = oneOperation({
          operation: { responses },
          handler: mock,
          hooks: [{ before: () => ({ status: 200, body: new Date(5) }) }],
        });
        const response = await engine.send();
        expect(response.body).to.equal('5');
        expect(response.headers).not.to.include.keys('X-Mock');
      } finally {
        console.warn = warn;
      }
    });

    for (const [what, fail] of Object.entries({
      throws: () => {
        throw new Error('secret');
      },
      rejects: () => Promise.reject(new Error('secret')),
    })) {
      it(`mask the error of one that ${what}`, async () => {
        const engine = oneOperation({ handler: () => expect.fail('called'), hooks: [{ before: fail }] });
        expect(bodyOf(await engine.send())).to.deep.equal(
          problem(500, 'Internal Server Error', 'Internal server error'),
        );
        expect(engine.reported).to.have.length(1);
      });
    }

    it('refuse a request with a Problem, in the format of the contract', async () => {
      const refuse = (): never => {
        throw new Problem(429, 'Too many requests', { 'Retry-After': '3' });
      };
      const engine = oneOperation({ hooks: [{ before: refuse }] });
      const response = await engine.send();
      expect(response.headers['Retry-After']).to.equal('3');
      expect(bodyOf(response)).to.deep.equal(problem(429, 'Too Many Requests', 'Too many requests'));
      expect(engine.reported).to.deep.equal([]);
    });
  });

  describe('after the handler', () => {
    it('see every response of the operation, with the reason of a refusal', async () => {
      const seen: Outcome[] = [];
      const secret = new Error('secret');
      const engine = engineWith([{ after: (outcome) => void seen.push(outcome) }], {
        operations: { getUser: () => { throw secret; }, getBill: () => ({ status: 299, body: 'undeclared' }) },
      }); // prettier-ignore
      await engine(get('/users'));
      await engine(get('/bills'));
      await engine(get('/bills', { 'x-key': 'k' }));
      await engine(get('/users', { accept: 'text/csv' }));
      expect(seen.map(({ response, request, answer }) => [response.status, request !== undefined, answer])).to.deep.equal([
        [500, true, undefined],
        [401, false, undefined],
        [500, true, { status: 299, body: 'undeclared' }],
        [406, false, undefined],
      ]); // prettier-ignore
      expect(seen[0]?.error).to.equal(secret);
      expect(seen[1]?.error).to.be.instanceOf(Problem);
      expect(String(seen[2]?.error)).to.include('the status 299 is not declared');
    });

    it('replace or extend the response, each that of the one before', async () => {
      const extend = (value: string) => ({ response }: Outcome): HttpResponse => ({
        ...response,
        headers: { ...response.headers, 'X-Seen': `${String(response.headers['X-Seen'] ?? '')}${value}` },
      }); // prettier-ignore
      const engine = oneOperation({
        hooks: [{ after: extend('c') }, { after: extend('b') }, { after: extend('a') }],
      });
      const { status, headers, body } = await engine.send();
      expect([status, headers['X-Seen'], body]).to.deep.equal([200, 'abc', '"handled"']);
    });

    it('mask the error of one that fails or returns no response, and call the others', async () => {
      const fails: readonly (() => unknown)[] = [
        () => { throw new Error('secret'); },
        () => Promise.reject(new Error('secret')),
        () => new Map(),
        () => true,
        () => null,
      ]; // prettier-ignore
      for (const fail of fails) {
        const seen: unknown[] = [];
        const engine = oneOperation({
          hooks: [
            { after: ({ response, error }) => void seen.push(response.status, error) },
            { after: fail as () => undefined },
          ],
        });
        expect(bodyOf(await engine.send())).to.deep.equal(
          problem(500, 'Internal Server Error', 'Internal server error'),
        );
        expect(engine.reported).to.have.length(1);
        expect(seen).to.deep.equal([500, engine.reported[0]]);
      }
    });

    it('get a stream before it is read; one that a failing hook replaces is ended', async () => {
      let ended = 0;
      const items = async function* () {
        try {
          yield await Promise.resolve(1);
        } finally {
          ended += 1;
        }
      };
      const body = { kind: 'items', items: { format: 'json-lines' } } as const;
      const streaming = {
        operation: { responses: { '200': { content: { 'application/jsonl': body } } } },
        handler: () => ({ status: 200, body: items() }),
      };
      const plain = await oneOperation({
        ...streaming,
        hooks: [{ after: ({ response }) => response }],
      }).send();
      if (!isStreamed(plain.body)) throw new Error('there is no stream');
      const pieces: string[] = [];
      for await (const piece of plain.body) pieces.push(new TextDecoder().decode(piece));
      expect(pieces.join('')).to.equal('1\n');
      expect(ended).to.equal(1);

      let returned = 0;
      const open = (): AsyncIterable<number> => ({
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.resolve({ done: false, value: 1 }),
          return: () => Promise.resolve({ done: true, value: void (returned += 1) }),
        }),
      });
      const failing = oneOperation({
        ...streaming,
        handler: () => ({ status: 200, body: open() }),
        hooks: [{ after: () => { throw new Error('secret'); } }],
      }); // prettier-ignore
      expect((await failing.send()).status).to.equal(500);
      expect(returned).to.equal(1);
    });
  });

  describe('with checkResponses', () => {
    const isNumber: Check = Object.assign((value: unknown) => typeof value === 'number', {
      schema: () => ({ type: 'number' }),
    });
    const responses = {
      '200': { content: { 'application/json': { kind: 'json', check: 'isNumber' } } },
    } as const;
    const checked = (hooks: HookList, handler = () => ({ status: 200, body: 1 as unknown })) =>
      oneOperation({ operation: { responses }, checkResponses: { isNumber }, handler, hooks });
    const reason = ({ reported: [error] }: { readonly reported: readonly unknown[] }) =>
      (error as Error | undefined)?.message;

    it('answer only what fits', async () => {
      const engine = checked([{ before: () => ({ status: 200, body: 'text' }) }]);
      expect((await engine.send()).status).to.equal(500);
      expect(reason(engine)).to.equal('doIt answered 200 against its contract: body must be number');
    });

    it('replace a response only by one that fits, with any headers', async () => {
      const replace = (change: Partial<HttpResponse>) =>
        checked([{ after: ({ response }) => ({ ...response, ...change, headers: { ...response.headers, ...change.headers, 'X-Id': '1' } }) }]);
      const statusOf = async (engine: ReturnType<typeof checked>) => [(await engine.send()).status, reason(engine)];
      expect(await statusOf(replace({}))).to.deep.equal([200, undefined]);
      expect(await statusOf(replace({ body: new TextEncoder().encode('2') }))).to.deep.equal([200, undefined]);
      expect(await statusOf(replace({ body: '"text"' }))).to.deep.equal([500, 'doIt answered 200 against its contract: body must be number']);
      expect(await statusOf(replace({ status: 201 }))).to.deep.equal([500, 'doIt answered 201 against its contract: the status 201 is not declared']);
      expect(await statusOf(replace({ headers: { 'Content-Type': 'text/csv' } }))).to.deep.equal([500, 'doIt answered 200 against its contract: the media type text/csv is not declared']);
    }); // prettier-ignore

    it('add headers to a refusal that the operation does not declare', async () => {
      const engine = checked(
        [{ after: ({ response }) => ({ ...response, headers: { ...response.headers, 'X-Id': '1' } }) }],
        () => { throw new Problem(404, 'There is none'); },
      ); // prettier-ignore
      const { status, headers } = await engine.send();
      expect([status, headers['X-Id']]).to.deep.equal([404, '1']);
    });
  });
});
