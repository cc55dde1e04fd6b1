/** The example errors of openapi.yaml are what the service answers: each is provoked and compared. */

import { readFile } from 'node:fs/promises';
import { parseYaml } from '@redocly/openapi-core';
import { expect } from 'chai';
import { internalError } from '../../src/runtime/http/problem.js';
import { createUser } from '../http/user-requests.js';
import { useService } from '../support/service.js';
import { bearer, signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';

interface Example {
  readonly value?: { readonly error?: string };
}
interface Content {
  readonly example?: { readonly error?: string };
  readonly examples?: Readonly<Record<string, Example>>;
}
interface Document {
  readonly components: {
    readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
  };
}

const file = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');
const { responses } = (parseYaml(file) as Document).components;

/** The example errors, by `Response` or `Response/example`. */
const examples = new Map(
  Object.entries(responses).flatMap(([name, { content = {} }]) => {
    const { example, examples = {} } = content['application/json'] ?? {};
    const named = Object.entries(examples).flatMap(([key, { value }]) =>
      value?.error === undefined ? [] : [[`${name}/${key}`, value.error] as const],
    );
    return example?.error === undefined ? named : [[name, example.error] as const, ...named];
  }),
);

/** Failures that no request provokes here; tests of their own do: an outage, a full queue, a service without a hasher. */
const ELSEWHERE = [
  'NotImplemented',
  'ServiceUnavailable/',
  'Conflict/inFlight',
  'External',
  'TooManyRequests',
];

describe('the example errors of openapi.yaml', () => {
  const service = useService({ ...signInSettings, outbox: true, webhookAllow: ['127.0.0.1'] });
  const json = { 'content-type': 'application/json' };

  it('are what the service answers', async () => {
    const asAdmin = await signInAsAdmin(service);
    const account = await signUp(service);
    const { accessToken } = await signIn(service, account);
    const made = await service.post('/api/webhooks', { url: 'http://127.0.0.1:9/' }, asAdmin);
    const webhook = made.body as { readonly id: string };
    const asUser = bearer(accessToken);
    const { id } = await createUser(service);
    const items = [{ name: 'Twine', unitPrice: 1, quantity: 1 }];
    const order = async (): Promise<string> => {
      const { body } = await service.post('/api/orders', { userId: id, items });
      return `/api/orders/${(body as { id: string }).id}`;
    };
    const processing = await order();
    await service.patch(processing, { status: 'processing' });
    const completed = await order();
    for (const status of ['processing', 'completed']) await service.patch(completed, { status });
    const admins = (await service.get('/api/users?role=admin')).body as { data: { id: string }[] };
    const input = { name: 'Ada', email: account.email };
    const large = { method: 'POST', path: '/api/users', headers: json, body: `"${'x'.repeat(1024 * 1024)}"` };
    const post = (path: string, value: unknown, headers = {}) => service.post(path, value, headers);
    const repeated = { 'idempotency-key': 'a' };
    await post('/api/comments', { orderId: processing.split('/')[3], userId: id, text: 'a' }, repeated);
    const answers = await Promise.all([
      post('/api/users', { name: 'Ada', email: 'none' }),
      service.send({ method: 'POST', path: '/api/users', headers: json, body: '{' }),
      service.get('/api/users?cursor=x'),
      service.get('/api/users?role=user&role=admin'),
      service.get('/api/users?version=3'),
      post('/api/orders', { userId: '999', items }),
      service.get('/api/profile'),
      service.get('/api/profile', bearer('x')),
      post('/api/users', { name: 'Ada', email: 'b@example.com', role: 'admin' }),
      service.get('/api/users', { 'x-api-key': 'x' }),
      post('/api/auth/login', { email: 'c@example.com', password: 'wrong password' }),
      post('/api/auth/refresh', {}),
      post('/api/auth/refresh', { refreshToken: 'x' }),
      service.get('/api/keys/current'),
      service.get('/api/keys/current', { 'x-api-key': 'x' }),
      service.delete(`/api/users/${id}`, asUser),
      service.get('/api/users/999'),
      service.get('/api/orders/999'),
      service.get(`/api/users/${id}/orders/${completed.split('/')[3] ?? ''}/items/999`),
      service.get('/api/products/999'),
      service.get('/api/comments/999'),
      service.delete('/api/keys/999', asAdmin),
      service.delete('/api/webhooks/999', asAdmin),
      service.post(`/api/webhooks/${webhook.id}/redeliver`, { deliveryId: '999' }, asAdmin),
      service.get(`/api/users/${id}`, { accept: 'image/png' }),
      post('/api/users', input),
      post(`${completed}/cancel`, undefined),
      service.put(processing, { items: [{ name: 'Rope', unitPrice: 1, quantity: 1 }] }),
      service.put(
        `/api/users/${admins.data[0]?.id ?? ''}`,
        { name: 'A', email: 'root@example.com', role: 'user' },
        asAdmin,
      ),
      post('/api/comments', { orderId: processing.split('/')[3], userId: id, text: 'b' }, repeated),
      service.put(`/api/users/${id}`, input, { 'if-match': '"x"' }),
      service.send(large),
      service.send({ ...large, headers: { 'content-type': 'text/plain' }, body: 'x' }),
    ]);
    const texts = new Set(answers.map(({ body }) => (body as { error?: string } | undefined)?.error));
    texts.add(internalError().message);
    const others = [...examples].filter(
      ([name, text]) => !texts.has(text) && !ELSEWHERE.some((each) => name.startsWith(each)),
    );
    expect(others, [...texts].join('\n')).to.deep.equal([]);
  });
});
