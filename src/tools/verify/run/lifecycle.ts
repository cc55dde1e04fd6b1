/** Creates a resource, reads it, deletes it, and reads it again. */

import { type Answer, isMocked } from './server.js';
import type { Finding } from './verify-report.js';

/** The operations of one kind of resource. */
export interface Lifecycle<Operation> {
  readonly create: Operation;
  readonly read: Operation;
  readonly remove?: Operation;
}

/** The steps of a protocol. */
export interface LifecycleSteps<Operation, Item, Outcome> {
  readonly send: (operation: Operation, item?: Item) => Promise<Outcome | undefined>;
  /** The resource that a request created; undefined if the answer does not name one. */
  readonly createdBy: (outcome: Outcome) => Item | undefined;
  readonly isSuccess: (outcome: Outcome) => boolean;
  readonly isGone: (outcome: Outcome) => boolean;
  /** The message of each finding, from the answer that shows it. */
  readonly messages: Readonly<Record<'lost' | 'not-deleted', (outcome: Outcome) => string>>;
}

/** A finding of a lifecycle: the step that shows it, followed by the steps that led to it. */
interface LifecycleFinding<Outcome> extends Finding {
  readonly steps: readonly [Outcome, ...Outcome[]];
}

export async function runLifecycle<Operation, Item, Outcome extends { readonly answer: Answer }>(
  { create, read, remove }: Lifecycle<Operation>,
  { send, createdBy, isSuccess, isGone, messages }: LifecycleSteps<Operation, Item, Outcome>,
): Promise<LifecycleFinding<Outcome> | undefined> {
  const created = await send(create);
  const item = created && isSuccess(created) ? createdBy(created) : undefined;
  if (created === undefined || item === undefined) return undefined;
  const found = await send(read, item);
  if (found === undefined || isMocked(created.answer) || isMocked(found.answer)) return undefined;
  if (isGone(found)) return { rule: 'lost', message: messages.lost(found), steps: [found, created] };
  if (remove === undefined || !isSuccess(found)) return undefined;
  const removed = await send(remove, item);
  if (removed === undefined || !isSuccess(removed)) return undefined;
  const again = await send(read, item);
  if (again === undefined || !isSuccess(again) || isGone(again)) {
    // Another deletion must be answered as the contract says.
    await send(remove, item);
    return undefined;
  }
  return { rule: 'not-deleted', message: messages['not-deleted'](again), steps: [again, created, removed] };
}
