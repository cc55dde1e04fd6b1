/** The guide to tenants: no operation of the contract, of GraphQL or of its subscriptions shows or changes what another tenant has. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildSchema } from 'graphql';
import type { Operations } from '../../generated/operations.js';
import { contract } from '../../generated/routing.js';
import { jwtCodec } from '../../src/core/identity/jwt.js';
import { openapiFile } from '../../src/core/contract.js';
import { timestampOf } from '../../src/core/model/timestamp.js';
import { anyPage } from '../../src/core/model/page.js';
import { everyOrder } from '../../src/core/ports/order-store.js';
import { operator } from '../../src/core/services/rights/caller.js';
import type { Services } from '../../src/core/services/services.js';
import { createService, type Service } from '../../src/service/create-service.js';
import { readSettings } from '../../src/service/settings/settings.js';
import { block } from '../package/readme-blocks.js';
import { quickHasher } from '../support/quick-hasher.js';
import { bearer, secrets } from '../support/sign-in.js';
import { onEveryDatabase } from '../support/stores.js';
import { tenantHooks, tenantPolicy } from '../../src/core/guides/examples/tenants.js';

interface Scene {
  readonly name: string;
  readonly admin: string;
  readonly user: string;
  readonly order: string;
  readonly item: string;
  readonly product: string;
  readonly comment: string;
  readonly post: string;
  readonly key: string;
}

type Operation = keyof Operations;

/** The bodies of the operations that take one. */
const bodies: Partial<Record<Operation, (scene: Scene) => unknown>> = {
  login: ({ name }) => ({ email: `nobody-${name}@example.com`, password: 'wrong' }),
  refreshToken: () => ({ refreshToken: 'none' }),
  logout: () => ({ refreshToken: 'none' }),
  createUser: () => ({ name: 'New', email: `new${String(serial++)}@example.com`, role: 'user' }),
  replaceUser: () => ({ name: 'Replaced', email: `new${String(serial++)}@example.com` }),
  updateUser: () => ({ name: 'Updated' }),
  createOrder: ({ admin, product }) => ({ userId: admin, items: [{ productId: product, quantity: 1 }] }),
  replaceOrder: ({ product }) => ({ items: [{ productId: product, quantity: 2 }] }),
  updateOrder: () => ({ status: 'processing' }),
  createProduct: () => ({ name: 'New lamp', price: 1 }),
  replaceProduct: () => ({ name: 'Replaced lamp', price: 1 }),
  updateProduct: () => ({ price: 2 }),
  replaceProductCategories: () => [{ name: 'Replaced' }],
  createComment: ({ order }) => ({ orderId: order, text: 'Replaced' }),
  createApiKey: () => ({ name: 'New key' }),
  createWebhook: () => ({ url: 'https://example.com/hook' }),
  updateWebhook: () => ({ status: 'active' }),
  redeliverWebhook: () => ({}),
};
let serial = 0;

/** Bodies that name records of another tenant, with which nothing may be created. */
const foreign: Partial<Record<Operation, (own: Scene, other: Scene) => readonly unknown[]>> = {
  createOrder: ({ admin, product }, other) => [
    { userId: other.user, items: [{ productId: product, quantity: 1 }] },
    { userId: admin, items: [{ productId: other.product, quantity: 1 }] },
  ],
  updateOrder: (_, other) => [{ items: [{ productId: other.product, quantity: 1 }] }],
  replaceOrder: (_, other) => [{ items: [{ productId: other.product, quantity: 1 }] }],
  createComment: ({ order }, other) => [
    { orderId: other.order, text: 'Text' },
    { orderId: order, userId: other.user, text: 'Text' },
  ],
};

/** What only operators may do, and what needs another credential. */
const refused: readonly Operation[] = [
  ...(['listApiKeys', 'createApiKey', 'deleteApiKey', 'getCurrentApiKey'] as const),
  ...(['listWebhooks', 'createWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook'] as const),
  ...(['listWebhookDeliveries', 'redeliverWebhook', 'updateWebhook'] as const),
  ...(['getWebhook', 'getWebhookQueue', 'listAuditEntries'] as const),
  ...(['login', 'refreshToken', 'logout', 'startExternalSignIn', 'completeExternalSignIn'] as const),
];

const operationIds = Object.keys(contract.operations) as Operation[];

function pathFor(operation: Operation, scene: Scene): string {
  const { path } = contract.operations[operation];
  const ids: Readonly<Record<string, string>> = {
    '/api/users/{id}': scene.user,
    '/api/orders/{id}': scene.order,
    '/api/products/{id}': scene.product,
    '/api/comments/{id}': scene.comment,
    '/api/keys/{id}': scene.key,
    '/api/webhooks/{id}': '1',
    '/api/posts/{id}': scene.post,
  };
  const [collection = ''] = /^\/api\/\w+\/\{id\}/.exec(path) ?? [];
  const filled = path
    .replace('{id}', () => ids[collection] ?? expect.fail(`no id for ${path}`))
    .replace('{userId}', scene.user)
    .replace('{orderId}', scene.order)
    .replace('{itemId}', scene.item);
  expect(filled, operation).not.to.include('{');
  return filled;
}

/** The fields of a type of the schema, each with a document that uses records of a scene. */
const documents: Readonly<Record<'Query' | 'Mutation', Readonly<Record<string, (scene: Scene) => string>>>> =
  {
    Query: {
      users: () => '{ users(limit: 1000) { id name posts { title } } }',
      user: ({ user }) => `{ user(id: "${user}") { id name email posts { title } } }`,
      posts: () => '{ posts(limit: 1000) { id title author { name } } }',
      post: ({ post }) => `{ post(id: "${post}") { id title author { name } } }`,
      me: () => '{ me { id name } }',
    },
    Mutation: {
      createUser: () =>
        `mutation { createUser(name: "New", email: "new${String(serial++)}@example.com") { id } }`,
      createPost: ({ admin }) =>
        `mutation { createPost(title: "T", content: "C", authorId: "${admin}") { id } }`,
      updateUser: ({ user }) => `mutation { updateUser(id: "${user}", name: "Renamed") { id name } }`,
      deleteUser: ({ user }) => `mutation { deleteUser(id: "${user}") }`,
    },
  };

onEveryDatabase('Tenants of the guide', (make) => {
  const directory = mkdtempSync(join(tmpdir(), 'concordat-tenants-'));
  let service: Service;
  let url = '';
  const codec = jwtCodec(secrets);

  before(async () => {
    const overlay = join(directory, 'tenants.yaml');
    writeFileSync(
      overlay,
      block('tenants.yaml').replace(/^extends: .*$/m, `extends: ${openapiFile.pathname}`),
    );
    service = await createService({
      contract: overlay,
      policy: tenantPolicy,
      hooks: tenantHooks,
      passwordHasher: quickHasher,
      settings: {
        ...readSettings({ PORT: '0', DEMO_DATA: 'off', LOG_LEVEL: 'silent', OUTBOX: 'on' }),
        database: await make(),
        accessTokenSecret: secrets.accessSecret,
        refreshTokenSecret: secrets.refreshSecret,
      },
      report: (error) => {
        throw error;
      },
    });
    ({ url } = await service.listen());
  });
  after(async () => {
    await service.close();
    rmSync(directory, { recursive: true });
  });

  /** Makes the records of a tenant, in whose texts its name is. */
  async function fill(name: string): Promise<Scene> {
    const { users, products, orders, comments, posts, apiKeys }: Services = service.services;
    const stored = { tenantId: name };
    const create = (role: 'admin' | 'user') => {
      const email = `${name}${String(serial++)}@example.com`;
      return users.create(operator, {
        name,
        email,
        city: name,
        role,
        status: 'active',
        stored,
      });
    };
    const [admin, user] = [await create('admin'), await create('user')];
    const product = await products.create(operator, { name, description: name, price: 1, stored });
    await products.replaceCategories(operator, product.id, [name]);
    const items = [{ productId: product.id, quantity: 1 }];
    const order = await orders.create(operator, { userId: user.id, items, stored });
    const comment = await comments.create(operator, {
      orderId: order.id,
      userId: user.id,
      text: name,
      stored,
    });
    const post = await posts.create(operator, { title: name, content: name, authorId: user.id, stored });
    const { apiKey } = await apiKeys.create(operator, { name });
    return {
      name,
      admin: admin.id,
      user: user.id,
      order: order.id,
      item: order.items[0]?.id ?? '',
      product: product.id,
      comment: comment.id,
      post: post.id,
      key: apiKey.id,
    };
  }

  const tokenOf = ({ admin }: Scene) => {
    const claims = { userId: admin, email: undefined, role: undefined };
    return bearer(codec.signAccess(claims, { from: timestampOf(Date.now() - 1_000), seconds: 60 }));
  };

  async function send(method: string, path: string, scene: Scene, body?: unknown) {
    const headers = {
      ...tokenOf(scene),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method, headers, redirect: 'manual' as const };
    const response = await fetch(url + path, {
      ...init,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  /** All records of a tenant, as an operator reads them. */
  async function contentOf({ name }: Scene) {
    const { users, products, orders, comments, posts, apiKeys } = service.services;
    const isOf = ({ stored }: { readonly stored?: object | undefined }) =>
      Reflect.get(stored ?? {}, 'tenantId') === name;
    const listed = (await products.list(operator, { ...anyPage, limit: 100 })).data.filter(isOf);
    return {
      users: (await users.listAll(operator)).filter(isOf),
      posts: (await posts.listAll(operator)).filter(isOf),
      orders: (await orders.list(operator, everyOrder, { ...anyPage, limit: 100 })).data.filter(isOf),
      comments: (
        await comments.list(operator, { orderId: undefined }, { ...anyPage, limit: 100 })
      ).data.filter(isOf),
      products: listed,
      categories: await Promise.all(listed.map(({ id }) => products.listCategories(operator, id))),
      keys: (await apiKeys.list(operator)).data.map(({ id, active }) => [id, active]),
    };
  }

  /** Runs a test with two tenants, and then deletes their records. @param changes - what the test adds to the second */
  async function between(
    test: (north: Scene, south: Scene) => Promise<void>,
    changes: readonly string[] = [],
  ): Promise<void> {
    const [north, south] = [
      await fill(`northern${String(serial++)}`),
      await fill(`southern${String(serial++)}`),
    ];
    const before = await contentOf(south);
    try {
      await test(north, south);
      const after = await contentOf(south);
      for (const [kind, records] of Object.entries(before))
        if (!changes.includes(kind)) expect(Reflect.get(after, kind), kind).to.deep.equal(records);
    } finally {
      const { users, products, orders } = service.services;
      for (const { id } of (await orders.list(operator, everyOrder)).data) await orders.delete(operator, id);
      for (const { id } of (await products.list(operator)).data) await products.delete(operator, id);
      for (const { id } of await users.listAll(operator))
        await users.delete(operator, id).catch(() => undefined);
    }
  }

  for (const operation of operationIds) {
    it(`are kept apart by ${operation}`, async () => {
      await between(async (north, south) => {
        const { path, requestBody, ...place } = contract.operations[operation];
        const method = place.method.toUpperCase();
        const body = bodies[operation];
        expect(body !== undefined, 'the table has the bodies').to.equal(requestBody !== undefined);
        const hasId = path.includes('{');
        if (hasId) {
          const other = await send(method, pathFor(operation, south), north, body?.(north));
          expect(other.status, other.text).to.be.oneOf([403, 404, 401]);
          expect(other.text).not.to.include(south.name);
        }
        if (method === 'GET' && !hasId) {
          for (const query of [
            `userId=${south.user}`,
            `orderId=${south.order}`,
            `city=${south.name}`,
            'limit=100',
          ]) {
            const { text } = await send(method, `${path}?${query}`, north);
            expect(text, query).not.to.include(south.name);
          }
        }
        for (const given of foreign[operation]?.(north, south) ?? []) {
          const { status, text } = await send(method, pathFor(operation, north), north, given);
          expect(status, text).to.be.oneOf([400, 403, 404]);
          expect(text).not.to.include(south.name);
        }
        if (operation === 'refundOrder') {
          const { orders } = service.services;
          await orders.changeStatus(operator, north.order, 'processing');
          await orders.changeStatus(operator, north.order, 'completed');
        }
        const own = await send(method, pathFor(operation, north), north, body?.(north));
        expect(own.text).not.to.include(south.name);
        if (!refused.includes(operation)) expect(own.status, own.text).to.be.below(300);
        if (method === 'GET' && !refused.includes(operation)) expect(own.text).to.include(north.name);
      });
    });
  }

  const guide = readFileSync(new URL('../../src/core/guides/examples/tenants.ts', import.meta.url), 'utf8');
  it('are those of the code in the guide', () => {
    expect(guide).to.equal(`// tenants.ts\n${block('tenants.ts')}`);
  });

  const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  for (const type of ['Query', 'Mutation'] as const) {
    const fields = Object.keys(
      (type === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {},
    );
    for (const field of fields) {
      it(`are kept apart by the field ${field} of ${type}`, async () => {
        const document = documents[type][field] ?? expect.fail(`${field} has no document`);
        await between(async (north, south) => {
          const query = (scene: Scene) => send('POST', '/graphql', north, { query: document(scene) });
          const other = await query(south);
          expect(other.text).not.to.include(south.name);
          const own = await query(north);
          expect(own.text).not.to.include(south.name).and.not.to.include('"errors"');
          if (type === 'Query') expect(own.text).to.include(north.name);
        });
      });
    }
  }

  it('are kept apart in subscriptions, which skip the posts of others', async () => {
    expect(Object.keys(schema.getSubscriptionType()?.getFields() ?? {})).to.deep.equal(['postAdded']);
    await between(
      async (north, south) => {
        const { posts } = service.services;
        const headers = {
          ...tokenOf(north),
          accept: 'text/event-stream',
          'content-type': 'application/json',
        };
        const query = 'subscription { postAdded { title author { name } } }';
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ query }),
        });
        const made: string[] = [];
        for (const { name, user } of [south, north]) {
          const input = {
            title: `New of ${name}`,
            content: 'Text',
            authorId: user,
            stored: { tenantId: name },
          };
          made.push((await posts.create(operator, input)).id);
        }
        let text = '';
        for await (const chunk of response.body ?? []) {
          text += Buffer.from(chunk).toString();
          if (text.includes(`New of ${north.name}`)) break;
        }
        expect(text).not.to.include(south.name);
        for (const id of made) expect(await posts.get(operator, id)).to.have.property('id', id);
      },
      ['posts'],
    );
  });
});
