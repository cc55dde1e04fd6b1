/** Webhooks over HTTP: an admin manages them, and their receivers, which are generated from the contract, get the events. */
import { expect } from 'chai';
import { anonymous } from '../../src/core/services/rights/caller.js';
import { useService, type TestService } from '../support/service.js';
import { bearer, signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { expectError, expectErrorAbout } from './user-requests.js';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly secret: string;
}

interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
}

interface Queue {
  readonly waiting: number;
  readonly failures: readonly { readonly url: string; readonly delivery: Delivery }[];
}

type Headers = Readonly<Record<string, string>>;

onEveryStore(
  'webhooks',
  (service) => {
    let asAdmin: Headers = {};
    let receiver: WebhookReceiver;
    before(async () => (asAdmin = await signInAsAdmin(service)));
    beforeEach(async () => (receiver = await WebhookReceiver.start()));
    afterEach(async () => {
      for (const { id } of await list()) expect((await remove(id)).status).to.equal(204);
      await receiver.stop();
      expect(receiver.refusals).to.deep.equal([]);
    });

    const make = async (body: object = { url: receiver.url }): Promise<Webhook> => {
      const answer = await service.post('/api/webhooks', body, asAdmin);
      expect(answer.status, answer.text).to.equal(201);
      return answer.body as Webhook;
    };
    const list = async () =>
      (await service.get('/api/webhooks?envelope=false', asAdmin)).body as readonly Webhook[];
    const remove = (id: string) => service.delete(`/api/webhooks/${id}`, asAdmin);
    const deliveries = async (id: string) =>
      (await service.get(`/api/webhooks/${id}/deliveries`, asAdmin)).body as readonly Delivery[];
    const taken = (count: number) =>
      until(`${String(count)} events arrive`, () => receiver.taken.length >= count);

    it('are created by an admin, with a secret that is shown only then', async () => {
      const { secret, ...webhook } = await make({ url: receiver.url, types: ['user.deleted'] });
      expect(secret).to.match(/^whsec_[\w+/]{43}=$/);
      expect(webhook).to.deep.include({ url: receiver.url, types: ['user.deleted'], status: 'active' });
      const answer = await service.get('/api/webhooks', asAdmin);
      expect(answer.body).to.deep.equal({ data: [webhook], total: 1 });
      const page = await service.get('/api/webhooks?page=2&limit=1', asAdmin);
      expect(page.body).to.deep.include({ data: [] });
      const xml = await service.get('/api/webhooks', { ...asAdmin, accept: 'application/xml' });
      expect(xml.text).to.include('<webhookCollection>').and.not.to.include('whsec_');
    });

    it('get an event of each kind of write, which the generated receiver accepts', async () => {
      const { secret } = await make();
      receiver.secrets = [secret];
      const user = await signUp(service);
      const { id } = user;
      const as = bearer((await signIn(service, user)).accessToken);
      await service.put(`/api/users/${id}`, { name: 'Ada King', email: user.email }, as);
      const order = await service.post(
        '/api/orders',
        { items: [{ name: 'Twine', unitPrice: 0.1, quantity: 3 }] },
        as,
      );
      const { id: orderId } = order.body as { id: string };
      await service.post('/api/comments', { orderId, text: 'Ring twice' }, as);
      await service.post(`/api/orders/${orderId}/cancel`, {}, asAdmin);
      await service.delete(`/api/orders/${orderId}`, asAdmin);
      const product = await service.post('/api/products', { name: 'Shears', price: 24.5 }, asAdmin);
      const { id: productId } = product.body as { id: string };
      await service.put(`/api/products/${productId}`, { name: 'Garden shears', price: 25 }, asAdmin);
      await service.put(`/api/products/${productId}/categories`, [{ name: 'Garden' }], asAdmin);
      await service.delete(`/api/products/${productId}`, asAdmin);
      await service.services.posts.create(anonymous, { title: 'Hello', content: 'World', authorId: id });
      await service.delete(`/api/users/${id}`, asAdmin);
      await taken(12);
      const sorted = receiver.taken.map(({ type, subject }) => `${subject} ${type}`).toSorted();
      expect(sorted.map((each) => each.replace(/\d+/, 'n'))).to.deep.equal([
        'comment:n comment.created',
        'order:n order.created',
        'order:n order.deleted',
        'order:n order.updated',
        'post:n post.created',
        'product:n product.categorized',
        'product:n product.created',
        'product:n product.deleted',
        'product:n product.updated',
        'user:n user.created',
        'user:n user.deleted',
        'user:n user.updated',
      ]);
      const created = receiver.taken.find(({ type }) => type === 'order.created');
      expect(created?.data).to.deep.equal(order.body);
    });

    it('get the types of events that they ask for, and none before they exist or after they are deleted', async () => {
      await signUp(service);
      const { id } = await make({ url: receiver.url, types: ['user.created'] });
      const user = await signUp(service);
      await service.put(`/api/users/${user.id}`, { name: 'Ada King', email: user.email }, asAdmin);
      await taken(1);
      expect((await remove(id)).status).to.equal(204);
      await signUp(service);
      expect(receiver.taken.map(({ subject }) => subject)).to.deep.equal([`user:${user.id}`]);
      expectError(await remove(id), 404, 'Webhook not found');
    });

    it('are tested at once, and show what came of deliveries, which are repeated under their ids', async () => {
      const { id } = await make({ url: receiver.url, types: ['user.created'] });
      const test = () => service.post(`/api/webhooks/${id}/test`, {}, asAdmin);
      expect((await test()).body).to.deep.equal({ delivered: true, answer: 'status 204' });
      receiver.answer = () => 503;
      expect((await test()).body).to.deep.equal({ delivered: false, answer: 'status 503' });
      await signUp(service);
      await until('it is tried', async () => (await deliveries(id))[0]?.attempts === 1);
      expect((await deliveries(id))[0]).to.deep.include({
        type: 'user.created',
        status: 'pending',
        answer: 'status 503',
      });
      receiver.answer = () => 410;
      await signUp(service);
      await until('it is disabled', async () => (await list())[0]?.status === 'disabled');
      expect((await deliveries(id)).map(({ status }) => status)).to.deep.equal(['failed', 'failed']);
      expect((await service.get(`/api/webhooks/${id}`, asAdmin)).body).to.deep.equal((await list())[0]);
      const queue = (await service.get('/api/webhooks/queue', asAdmin)).body as Queue;
      expect(queue.waiting).to.equal(0);
      expect(queue.failures.map(({ url, delivery }) => [url, delivery.status])).to.deep.include([
        receiver.url,
        'failed',
      ]);
      const only = async (status: string) =>
        (await service.get(`/api/webhooks/${id}/deliveries?status=${status}`, asAdmin)).body as [];
      expect((await only('delivered')).length).to.equal(0);
      expect((await only('failed')).length).to.be.greaterThan(0);
      receiver.answer = () => 204;
      const again = (body: object) => service.post(`/api/webhooks/${id}/redeliver`, body, asAdmin);
      expect((await again({})).body).to.deep.equal({ events: 2 });
      await until('both are delivered', async () =>
        (await deliveries(id)).every(({ status }) => status === 'delivered'),
      );
      const [{ id: last, eventId } = { id: '', eventId: '' }] = await deliveries(id);
      const before = receiver.attempts.get(eventId) ?? 0;
      expect((await again({ deliveryId: last })).body).to.deep.equal({ events: 1 });
      await until('it arrives again', () => (receiver.attempts.get(eventId) ?? 0) > before);
      expectError(await again({ deliveryId: '999' }), 404, 'Delivery not found');
      expect((await list())[0]?.status).to.equal('active');
    });

    it('are seen to fail although many events wait behind the one that was tried', async () => {
      receiver.answer = () => 503;
      await make({ url: receiver.url, types: ['user.created'] });
      for (let count = 0; count < 25; count++) await signUp(service);
      await until('one was tried, and is shown', async () => {
        const { waiting, failures } = (await service.get('/api/webhooks/queue', asAdmin)).body as Queue;
        return waiting === 25 && failures.some(({ delivery }) => delivery.status === 'pending');
      });
    });

    it('are created once under an Idempotency-Key, and a repeat has no secret', async () => {
      const headers = { ...asAdmin, 'idempotency-key': `once ${receiver.url}` };
      const send = (url: string) => service.post('/api/webhooks', { url }, headers);
      const first = await send(receiver.url);
      const { secret, ...webhook } = first.body as Webhook;
      expect([first.status, typeof secret, first.headers['idempotency-replayed']]).to.deep.equal([
        201,
        'string',
        undefined,
      ]);
      const again = await send(receiver.url);
      expect([again.status, again.body]).to.deep.equal([201, webhook]);
      expect(again.headers).to.include({
        'idempotency-replayed': 'true',
        location: `/api/webhooks/${webhook.id}`,
      });
      const other = await send(`${receiver.url}/other`);
      expectError(other, 422, 'This Idempotency-Key was used for another request: use a new one');
      const atOnce = { ...asAdmin, 'idempotency-key': `at once ${receiver.url}` };
      const answers = await Promise.all(
        [1, 2, 3].map(() => service.post('/api/webhooks', { url: receiver.url }, atOnce)),
      );
      expect(answers.filter(({ body }) => Object.hasOwn(body as object, 'secret'))).to.have.lengthOf(1);
      for (const { status } of answers) expect(status).to.be.oneOf([201, 409]);
      expect(await list()).to.have.lengthOf(2);
    });

    it('are changed: their address, and whether they are active', async () => {
      const { id } = await make();
      const change = (body: object) => service.patch(`/api/webhooks/${id}`, body, asAdmin);
      const url = `${receiver.url}?t0ken`;
      expect((await change({ url })).body).to.deep.include({ id, url, status: 'active' });
      expect((await change({ status: 'disabled' })).body).to.deep.include({ url, status: 'disabled' });
      expectErrorAbout(await change({}), 400, 'body');
      expectErrorAbout(await change({ url: 'http://169.254.169.254/' }), 400, 'body/url');
    });

    it('get a second secret, beside which the first still signs', async () => {
      const { id, secret: first } = await make();
      const answer = await service.post(`/api/webhooks/${id}/rotate`, {}, asAdmin);
      const { secret: second } = answer.body as Webhook;
      expect([answer.status, answer.headers['cache-control'], first === second]).to.deep.equal([
        200,
        'no-store',
        false,
      ]);
      for (const secret of [first, second]) {
        receiver.secrets = [secret];
        expect((await service.post(`/api/webhooks/${id}/test`, {}, asAdmin)).body).to.include({
          delivered: true,
        });
      }
    });

    it('are refused for addresses that are not public, types that do not exist, and callers who are no admin', async () => {
      const send = (body: object, as = asAdmin) => service.post('/api/webhooks', body, as);
      expectError(
        await send({ url: 'http://169.254.169.254/latest' }),
        400,
        'body/url leads to the address 169.254.169.254, which is neither public nor allowed (WEBHOOK_ALLOW)',
      );
      expectErrorAbout(await send({ url: 'hooks' }), 400, 'body/url');
      expectErrorAbout(await send({ url: receiver.url, types: ['user.promoted'] }), 400, 'body/types/0');
      expectErrorAbout(await send({ url: receiver.url, secret: 'mine' }), 400, 'secret');
      const as = bearer((await signIn(service, await signUp(service))).accessToken);
      expectError(await send({ url: receiver.url }, as), 403, 'Insufficient permissions');
    });
  },
  () => ({ ...signInSettings, outbox: true, webhookAllow: ['127.0.0.1'] }),
);

describe('webhooks of a service without an outbox', () => {
  const service: TestService = useService(signInSettings);

  it('are not implemented', async () => {
    const asAdmin = await signInAsAdmin(service);
    const body = { url: 'https://stock.example.com/hooks' };
    for (const answer of [
      await service.get('/api/webhooks', asAdmin),
      await service.post('/api/webhooks', body, asAdmin),
    ])
      expectError(answer, 501, 'This service publishes no events: OUTBOX=on makes it do so');
  });
});
