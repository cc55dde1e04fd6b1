/** The event that a write publishes. */
import { randomUUID } from 'node:crypto';
import { type KeptFields, recordNames, shownFields } from '../../model/stored.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { EventType, OutboxEvent } from '../../model/webhook.js';
import { isEarlier } from '../../ports/idempotency-store.js';
import type { WrittenMethod, WrittenStore } from '../../ports/write-store.js';

/** Undefined for a write of credentials, which is published to nobody. */
const typesOfWrites: {
  readonly [Store in WrittenStore]: Readonly<Record<WrittenMethod<Store>, EventType | undefined>>;
} = {
  users: { create: 'user.created', update: 'user.updated', delete: 'user.deleted' },
  posts: { create: 'post.created' },
  orders: { create: 'order.created', update: 'order.updated', delete: 'order.deleted' },
  products: {
    create: 'product.created',
    replace: 'product.updated',
    delete: 'product.deleted',
    setCategories: 'product.categorized',
  },
  comments: { create: 'comment.created' },
  apiKeys: { create: undefined, deactivate: undefined, deactivateAllOf: undefined },
  refreshTokens: { create: undefined },
  idempotency: {
    createUser: 'user.created',
    createOrder: 'order.created',
    createProduct: 'product.created',
    createComment: 'comment.created',
  },
};

/** The type of the event that a method publishes. */
export function eventTypeOf<Store extends WrittenStore>(
  store: Store,
  method: WrittenMethod<Store>,
): EventType | undefined {
  return typesOfWrites[store][method];
}

/**
 * @param id - the first argument of a method that changes a record
 * @param kept - the application's own fields, of which receivers get those that callers may see
 * @returns undefined if the store has refused the write
 */
export function eventOf(
  type: EventType,
  id: unknown,
  outcome: unknown,
  time: Timestamp,
  kept: KeptFields | undefined,
): OutboxEvent | undefined {
  const isRecord = typeof outcome === 'object' && outcome !== null && !isEarlier(outcome);
  if (!isRecord && outcome !== 'deleted') return undefined;
  const data = !isRecord ? { id } : Array.isArray(outcome) ? { id, categories: outcome } : outcome;
  const [kind = ''] = type.split('.');
  const subject = `${kind}:${String('id' in data ? data.id : id)}`;
  const name = recordNames.find((each) => each.toLowerCase() === kind);
  const isShown = isRecord && !Array.isArray(outcome) && name !== undefined && kept?.[name] !== undefined;
  const shown = isShown ? { ...data, stored: shownFields(kept, name, data) } : data;
  return { eventId: randomUUID(), type, subject, time, data: shown };
}
