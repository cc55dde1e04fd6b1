/** Undeclared members in the answers of handlers: omitted, sent or refused, in each kind of body. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  memoryRequest,
  type ResponseChecks,
  type RestContract,
  restEngine,
  type RestEngineOptions,
} from '@concordat/runtime';
import { xmlEncoder } from '@concordat/runtime/xml';
import { generateContract, removeDirectory, temporaryPackage } from './generated-contract.js';
import { documentOf } from './written-contract.js';

const closed = (properties: object): object => ({ type: 'object', additionalProperties: false, properties });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };

const schemas = {
  User: {
    ...closed({ id: text, at: { ...text, format: 'date-time' }, friend: ref('User') }),
    required: ['id'],
  },
  Users: { type: 'object', properties: { data: { type: 'array', items: ref('User') } } },
  Either: {
    oneOf: [
      { ...closed({ kind: { const: 'public' }, name: text }), required: ['kind'] },
      { ...closed({ kind: { const: 'private' }, name: text, secret: text }), required: ['kind'] },
    ],
  },
  Holder: closed({ inner: ref('Either') }),
  Both: { allOf: [{ properties: { id: text } }], unevaluatedProperties: false },
  Maybe: { anyOf: [ref('User'), { type: 'array', items: ref('User') }, { type: 'null' }] },
  Event: closed({
    data: { ...text, contentMediaType: 'application/json', contentSchema: ref('User') },
    event: text,
  }),
  Text: text,
};

/** By path: the media type, and the schema of a value or an item. */
const bodies: Readonly<Record<string, readonly [mediaType: string, schema: string]>> = {
  user: ['application/json', 'User'],
  users: ['application/json', 'Users'],
  either: ['application/json', 'Either'],
  holder: ['application/json', 'Holder'],
  both: ['application/json', 'Both'],
  maybe: ['application/json', 'Maybe'],
  xml: ['application/xml', 'User'],
  lines: ['application/x-ndjson', 'User'],
  events: ['text/event-stream', 'Event'],
  text: ['text/plain', 'Text'],
  bytes: ['application/cbor', 'User'],
};

function pathOf(id: string): object {
  const [mediaType = '', schema = ''] = bodies[id] ?? [];
  const key =
    mediaType.startsWith('application/x-nd') || mediaType === 'text/event-stream' ? 'itemSchema' : 'schema';
  const content = { [mediaType]: { [key]: ref(schema) } };
  return { get: { operationId: id, responses: { 200: { description: 'A value', content } } } };
}

/** The encoder of CBOR sends what the handler has encoded. */
const encoders = {
  'application/xml': xmlEncoder({}),
  'application/cbor': (value: unknown) => value as Uint8Array,
};

const secret = { secret: 'admin' };

describe('undeclared members', () => {
  let directory = '';
  let contract: RestContract;
  let checks: ResponseChecks;

  before(async () => {
    directory = await temporaryPackage();
    const openapi = join(directory, 'openapi.json');
    const paths = Object.fromEntries(Object.keys(bodies).map((id) => [`/${id}`, pathOf(id)]));
    await writeFile(openapi, JSON.stringify(documentOf({ paths, components: { schemas } }, '3.2.0')));
    ({ contract, responseChecks: checks } = await generateContract(directory, { openapi }));
  });
  after(() => removeDirectory(directory));

  type Options = Partial<Pick<RestEngineOptions<undefined>, 'surplus' | 'checkResponses'>>;

  /** An engine whose handlers all answer with a body. */
  function serve(body: () => unknown, options: Options = {}) {
    const reported: string[] = [];
    const handler = (): object => ({ status: 200, body: body() });
    const engine = restEngine({
      contract: contract,
      operations: Object.fromEntries(Object.keys(bodies).map((id) => [id, handler])),
      security: {},
      anonymous: undefined,
      encoders,
      report: (error) => void reported.push((error as Error).message),
      ...options,
    });
    const get = async (id: string): Promise<string> => {
      const { status, body: sent } = await engine(memoryRequest({ path: `/${id}` }));
      if (status !== 200) return String(status);
      if (typeof sent === 'string' || sent === undefined) return sent ?? '';
      if (sent instanceof Uint8Array) return Buffer.from(sent).toString();
      const pieces: Uint8Array[] = [];
      for await (const piece of sent) pieces.push(piece);
      return Buffer.concat(pieces).toString();
    };
    return { get, reported };
  }

  const dirty = { id: '1', ...secret, friend: { id: '2', ...secret } };
  const clean = '{"id":"1","friend":{"id":"2"}}';

  it('are omitted from JSON, and reported once per place', async () => {
    const { get, reported } = serve(() => dirty);
    expect([await get('user'), await get('user')]).to.deep.equal([clean, clean]);
    const message =
      'user answered 200 with a member that its contract does not declare, and that was omitted:';
    expect(reported).to.have.members([`${message} body/secret`, `${message} body/friend/secret`]);
  });

  it('are omitted from arrays, whose items are one place', async () => {
    const { get, reported } = serve(() => ({ data: [dirty, dirty], more: 1 }));
    expect(await get('users')).to.equal(`{"data":[${clean},${clean}],"more":1}`);
    expect(reported.map((message) => message.split(': ')[1])).to.have.members([
      'body/data/*/secret',
      'body/data/*/friend/secret',
    ]);
  });

  it('are omitted where no two schemas apply to one type', async () => {
    for (const [body, expected] of [
      [dirty, clean],
      [[dirty], `[${clean}]`],
      [null, 'null'],
    ] as const)
      expect(await serve(() => body).get('maybe')).to.equal(expected);
  });

  it('are omitted from XML', async () => {
    const { get } = serve(() => ({ id: '1', ...secret }));
    expect(await get('xml')).to.equal('<?xml version="1.0" encoding="UTF-8"?>\n<user><id>1</id></user>');
  });

  it('are omitted from the items of streams', async () => {
    async function* items() {
      yield* [dirty, dirty];
      await Promise.resolve();
    }
    const lines = serve(items);
    expect(await lines.get('lines')).to.equal(`${clean}\n${clean}\n`);
    expect(lines.reported).to.have.length(2);
    async function* events() {
      yield { event: 'x', data: dirty, ...secret };
      await Promise.resolve();
    }
    expect(await serve(events).get('events')).to.equal(`event: x\ndata: ${clean}\n\n`);
  });

  it('break off a stream where they are refused', async () => {
    async function* items() {
      yield* [{ id: '1' }, dirty];
      await Promise.resolve();
    }
    const failure = await serve(items, { surplus: 'refuse' })
      .get('lines')
      .catch((error: unknown) => String(error));
    expect(failure).to.match(/lines answered 200 with a member that its contract does not declare: body\//);
  });

  it('are a masked 500 where omitting them would mean choosing a schema', async () => {
    for (const surplus of ['strip', 'refuse'] as const) {
      for (const [id, body, place] of [
        [
          'either',
          { kind: 'public', name: 'x', ...secret },
          /^either answered 200 against its contract: body /,
        ],
        [
          'holder',
          { inner: { kind: 'public', ...secret } },
          /^holder answered 200 against its contract: body\/inner /,
        ],
        ['both', { id: '1', ...secret }, /^both answered 200 against its contract: body /],
      ] as const) {
        const { get, reported } = serve(() => body, { surplus });
        expect(await get(id)).to.equal('500');
        expect(reported.join()).to.match(place);
        expect(reported.join()).to.not.include('admin');
      }
      const good = { kind: 'private', name: undefined, unknown: undefined, ...secret };
      expect(await serve(() => good, { surplus }).get('either')).to.equal(
        '{"kind":"private","secret":"admin"}',
      );
    }
  });

  it('are a masked 500 with `refuse`', async () => {
    const { get, reported } = serve(() => dirty, { surplus: 'refuse' });
    expect(await get('user')).to.equal('500');
    expect(reported.join()).to.match(
      /^user answered 200 with a member that its contract does not declare: body\//,
    );
    expect(await serve(() => ({ id: '1' }), { surplus: 'refuse' }).get('user')).to.equal('{"id":"1"}');
  });

  it('are sent with `send`', async () => {
    const { get, reported } = serve(() => dirty, { surplus: 'send' });
    expect(await get('user')).to.equal(JSON.stringify(dirty));
    expect(await serve(() => ({ ...secret }), { surplus: 'send' }).get('both')).to.equal(
      JSON.stringify(secret),
    );
    expect(reported).to.deep.equal([]);
  });

  it('are refused by `checkResponses`, which sees the answer of the handler', async () => {
    expect(await serve(() => dirty, { checkResponses: checks }).get('user')).to.equal('500');
  });

  it('are nothing in text and bytes', async () => {
    expect(await serve(() => '{"secret":1}').get('text')).to.equal('{"secret":1}');
    expect(await serve(() => Buffer.from('{"secret":1}')).get('bytes')).to.equal('{"secret":1}');
  });

  it('do not fail a response whose report fails', async () => {
    const engine = restEngine({
      contract: contract,
      operations: Object.fromEntries(
        Object.keys(bodies).map((id) => [id, () => ({ status: 200, body: dirty })]),
      ),
      security: {},
      anonymous: undefined,
      encoders,
      report: () => {
        throw new Error('the log is full');
      },
    });
    expect((await engine(memoryRequest({ path: '/user' }))).body).to.equal(clean);
  });
});
