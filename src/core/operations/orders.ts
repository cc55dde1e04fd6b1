/** The order operations, those below a user included. */

import type { components } from '../../../generated/openapi.js';
import type { Operations } from '../../../generated/operations.js';
import type { CallContext } from 'concordat';
import { decimalOf } from '../model/money.js';
import type { Order, OrderItem } from '../model/order.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { conditional, listed } from './answers.js';
import { entityTag, writeCondition } from './etag.js';

type Schemas = components['schemas'];

type OrderOperations = Pick<
  Operations<CallContext<Caller>>,
  | 'listOrders'
  | 'createOrder'
  | 'getOrder'
  | 'replaceOrder'
  | 'updateOrder'
  | 'deleteOrder'
  | 'cancelOrder'
  | 'refundOrder'
  | 'listUserOrders'
  | 'getUserOrder'
  | 'getUserOrderItem'
>;

export function orderOperations({ orders }: Services): OrderOperations {
  return {
    async listOrders({ query }, { caller, request }) {
      return listed(await orders.list(caller, query, query), request, orderRecord);
    },

    async createOrder({ body }, { caller, mediaType }) {
      const order = await orders.create(caller, body);
      const headers = { Location: `/api/orders/${order.id}`, ETag: entityTag(order.version, mediaType) };
      return { status: 201, headers, body: orderRecord(order) };
    },

    async getOrder({ path, headers }, { caller, mediaType }) {
      const order = await orders.get(caller, path.id);
      return conditional(headers['If-None-Match'], entityTag(order.version, mediaType), orderRecord(order));
    },

    async replaceOrder({ path, headers, body }, { caller, mediaType }) {
      const condition = writeCondition(headers['If-Match']);
      return answered(await orders.replace(caller, path.id, body, condition), mediaType);
    },

    async updateOrder({ path, headers, body }, { caller, mediaType }) {
      const condition = writeCondition(headers['If-Match']);
      return answered(await orders.changeStatus(caller, path.id, body.status, condition), mediaType);
    },

    async deleteOrder({ path, headers }, { caller }) {
      await orders.delete(caller, path.id, writeCondition(headers['If-Match']));
      return { status: 204 };
    },

    async cancelOrder({ path }, { caller, mediaType }) {
      return answered(await orders.cancel(caller, path.id), mediaType);
    },

    async refundOrder({ path }, { caller, mediaType }) {
      return answered(await orders.refund(caller, path.id), mediaType);
    },

    async listUserOrders({ path, query }, { caller, request }) {
      return listed(await orders.listOfUser(caller, path.userId, query), request, orderRecord);
    },

    async getUserOrder({ path, headers }, { caller, mediaType }) {
      const order = await orders.getOfUser(caller, path.userId, path.orderId);
      return conditional(headers['If-None-Match'], entityTag(order.version, mediaType), orderRecord(order));
    },

    async getUserOrderItem({ path, headers }, { caller, mediaType }) {
      const { userId, orderId, itemId } = path;
      const { item, order } = await orders.getItemOfUser(caller, userId, orderId, itemId);
      return conditional(headers['If-None-Match'], entityTag(order.version, mediaType), itemRecord(item));
    },
  };
}

function answered(order: Order, mediaType: string | undefined) {
  const headers = { ETag: entityTag(order.version, mediaType) };
  return { status: 200, headers, body: orderRecord(order) } as const;
}

function orderRecord(order: Order): Schemas['Order'] {
  const { id, userId, status, items, totalCents, createdAt, updatedAt } = order;
  return {
    id,
    userId,
    status,
    items: items.map(itemRecord),
    total: decimalOf(totalCents),
    createdAt,
    updatedAt,
  };
}

function itemRecord({ id, productId, name, quantity, unitPriceCents }: OrderItem): Schemas['OrderItem'] {
  const unitPrice = decimalOf(unitPriceCents);
  return { id, ...(productId !== undefined && { productId }), name, quantity, unitPrice };
}
