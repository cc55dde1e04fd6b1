/** The one path of the services' writes: it calls their hooks, and stores what belongs to a write in its transaction. */
import { randomUUID } from 'node:crypto';
import { checkStored, type KeepsFields, type StoredValues, withDefaults } from '../../model/stored.js';
import type { Clock, Timestamp } from '../../model/timestamp.js';
import { events, type EventType, type OutboxEvent } from '../../model/webhook.js';
import { type EarlierCreation, type KeyedRequest, once } from '../../ports/idempotency-store.js';
import type { RunTransaction, Stores, Transaction } from '../../ports/storage.js';
import type { Caller } from '../rights/caller.js';
import type { WriteAction } from '../rights/policy.js';
import { type AuditedAction, entryOf } from './audit.js';
import {
  after,
  before as runBefore,
  type HookedWrite,
  inTime,
  type NamedHook,
  type OwnTransaction,
  wasDone,
} from './hooks.js';
import { checkedChange, type MakesValues } from './stored-changes.js';
import { Scope } from './scope.js';

/** A write of a service, beside the work that it does in the stores. */
export interface Write extends Omit<HookedWrite<never>, 'old'> {
  /** The actions whose hooks are called; none unless given. */
  readonly actions?: readonly WriteAction[];
  /** The actions that the audit log records; none unless given. */
  readonly audited?: readonly AuditedAction[];
  /** Whom the log names in place of the caller of a write that was carried out. */
  readonly actor?: (outcome: never) => Caller;
  /** The record of the audited actions, as `user:<id>`. */
  readonly target?: string;
  /** The kind of the record that the write creates, which is then the target. */
  readonly creates?: 'user' | 'api-key' | 'webhook';
  readonly event?: EventType;
  /** The id of the event's record, unless the outcome is the record. */
  readonly id?: string;
  /** Whether the record was there before, so that no event is published. */
  readonly wasThere?: (record: never) => boolean;
}

/** A write that takes one action, which has the name of its method. */
export function writeBy<Action extends WriteAction>(caller: Caller, action: Action) {
  return { caller, operation: action, actions: [action] } as const;
}

/** A transaction for code of the application, with the services whose calls are part of it. */
type ServingTransaction = OwnTransaction & { readonly services: unknown };

/** The parts of the services that every write uses. */
interface WriteParts {
  /** It has the stores of the services that use it. */
  readonly storage: Partial<Stores> & KeepsFields;
  /** Unless given, the steps of a write are stored one after the other. */
  readonly transaction?: RunTransaction | undefined;
  readonly clock: Clock;
  readonly hooks?: ReadonlyMap<string, NamedHook>;
  /** Called after a write has stored an event; without it, no write does. */
  readonly published?: (() => void) | undefined;
  readonly servicesIn?: (storage: Stores & KeepsFields, writes: Writes) => unknown;
}

/** The outcomes of a write whose record has changed since it was read. It is tried again or refused, and not recorded as an attempt. */
const retried: ReadonlySet<unknown> = new Set(['stale', 'changed']);

const none: readonly never[] = [];

export class Writes {
  readonly #storage: Stores & KeepsFields;
  readonly #hooks: ReadonlyMap<string, NamedHook> | undefined;

  constructor(
    private readonly parts: WriteParts,
    /** Of the transaction that these writes are a part of; undefined outside of one. */
    private readonly scope?: Scope,
  ) {
    this.#storage = parts.storage as Stores & KeepsFields;
    this.#hooks = parts.hooks?.size === 0 ? undefined : parts.hooks;
  }

  /** Whether a write has hooks, which get the record before it. */
  hooked(write: Pick<Write, 'actions'>): boolean {
    return this.#hooksOf(write).length > 0;
  }

  /**
   * Calls the hooks before a write, and checks the application's own fields.
   *
   * @param old - the record before the write, if it is known; it is, where there are hooks
   * @param check - of an input that a hook returns
   * @returns the input, which hooks may have replaced
   */
  before<Input>(
    write: Write,
    old: object | undefined,
    input: Input,
    check?: (input: Input) => unknown,
  ): Input | Promise<Input> {
    // To wait for what is there would take longer than a write of the memory storage.
    if (this.#hooks === undefined && this.#storage.ownFields === undefined) return input;
    return this.#before(write, old, input, check);
  }

  async #before<Input>(
    write: Write,
    old: object | undefined,
    input: Input,
    check: ((input: Input) => unknown) | undefined,
  ): Promise<Input> {
    const { caller, operation, event } = write;
    const { ownFields } = this.#storage;
    const hooks = this.#hooksOf(write);
    const name = event && events[event].record;
    const fields = name && ownFields?.[name];
    const whole = event?.endsWith('.created') === true ? withDefaults(input, fields) : input;
    // Hooks get values and no function. Where there are hooks, the write is on this version of the record.
    const { stored: before = {} } = Object(old) as { readonly stored?: StoredValues };
    const seen = hooks.length === 0 ? whole : withValues(whole, (make) => make(before as never));
    const given = await runBefore(hooks, { caller, operation, old: old as never }, seen, check);
    if (ownFields === undefined || name === undefined) return given;
    const { stored } = Object(given) as { readonly stored?: AnyValues };
    for (const each of [stored].flat()) if (typeof each !== 'function') checkStored(ownFields, name, each);
    return withValues(given, (change) => checkedChange(change, (made) => checkStored(ownFields, name, made)));
  }

  /**
   * Stores a write: runs the work in a transaction with the hooks after it, its entries of the audit log and its event; in none if it has
   * none of them.
   *
   * @param old - as of {@link before}
   * @param work - may run again
   */
  store<Outcome>(
    write: Write,
    old: object | undefined,
    work: (stores: Stores) => Promise<Outcome>,
  ): Promise<Outcome> {
    const publishes = write.event !== undefined && this.parts.published !== undefined;
    if (!publishes && this.#auditedOf(write).length === 0 && this.#hooksAfter(write).length === 0)
      return work(this.#storage);
    return this.#storeWith(write, old, work);
  }

  /** As {@link store}, for a record that is created once if there is a key. @returns also an earlier creation */
  create<Outcome>(
    write: Write,
    keyed: KeyedRequest | undefined,
    work: (stores: Stores) => Promise<Outcome>,
  ): Promise<Outcome | EarlierCreation> {
    if (keyed === undefined) return this.store(write, undefined, work);
    const now = this.parts.clock.now();
    return this.#storeWith(write, undefined, (stores) => once(stores, keyed, now, () => work(stores)));
  }

  async #storeWith<Outcome>(
    write: Write,
    old: object | undefined,
    work: (stores: Stores) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { caller, operation, event } = write;
    const { clock, published } = this.parts;
    const at = clock.now();
    const audited = this.#auditedOf(write);
    const around = after(this.#hooksAfter(write), { caller, operation, old: old as never });
    const step = async (stores: Transaction, scope: Scope): Promise<Outcome> => {
      const outcome = await work(stores);
      const isDone = wasDone(outcome);
      if (isDone) await around.run(outcome, () => this.#ownOf(stores, scope));
      const word: unknown = isDone ? 'done' : outcome;
      if (audited.length > 0 && typeof word === 'string' && !retried.has(word)) {
        const { target: created = createdBy(write, outcome) } = write;
        const actor = isDone && write.actor !== undefined ? write.actor(outcome as never) : caller;
        const entries = audited.map(({ target = created, ...action }) =>
          entryOf(actor, { ...action, target }, at, word),
        );
        await stores.audit.add(entries);
      }
      if (event !== undefined && published !== undefined) {
        if (isDone && write.wasThere?.(outcome as never) !== true)
          await stores.outbox.publish(eventOf(event, outcome, at, write.id));
        scope.afterwards(published);
      }
      return outcome;
    };
    try {
      return await this.#begin(step, around.isEmpty);
    } catch (error) {
      throw around.failure(error);
    }
  }

  /**
   * Runs work of the application in a transaction, with the services whose calls are part of it.
   *
   * @throws ServiceError `unavailable` when it has not ended in time
   */
  transaction<T>(work: (own: ServingTransaction) => Promise<T>): Promise<T> {
    return this.#begin((stores, scope) =>
      inTime('the work of a transaction', () => work(this.#ownOf(stores, scope))),
    );
  }

  /** Does something when the transaction is stored; at once outside of one. */
  async afterwards(effect: () => Promise<void>): Promise<void> {
    if (this.scope === undefined) await effect();
    else this.scope.afterwards(effect);
  }

  /** Runs work in a transaction, or in the one that this is a part of. */
  async #begin<T>(work: (stores: Transaction, scope: Scope) => Promise<T>, isBrief = false): Promise<T> {
    const { transaction = (run) => run(this.#storage as Transaction) } = this.parts;
    const outer = this.scope;
    if (outer !== undefined) return await transaction((stores) => work(stores, outer));
    const scope = new Scope();
    try {
      const outcome = await transaction((stores) => {
        scope.begin();
        return work(stores, scope);
      }, isBrief);
      await scope.end();
      return outcome;
    } catch (error) {
      scope.fail(error);
      throw error;
    }
  }

  #ownOf(stores: Transaction, scope: Scope): ServingTransaction {
    const { database, query, transaction } = stores;
    const inside = new Writes({ ...this.parts, storage: stores, transaction }, scope);
    const services = this.parts.servicesIn?.(stores, inside);
    return { database, query, onUndo: scope.onUndo, services };
  }

  /** Records an action that changes no data. @param outcome - as in an `AuditEntry` */
  async record(caller: Caller, action: AuditedAction, outcome = 'done'): Promise<void> {
    const { storage, clock } = this.parts;
    await storage.audit?.add([entryOf(caller, action, clock.now(), outcome)]);
  }

  #auditedOf({ audited = none }: Write): readonly AuditedAction[] {
    return this.parts.storage.audit === undefined ? none : audited;
  }

  #hooksOf({ actions = none }: Pick<Write, 'actions'>): readonly NamedHook[] {
    return this.#hooks === undefined ? none : actions.flatMap((action) => this.#hooks?.get(action) ?? []);
  }

  #hooksAfter(write: Write): readonly NamedHook[] {
    return this.#hooks === undefined
      ? none
      : this.#hooksOf(write).filter(({ hook }) => hook.after !== undefined);
  }
}

type AnyValues = StoredValues | readonly StoredValues[] | MakesValues;

/** An input whose `stored` is a function gets what is made of it. */
function withValues<Input>(input: Input, make: (stored: MakesValues) => unknown): Input {
  const { stored } = Object(input) as { readonly stored?: AnyValues };
  return typeof stored === 'function' ? { ...input, stored: make(stored) } : input;
}

function createdBy({ creates }: Write, outcome: unknown): string | undefined {
  const { id } = Object(outcome) as { readonly id?: string };
  return creates === undefined || id === undefined ? undefined : `${creates}:${id}`;
}

/** The event that a write publishes. @param id - of the record; unless given, it is that of the outcome */
function eventOf(type: EventType, outcome: unknown, time: Timestamp, id?: string): OutboxEvent {
  const data = Array.isArray(outcome)
    ? { id, categories: outcome as readonly unknown[] }
    : typeof outcome === 'object' && outcome !== null
      ? outcome
      : { id };
  const subject = `${events[type].kind}:${String('id' in data ? data.id : id)}`;
  return { eventId: randomUUID(), type, subject, time, data };
}
