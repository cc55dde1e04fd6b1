/** The operations of webhooks, and the events that these get. */
import type { components } from '../../../generated/openapi.js';
import { allRead, complete } from '../model/fields.js';
import type { Category, Product } from '../model/product.js';
import type { Delivery, EventType, OutboxEvent, Webhook } from '../model/webhook.js';
import { callerFrom } from '../services/rights/caller.js';
import type { Services } from '../services/services.js';
import { type SomeOperations, listed } from './answers.js';
import { commentRecord, orderRecord } from './orders.js';
import { postRecord } from './posts.js';
import { categoryRecord, productRecord } from './products.js';
import { notToBeStored } from './sign-in.js';
import { userRecord } from './users.js';

type Schemas = components['schemas'];

/** An event as receivers get it. */
export type CloudEvent = Schemas['Event'];

interface ProductCategories extends Pick<Product, 'id'> {
  readonly categories: readonly Category[];
}

/** Makes `data` of what the store returned. */
const present: Readonly<Record<EventType | 'webhook.test', (data: never) => CloudEvent['data']>> = {
  'user.created': userRecord,
  'user.updated': userRecord,
  'user.deleted': (deleted: Schemas['RecordId']) => deleted,
  'post.created': postRecord,
  'order.created': orderRecord,
  'order.updated': orderRecord,
  'order.deleted': (deleted: Schemas['RecordId']) => deleted,
  'product.created': productRecord,
  'product.updated': productRecord,
  'product.categorized': ({ id, categories }: ProductCategories) => ({
    id,
    categories: categories.map(categoryRecord),
  }),
  'product.deleted': (deleted: Schemas['RecordId']) => deleted,
  'comment.created': commentRecord,
  'webhook.test': (tested: Schemas['RecordId']) => tested,
};

/** An event in the structured mode of CloudEvents 1.0, as the contract describes it. */
export function cloudEvent({ eventId: id, type, subject, time, data }: OutboxEvent<string>): CloudEvent {
  const event = {
    specversion: '1.0',
    id,
    source: '/api',
    type,
    subject,
    time,
    datacontenttype: 'application/json',
    data: {
      ...present[type as EventType](data as never),
      ...(data && 'stored' in data && (data.stored as object)),
    },
  };
  return event as CloudEvent;
}

export function webhookOperations({ webhooks }: Services) {
  return {
    async listWebhooks({ query: { page, limit, envelope, ...query }, ...others }, { caller, request }) {
      allRead(query, others);
      const found = await webhooks.list(caller, { page, limit });
      if (!envelope) return { ...listed(found, request, webhookRecord), schema: 'WebhookList' };
      const data = found.data.map(webhookRecord);
      if (page === undefined && limit === undefined) {
        return { status: 200, schema: 'WebhookCollection', body: { data, total: found.pagination.total } };
      }
      return { status: 200, schema: 'WebhookOffsetPage', body: { data, pagination: found.pagination } };
    },

    async createWebhook({ body: { url, types, ...body }, ...others }, { caller, request }) {
      allRead(body, others);
      const { webhook, secret } = await webhooks.create(callerFrom(caller, request.address), { url, types });
      const headers = { Location: `/api/webhooks/${webhook.id}`, ...notToBeStored };
      return { status: 201, headers, body: { ...webhookRecord(webhook), secret } };
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

    async testWebhook({ path: { id, ...path }, ...others }, { caller }) {
      allRead(path, others);
      return { status: 200, body: await webhooks.test(caller, id) };
    },

    async listWebhookDeliveries(
      { path: { id, ...path }, query: { page, limit, ...query }, ...others },
      { caller, request },
    ) {
      allRead(path, query, others);
      return listed(await webhooks.listDeliveries(caller, id, { page, limit }), request, deliveryRecord);
    },

    async redeliverWebhook({ path: { id, ...path }, body: { deliveryId, ...body }, ...others }, { caller }) {
      allRead(path, body, others);
      return { status: 200, body: { events: await webhooks.redeliver(caller, id, deliveryId) } };
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
