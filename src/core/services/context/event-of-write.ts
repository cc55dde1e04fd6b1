/** The event that a write publishes. */
import { randomUUID } from 'node:crypto';
import { recordNames, type RecordName } from '../../model/stored.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { User } from '../../model/user.js';
import type { EventType, OutboxEvent } from '../../model/webhook.js';
import { isEarlier } from '../../ports/idempotency-store.js';
import type { WrittenMethod, WrittenStore } from '../../ports/write-store.js';

/** The types of the events. Writes of credentials publish none. */
const typesOfWrites: {
  readonly [Store in WrittenStore]: Readonly<Record<WrittenMethod<Store>, EventType | undefined>>;
} = {
  users: { create: 'user.created', update: 'user.updated', delete: 'user.deleted' },
  externalIdentities: { findOrCreateUser: 'user.created' },
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
  outbox: { create: undefined },
  idempotency: {
    createUser: 'user.created',
    createOrder: 'order.created',
    createProduct: 'product.created',
    createComment: 'comment.created',
    createApiKey: undefined,
    createWebhook: undefined,
  },
};

/** The type of the event that a method publishes. */
export function eventTypeOf<Store extends WrittenStore>(
  store: Store,
  method: WrittenMethod<Store>,
): EventType | undefined {
  return typesOfWrites[store][method];
}

/** The record whose fields a method writes. */
export function recordOf<Store extends WrittenStore>(
  store: Store,
  method: WrittenMethod<Store>,
): RecordName | undefined {
  const [kind, done] = eventTypeOf(store, method)?.split('.') ?? [];
  return done === 'categorized' ? 'Category' : recordNames.find((name) => name.toLowerCase() === kind);
}

/**
 * @param given - the arguments of the method: the first is the id, where it changes a record
 * @returns undefined if the store has refused the write, or has found a record in place of creating one
 */
export function eventOf(
  type: EventType,
  given: readonly unknown[],
  outcome: unknown,
  time: Timestamp,
): OutboxEvent | undefined {
  const isRecord = typeof outcome === 'object' && outcome !== null && !isEarlier(outcome);
  if (!isRecord && outcome !== 'deleted') return undefined;
  // An external sign-in may find its user; a new one was created at the time that is the last argument.
  if (type === 'user.created' && (outcome as User).createdAt !== given.at(-1)) return undefined;
  const id = given[0];
  const data = !isRecord ? { id } : Array.isArray(outcome) ? { id, categories: outcome } : outcome;
  const [kind = ''] = type.split('.');
  const subject = `${kind}:${String('id' in data ? data.id : id)}`;
  return { eventId: randomUUID(), type, subject, time, data };
}
