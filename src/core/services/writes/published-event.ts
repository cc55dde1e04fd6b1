/** The event that a write publishes. */
import { randomUUID } from 'node:crypto';
import type { RecordName } from '../../model/stored.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { EventType, OutboxEvent } from '../../model/webhook.js';

/** The records whose fields the write of an event has written. */
export const recordsOfEvents: Readonly<Record<EventType, RecordName>> = {
  'user.created': 'User',
  'user.updated': 'User',
  'user.deleted': 'User',
  'post.created': 'Post',
  'order.created': 'Order',
  'order.updated': 'Order',
  'order.deleted': 'Order',
  'product.created': 'Product',
  'product.updated': 'Product',
  'product.deleted': 'Product',
  'product.categorized': 'Category',
  'comment.created': 'Comment',
};

/** @param id - of the record; unless given, it is that of the outcome */
export function eventOf(type: EventType, outcome: unknown, time: Timestamp, id?: string): OutboxEvent {
  const data = Array.isArray(outcome)
    ? { id, categories: outcome as readonly unknown[] }
    : typeof outcome === 'object' && outcome !== null
      ? outcome
      : { id };
  const [kind = ''] = type.split('.');
  const subject = `${kind}:${String('id' in data ? data.id : id)}`;
  return { eventId: randomUUID(), type, subject, time, data };
}
