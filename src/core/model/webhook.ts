/** Events about writes, their receivers (webhooks, and consumers in the process), and what came of each delivery. */
import type { Id } from './id.js';
import type { RecordName } from './stored.js';
import type { Timestamp } from './timestamp.js';

/** The events, by their types in the contract: the kind of their subject, and the record whose fields the write may have written. */
export const events = {
  'user.created': { kind: 'user', record: 'User' },
  'user.updated': { kind: 'user', record: 'User' },
  'user.deleted': { kind: 'user', record: 'User' },
  'post.created': { kind: 'post', record: 'Post' },
  'order.created': { kind: 'order', record: 'Order' },
  'order.updated': { kind: 'order', record: 'Order' },
  'order.deleted': { kind: 'order', record: 'Order' },
  'comment.created': { kind: 'comment', record: 'Comment' },
  'product.created': { kind: 'product', record: 'Product' },
  'product.updated': { kind: 'product', record: 'Product' },
  'product.categorized': { kind: 'product', record: 'Category' },
  'product.deleted': { kind: 'product', record: 'Product' },
} as const satisfies Readonly<Record<string, { readonly kind: string; readonly record: RecordName }>>;

export type EventType = keyof typeof events;

export const eventTypes = Object.keys(events) as readonly EventType[];

export interface OutboxEvent<Type extends string = EventType> {
  /** Unique; the same at each delivery. */
  readonly eventId: string;
  readonly type: Type;
  /** The record that it is about: `user:5`. */
  readonly subject: string;
  readonly time: Timestamp;
  /** The record after the write, as the store returned it; only the id of a record that was deleted. */
  readonly data: object | undefined;
}

/** A secret, which signs from now on or, if it was replaced, until a time. */
export interface WebhookSecret {
  /** `whsec_` and Base64, as Standard Webhooks has it. */
  readonly secret: string;
  readonly until?: Timestamp;
}

/** Where events are delivered to: a webhook, or the consumer of this name, which has neither address nor secrets. */
export interface Receiver {
  readonly id: Id;
  readonly consumer: string | undefined;
  readonly url: string;
  /** The types that it gets; undefined for all. */
  readonly types?: readonly EventType[] | undefined;
  /** The newest first. */
  readonly secrets?: readonly WebhookSecret[] | undefined;
  /** A disabled receiver gets no events. */
  readonly status: 'active' | 'disabled';
  readonly createdAt: Timestamp;
}

/** A webhook as callers see it. */
export type Webhook = Omit<Receiver, 'consumer' | 'secrets'>;

/** An event for one receiver. */
export interface Delivery extends OutboxEvent {
  readonly id: Id;
  readonly receiverId: Id;
  /** A failed delivery is not tried again by itself. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** How often it was sent, since it was last asked for again. */
  readonly attempts: number;
  readonly changedAt: Timestamp;
  /** A pending delivery is not tried before this time: it is waiting, or a process is at it. */
  readonly dueAt: Timestamp;
  /** The receiver's last answer as a text: its status, or why none came. */
  readonly answer: string | undefined;
}
