/** Work on all deliveries of a receiver, which may be millions: in steps, between which others read and write. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Id } from '../../model/id.js';
import type { Timestamp } from '../../model/timestamp.js';
import type { Delivery } from '../../model/webhook.js';
import type { OutboxStep, OutboxStore, WaitingDeliveries } from '../../ports/outbox.js';

/** The deliveries that a step writes, in a few milliseconds. */
export const stepSize = 500;
/** More, because counting only reads an index. */
const countedAtOnce = 10_000;

/** Deletes a receiver with its deliveries. One that ends early leaves it disabled. @param step - as `delete` of the store */
export async function deleteReceiver(step: (limit: number) => Promise<string>): Promise<void> {
  while ((await step(stepSize)) === 'more') await nextTurn();
}

/** Makes all pending deliveries of a receiver due, those after one. @returns their number */
export function hastenAll(store: OutboxStore, id: string, now: Timestamp, after?: Id): Promise<number> {
  return inSteps((last) => store.hasten(id, last, now, stepSize), after);
}

/** Makes all failed deliveries of a receiver pending, the oldest first. @returns their number */
export function redeliverAll(store: OutboxStore, id: string, now: Timestamp): Promise<number> {
  return inSteps(async () => {
    const count = await store.redeliver(id, undefined, now, stepSize);
    return { count, last: count === stepSize ? id : undefined };
  });
}

export function countDeliveries(
  store: OutboxStore,
  id: string,
  status?: Delivery['status'],
): Promise<number> {
  return inSteps((after) => store.countDeliveries(id, after, countedAtOnce, status));
}

/** Counts the deliveries that wait for a receiver which is active. @returns also the time of the oldest event */
export async function countWaiting(
  store: OutboxStore,
): Promise<{ readonly count: number; readonly oldest: Timestamp | undefined }> {
  const receivers = await store.receivers();
  const active = new Set(receivers.flatMap(({ id, status }) => (status === 'active' ? [id] : [])));
  let [count, oldest, last]: [number, Timestamp | undefined, WaitingDeliveries | undefined] = [
    0,
    undefined,
    undefined,
  ];
  do {
    const counted = await store.countWaiting(last, countedAtOnce);
    for (const each of counted.filter(({ receiverId }) => active.has(receiverId))) {
      count += each.count;
      if (oldest === undefined || each.oldest < oldest) oldest = each.oldest;
    }
    last = counted.at(-1);
    await nextTurn();
  } while (last !== undefined);
  return { count, oldest };
}

/** @param step - gets where the one before ended */
async function inSteps(step: (after: Id | undefined) => Promise<OutboxStep>, first?: Id): Promise<number> {
  let count = 0;
  let after = first;
  do {
    const done = await step(after);
    count += done.count;
    after = done.last;
    await nextTurn();
  } while (after !== undefined);
  return count;
}
