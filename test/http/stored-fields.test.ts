/** Fields that an overlay adds with `x-stored`: stored, answered and filtered by the core itself, on every store. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Service, createService } from '../../src/service/create-service.js';
import { type Settings, readSettings } from '../../src/service/settings/settings.js';
import type { DatabaseSettings } from '../../src/service/settings/data.js';
import { openapiFile, schemaFile } from '../../src/core/contract.js';
import { createResolvers } from '../../src/core/resolvers/graphql-engine.js';
import { generate } from 'concordat';
import { loadModules } from '../codegen/generated-modules.js';
import { until } from '../support/until.js';
import { quickHasher } from '../support/quick-hasher.js';
import { onAllDatabases } from '../support/stores.js';

const FIELDS = `
        shelf: { type: string, maxLength: 20, x-stored: true, x-filter: true }
        level: { type: string, enum: [low, high], default: low, x-stored: true, x-filter: true }
        weight: { type: number, x-stored: true, x-filter: true }
        fragile: { type: boolean, x-stored: true, x-filter: true }
        parts: { type: array, items: { $ref: '#/components/schemas/Text' }, maxItems: 3, x-stored: true }
        note: { type: [string, 'null'], x-stored: true }
        secret: { type: string, writeOnly: true, x-stored: true }
        score: { type: integer, readOnly: true, x-stored: true }
`;

const overlay = (actions: string): string =>
  `overlay: 1.0.0\ninfo: { title: Stock, version: '1' }\nextends: ${openapiFile.pathname}\nactions:\n${actions}`;

const RECORDS = ['User', 'Product', 'Order', 'Comment'] as const;
const OVERLAY = overlay(`  - target: $.components.schemas['${RECORDS.join("', '")}', 'Post'].properties
    update: ${FIELDS}
  - target: $.components.schemas.Product
    update: { required: [sku], properties: { sku: { type: string, maxLength: 9, x-stored: true } } }
  - target: $.components.schemas.Category.properties
    update: { color: { type: string, x-stored: true } }
`);

const SCHEMA = `
extend type User { shelf: String, weight: Float, level: String }
extend type Post { shelf: String }
extend type Query { users(shelf: String): [User!]! posts(shelf: String): [Post!]! }
extend type Mutation {
  createUser(shelf: String, weight: Float): User!
  updateUser(shelf: String, weight: Float): User!
  createPost(shelf: String): Post!
}
`;

/** Values of all fields, as a client writes and as it reads them. */
const given = { shelf: "A'7", level: 'high', weight: 0.5, fragile: true, parts: ['x', 'y'], note: null };
const shown = (values: object): object => ({ level: 'low', ...values });

describe('fields that are stored', () => {
  let directory = '';
  const path = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  let typeDefs = '';
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'concordat-stored-'));
    const schema = [schemaFile.pathname, path('stock.graphql', SCHEMA)];
    const { exports } = loadModules(await generate({ schema }));
    ({ typeDefs } = exports['schema.ts'] as { readonly typeDefs: string });
  });
  after(() => {
    rmSync(directory, { recursive: true });
  });

  const start = async (database: DatabaseSettings['database'], text?: string): Promise<Service> =>
    await createService({
      ...(text !== undefined && { contract: path('stock.yaml', text) }),
      ...(text === OVERLAY && { graphql: { typeDefs, resolvers: createResolvers } }),
      settings: {
        ...readSettings({
          PORT: '0',
          DEMO_DATA: 'off',
          LOG_LEVEL: 'silent',
          OUTBOX: 'on',
          STOP_TIMEOUT: '1',
        }),
        database,
      } satisfies Settings,
      passwordHasher: quickHasher,
      report: (error) => {
        throw error;
      },
    });

  onAllDatabases('the fields of every record', (make) => {
    let service: Service;
    let database: DatabaseSettings['database'];
    let ask: Ask;
    let url = '';
    before(async () => {
      database = await make();
      service = await start(database, OVERLAY);
      ({ url } = await service.listen());
      ask = askAt(url);
      const user = { name: 'Ada', email: 'ada@example.com' };
      expect(await ask('POST', '/api/users', user)).to.have.property('status', 201);
      const order = { userId: '1', items: [{ name: 'Lamp', unitPrice: 1, quantity: 1 }] };
      expect(await ask('POST', '/api/orders', order)).to.have.property('status', 201);
    });
    after(() => service.close());

    const cases = {
      User: { list: '/api/users', body: { name: 'Bob', email: 'bob@example.com' }, isReplaced: true },
      Product: { list: '/api/products', body: { name: 'Lamp', price: 1, sku: '1' }, isReplaced: true },
      Order: {
        list: '/api/orders',
        body: { userId: '1', items: [{ name: 'Lamp', unitPrice: 1, quantity: 1 }] },
        isReplaced: true,
      },
      Comment: { list: '/api/comments', body: { orderId: '1', userId: '1', text: 'Hi' }, isReplaced: false },
    } satisfies Record<(typeof RECORDS)[number], object>;

    for (const [name, { list, body, isReplaced }] of Object.entries(cases)) {
      it(`are stored with a ${name}, answered, replaced and filtered`, async () => {
        const key = { 'Idempotency-Key': `key-${name}` };
        const made = await ask('POST', list, { ...body, ...given, secret: 'hidden' }, key);
        expect(made.status, made.text).to.equal(201);
        expect(made.body).to.deep.include(given).and.not.to.have.any.keys('secret', 'score');
        const one = `${list}/${String(made.body['id'])}`;
        const read = await ask('GET', one);
        expect(read.body).to.deep.equal(made.body);
        const again = await ask('POST', list, { ...body, ...given, secret: 'hidden' }, key);
        expect([again.headers.get('idempotency-replayed'), again.body]).to.deep.equal(['true', made.body]);
        const other = await ask('POST', list, { ...body, ...given, secret: 'other' }, key);
        expect(other.status, 'the hash has all fields').to.equal(422);

        const xml = await ask('GET', one, undefined, { Accept: 'application/xml' });
        expect(xml.text).to.include('<level>high</level>').and.to.include('<fragile>true</fragile>');
        expect(xml.text).not.to.include('hidden');

        const fresh = { ...body, ...(name === 'User' && { email: 'c@d.ef' }) };
        const plain = await ask('POST', list, fresh);
        expect(plain.body).to.include({ level: 'low' }).and.not.to.have.any.keys('shelf', 'note');
        for (const query of [
          "shelf=A'7",
          'level=high',
          'weight=0.5',
          'fragile=true',
          "shelf=A'7&weight=0.5&limit=5",
        ])
          expect((await ask('GET', `${list}?envelope=false&${query}`)).body, query).to.deep.equal([
            made.body,
          ]);
        for (const query of ['shelf=B', "shelf=A'7&fragile=false"])
          expect((await ask('GET', `${list}?envelope=false&${query}`)).body, query).to.deep.equal([]);
        const others = await ask('GET', `${list}?envelope=false&level=low`);
        expect(others.body, 'the default').to.deep.include(plain.body);
        expect((await ask('GET', `${list}?weight=heavy`)).text).to.include('query/weight must be number');

        for (const [field, value, problem] of [
          ['shelf', 'x'.repeat(21), 'must NOT have more than 20 characters'],
          ['level', 'middle', 'must be equal to one of the allowed values'],
          ['parts', ['a', 'b', 'c', 'd'], 'must NOT have more than 3 items'],
          ['shelf', null, 'must be string'],
          ['secret', '\u0000', 'must not hold control characters'],
          ['note', '\ud800', 'must not hold control characters'],
        ] as const) {
          const { status, text } = await ask('POST', list, { ...fresh, [field]: value });
          expect([status, text], `${field} ${text}`).to.satisfy(
            () => status === 400 && text.includes(problem),
          );
        }
        const refused = await ask('POST', list, { ...fresh, score: 1 });
        expect([refused.status, refused.text]).to.satisfy(
          () => refused.status === 400 && refused.text.includes('score'),
        );
        if (!isReplaced) return;

        const tag = read.headers.get('etag') ?? '';
        const changed = { ...read.body, shelf: 'B', weight: undefined, score: 5 };
        const put = await ask('PUT', one, changed, { 'If-Match': tag });
        expect(put.status, put.text).to.equal(200);
        const { weight: _, ...rest } = given;
        expect(put.body, 'what a replacement leaves out is removed').to.deep.include({ ...rest, shelf: 'B' });
        expect(put.body).not.to.have.any.keys('weight', 'score');
        expect(put.headers.get('etag')).not.to.equal(tag);
        expect(
          (await ask('PUT', one, changed, { 'If-Match': tag })).status,
          'the version has grown',
        ).to.equal(412);
        expect((await ask('GET', one)).body).to.deep.equal(put.body);
        expect((await ask('GET', `${list}?envelope=false&shelf=B`)).body).to.deep.equal([put.body]);
      });
    }

    it('are required as the overlay says', async () => {
      const { status, text } = await ask('POST', '/api/products', { name: 'Lamp', price: 1 });
      expect([status, text]).to.deep.equal([400, '{"error":"body must have required property \'sku\'"}']);
    });

    it('are missing in the answers of records from before a required field', async () => {
      const old = { name: 'Old lamp', price: 1 };
      const { id } = await service.services.products.create({ kind: 'anonymous', address: undefined }, old);
      const { status, body, text } = await ask('GET', `/api/products/${id}`);
      expect(status, text).to.equal(200);
      expect(body).to.include({ name: 'Old lamp' }).and.not.to.have.any.keys('sku');
      expect(await ask('GET', '/api/products')).to.have.property('status', 200);
      expect(await ask('DELETE', `/api/products/${id}`)).to.have.property('status', 204);
    });

    it('are written by the change of a status', async () => {
      const patched = await ask('PATCH', '/api/orders/1', { status: 'processing', shelf: 'C' });
      expect(patched.body).to.deep.include({ status: 'processing', shelf: 'C', level: 'low' });
      const kept = await ask('PATCH', '/api/orders/1', { status: 'completed' });
      expect(kept.body).to.deep.include({ shelf: 'C' });
    });

    it('are stored with categories, which keep what a list leaves out', async () => {
      const { body } = await ask('POST', '/api/products', { name: 'Chair', price: 1, sku: '2' });
      const categories = `/api/products/${String(body['id'])}/categories`;
      const first = await ask('PUT', categories, [{ name: 'Garden', color: 'green' }, { name: 'Tools' }]);
      expect(first.body).to.deep.include({ id: '1', name: 'Garden', color: 'green' });
      expect((await ask('PUT', categories, [{ name: 'Garden' }])).body).to.deep.equal([
        { id: '1', name: 'Garden', color: 'green' },
      ]);
      expect((await ask('GET', categories)).text).to.include('green');
    });

    it('are in the posts of every list', async () => {
      const post = { title: 'T', content: 'C', authorId: '1', stored: { shelf: 'P', secret: 'hidden' } };
      await service.services.posts.create({ kind: 'anonymous', address: undefined }, post);
      const { body, text } = await ask('GET', '/api/posts?shelf=P');
      expect(body['data']).to.deep.include.members([shown({ ...(body['data'] as object[])[0], shelf: 'P' })]);
      expect(text).not.to.include('hidden');
      expect((await ask('GET', '/api/posts?shelf=Q')).body)
        .to.have.property('data')
        .that.deep.equals([]);
      expect((await ask('GET', '/api/feed')).text).to.include('"shelf":"P"');
    });

    it('are fields, arguments and filters of GraphQL, as far as the schema of the team has them', async () => {
      const query = async (text: string): Promise<unknown> =>
        (await ask('POST', '/graphql', { query: text })).body;
      const create =
        'mutation { createUser(name: "Eve", email: "eve@example.com", shelf: "G", weight: 2) { id shelf weight level } }';
      const { data } = (await query(create)) as { data: { createUser: { id: string } } };
      const { id } = data.createUser;
      const eve = { id, shelf: 'G', weight: 2, level: 'low' };
      expect(data).to.deep.equal({ createUser: eve });
      expect(await query('{ users(shelf: "G", limit: 9) { id shelf weight level } }')).to.deep.equal({
        data: { users: [eve] },
      });
      expect(
        await query(`mutation { updateUser(id: "${id}", weight: null) { shelf weight } }`),
      ).to.deep.equal({
        data: { updateUser: { shelf: 'G', weight: null } },
      });
      expect((await ask('GET', `/api/users/${id}`)).body)
        .to.include({ shelf: 'G' })
        .and.not.to.have.any.keys('weight');
      expect(
        await query('mutation { createUser(name: "Eve", email: "e@f.gh", shelf: "\\u0000") { id } }'),
      ).to.have.nested.property('errors[0].extensions.code', 'BAD_USER_INPUT');

      const added = await firstEvent(`${url}/graphql`, 'subscription { postAdded { title shelf } }', () =>
        query('mutation { createPost(title: "T", content: "C", authorId: "1", shelf: "H") { shelf } }'),
      );
      expect(added).to.deep.equal({ data: { postAdded: { title: 'T', shelf: 'H' } } });
      expect(await query('{ posts(shelf: "H") { shelf } }')).to.deep.equal({
        data: { posts: [{ shelf: 'H' }] },
      });
    });

    it('are in the events of writes, except hidden ones', async () => {
      const events: object[] = [];
      await service.events.outbox((event) => void events.push(event));
      const body = { name: 'Event', price: 1, sku: '3', shelf: 'E', secret: 'hidden' };
      const { body: product } = await ask('POST', '/api/products', body);
      await until('the event arrives', () => Promise.resolve(events.length > 0));
      const [event] = JSON.parse(JSON.stringify(events)) as object[];
      expect(event).to.have.property('data').that.deep.equals(product);
      const { id } = product;
      const given = [{ name: 'Blue', color: 'blue' }, { name: 'Plain' }];
      const { body: categories } = await ask('PUT', `/api/products/${String(id)}/categories`, given);
      await until('the next event arrives', () => Promise.resolve(events.length > 1));
      expect(events[1]).to.have.property('data').that.deep.equals({ id, categories });
      expect(categories).to.have.nested.property('[0].color', 'blue');
    });

    it('stay when the overlay is gone, which shows nothing, and when it comes back', async () => {
      if (database.kind === 'memory') return;
      await service.close();
      const bare = await start(database);
      const at = askAt((await bare.listen()).url);
      const { body } = await at('GET', '/api/products/1');
      expect(Object.keys(body)).to.have.members(['id', 'name', 'price', 'links']);
      expect((await at('PUT', '/api/products/1', { name: 'Renamed', price: 2 })).status).to.equal(200);
      const order = { userId: '1', items: [{ name: 'Lamp', unitPrice: 1, quantity: 1 }] };
      const key = { 'Idempotency-Key': 'before the overlay came back' };
      const made = await at('POST', '/api/orders', order, key);
      await bare.close();
      service = await start(database, OVERLAY);
      ask = askAt((await service.listen()).url);
      expect((await ask('GET', '/api/products/1')).body).to.include({
        name: 'Renamed',
        shelf: 'B',
        sku: '1',
      });
      const again = await ask('POST', '/api/orders', order, key);
      expect(again.body, 'a default is no other request').to.deep.include({ ...made.body, level: 'low' });
      const other = await ask('POST', '/api/orders', { ...order, level: 'high' }, key);
      expect(other.status).to.equal(422);
    });
  });

  const refusals: readonly (readonly [what: string, actions: string, sentence: string])[] = [
    [
      'a schema that is no record',
      'UserLinks: { a: { type: string, x-stored: true } }',
      'only a property of User, Product, Order, Post, Comment, Category can be stored',
    ],
    [
      'a name that every object has',
      'Category: { constructor: { type: string, x-stored: true } }',
      'constructor is a property of every object',
    ],
    ['a field of ours', 'User: { phone: { x-stored: true } }', 'the service has its own field phone'],
    [
      'a column of ours',
      'User: { passwordHash: { type: string, x-stored: true } }',
      'the service has its own field passwordHash',
    ],
    [
      'a field of a request of ours',
      'User: { password: { type: string, x-stored: true } }',
      'UserInput has its own field password',
    ],
    [
      'binary data',
      'Product: { image: { type: string, format: binary, x-stored: true } }',
      'a stored field must be a value of JSON, not binary data',
    ],
    [
      'a name that is no word',
      'Product: { a-b: { type: string, x-stored: true } }',
      'the name of a stored field must be letters, digits and _',
    ],
    [
      'a filter that is not stored',
      'Product: { a: { type: string, x-filter: true } }',
      'x-filter needs x-stored: true',
    ],
    [
      'a filter by an object',
      'Product: { a: { type: object, x-stored: true, x-filter: true } }',
      'x-filter needs one type: string, integer, number or boolean',
    ],
    [
      'a filter by a long text',
      'Product: { a: { type: string, x-stored: true, x-filter: true } }',
      'x-filter needs a maxLength of at most 500, because an index has the texts',
    ],
    [
      'a filter by what is hidden',
      'Product: { a: { type: integer, writeOnly: true, x-stored: true, x-filter: true } }',
      'x-filter would show what writeOnly hides',
    ],
    [
      'a filter with the name of a parameter',
      'Product: { page: { type: integer, x-stored: true, x-filter: true } }',
      'the list has its own parameter page',
    ],
    [
      'a filter of categories',
      'Category: { a: { type: integer, x-stored: true, x-filter: true } }',
      'x-filter needs a record that has a list of its own',
    ],
    [
      'a default of another type',
      'Product: { a: { type: integer, default: x, x-stored: true } }',
      'the schema refuses its default',
    ],
    [
      'a pattern that is none',
      "Product: { a: { type: string, pattern: '(', x-stored: true } }",
      '"(" is not a regular expression',
    ],
    [
      'a default of another type that requests do not have',
      'Category: { a: { type: string, default: 1, readOnly: true, x-stored: true } }',
      'the schema refuses its default',
    ],
    [
      'a default of another type of a post',
      'Post: { a: { type: string, default: 1, x-stored: true } }',
      'the schema refuses its default',
    ],
    [
      'a field that is hidden from everyone',
      'Product: { a: { type: string, readOnly: true, writeOnly: true, x-stored: true } }',
      'readOnly and writeOnly exclude each other',
    ],
    [
      'the name of the prototype',
      'Product: { __proto__: { type: string, x-stored: true } }',
      'the name of a stored field must not be __proto__',
    ],
    ['another value', 'Product: { a: { type: string, x-stored: shelf } }', 'x-stored must be true'],
    [
      'a misspelt name',
      'Product: { a: { type: string, x-store: true } }',
      'x-store says nothing: write x-stored',
    ],
    [
      'a misspelt filter',
      'Product: { a: { type: string, maxLength: 9, x-stored: true, x-filtered: true } }',
      'x-filtered says nothing: write x-filter',
    ],
  ];
  for (const [what, schema, sentence] of refusals) {
    it(`are refused with one sentence at the start: ${what}`, async () => {
      const [, name = '', properties = ''] = /^(\w+): (.*)$/.exec(schema) ?? [];
      const text = overlay(
        `  - target: $.components.schemas.${name}.properties\n    update: ${properties}\n`,
      );
      const error = await start({ kind: 'memory' }, text).then(
        () => expect.fail('it started'),
        (refused: unknown) => refused as Error,
      );
      expect(error.message).to.match(
        /stock\.yaml:6:\d+ (invalid-extension|unsupported feature [\w-]+) at #\//,
      );
      expect(error.message.split('\n')).to.have.length(1);
      expect(error.message).to.include(`: ${sentence}`);
    });
  }
});

describe('the requests of fields that are stored', () => {
  let directory = '';
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'concordat-lost-'));
  });
  after(() => {
    rmSync(directory, { recursive: true });
  });

  const refusal = async (actions: string, schema?: string): Promise<string> => {
    writeFileSync(join(directory, 'lost.yaml'), overlay(actions));
    let graphql;
    if (schema !== undefined) {
      writeFileSync(join(directory, 'lost.graphql'), schema);
      const files = await generate({ schema: [schemaFile.pathname, join(directory, 'lost.graphql')] });
      const { typeDefs } = loadModules(files).exports['schema.ts'] as { readonly typeDefs: string };
      graphql = { typeDefs, resolvers: createResolvers };
    }
    const starting = createService({
      contract: join(directory, 'lost.yaml'),
      ...(graphql && { graphql }),
      settings: readSettings({ PORT: '0', DATABASE_URL: 'memory:', DEMO_DATA: 'off', LOG_LEVEL: 'silent' }),
      passwordHasher: quickHasher,
    });
    return await starting.then(
      async (service) => {
        await service.listen();
        await service.close();
        return '';
      },
      (error: unknown) => (error as Error).message,
    );
  };

  const stored = (record: string, name = 'shelf', facts = ''): string =>
    `  - target: $.components.schemas.${record}.properties
    update: { ${name}: { type: string, maxLength: 9, ${facts}x-stored: true, x-filter: true } }\n`;

  it('are refused where the record of the operation has no such field', async () => {
    const body = `  - target: $.components.schemas.CommentInput.properties\n    update: { shelf: { type: string } }\n`;
    const sentence = /^createComment: the handler of the core does not read body\/shelf;/;
    expect(await refusal(body)).to.match(sentence);
    expect(await refusal(stored('Product') + body), 'a field of another record').to.match(sentence);
    const query = (path: string) => `  - target: $.paths['${path}'].get.parameters
    update: { name: shelf, in: query, schema: { type: string } }\n`;
    expect(await refusal(stored('User') + query('/api/users/{userId}/orders'))).to.match(
      /^listUserOrders: the handler of the core does not read query\/shelf;/,
    );
    expect(await refusal(stored('User'))).to.equal('');
  });

  it('are refused by the start of GraphQL where the record of a resolver has no such field', async () => {
    const argument = (field: string) =>
      `extend type Mutation { ${field}(shelf: String): ${field.slice(6)}! }`;
    const lost = (field: string) => new RegExp(`^${field}: the handler of the core does not read shelf;`);
    expect(await refusal(stored('Post'), argument('createUser'))).to.match(lost('Mutation.createUser'));
    expect(await refusal(stored('User'), argument('createPost'))).to.match(lost('Mutation.createPost'));
    expect(await refusal(stored('User', 'shelf', 'readOnly: true, '), argument('createUser'))).to.match(
      lost('Mutation.createUser'),
    );
    expect(await refusal(stored('Post'), argument('createPost'))).to.equal('');
  });

  it('are refused where a required property does not exist', async () => {
    const required = `  - target: $.components.schemas.Product\n    update: { required: [shelff] }\n`;
    expect(await refusal(stored('Product') + required)).to.match(
      / invalid-extension at #\/components\/schemas\/Product\/required: Product has no property shelff$/,
    );
  });
});

/** The first event of a subscription, which is caused once it is open. */
async function firstEvent(url: string, query: string, cause: () => Promise<unknown>): Promise<unknown> {
  const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  let text = '';
  void cause();
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const [, data] = /^data: (.*)\n\n/m.exec(text) ?? [];
    if (data !== undefined) return JSON.parse(data);
  }
  return undefined;
}

type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}>;

function askAt(url: string): Ask {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      text,
      headers: response.headers,
      body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
  };
}
