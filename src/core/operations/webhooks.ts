/** The operations of webhooks, and the events that these get. */
import type { components } from '../../../generated/openapi.js';
import { allRead, complete } from '../model/fields.js';
import type { Category, Product } from '../model/product.js';
import { type KeptFields, showing } from '../model/stored.js';
import type { Delivery, EventType, OutboxEvent, Webhook } from '../model/webhook.js';
import { callerFrom } from '../services/rights/caller.js';
import type { Services } from '../services/services.js';
import { type SomeOperations, collection, listed, replayed } from './answers.js';
import { commentRecord, orderRecord } from './orders.js';
import { postRecord } from './posts.js';
import { categoryRecord, productRecord } from './products.js';
import { notToBeStored } from './sign-in.js';
import { userRecord } from './users.js';

type Schemas = components['schemas'];

/** An event as receivers get it. */
export type CloudEvent = Schemas['Event'];

type Kept = KeptFields | undefined;

/** The product whose categories were written, and the categories. */
type Categorized = Pick<Product, 'id'> & { readonly categories: readonly Category[] };

const same = (record: Schemas['RecordId']) => record;

const user = (kept: Kept) => showing(kept, 'User', userRecord);
const order = (kept: Kept) => showing(kept, 'Order', orderRecord);
const product = (kept: Kept) => showing(kept, 'Product', productRecord);
const id = () => same;

/** Makes `data` of what the store returned. */
const presenters = {
  'user.created': user,
  'user.updated': user,
  'user.deleted': id,
  'post.created': (kept) => showing(kept, 'Post', postRecord),
  'order.created': order,
  'order.updated': order,
  'order.deleted': id,
  'comment.created': (kept) => showing(kept, 'Comment', commentRecord),
  'product.created': product,
  'product.updated': product,
  'product.categorized': (kept) => {
    const category = showing(kept, 'Category', categoryRecord);
    return ({ id, categories }: Categorized) => ({
      id,
      categories: categories.map((each) => category(each)),
    });
  },
  'product.deleted': id,
  'webhook.test': id,
} as const satisfies Readonly<Record<EventType | 'webhook.test', (kept: Kept) => (record: never) => object>>;

/**
 * An event in the structured mode of CloudEvents 1.0, as the contract describes it.
 *
 * @param kept - the fields that the application's contract adds to records
 */
export function cloudEvent(
  { eventId: id, type, subject, time, data }: OutboxEvent<string>,
  kept?: KeptFields,
): CloudEvent {
  const present = presenters[type as keyof typeof presenters](kept) as (record: unknown) => object;
  const event = {
    specversion: '1.0',
    id,
    source: '/api',
    type,
    subject,
    time,
    datacontenttype: 'application/json',
  };
  return { ...event, data: present(data) } as CloudEvent;
}

export function webhookOperations({ webhooks }: Services) {
  return {
    async listWebhooks({ query: { page, limit, envelope, ...query }, ...others }, { caller, request }) {
      allRead(query, others);
      const found = await webhooks.list(caller, { page, limit });
      return collection('Webhook', found, { page, limit, envelope }, request, webhookRecord);
    },

    async createWebhook(
      { headers: { 'Idempotency-Key': key, ...headers }, body: { url, types, ...body }, ...others },
      { caller, request },
    ) {
      allRead(headers, body, others);
      const by = callerFrom(caller, request.address);
      const { record, secret, isReplay } = await webhooks.createOnce(by, { url, types }, key);
      const Location = `/api/webhooks/${record.id}`;
      const answer = { ...webhookRecord(record), ...(secret !== undefined && { secret }) };
      return { status: 201, headers: { Location, ...notToBeStored, ...replayed(isReplay) }, body: answer };
    },

    async getWebhook({ path: { id, ...path }, ...others }, { caller }) {
      allRead(path, others);
      return { status: 200, body: webhookRecord(await webhooks.get(caller, id)) };
    },

    async getWebhookQueue(others, { caller }) {
      allRead(others);
      const { waiting, oldest, failures } = await webhooks.queue(caller);
      const failed = failures.map(({ webhook, delivery }) => ({
        ...{ webhookId: webhook.id, url: webhook.url, delivery: deliveryRecord(delivery) },
      }));
      return {
        status: 200,
        body: { waiting, ...(oldest !== undefined && { oldestAt: oldest }), failures: failed },
      };
    },

    async updateWebhook(
      { path: { id, ...path }, body: { url, status, ...body }, ...others },
      { caller, request },
    ) {
      allRead(path, body, others);
      const webhook = await webhooks.update(callerFrom(caller, request.address), id, { url, status });
      return { status: 200, body: webhookRecord(webhook) };
    },

    async deleteWebhook({ path: { id, ...path }, ...others }, { caller, request }) {
      allRead(path, others);
      await webhooks.delete(callerFrom(caller, request.address), id);
      return { status: 204 };
    },

    async rotateWebhookSecret({ path: { id, ...path }, ...others }, { caller, request }) {
      allRead(path, others);
      const { webhook, secret } = await webhooks.rotate(callerFrom(caller, request.address), id);
      return { status: 200, headers: notToBeStored, body: { ...webhookRecord(webhook), secret } };
    },

    async testWebhook({ path: { id, ...path }, ...others }, { caller, request }) {
      allRead(path, others);
      return { status: 200, body: await webhooks.test(callerFrom(caller, request.address), id) };
    },

    async listWebhookDeliveries(
      { path: { id, ...path }, query: { page, limit, status, ...query }, ...others },
      { caller, request },
    ) {
      allRead(path, query, others);
      return listed(
        await webhooks.listDeliveries(caller, id, { page, limit }, status),
        request,
        deliveryRecord,
      );
    },

    async redeliverWebhook(
      { path: { id, ...path }, body: { deliveryId, ...body }, ...others },
      { caller, request },
    ) {
      allRead(path, body, others);
      const by = callerFrom(caller, request.address);
      return { status: 200, body: { events: await webhooks.redeliver(by, id, deliveryId) } };
    },
  } satisfies SomeOperations;
}

function webhookRecord({ id, url, types, status, createdAt }: Webhook): Schemas['Webhook'] {
  return complete<Schemas['Webhook']>({ id, url, types: types && [...types], status, createdAt });
}

function deliveryRecord(delivery: Delivery): Schemas['Delivery'] {
  const { id, eventId, type, subject, status, attempts, changedAt, answer } = delivery;
  const dueAt = status === 'pending' ? delivery.dueAt : undefined;
  const fields = { id, eventId, type, subject, status, attempts, changedAt, dueAt, answer };
  return complete<Schemas['Delivery']>(fields);
}
