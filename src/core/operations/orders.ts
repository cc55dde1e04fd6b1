/** The operations of orders, including those below a user, and of the comments on orders. */
import type { components } from '../../../generated/openapi.js';
import type { ReplaceOrderRequest } from '../../../generated/operations.js';
import { allRead, readElsewhere, complete, withoutReadOnly } from '../model/fields.js';
import type { Order, OrderItem, Comment } from '../model/order.js';
import { decimalOf } from '../model/product.js';
import { readFields, showing } from '../model/stored.js';
import type {
  OrderItemInput,
  OrderItemReplacement,
  OrderPatch,
  OrderReplacement,
} from '../services/orders/order-items.js';
import { mergePatch } from '../services/writes/stored-changes.js';
import { callerFrom } from '../services/rights/caller.js';
import type { Services } from '../services/services.js';
import { type SomeOperations, conditional, listed, replayed, entityTag, writeCondition } from './answers.js';
import { reads } from './own-fields.js';

type Schemas = components['schemas'];

export function orderOperations({ orders, ownFields }: Services) {
  const record = showing(ownFields, 'Order', orderRecord);
  return {
    async listOrders({ query: { userId, page, limit, ...query }, ...others }, { caller, request }) {
      allRead(query, others);
      const filter = { userId, stored: readFields(ownFields, reads.listOrders, query) };
      return listed(await orders.list(caller, filter, { page, limit }), request, record);
    },

    async createOrder(
      { headers: { 'Idempotency-Key': key, ...headers }, body, ...others },
      { caller, mediaType },
    ) {
      const { userId, items, ...fields } = body;
      allRead(headers, others, fields);
      const input = {
        userId,
        items: items.map(itemInput),
        stored: readFields(ownFields, reads.createOrder, body),
      };
      const { record: order, isReplay } = await orders.createOnce(caller, input, key);
      const tags = { Location: `/api/orders/${order.id}`, ETag: entityTag(order.version, mediaType) };
      return { status: 201, headers: { ...tags, ...replayed(isReplay) }, body: record(order) };
    },

    async getOrder(
      { path: { id, ...path }, headers: { 'If-None-Match': ifNoneMatch, ...headers }, ...others },
      { caller, mediaType },
    ) {
      allRead(path, headers, others);
      const order = await orders.get(caller, id);
      return conditional(ifNoneMatch, entityTag(order.version, mediaType), record(order));
    },

    async replaceOrder({ path: { id, ...path }, headers, body, ...others }, { caller, mediaType }) {
      allRead(path, others);
      const input = { ...replacement(body), stored: readFields(ownFields, reads.replaceOrder, body) };
      const order = await orders.replace(caller, id, input, writeCondition(headers));
      return answered(order, mediaType);
    },

    async updateOrder(request, { caller, mediaType }) {
      const {
        path: { id, ...path },
        headers,
        contentType,
        body: { status, items, ...body },
        ...others
      } = request;
      allRead(path, body, others);
      readElsewhere({ contentType });
      const stored = mergePatch(ownFields, 'Order', readFields(ownFields, reads.updateOrder, body));
      const patch = complete<OrderPatch>({ status, items: items?.map(itemReplacement), stored });
      const order = await orders.update(caller, id, patch, writeCondition(headers));
      return answered(order, mediaType);
    },

    async deleteOrder({ path: { id, ...path }, headers, ...others }, { caller, request }) {
      allRead(path, others);
      await orders.delete(callerFrom(caller, request.address), id, writeCondition(headers));
      return { status: 204 };
    },

    async cancelOrder({ path: { id, ...path }, ...others }, { caller, mediaType }) {
      allRead(path, others);
      return answered(await orders.cancel(caller, id), mediaType);
    },

    async refundOrder({ path: { id, ...path }, ...others }, { caller, mediaType }) {
      allRead(path, others);
      return answered(await orders.refund(caller, id), mediaType);
    },

    async listUserOrders(
      { path: { userId, ...path }, query: { page, limit, ...query }, ...others },
      { caller, request },
    ) {
      allRead(path, query, others);
      return listed(await orders.listOfUser(caller, userId, { page, limit }), request, record);
    },

    async getUserOrder(request, { caller, mediaType }) {
      const {
        path: { userId, orderId, ...path },
        headers: { 'If-None-Match': ifNoneMatch, ...headers },
        ...others
      } = request;
      allRead(path, headers, others);
      const order = await orders.getOfUser(caller, userId, orderId);
      return conditional(ifNoneMatch, entityTag(order.version, mediaType), record(order));
    },

    async getUserOrderItem(request, { caller, mediaType }) {
      const {
        path: { userId, orderId, itemId, ...path },
        headers: { 'If-None-Match': ifNoneMatch, ...headers },
        ...others
      } = request;
      allRead(path, headers, others);
      const { item, order } = await orders.getItemOfUser(caller, userId, orderId, itemId);
      return conditional(ifNoneMatch, entityTag(order.version, mediaType), itemRecord(item));
    },
  } satisfies SomeOperations;

  function answered(order: Order, mediaType: string | undefined) {
    const headers = { ETag: entityTag(order.version, mediaType) };
    return { status: 200, headers, body: record(order) } as const;
  }
}

/** The input without the read-only fields of an order and its items, which clients may send back. */
function replacement(body: ReplaceOrderRequest['body']): OrderReplacement {
  const readOnly = ['id', 'status', 'total', 'createdAt', 'updatedAt'] as const;
  const { userId, items, ...others } = withoutReadOnly(body, ...readOnly);
  allRead(others);
  return { userId, items: items.map(itemReplacement) };
}

function itemReplacement(item: Schemas['OrderItemReplacement']): OrderItemReplacement {
  if (!('productId' in item)) return itemInput(withoutReadOnly(item, 'id'));
  const { productId, quantity, name, unitPrice, ...others } = withoutReadOnly(item, 'id');
  allRead(others);
  return { productId, quantity, name, unitPrice };
}

function itemInput(item: Schemas['OrderItemInput']): OrderItemInput {
  if ('productId' in item) {
    const { productId, quantity, ...others } = item;
    allRead(others);
    return { productId, quantity };
  }
  const { name, unitPrice, quantity, ...others } = item;
  allRead(others);
  return { name, unitPrice, quantity };
}

export function orderRecord(order: Order): Schemas['Order'] {
  const { id, userId, status, items, totalCents, createdAt, updatedAt } = order;
  return complete<Schemas['Order']>({
    id,
    userId,
    status,
    items: items.map(itemRecord),
    total: decimalOf(totalCents),
    createdAt,
    updatedAt,
  });
}

function itemRecord({ id, productId, name, quantity, unitPriceCents }: OrderItem): Schemas['OrderItem'] {
  const unitPrice = decimalOf(unitPriceCents);
  return complete<Schemas['OrderItem']>({ id, productId, name, quantity, unitPrice });
}

/** A comment never changes, so its entity tag has a constant version. */
const ONLY_VERSION = 1;

export function commentOperations({ comments, ownFields }: Services) {
  const record = showing(ownFields, 'Comment', commentRecord);
  return {
    async listComments({ query: { orderId, page, limit, ...query }, ...others }, { caller, request }) {
      allRead(query, others);
      const filter = { orderId, stored: readFields(ownFields, reads.listComments, query) };
      return listed(await comments.list(caller, filter, { page, limit }), request, record);
    },

    async createComment(request, { caller, mediaType }) {
      const {
        headers: { 'Idempotency-Key': key, ...headers },
        body: { orderId, userId, text, ...body },
        ...others
      } = request;
      allRead(headers, body, others);
      const input = { orderId, userId, text, stored: readFields(ownFields, reads.createComment, body) };
      const { record: comment, isReplay } = await comments.createOnce(caller, input, key);
      const tags = { Location: `/api/comments/${comment.id}`, ETag: entityTag(ONLY_VERSION, mediaType) };
      return { status: 201, headers: { ...tags, ...replayed(isReplay) }, body: record(comment) };
    },

    async getComment(
      { path: { id, ...path }, headers: { 'If-None-Match': ifNoneMatch, ...headers }, ...others },
      { caller, mediaType },
    ) {
      allRead(path, headers, others);
      const comment = await comments.get(caller, id);
      return conditional(ifNoneMatch, entityTag(ONLY_VERSION, mediaType), record(comment));
    },
  } satisfies SomeOperations;
}

export function commentRecord({ id, orderId, userId, text, createdAt }: Comment): Schemas['Comment'] {
  return complete<Schemas['Comment']>({ id, orderId, userId, text, createdAt });
}
