/** The one path of the services' writes, which stores in the step of a write what belongs to it: its entries of the audit log, and its event. */
import { checkStored, type KeepsFields } from '../../model/stored.js';
import type { Clock } from '../../model/timestamp.js';
import type { Stores } from '../../ports/storage.js';
import type {
  WriteAdditions,
  WriteGiven,
  WriteOutcome,
  WrittenMethod,
  WrittenStore,
} from '../../ports/write-store.js';
import type { Caller } from '../rights/caller.js';
import type { WriteAction } from '../rights/policy.js';
import { type AuditedAction, entryOf } from './audit.js';
import { eventOf, eventTypeOf } from './event-of-write.js';

/** A write of a service, beside the method of the store and its arguments. */
export interface Write {
  readonly caller: Caller;
  /** The rights that the write takes; none, unless given, for a write on which the policy does not decide. */
  readonly actions?: readonly WriteAction[];
  /** The actions for the audit log; none unless given. */
  readonly audited?: readonly AuditedAction[];
  /** The record of the audited actions, as `user:<id>`; unless given, the one that the write created. */
  readonly target?: string;
}

/** The outcomes with which stores report that a write was carried out. */
const successes: ReadonlySet<unknown> = new Set(['created', 'deleted', 'deactivated']);
/** The outcomes of a write whose record has changed since it was read. It is tried again or refused, and not recorded as an attempt. */
const retried: ReadonlySet<unknown> = new Set(['stale', 'changed']);

/** The kinds of the records that the stores create, for the audit log. */
const kinds: Partial<Record<WrittenStore, string>> = {
  users: 'user',
  idempotency: 'user',
  apiKeys: 'api-key',
};

export class Writes {
  readonly #storage: Partial<Stores> & KeepsFields;
  readonly #clock: Clock;
  readonly #published: (() => void) | undefined;

  /** @param published - called after a write has stored an event; without it, no write does */
  constructor(storage: Partial<Stores> & KeepsFields, clock: Clock, published?: () => void) {
    this.#storage = storage;
    this.#clock = clock;
    this.#published = published;
  }

  /** Runs a method of a store with its arguments, in one step with what belongs to the write; alone if nothing does. */
  async run<Store extends WrittenStore, Method extends WrittenMethod<Store>>(
    write: Write,
    store: Store,
    method: Method,
    ...given: WriteGiven<Store, Method>
  ): Promise<WriteOutcome<Store, Method>> {
    type Outcome = WriteOutcome<Store, Method>;
    const { caller, audited = [] } = write;
    const { audit, writes, [store]: own } = this.#storage;
    if (this.#storage.stored !== undefined) for (const each of given) checkStored(each);
    const writeOnly = () =>
      (own as Readonly<Record<Method, (...given: unknown[]) => Promise<Outcome>>>)[method](...given);
    const eventType = this.#published && eventTypeOf(store, method);
    if ((audit === undefined || audited.length === 0) && eventType === undefined) return await writeOnly();
    const at = this.#clock.now();
    const additionsOf = (outcome: Outcome): WriteAdditions => {
      if (retried.has(outcome)) return { entries: [] };
      const word = typeof outcome === 'string' && !successes.has(outcome) ? outcome : 'done';
      const { target = createdBy(store, outcome) } = write;
      const entries = audited.map((action) => entryOf(caller, { target, ...action }, at, word));
      return { entries, event: eventType && eventOf(eventType, given[0], outcome, at) };
    };
    if (writes?.stores[store] === own) {
      const outcome = await writes.write(store, method, given, additionsOf);
      if (eventType !== undefined) this.#published?.();
      return outcome;
    }
    const outcome = await writeOnly();
    await audit?.add(additionsOf(outcome).entries);
    return outcome;
  }
}

function createdBy(store: WrittenStore, outcome: unknown): string | undefined {
  const kind = kinds[store];
  if (kind === undefined || typeof outcome !== 'object' || outcome === null) return undefined;
  const id = 'id' in outcome ? outcome.id : 'recordId' in outcome ? outcome.recordId : undefined;
  return typeof id === 'string' ? `${kind}:${id}` : undefined;
}
