/** The one path of the services' writes: it runs their hooks, and stores what belongs to a write in its step: its entries of the audit log, and its event. */
import { checkGiven, type KeepsFields } from '../../model/stored.js';
import type { Clock } from '../../model/timestamp.js';
import type { Stores, Transaction } from '../../ports/storage.js';
import type { EventType } from '../../model/webhook.js';
import { type EarlierCreation, type KeyedRequest, once } from '../../ports/idempotency-store.js';
import type { Caller } from '../rights/caller.js';
import { openPolicy, type WriteAction } from '../rights/policy.js';
import { type AuditedAction, entryOf } from './audit.js';
import { inTransaction, requireJoined, storageIn } from './replaced-stores.js';
import { eventOf, recordsOfEvents } from './published-event.js';
import {
  after,
  type AnyHook,
  before,
  type HookedWrite,
  inTime,
  isHook,
  type NamedHook,
  type OwnTransaction,
  wasDone,
} from './hooks.js';
import { Scope } from './scope.js';

/** A write of a service, beside the method of the store and its arguments. */
export interface Write<Input = undefined> extends Omit<HookedWrite<never>, 'old'> {
  /** The rights that the write takes; none, unless given, for a write on which the policy does not decide. */
  readonly actions?: readonly WriteAction[];
  /** The input, which has been checked. Hooks may change it. */
  readonly input?: Input;
  /** Checks the input that a hook returns. */
  readonly check?: (input: Input) => void;
  /** The actions for the audit log; none unless given. */
  readonly audited?: readonly AuditedAction[] | ((input: Input) => readonly AuditedAction[]);
  /** The record of the audited actions, as `user:<id>`. */
  readonly target?: string;
  /** The kind of the record that the write creates, which is then the target. */
  readonly creates?: 'user' | 'api-key' | 'webhook';
  readonly event?: EventType;
  /** The id of the event's record, unless the outcome is the record. */
  readonly id?: string;
  /** Whether a stored record was there before, so that no event is published. */
  readonly wasThere?: (record: never) => boolean;
}

/** What a write stores: the arguments of a store's method, made from the input, and the call of the method. */
export interface Storing<Input, Given, Outcome> {
  /** Runs before the transaction. @param input - the input, which hooks may have replaced */
  readonly make: (input: Input) => Given | Promise<Given>;
  /** May run again. Without anything else that belongs to the write, it is given the storage in place of a transaction. */
  readonly store: (stores: Stores, given: Given) => Promise<Outcome>;
  /** With it, the write creates a record once. */
  readonly keyed?: KeyedRequest | undefined;
}

/** The outcomes of a write whose record has changed since it was read. It is tried again or refused, and not recorded as an attempt. */
const retried: ReadonlySet<unknown> = new Set(['stale', 'changed']);

/** What all writes of a storage have. */
interface WriteParts {
  readonly storage: Partial<Stores> & KeepsFields;
  readonly clock: Clock;
  readonly hooks?: Readonly<Record<string, AnyHook>> | undefined;
  /** Called after a write has stored an event; without it, no write does. */
  readonly published?: (() => void) | undefined;
  /** Makes the services whose calls are part of a transaction. */
  readonly servicesIn?: (storage: Stores & KeepsFields, writes: Writes) => unknown;
}

export class Writes {
  readonly #parts: WriteParts;
  /** The transaction that writes are a part of. */
  readonly #scope: Scope | undefined;
  /** It has the stores of the services that use it. */
  readonly #storage: Stores & KeepsFields;
  readonly #clock: Clock;
  readonly #published: (() => void) | undefined;
  readonly #hooks: ReadonlyMap<string, NamedHook>;
  readonly #isAudited: boolean;
  /** Whether no hook, event or check belongs to any write: only entries of the audit log may. */
  readonly #isPlain: boolean;

  /** @throws an error that names a hook that can never run, or that the storage cannot run in the step of its write */
  constructor(parts: WriteParts, inside?: { readonly storage: Stores & KeepsFields; readonly scope: Scope }) {
    const { storage, clock, hooks = {}, published } = parts;
    this.#parts = parts;
    this.#scope = inside?.scope;
    this.#storage = inside?.storage ?? (storage as Stores & KeepsFields);
    this.#clock = clock;
    this.#isAudited = storage.audit !== undefined;
    this.#published = published;
    this.#hooks = new Map(Object.entries(hooks).map(([action, hook]) => [action, { action, hook }]));
    this.#isPlain = this.#hooks.size === 0 && published === undefined && storage.stored === undefined;
    if (inside !== undefined) return;
    for (const { action, hook } of this.#hooks.values()) {
      if (!Object.hasOwn(openPolicy, action) || /\.read(Own)?$|^webhooks\./.test(action))
        throw new Error(`the hook ${action} has the name of no write of the policy`);
      if (!isHook(hook)) throw new Error(`the hook ${action} must have a function "before" or "after"`);
      if (hook.after !== undefined && storage.transaction === undefined)
        throw new Error(`the hook ${action} has "after", but the storage has no "transaction"`);
    }
    if (published !== undefined && storage.transaction === undefined)
      throw new Error('events are stored with their writes, but the storage has no "transaction"');
    requireJoined(storage);
  }

  /** Whether a write has hooks, which get the record before it. */
  hooked(actions: readonly WriteAction[] = []): boolean {
    return this.#hooks.size > 0 && actions.some((action) => this.#hooks.has(action));
  }

  /**
   * Runs the hooks before the write, and then the write, in one transaction with what belongs to it; alone if nothing does.
   *
   * @param old - the record before the write, if it is known; it is, where there are hooks
   */
  run<Input, Given, Outcome>(
    write: Write<Input>,
    old: object | undefined,
    storing: Storing<Input, Given, Outcome> & { readonly keyed: KeyedRequest },
  ): Promise<Outcome | EarlierCreation>;
  run<Input, Given, Outcome>(
    write: Write<Input>,
    old: object | undefined,
    storing: Storing<Input, Given, Outcome> & { readonly keyed?: undefined },
  ): Promise<Outcome>;
  run<Input, Given, Outcome>(
    write: Write<Input>,
    old: object | undefined,
    storing: Storing<Input, Given, Outcome>,
  ): Promise<Outcome | EarlierCreation> {
    const input = write.input as Input;
    const { make, store, keyed } = storing;
    if (!this.#isPlain || keyed !== undefined || this.#auditedOf(write, input).length > 0)
      return this.#runWith(write, old, storing);
    const made = make(input);
    // To wait for what is there would take longer than a write of the memory storage.
    return made instanceof Promise
      ? made.then((given) => store(this.#storage, given))
      : store(this.#storage, made);
  }

  /** Runs a write with what belongs to it. */
  async #runWith<Input, Given, Outcome>(
    write: Write<Input>,
    old: object | undefined,
    { make, store, keyed }: Storing<Input, Given, Outcome>,
  ): Promise<Outcome | EarlierCreation> {
    const hooks = this.#hooksOf(write);
    const { caller, operation, event } = write;
    const hooked = { caller, operation, old: old as never };
    const input = hooks.length > 0 ? await before(hooks, hooked, write) : (write.input as Input);
    const given = await make(input);
    const storage = this.#storage;
    if (storage.stored !== undefined && event !== undefined)
      checkGiven(storage.stored, recordsOfEvents[event], Array.isArray(given) ? given : [given]);
    const audited = this.#auditedOf(write, input);
    const isAfter = hooks.some(({ hook }) => hook.after !== undefined);
    const publishes = this.#published !== undefined && event !== undefined;
    if (!isAfter && audited.length === 0 && !publishes && keyed === undefined)
      return await store(storage, given);
    const at = this.#clock.now();
    const around = isAfter ? after(hooks, hooked) : undefined;
    const work = async (stores: Transaction, scope: Scope): Promise<Outcome | EarlierCreation> => {
      const create = () => store(stores, given);
      const outcome = keyed === undefined ? await create() : await once(stores, keyed, at, create);
      if (around !== undefined) await around.run(outcome, this.#ownOf(stores, scope));
      const isDone = wasDone(outcome);
      const word: unknown = isDone ? 'done' : outcome;
      if (audited.length > 0 && typeof word === 'string' && !retried.has(word)) {
        const { target: written = createdBy(write, outcome) } = write;
        const entries = audited.map(({ action, target = written, detail }) =>
          entryOf(caller, { action, target, detail }, at, word),
        );
        await stores.audit.add(entries);
      }
      if (publishes && isDone && write.wasThere?.(outcome as never) !== true)
        await stores.outbox.publish(eventOf(event, outcome, at, write.id));
      if (publishes) scope.afterwards(() => this.#published?.());
      return outcome;
    };
    try {
      return await this.#begin(work);
    } catch (error) {
      throw around === undefined ? error : around.failure(error);
    }
  }

  /**
   * Runs work of the application in a transaction, with the services whose calls are part of it.
   *
   * @throws ServiceError `unavailable` when it has not ended in time
   */
  transaction<T>(work: (own: OwnTransaction & { readonly services: unknown }) => Promise<T>): Promise<T> {
    return this.#begin((stores, scope) =>
      inTime('the work of a transaction', () => work(this.#ownOf(stores, scope))),
    );
  }

  /** Does something when the transaction is stored; at once outside of one. */
  async afterwards(effect: () => Promise<void>): Promise<void> {
    if (this.#scope === undefined) await effect();
    else this.#scope.afterwards(effect);
  }

  /** Runs work in a transaction, or in the one that this is a part of. */
  async #begin<T>(work: (stores: Transaction, scope: Scope) => Promise<T>): Promise<T> {
    const storage = this.#storage;
    const outer = this.#scope;
    if (outer !== undefined) return await storage.transaction((stores) => work(stores, outer));
    const scope = new Scope();
    const attempt = (stores: Transaction) => {
      scope.begin();
      return work(stores, scope);
    };
    // A storage without transactions has no hooks, keys or events.
    const { transaction } = storage as Partial<Stores>;
    try {
      const outcome = await (transaction === undefined
        ? attempt(storage as Transaction)
        : inTransaction(storage, attempt));
      await scope.end();
      return outcome;
    } catch (error) {
      scope.fail(error);
      throw error;
    }
  }

  /** A transaction for code of the application. */
  #ownOf(stores: Transaction, scope: Scope): OwnTransaction & { readonly services: unknown } {
    const { database, query } = stores;
    const { servicesIn } = this.#parts;
    const storage = storageIn(this.#storage, stores);
    const services = servicesIn?.(storage, new Writes(this.#parts, { storage, scope }));
    return { database, query, onUndo: scope.onUndo, services };
  }

  /** Records an action that changes no data. @param outcome - as in an `AuditEntry` */
  async record(caller: Caller, action: AuditedAction, outcome = 'done'): Promise<void> {
    if (!this.#isAudited) return;
    await this.#storage.audit.add([entryOf(caller, action, this.#clock.now(), outcome)]);
  }

  #auditedOf<Input>({ audited = [] }: Write<Input>, input: Input): readonly AuditedAction[] {
    if (!this.#isAudited) return [];
    return typeof audited === 'function' ? audited(input) : audited;
  }

  #hooksOf({ actions = [] }: Pick<Write, 'actions'>): readonly NamedHook[] {
    return this.#hooks.size === 0 ? [] : actions.flatMap((action) => this.#hooks.get(action) ?? []);
  }
}

function createdBy({ creates }: Pick<Write, 'creates'>, outcome: unknown): string | undefined {
  const { id } = Object(outcome) as { readonly id?: string };
  return creates === undefined || id === undefined ? undefined : `${creates}:${id}`;
}
