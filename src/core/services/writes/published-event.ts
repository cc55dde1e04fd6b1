/** The event that a write publishes. */
import { randomUUID } from 'node:crypto';
import type { Timestamp } from '../../model/timestamp.js';
import { events, type EventType, type OutboxEvent } from '../../model/webhook.js';

/** @param id - of the record; unless given, it is that of the outcome */
export function eventOf(type: EventType, outcome: unknown, time: Timestamp, id?: string): OutboxEvent {
  const data = Array.isArray(outcome)
    ? { id, categories: outcome as readonly unknown[] }
    : typeof outcome === 'object' && outcome !== null
      ? outcome
      : { id };
  const subject = `${events[type].kind}:${String('id' in data ? data.id : id)}`;
  return { eventId: randomUUID(), type, subject, time, data };
}
