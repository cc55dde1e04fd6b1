/** A bridge between two versions of a contract, over HTTP. */

import { request as openRequest } from 'node:http';
import { once } from 'node:events';
import { expect } from 'chai';
import type { Conversions } from '../../../src/runtime/bridge/index.js';
import type { Hooks, HttpResponse, UntypedHandler } from '../../../src/runtime/index.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import {
  removeDirectory,
  temporaryPackage,
  type GeneratedContract,
} from '../../codegen/generated-contract.js';
import { type HttpAnswer, send } from '../../support/send.js';
import { listenTo } from '../transports/listeners.js';
import { transports, withListener } from '../transports/transports.js';
import { People, conversions, generatePeople, renaming, untypedBridge } from './people.js';

interface Sent {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = { 'content-type': 'application/json' };

describe('a bridge between versions', () => {
  let directory = '';
  let one: GeneratedContract;
  let two: GeneratedContract;
  let three: GeneratedContract;
  let people: People;
  let bridge: ReturnType<typeof untypedBridge>;
  let served: Awaited<ReturnType<typeof listenTo>> | undefined;

  const serve = async (options: object = {}, hooks: readonly Hooks<unknown>[] = []): Promise<void> => {
    await served?.close();
    people = new People(two);
    const common = { from: one.contract, to: people.engine(hooks), convert: conversions };
    bridge = untypedBridge({ ...common, checkResponses: one.responseChecks, ...options });
    served = await listenTo(nodeTransport(bridge));
  };
  const ask = (line: string, { body, headers }: Sent = {}): Promise<HttpAnswer> => {
    const [method = '', path = ''] = line.split(' ');
    const sent = { authorization: 'Bearer ada', ...headers };
    return send(served?.url ?? '', { method, path, headers: sent, ...(body !== undefined && { body }) });
  };
  const parsed = ({ text }: HttpAnswer): unknown => JSON.parse(text);

  before(async () => {
    directory = await temporaryPackage();
    one = await generatePeople(directory, 1);
    two = await generatePeople(directory, 2);
    three = await generatePeople(directory, 3);
  });
  beforeEach(() => serve());
  after(async () => {
    await served?.close();
    await removeDirectory(directory);
  });

  describe('converts', () => {
    it('an answer, and leaves out headers that version 1 does not declare', async () => {
      const answer = await ask('GET /users');
      expect(answer.status).to.equal(200);
      expect(parsed(answer)).to.deep.equal([{ id: '1', name: 'Ada' }]);
      expect(answer.headers).to.include({ 'x-total': '1' }).and.not.have.property('x-next');
    });

    it('a request, of which version 2 gets the parameters that it has', async () => {
      await ask('GET /users?limit=3&token=secret');
      expect(people.seen[0]?.request.query).to.deep.equal({ limit: 3 });
      const answer = await ask('POST /users', { headers: json, body: '{"name":"Bob","city":"Paris"}' });
      expect(people.seen[1]?.request.body).to.deep.equal({ fullName: 'Bob', city: 'Paris' });
      expect([answer.status, answer.headers.location, parsed(answer)]).to.deep.equal([
        201,
        '/users/2',
        { id: '1', name: 'Bob' },
      ]);
    });

    it('a request whose parameters get the defaults of version 2', async () => {
      const { operations } = two.contract;
      const { listUsers } = operations;
      const parameters = [
        { name: 'sort', in: 'query', required: false, default: 'name' },
        { name: 'X-Unit', in: 'header', required: false, default: 'page' },
      ];
      const changed = {
        ...listUsers,
        parameters: [...(listUsers?.parameters ?? []), ...parameters],
      } as never;
      const later = new People({
        ...two,
        contract: { ...two.contract, operations: { ...operations, listUsers: changed } },
      });
      await serve({ to: later.engine() });
      await ask('GET /users?limit=3');
      const { query, headers } = later.seen[0]?.request ?? {};
      expect([query, headers]).to.deep.equal([{ limit: 3, sort: 'name' }, { 'X-Unit': 'page' }]);
    });

    it('nothing of an operation whose types fit', async () => {
      expect(parsed(await ask('GET /ping'))).to.deep.equal({ at: '2026-01-31T00:00:00Z' });
    });

    it('an operation of another name, and serves one that version 2 does not have', async () => {
      expect(parsed(await ask('GET /users/1'))).to.deep.equal({ id: '1', name: 'Ada' });
      expect((await ask('GET /report')).text).to.equal('none for nobody');
      expect(people.seen.map(({ id }) => id)).to.deep.equal(['readUser']);
    });

    it('the items of streams in both directions', async () => {
      const body = '{"name":"Bob"}\n{"name":"Eve"}\n';
      const headers = { 'content-type': 'application/jsonl' };
      const answer = await ask('POST /imports', { headers, body });
      expect(answer.text).to.equal('{"id":"2","name":"Bob"}\n{"id":"2","name":"Eve"}\n');
      const pages = await ask('GET /pages');
      expect(pages.headers['content-type']).to.match(/^multipart\/mixed; boundary=/);
      expect(pages.text.match(/\{.*\}/g)).to.deep.equal(['{"name":"Ada"}', '{"name":"Bob"}']);
    });

    it('events as they happen, until the client leaves', async () => {
      const client = openRequest(`${String(served?.url)}/changes`).end();
      const [response] = (await once(client, 'response')) as [AsyncIterable<Buffer>];
      let text = '';
      for await (const piece of response) {
        text += piece.toString();
        if (text.includes('change 1')) break;
      }
      expect(text).to.match(/^data: ?change 0\n\n/);
      client.destroy();
      expect(await people.ended).to.be.greaterThan(0);
    });
  });

  describe('refuses', () => {
    it('what does not fit version 1 before version 2 sees it, in the format of version 2 unless given', async () => {
      const answer = await ask('GET /users?limit=0');
      expect([answer.status, parsed(answer)]).to.deep.equal([400, { error: 'query/limit must be >= 1' }]);
      expect((await ask('POST /users', { headers: json, body: '{"fullName":"Bob"}' })).status).to.equal(400);
      expect(people.seen).to.deep.equal([]);
      const body = ({ message }: { readonly message: string }): unknown => ({ error: `v1: ${message}` });
      await serve({ problems: { mediaTypes: ['application/json'], body } });
      expect(parsed(await ask('GET /users/none'))).to.deep.equal({ error: 'v1: There is no such user' });
    });

    it('what version 2 does not allow', async () => {
      const answer = await ask('POST /users', { headers: json, body: '{"name":"Bob the Builder"}' });
      const error = 'body/fullName must NOT have more than 10 characters';
      expect([answer.status, parsed(answer)]).to.deep.equal([400, { error }]);
      expect(people.seen).to.deep.equal([]);
    });

    it('a caller without the credential of version 1, which is checked once where both versions have it', async () => {
      expect((await send(served?.url ?? '', { method: 'GET', path: '/users' })).status).to.equal(401);
      expect((await ask('GET /users', { headers: { authorization: 'Bearer bad' } })).status).to.equal(401);
      expect(people.credentials).to.deep.equal(['bad']);
      expect((await ask('GET /users')).status).to.equal(200);
      expect(people.credentials).to.deep.equal(['bad', 'ada']);
      expect(people.seen[0]?.context.caller).to.equal('ada');
    });

    it('a caller whom only a handler of its own accepts, because that of version 2 decides for version 2', async () => {
      const authenticate = (credential: string) => ({ caller: `old ${credential}` });
      await serve({ security: { bearer: { missing: 'No token', authenticate } } });
      await ask('GET /users', { headers: { authorization: 'Bearer bad' } });
      expect(String(people.reports[0]?.error)).to.include('version 2 answered 401');
      expect(people.seen).to.deep.equal([]);
      expect((await ask('GET /users')).status).to.equal(200);
      expect(people.credentials).to.deep.equal(['bad', 'ada']);
      expect(people.seen[0]?.context.caller).to.equal('ada');
      expect((await ask('GET /report')).text).to.equal('none for nobody');
    });

    it('a caller without the credential of version 2', async () => {
      expect((await ask('DELETE /users/1')).status).to.equal(401);
      expect((await ask('DELETE /users/1', { headers: { 'x-key': 'bad' } })).status).to.equal(401);
      expect(people.seen).to.deep.equal([]);
      expect((await ask('DELETE /users/1', { headers: { 'x-key': 'k' } })).status).to.equal(204);
      expect(people.seen[0]?.context.caller).to.equal('k');
    });
  });

  describe('answers an error of version 2', () => {
    it('by its status, whether it was thrown or answered', async () => {
      expect((await ask('GET /users/none')).status).to.equal(404);
      const answer = await ask('GET /users/unknown');
      expect([answer.status, parsed(answer)]).to.deep.equal([404, { error: 'Unknown' }]);
    });

    it('as the default of version 1', async () => {
      const answer = await ask('DELETE /users/busy', { headers: { 'x-key': 'k' } });
      expect([answer.status, parsed(answer)]).to.deep.equal([409, { error: 'The user is busy' }]);
    });

    it('as a masked 500, which is reported with its request and cause, if version 1 does not declare it', async () => {
      for (const id of ['gone', 'left']) {
        const answer = await ask(`GET /users/${id}`, { headers: { 'x-request-id': `about-${id}` } });
        expect([answer.status, parsed(answer)]).to.deep.equal([500, { error: 'Internal server error' }]);
      }
      expect(people.reports.map(({ error }) => error.message)).to.deep.equal(
        Array(2).fill('getUser: version 2 answered 410, which version 1 does not declare'),
      );
      expect(people.reports.map(({ request }) => request.headers['x-request-id'])).to.deep.equal([
        'about-gone',
        'about-left',
      ]);
      expect(people.reports[0]?.error.cause).to.include({ message: 'The user is gone', status: 410 });
      expect(people.reports[1]?.error.cause).to.deep.include({ body: { error: 'The user has left' } });
    });

    it('as a masked 500, which is reported once, if nobody expected it', async () => {
      expect((await ask('GET /users/broken')).status).to.equal(500);
      expect(people.reports.map(({ error }) => error.message)).to.deep.equal([
        'the password of the database',
      ]);
    });
  });

  it('reports a conversion that throws, and one whose answer does not fit version 1', async () => {
    const fail = (): never => {
      throw new Error('not today');
    };
    const response = (answer: object): object => ({ ...answer, body: { id: 1, name: 'Ada' } });
    await serve({
      convert: { ...conversions, listUsers: { response: fail }, getUser: { to: 'readUser', response } },
    });
    expect((await ask('GET /users')).status).to.equal(500);
    expect((await ask('GET /users/1')).status).to.equal(500);
    expect(people.reports.map(({ error }) => error.message)).to.deep.equal([
      'not today',
      'getUser answered 200 against its contract: body/id must be string',
    ]);
  });

  it('passes the context of the request on', async () => {
    await ask('GET /users', { headers: { 'x-request-id': 'r1' } });
    const { request, caller } = people.seen[0]?.context ?? {};
    expect(caller).to.equal('ada');
    expect(request).to.include({ path: '/users', address: '127.0.0.1' });
    expect(request?.headers['x-request-id']).to.equal('r1');
    expect(request?.signal).to.be.instanceOf(AbortSignal);
  });

  it('runs the hooks of both versions', async () => {
    const calls: string[] = [];
    const noting = (name: string): Hooks<unknown> => ({
      before: (_request, { operationId }) => void calls.push(`before ${name} ${operationId}`),
      after: ({ response }, { operationId }) => {
        calls.push(`after ${name} ${operationId}`);
        return { ...response, headers: { ...response.headers, [`x-${name}`]: 'seen' } };
      },
    });
    await serve({ hooks: [noting('one')] }, [noting('two')]);
    expect((await ask('GET /users/1')).headers).to.include({ 'x-one': 'seen', 'x-two': 'seen' });
    expect(calls).to.deep.equal([
      'before one getUser',
      'before two readUser',
      'after two getUser',
      'after one getUser',
    ]);
  });

  it('does not start where it would lose an `after` hook of an operation of version 2', async () => {
    const redact = ({ response }: { response: HttpResponse }) => ({
      ...response,
      body: (response.body as string).replaceAll('Ada', 'X'),
    });
    for (const after of [{ readUser: redact }, { 'operation:readUser': redact }]) {
      const engine = new People(two).engine([{ after }]);
      const parts = { from: one.contract, to: engine, convert: conversions };
      expect(() => untypedBridge(parts)).to.throw(
        'version 2 has `after` hooks of these operations, which get its responses: getUser. Give the bridge `after` hooks of the same operations, for the responses of version 1',
      );
      // A hook for all operations may know nothing of this one.
      expect(() => untypedBridge({ ...parts, hooks: [{ after: () => undefined }] })).to.throw('getUser');
      await serve({ to: engine, hooks: [{ after: { getUser: redact } }] });
      expect(parsed(await ask('GET /users/1'))).to.deep.equal({ id: '1', name: 'X' });
    }
  });

  it('omits what closed schemas of version 2 do not declare, before it is converted', async () => {
    const shown: unknown[] = [];
    const { content } = two.contract.operations['readUser']?.responses['200'] ?? {};
    const { check = '' } = content?.['application/json'] ?? {};
    const omit = (value: unknown, { places }: { places: string[][] }): unknown => {
      const { secret, ...others } = value as Record<string, unknown>;
      if (secret !== undefined) places.push(['secret']);
      return secret === undefined ? value : others;
    };
    const closed = { ...two.contract, surplus: { [check]: omit as never } };
    people = new People({ ...two, contract: closed });
    await serve({
      to: people.engine(
        [
          {
            before: {
              readUser: () => ({ status: 200, body: { id: '1', fullName: 'Ada', secret: 's' } }),
            } as never,
          },
        ],
        false,
      ),
      convert: {
        ...conversions,
        getUser: {
          ...conversions['getUser'],
          response: (answer: { body: { fullName: string } }) => {
            shown.push(answer.body);
            return { ...answer, body: { id: '1', name: answer.body.fullName } };
          },
        },
      },
    });
    expect((await ask('GET /users/1')).status).to.equal(200);
    expect(shown).to.deep.equal([{ id: '1', fullName: 'Ada' }]);
  });

  it('checks the answers of version 2 where that checks its responses', async () => {
    const wrong = () => ({ status: 200, body: { id: 1, fullName: 'Ada' } });
    await serve({ checkResponses: undefined }, [{ before: { readUser: wrong } as never }]);
    expect((await ask('GET /users/1')).status).to.equal(500);
    expect(String(people.reports[0]?.error)).to.contain('readUser answered 200 against its contract');
  });

  it('keeps the status of an error of a host in version 2, if version 1 declares it', async () => {
    const failing = (status: number) => () => {
      throw Object.assign(new Error('no user'), { status, expose: true });
    };
    await serve({}, [{ before: { readUser: failing(404) } as never }]);
    const answer = await ask('GET /users/1');
    expect([answer.status, parsed(answer)]).to.deep.equal([404, { error: 'no user' }]);
    await serve({}, [{ before: { readUser: failing(418) } as never }]);
    expect((await ask('GET /users/1')).status).to.equal(500);
    expect(String(people.reports[0]?.error)).to.contain('version 2 answered 418');
  });

  it('lets a hook of version 2 answer', async () => {
    await serve({}, [{ before: { readUser: () => ({ status: 404, body: { error: 'hidden' } }) } as never }]);
    expect(parsed(await ask('GET /users/1'))).to.deep.equal({ error: 'hidden' });
    expect(people.seen).to.deep.equal([]);
  });

  it('announces its end, also with refusals, and counts requests', async () => {
    const link = '</v2/>; rel="successor-version"';
    const dates = { deprecation: '@1769817600', sunset: 'Fri, 31 Dec 2027 00:00:00 GMT' };
    expect((await ask('GET /users')).headers).to.include({ ...dates, link });
    expect((await ask('GET /users?limit=0')).headers).to.include({ ...dates, link });
    expect((await ask('GET /users/1')).headers).to.include({
      deprecation: '@1772323200',
      sunset: dates.sunset,
      link: '</v2/people>; rel="successor-version"',
    });
    expect((await ask('GET /nowhere')).headers).not.to.have.any.keys('deprecation', 'sunset', 'link');
    expect(bridge.requests).to.include({ listUsers: 2, getUser: 1, createUser: 0 });
    expect(bridge.requests).to.have.all.keys(Object.keys(one.contract.operations));
  });

  it('adds its link to those of a response', async () => {
    await serve({}, [
      {
        after: ({ response }) => ({
          ...response,
          headers: { ...response.headers, Link: '</a>; rel="next"' },
        }),
      },
    ]);
    expect((await ask('GET /users')).headers.link).to.equal(
      '</a>; rel="next", </v2/>; rel="successor-version"',
    );
  });

  it('is an engine to which another version leads', async () => {
    people = new People(three, 'displayName');
    const second = untypedBridge({
      from: two.contract,
      to: people.engine(),
      convert: {
        ...renaming('fullName', 'displayName'),
        listUsers: {
          response: (answer: { body: { items: Record<string, unknown>[] } }) => ({
            ...answer,
            body: {
              items: answer.body.items.map(({ displayName, ...user }) => ({
                ...user,
                fullName: displayName,
              })),
            },
          }),
        },
        readUser: {
          response: (answer: { status: number; body: Record<string, unknown> }) =>
            answer.status === 200
              ? { status: 200, body: { id: answer.body['id'], fullName: answer.body['displayName'] } }
              : answer,
        },
      },
    });
    bridge = untypedBridge({
      from: one.contract,
      to: second,
      convert: conversions,
      checkResponses: one.responseChecks,
    });
    await served?.close();
    served = await listenTo(nodeTransport(bridge));
    expect(parsed(await ask('GET /users'))).to.deep.equal([{ id: '1', name: 'Ada' }]);
    const answer = await ask('POST /users', { headers: json, body: '{"name":"Bob"}' });
    expect(parsed(answer)).to.deep.equal({ id: '1', name: 'Bob' });
    expect(people.seen[1])
      .to.deep.include({ id: 'createUser' })
      .and.to.have.nested.property('request.body.displayName', 'Bob');
    expect((await ask('GET /users/gone')).status).to.equal(500);
    expect((await ask('GET /pages')).text).to.include('{"name":"Bob"}');
    expect(people.credentials).to.deep.equal(Array(4).fill('ada'));
    expect([bridge.requests['listUsers'], second.requests['listUsers']]).to.deep.equal([1, 0]);
  });

  for (const { name, listen } of transports) {
    it(`is served by ${name}`, async () => {
      await withListener(await listen(bridge), async (url) => {
        const sent = { headers: { ...json, authorization: 'Bearer ada' }, body: '{"name":"Bob"}' };
        const answer = await send(url, { method: 'POST', path: '/users', ...sent });
        expect([answer.status, parsed(answer)]).to.deep.equal([201, { id: '1', name: 'Bob' }]);
        expect(answer.headers).to.include({ deprecation: '@1769817600' });
      });
    });
  }

  for (const [sentence, options] of [
    ['convert.other names no operation of version 1', { convert: { ...conversions, other: {} } }],
    [
      'convert.oldReport needs `to` or `handler`: version 2 serves no operation oldReport',
      { convert: { ...conversions, oldReport: {} } },
    ],
    [
      'convert.oldReport needs `to` or `handler`: version 2 serves no operation report',
      { convert: { ...conversions, oldReport: { to: 'report' } } },
    ],
    [
      'convert.ping.respond is none of the parts to: string, because: string, request: function, response: function, handler: function',
      { convert: { ...conversions, ping: { respond: () => undefined } } },
    ],
    [
      'the security handlers do not fit the contract; not in the contract: other',
      { security: { other: {} } },
    ],
  ] as const) {
    it(`does not start: ${sentence}`, () => {
      const common = { from: one.contract, to: people.engine(), convert: conversions };
      expect(() => untypedBridge({ ...common, ...options })).to.throw(Error, sentence);
    });
  }

  it('needs no conversion of an operation with the name of a member of every object', () => {
    type Operations = Readonly<Record<'toString' | 'constructor' | 'list', UntypedHandler>>;
    const convert = { list: { because: 'a shorter maxLength', request: (request: object) => request } };
    // The compiler is the judge.
    const typed: Conversions<Operations, Operations, unknown, unknown> = convert;
    expect(Object.keys(typed)).to.deep.equal(['list']);
  });

  it('does not start without a handler of a scheme that version 2 does not have', () => {
    const to = people.engine();
    const from = { ...one.contract, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } };
    expect(() => untypedBridge({ from, to, convert: conversions })).to.throw(
      'the security handlers do not fit the contract; missing: token',
    );
  });
});
