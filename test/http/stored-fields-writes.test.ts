/** The contract of stored fields, wherever a write comes from: GraphQL, hooks, code that calls the services, and REST. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { generate } from 'concordat';
import { openapiFile, schemaFile } from '../../src/core/contract.js';
import { createResolvers } from '../../src/core/resolvers/graphql-engine.js';
import { operator } from '../../src/core/services/rights/caller.js';
import type { WriteHooks } from '../../src/core/services/write-hooks.js';
import { type Service, createService } from '../../src/service/create-service.js';
import { type Settings, readSettings } from '../../src/service/settings/settings.js';
import { loadModules } from '../codegen/generated-modules.js';
import { quickHasher } from '../support/quick-hasher.js';
import { onAllDatabases } from '../support/stores.js';

const FIELDS = `
          team: { type: string, maxLength: 5, x-stored: true }
          level: { type: string, enum: [low, high], default: low, x-stored: true, x-filter: true }
          zip: { type: string, pattern: '^[0-9]{2}$', x-stored: true }
          size: { type: integer, minimum: 1, x-stored: true }
          note: { type: [string, 'null'], x-stored: true }
          meta: { type: object, properties: { key: { type: string, default: k } }, x-stored: true }
          points: { type: integer, minimum: 0, readOnly: true, x-stored: true }`;

const OVERLAY = `overlay: 1.0.0
info: { title: Teams, version: '1' }
extends: ${openapiFile.pathname}
actions:
  - target: $.components.schemas['User', 'Post']
    update:
      required: [team]
      properties: ${FIELDS}
  - target: $.components.schemas['Product', 'Order', 'Comment']
    update:
      properties: ${FIELDS}
  - target: $.components.schemas.Category.properties
    update: { color: { type: string, enum: [green, red], x-stored: true } }
`;

const ARGUMENTS = 'team: String, level: String, zip: String, size: Int, note: String, points: Int';
const SCHEMA = `
extend type User { ${ARGUMENTS} }
extend type Post { ${ARGUMENTS} }
extend type Query { users(level: String): [User!]! posts(level: String): [Post!]! }
extend type Mutation {
  createUser(team: String, level: String, zip: String, size: Int, note: String): User!
  updateUser(team: String, level: String, zip: String, size: Int, note: String): User!
  createPost(team: String, level: String, zip: String, size: Int, note: String): Post!
}
`;

/** Values that the schemas of the fields refuse, as GraphQL writes them, and the sentence. */
const wrong = [
  ['team', '"Keepers"', 'team must NOT have more than 5 characters'],
  ['level', '"middle"', 'level must be equal to one of the allowed values: low, high'],
  ['zip', '"1a"', 'zip must match pattern "^[0-9]{2}$"'],
  ['size', '0', 'size must be >= 1'],
] as const;

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('the contract of fields that are stored', () => {
  let directory = '';
  let contract = '';
  let typeDefs = '';
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'concordat-writes-'));
    contract = join(directory, 'teams.yaml');
    writeFileSync(contract, OVERLAY);
    const own = join(directory, 'teams.graphql');
    writeFileSync(own, SCHEMA);
    const { exports } = loadModules(await generate({ schema: [schemaFile.pathname, own] }));
    ({ typeDefs } = exports['schema.ts'] as { readonly typeDefs: string });
  });
  after(() => {
    rmSync(directory, { recursive: true });
  });

  onAllDatabases('holds', (make) => {
    let service: Service;
    let url = '';
    /** What the hooks set. */
    let hooked: unknown;
    const setting = (_: unknown, input: object) =>
      hooked === undefined ? undefined : { ...input, stored: hooked };
    const hooks = Object.fromEntries(
      [
        'users.create',
        'users.update',
        'posts.create',
        'products.write',
        'orders.create',
        'comments.create',
      ].map((action) => [action, { before: setting }]),
    ) as WriteHooks;
    before(async () => {
      service = await createService({
        contract,
        graphql: { typeDefs, resolvers: createResolvers },
        settings: {
          ...readSettings({ PORT: '0', DEMO_DATA: 'off', LOG_LEVEL: 'silent' }),
          database: await make(),
        } satisfies Settings,
        passwordHasher: quickHasher,
        hooks,
        report: (error) => {
          throw error;
        },
      });
      ({ url } = await service.listen());
      await service.services.users.create(operator, {
        name: 'Old',
        email: 'old@example.com',
      });
    });
    after(() => service.close());
    afterEach(() => {
      hooked = undefined;
    });

    const ask = async (method: string, path: string, body?: unknown, headers = {}) => {
      const response = await fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
    };
    const query = async (text: string) => {
      const { body } = await ask('POST', '/graphql', { query: text });
      const { data, errors } = body as {
        data: Record<string, Record<string, unknown>>;
        errors?: readonly { message: string; extensions: { code: string } }[];
      };
      return { data, refusal: errors?.map(({ message, extensions }) => [extensions.code, message]).join() };
    };
    let emails = 0;
    const person = () => ({ name: 'Eve', email: `eve${String((emails += 1))}@example.com` });
    const createUser = (args: string) => {
      const { name, email } = person();
      return query(
        `mutation { createUser(name: "${name}", email: "${email}"${args}) { id team level zip size note } }`,
      );
    };

    it('for arguments of GraphQL, in creations and changes', async () => {
      for (const [field, value, sentence] of wrong) {
        const args = `, ${field === 'team' ? '' : 'team: "A", '}${field}: ${value}`;
        const refused = `BAD_USER_INPUT,${sentence}`;
        expect((await createUser(args)).refusal).to.equal(refused);
        expect((await query(`mutation { updateUser(id: "1"${args}) { id } }`)).refusal).to.equal(refused);
        const post = `mutation { createPost(title: "T", content: "C", authorId: "1"${args}) { id } }`;
        expect((await query(post)).refusal).to.equal(refused);
      }
      expect((await query('{ users { id } posts { id } }')).data).to.deep.equal({
        users: [{ id: '1' }],
        posts: [],
      });
    });

    it('for required fields and defaults over GraphQL', async () => {
      for (const args of ['', ', team: null', ', level: "high"'])
        expect((await createUser(args)).refusal).to.equal(
          "BAD_USER_INPUT,must have required property 'team'",
        );
      const post = 'mutation { createPost(title: "T", content: "C", authorId: "1") { id } }';
      expect((await query(post)).refusal).to.equal("BAD_USER_INPUT,must have required property 'team'");

      const { data } = await createUser(', team: "A", note: null');
      const { id = '' } = data['createUser'] ?? {};
      expect(data['createUser']).to.deep.equal({
        id,
        team: 'A',
        level: 'low',
        zip: null,
        size: null,
        note: null,
      });
      const { stored } = await service.services.users.get(operator, String(id));
      expect(stored, 'the default is stored').to.deep.equal({ team: 'A', level: 'low' });
      const update = (args: string) =>
        query(`mutation { updateUser(id: "${String(id)}", ${args}) { team level zip } }`);
      expect((await update('team: null')).refusal).to.equal(
        "BAD_USER_INPUT,must have required property 'team'",
      );
      expect((await update('zip: "12"')).data['updateUser']).to.deep.equal({
        team: 'A',
        level: 'low',
        zip: '12',
      });
      expect((await update('zip: null, level: null')).data['updateUser'], 'null removes').to.deep.equal({
        team: 'A',
        level: 'low',
        zip: null,
      });
    });

    it('not for records from before a required field, which can be changed', async () => {
      const update = 'mutation { updateUser(id: "1", name: "Older", zip: "34") { name team zip } }';
      expect((await query(update)).data['updateUser']).to.deep.equal({
        name: 'Older',
        team: null,
        zip: '34',
      });
      const post = { title: 'T', content: 'C', authorId: '1' };
      const { id } = await service.services.posts.create(operator, post);
      expect((await query(`{ post(id: "${id}") { team level } }`)).data['post']).to.deep.equal({
        team: null,
        level: 'low',
      });
    });

    it('for filters', async () => {
      const sentence = 'level must be equal to one of the allowed values: low, high';
      for (const list of ['users', 'posts'])
        expect((await query(`{ ${list}(level: "middle") { id } }`)).refusal).to.equal(
          `BAD_USER_INPUT,${sentence}`,
        );
      expect((await query('{ users(level: "high") { id } }')).data).to.deep.equal({ users: [] });
      const { status, text } = await ask('GET', '/api/users?level=middle');
      expect([status, text]).to.deep.equal([400, JSON.stringify({ error: `query/${sentence}` })]);
    });

    const bodies = {
      '/api/users': () => ({ ...person(), team: 'A' }),
      '/api/products': () => ({ name: 'Lamp', price: 1 }),
      '/api/orders': () => ({ userId: '1', items: [{ name: 'Lamp', unitPrice: 1, quantity: 1 }] }),
      '/api/comments': () => ({ orderId: '1', userId: '1', text: 'Hi' }),
    };

    for (const [path, body] of Object.entries(bodies)) {
      it(`for the values of hooks, in ${path}`, async () => {
        const refusals = [
          [{ points: -1 }, 'body/points must be >= 0'],
          [{ level: 'middle' }, 'body/level must be equal to one of the allowed values: low, high'],
          [{ zip: null }, 'body/zip must be string'],
          [{ meta: { key: 1 } }, 'body/meta/key must be string'],
          [
            { meta: JSON.parse(nested(10_000)) as object },
            'body/meta must not be nested more than 500 levels deep',
          ],
          [{ meta: { a: [JSON.parse('1e400')] } }, 'body/meta must not hold numbers beyond 64 bits'],
          ...['a\u0000', '\ud800', '\uffff'].map(
            (key) =>
              [
                { meta: { a: [{ [key]: 1 }] } },
                'body/meta must not hold control characters, halves of characters or noncharacters',
              ] as const,
          ),
          ...(path === '/api/users' ? [[{ team: undefined }, "must have required property 'team'"]] : []),
        ] as const;
        for (const headers of [{}, { 'Idempotency-Key': `key of ${path}` }]) {
          for (const [values, error] of refusals) {
            hooked = values;
            const { status, text } = await ask('POST', path, body(), headers);
            expect([status, text]).to.deep.equal([400, JSON.stringify({ error })]);
          }
        }
        hooked = { points: 7, meta: Object.freeze({}) };
        const made = await ask('POST', path, body());
        expect(made.status, made.text).to.equal(201);
        expect(made.body).to.deep.include({ points: 7, meta: {} });
      });

      it(`for objects that are nested too deep, in ${path}`, async () => {
        const deep = (depth: number) => `${JSON.stringify(body()).slice(0, -1)},"meta":${nested(depth)}}`;
        for (const headers of [{}, { 'Idempotency-Key': `deep key of ${path}` }]) {
          for (const depth of [501, 20_000]) {
            const { status, text } = await ask('POST', path, deep(depth), headers);
            expect([status, text]).to.deep.equal([
              400,
              '{"error":"body/meta must not be nested more than 500 levels deep"}',
            ]);
          }
        }
        const made = await ask('POST', path, deep(500));
        expect(made.status, made.text).to.equal(201);
        expect((await ask('GET', `${path}/${String(made.body['id'])}`)).body).to.deep.equal(made.body);
      });
    }

    it('for code that calls the services', async () => {
      const { users, posts, orders, products } = service.services;
      const lamp = { name: 'Lamp', price: 1 };
      const { id } = await products.create(operator, lamp);
      const calls = (stored: never): readonly (() => Promise<unknown>)[] => [
        () => users.create(operator, { ...person(), stored }),
        () => users.update(operator, '1', { name: undefined, email: undefined, stored }),
        () => posts.create(operator, { title: 'T', content: 'C', authorId: '1', stored }),
        () => products.create(operator, { ...lamp, stored }),
        () => products.replace(operator, id, { ...lamp, stored }),
        () => orders.changeStatus(operator, '1', 'processing', undefined, stored),
      ];
      for (const [values, sentence] of [
        [{ size: 'x' }, 'size must be integer'],
        [{ size: 0 }, 'size must be >= 1'],
      ] as const) {
        for (const call of calls(values as never)) {
          const error: unknown = await call().then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
          expect(error).to.include({ code: 'invalid-input', message: sentence });
        }
      }
    });

    it('for categories of any name', async () => {
      const { body } = await ask('POST', '/api/products', { name: 'Pot', price: 1 });
      const path = `/api/products/${String(body['id'])}/categories`;
      for (const name of ['🌱 plants', 'x'.repeat(100), '𝔊'.repeat(100), '__proto__', '7']) {
        const { status, text, body } = await ask('PUT', path, [{ name, color: 'green' }, { name: 'Other' }]);
        expect(status, text).to.equal(200);
        const found = (body as unknown as readonly { name: string }[]).find((each) => each.name === name);
        expect(found).to.include({ color: 'green' });
      }
      const long = await ask('PUT', path, [{ name: '🌱'.repeat(101) }]);
      expect([long.status, long.text]).to.deep.equal([
        400,
        '{"error":"body/0/name must NOT have more than 100 characters"}',
      ]);
      const wrong = await ask('PUT', path, [{ name: 'Garden', color: 'blue' }]);
      expect([wrong.status, wrong.text]).to.deep.equal([
        400,
        '{"error":"body/0/color must be equal to one of the allowed values: green, red"}',
      ]);
      const refused: unknown = await service.services.products
        .replaceCategories(operator, String(body['id']), ['Garden'], [{ color: 'blue' }] as never)
        .catch((error: unknown) => error);
      expect(refused).to.include({ code: 'invalid-input' });
    });
  });
});
