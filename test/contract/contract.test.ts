/** Tests the REST contract: it is valid and complete, and keeps its endpoints, messages and bounds. */
import { readFile } from 'node:fs/promises';
import { parseYaml } from '@redocly/openapi-core';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import {
  child,
  entries,
  follow,
  isNode,
  items,
  type Node,
  operationsOf,
  rootOf,
} from './contract-document.js';
import { contractProblems, OPENAPI_FILE } from './lint-contract.js';

const source = await readFile(OPENAPI_FILE, 'utf8');
const document = parseYaml(source) as Node;

/** The main endpoints, with their operations. */
const DOCUMENT_ENDPOINTS = {
  login: 'POST /api/auth/login',
  refreshToken: 'POST /api/auth/refresh',
  startExternalSignIn: 'GET /api/auth/idp',
  completeExternalSignIn: 'GET /api/auth/idp/callback',
  getProfile: 'GET /api/profile',
  listUsers: 'GET /api/users',
  createUser: 'POST /api/users',
  getUser: 'GET /api/users/{id}',
  replaceUser: 'PUT /api/users/{id}',
  deleteUser: 'DELETE /api/users/{id}',
  activateUser: 'POST /api/users/{id}/activate',
  endUserSessions: 'DELETE /api/users/{id}/sessions',
  listUserOrders: 'GET /api/users/{userId}/orders',
  getUserOrder: 'GET /api/users/{userId}/orders/{orderId}',
  getUserOrderItem: 'GET /api/users/{userId}/orders/{orderId}/items/{itemId}',
  createOrder: 'POST /api/orders',
  getOrder: 'GET /api/orders/{id}',
  replaceOrder: 'PUT /api/orders/{id}',
  updateOrder: 'PATCH /api/orders/{id}',
  deleteOrder: 'DELETE /api/orders/{id}',
  cancelOrder: 'POST /api/orders/{id}/cancel',
  refundOrder: 'POST /api/orders/{id}/refund',
  listOrders: 'GET /api/orders',
  listProducts: 'GET /api/products',
  getProduct: 'GET /api/products/{id}',
  listProductCategories: 'GET /api/products/{id}/categories',
  listComments: 'GET /api/comments',
  listPosts: 'GET /api/posts',
  getFeed: 'GET /api/feed',
  listUsersV1: 'GET /api/v1/users',
  listUsersV2: 'GET /api/v2/users',
};

/** The other endpoints. */
const FURTHER_ENDPOINTS = {
  logout: 'POST /api/auth/logout',
  updateUser: 'PATCH /api/users/{id}',
  createProduct: 'POST /api/products',
  replaceProduct: 'PUT /api/products/{id}',
  updateProduct: 'PATCH /api/products/{id}',
  deleteProduct: 'DELETE /api/products/{id}',
  replaceProductCategories: 'PUT /api/products/{id}/categories',
  createComment: 'POST /api/comments',
  getComment: 'GET /api/comments/{id}',
  getPost: 'GET /api/posts/{id}',
  createApiKey: 'POST /api/keys',
  listApiKeys: 'GET /api/keys',
  deleteApiKey: 'DELETE /api/keys/{id}',
  getCurrentApiKey: 'GET /api/keys/current',
  listWebhooks: 'GET /api/webhooks',
  createWebhook: 'POST /api/webhooks',
  getWebhook: 'GET /api/webhooks/{id}',
  getWebhookQueue: 'GET /api/webhooks/queue',
  updateWebhook: 'PATCH /api/webhooks/{id}',
  deleteWebhook: 'DELETE /api/webhooks/{id}',
  rotateWebhookSecret: 'POST /api/webhooks/{id}/rotate',
  testWebhook: 'POST /api/webhooks/{id}/test',
  listWebhookDeliveries: 'GET /api/webhooks/{id}/deliveries',
  redeliverWebhook: 'POST /api/webhooks/{id}/redeliver',
  listAuditEntries: 'GET /api/audit',
};

/** Those of the outbox, which a deployment may not have. */
const webhookOperations = Object.keys(FURTHER_ENDPOINTS).filter((id) => id.includes('Webhook'));

/** Each error message, with an operation that answers with it. */
const ERROR_TEXTS = [
  ['login', '401', 'Invalid credentials'],
  ['getProfile', '401', 'No token provided'],
  ['getProfile', '401', 'Invalid token'],
  ['createUser', '401', 'Not authenticated'],
  ['deleteUser', '403', 'Insufficient permissions'],
  ['getCurrentApiKey', '401', 'API key required'],
  ['getCurrentApiKey', '401', 'Invalid API key'],
  ['refreshToken', '401', 'Refresh token required'],
  ['refreshToken', '401', 'Invalid refresh token'],
  ['completeExternalSignIn', '401', 'External sign-in failed'],
  ['getUser', '404', 'User not found'],
  ['createUser', '409', 'Email already in use'],
  ['getUser', '500', 'Internal server error'],
] as const;

/** The bounds of inputs, tested from both sides. */
const BOUNDS: readonly (readonly [schema: string, accepted: readonly unknown[], refused: readonly unknown[]])[] = [
  ['UserName', ['x', 'x'.repeat(200)], ['', 'x'.repeat(201), 'a\u0000b', 1]],
  ['Password', ['x'.repeat(8), 'x'.repeat(128)], ['x'.repeat(7), 'x'.repeat(129)]],
  ['Email', ['ada@example.com'], ['ada', 'ada@', '']],
  ['Role', ['user', 'admin'], ['root']],
  ['UserStatus', ['active', 'inactive'], ['banned']],
  ['Id', ['1', '10'], ['', 'x', '-1', 1]],
  ['Price', [0, 0.01, 0.29, 19.99, 1_000_000], [-0.01, 0.001, 19.999, 1_000_000.01, '1']],
  ['Quantity', [1, 10_000], [0, 10_001, 1.5]],
  ['CommentText', ['x', 'x'.repeat(5_000), 'two\nlines'], ['', 'x'.repeat(5_001)]],
  ['OrderStatus', ['pending', 'processing', 'completed', 'cancelled', 'refunded'], ['shipped']],
  ['OrderItemInput',
    [{ productId: '1', quantity: 1 }, { name: 'Twine', unitPrice: 0.1, quantity: 3 }],
    [{ productId: '1' }, { productId: '1', name: 'Twine', unitPrice: 1, quantity: 1 }, { name: 'Twine', quantity: 1 }]],
  ['OrderInput',
    [{ items: Array(100).fill({ productId: '1', quantity: 1 }) }],
    [{ items: [] }, { items: Array(101).fill({ productId: '1', quantity: 1 }) },
      { items: [{ productId: '1', quantity: 1 }], total: 1 }]],
  ['UserInput', [{ name: 'Ada', email: 'ada@example.com' }], [{ name: 'Ada' }, { name: 'Ada', email: 'ada@example.com', id: '1' }]],
  // A missing refresh token is a 401, so this body itself is valid.
  ['RefreshInput', [{}, { refreshToken: 'x' }], [{ token: 'x' }]],
]; // prettier-ignore

function operation(operationId: string) {
  const found = operationsOf(document).find(({ operation }) => operation['operationId'] === operationId);
  if (found === undefined) throw new Error(`No operation ${operationId}`);
  return { value: found.operation, pointer: found.pointer };
}

describe('openapi.yaml', () => {
  it("follows Redocly's rules and the house rules, and has valid examples", async () => {
    expect(await contractProblems(source)).to.deep.equal([]);
  });

  it('has exactly the expected endpoints', () => {
    const actual = operationsOf(document).map(({ operation, method, path }) => [
      operation['operationId'],
      `${method.toUpperCase()} ${path}`,
    ]);
    expect(Object.fromEntries(actual)).to.deep.equal({ ...DOCUMENT_ENDPOINTS, ...FURTHER_ENDPOINTS });
  });

  for (const [operationId, status, text] of ERROR_TEXTS) {
    it(`says that ${operationId} may answer ${status} "${text}"`, () => {
      const response = follow(document, child(child(operation(operationId), 'responses'), status));
      const json = child(child(response, 'content'), 'application/json');
      const examples = entries(child(json, 'examples')).map(([, example]) => child(example, 'value').value);
      expect([...examples, child(json, 'example').value]).to.deep.include({ error: text });
    });
  }

  it('requires no credentials for sign-in, refresh and sign-out, and ignores invalid ones at sign-up', () => {
    const blind = operationsOf(document).filter(({ operation }) => String(operation['security']) === '');
    expect(blind.map(({ operation }) => operation['operationId'])).to.deep.equal([
      'login', 'refreshToken', 'logout', 'startExternalSignIn', 'completeExternalSignIn',
    ]); // prettier-ignore
    const lenient = operationsOf(document).filter(
      ({ operation }) => operation['x-ignore-invalid-credentials'] === true,
    );
    expect(lenient.map(({ operation }) => operation['operationId'])).to.deep.equal(['createUser']);
  });

  it('requires credentials for protected operations, and accepts API keys for reading only', () => {
    const needing = operationsOf(document).filter(({ operation, pointer }) => {
      const alternatives = items(child({ value: operation, pointer }, 'security'));
      return alternatives.length > 0 && alternatives.every((alternative) => entries(alternative).length > 0);
    });
    expect(needing.map(({ operation }) => operation['operationId'])).to.have.members([
      'getProfile', 'deleteUser', 'endUserSessions', 'listApiKeys', 'createApiKey', 'deleteApiKey', 'getCurrentApiKey', 'listAuditEntries', ...webhookOperations,
    ]); // prettier-ignore
    const withKeys = operationsOf(document).filter(({ operation }) =>
      JSON.stringify(operation['security']).includes('apiKey'),
    );
    expect(withKeys.map(({ method }) => method)).to.satisfy((methods: string[]) =>
      methods.every((it) => it === 'get'),
    );
  });

  it('declares 501 for exactly the operations that are not implemented', () => {
    const pending = operationsOf(document).filter(({ operation }) =>
      Object.keys(operation['responses'] ?? {}).includes('501'),
    );
    expect(pending.map(({ operation }) => operation['operationId'])).to.have.members([
      'login', 'refreshToken', 'logout', 'startExternalSignIn', 'completeExternalSignIn',
      'listApiKeys', 'createApiKey', 'deleteApiKey', 'getCurrentApiKey', ...webhookOperations,
    ]); // prettier-ignore
  });

  it('states the dates of version 1', () => {
    const v1 = operation('listUsersV1').value;
    expect(v1['deprecated']).to.equal(true);
    expect(v1['x-deprecation']).to.deep.equal({
      date: '2026-01-01',
      sunset: '2027-12-31',
      successor: '/api/v2/users',
    });
  });

  const ajv = new Ajv2020({ strict: false, formats: fullFormats, multipleOfPrecision: 6 });
  ajv.addSchema(document, 'contract', undefined, false);
  for (const [schema, accepted, refused] of BOUNDS) {
    it(`keeps the bounds of ${schema}`, () => {
      const fits = ajv.compile({ $ref: `contract#/components/schemas/${schema}` });
      expect(
        accepted.filter((value) => !fits(value)),
        'refused, and should not be',
      ).to.deep.equal([]);
      expect(
        refused.filter((value) => fits(value)),
        'accepted, and should not be',
      ).to.deep.equal([]);
    });
  }

  for (const [name, fallback, byDefault] of [
    ['Page', 1, undefined],
    ['Limit', 10, undefined],
    ['PostLimit', 10, 10],
    ['FeedLimit', 20, 20],
  ] as const) {
    it(`accepts any value of ${name}`, () => {
      const parameters = child(child(rootOf(document), 'components'), 'parameters');
      const parameter = child(parameters, name);
      expect(child(parameter, 'x-lenient').value).to.deep.equal({ fallback });
      const schema = child(parameter, 'schema').value;
      expect(isNode(schema) && schema['default']).to.equal(byDefault);
    });
  }
});
