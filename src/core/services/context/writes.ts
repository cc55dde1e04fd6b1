/** The one path of the services' writes: it runs their hooks, and stores what belongs to a write in its step: its entries of the audit log, and its event. */
import { checkGiven, type KeepsFields } from '../../model/stored.js';
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
import { openPolicy, type WriteAction } from '../rights/policy.js';
import { type AuditedAction, entryOf } from './audit.js';
import { eventOf, eventTypeOf, recordOf } from './event-of-write.js';
import { after, type AnyHook, before, type HookedWrite, isHook, type NamedHook, wasDone } from './hooks.js';

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
  /** The record of the audited actions, as `user:<id>`; unless given, the one that the write created. */
  readonly target?: string;
}

/** Tells the compiler that a list of arguments is a tuple. */
export type Arguments<Given extends readonly unknown[]> = [...Given];

/** Makes the arguments of a method. */
type GivenOf<Store extends WrittenStore, Method extends WrittenMethod<Store>, Input> = (
  input: Input,
) => Arguments<WriteGiven<Store, Method>> | Promise<Arguments<WriteGiven<Store, Method>>>;

type Methods<Store extends WrittenStore, Method extends WrittenMethod<Store>> = {
  readonly [Name in Method]: (...given: WriteGiven<Store, Method>) => Promise<WriteOutcome<Store, Method>>;
};

/** The outcomes of a write whose record has changed since it was read. It is tried again or refused, and not recorded as an attempt. */
const retried: ReadonlySet<unknown> = new Set(['stale', 'changed']);

/** The kinds of the records that the stores create, or methods of the store of idempotency keys, for the audit log. */
const kinds: Partial<Record<string, string>> = {
  ...{ users: 'user', apiKeys: 'api-key', outbox: 'webhook' },
  ...{ createUser: 'user', createApiKey: 'api-key', createWebhook: 'webhook' },
};

export class Writes {
  readonly #storage: Partial<Stores> & KeepsFields;
  readonly #clock: Clock;
  readonly #published: (() => void) | undefined;
  readonly #hooks: ReadonlyMap<string, NamedHook>;
  /** Whether no hook, event or check belongs to any write: only entries of the audit log may. */
  readonly #isPlain: boolean;

  /**
   * @param published - called after a write has stored an event; without it, no write does
   * @throws an error that names a hook that can never run, or that the storage cannot run in the step of its write
   */
  constructor(
    storage: Partial<Stores> & KeepsFields,
    clock: Clock,
    hooks: Readonly<Record<string, AnyHook>> = {},
    published?: () => void,
  ) {
    this.#storage = storage;
    this.#clock = clock;
    this.#published = published;
    this.#hooks = new Map(Object.entries(hooks).map(([action, hook]) => [action, { action, hook }]));
    this.#isPlain = this.#hooks.size === 0 && published === undefined && storage.stored === undefined;
    for (const { action, hook } of this.#hooks.values()) {
      if (!Object.hasOwn(openPolicy, action) || /\.read(Own)?$|^webhooks\./.test(action))
        throw new Error(`the hook ${action} has the name of no write of the policy`);
      if (!isHook(hook)) throw new Error(`the hook ${action} must have a function "before" or "after"`);
      const [kind = ''] = action.split('.');
      const store = (kind === 'keys' ? 'apiKeys' : kind) as WrittenStore;
      if (hook.after !== undefined && storage.writes?.stores[store] !== storage[store])
        throw new Error(
          `the hook ${action} has "after", but "writes" of the storage does not run its ${store}`,
        );
    }
  }

  /** Whether a write has hooks, which get the record before it. */
  hooked(actions: readonly WriteAction[] = []): boolean {
    return this.#hooks.size > 0 && actions.some((action) => this.#hooks.has(action));
  }

  /**
   * Runs the hooks before the write, and then a method of a store, in one step with what belongs to the write; alone if nothing does.
   *
   * @param old - the record before the write, if it is known; it is, where there are hooks
   * @param givenOf - makes the arguments of the method from the input, which hooks may have replaced
   */
  run<Store extends WrittenStore, Method extends WrittenMethod<Store>, Input = undefined>(
    write: Write<Input>,
    old: object | undefined,
    store: Store,
    method: Method,
    givenOf: GivenOf<Store, Method, Input>,
  ): Promise<WriteOutcome<Store, Method>> {
    const input = write.input as Input;
    if (!this.#isPlain || this.#auditedOf(write, input).length > 0)
      return this.#runWith(write, old, store, method, givenOf);
    const methods = this.#storage[store] as Methods<Store, Method>;
    const made = givenOf(input);
    // To wait for what is there would take longer than a write of the memory storage.
    return made instanceof Promise
      ? made.then((given) => methods[method](...given))
      : methods[method](...made);
  }

  /** Runs a write with what belongs to it. */
  async #runWith<Store extends WrittenStore, Method extends WrittenMethod<Store>, Input>(
    write: Write<Input>,
    old: object | undefined,
    store: Store,
    method: Method,
    givenOf: GivenOf<Store, Method, Input>,
  ): Promise<WriteOutcome<Store, Method>> {
    type Outcome = WriteOutcome<Store, Method>;
    const hooks = this.#hooksOf(write);
    const { caller, operation } = write;
    const hooked = { caller, operation, old: old as never };
    const input = hooks.length > 0 ? await before(hooks, hooked, write) : (write.input as Input);
    const made = givenOf(input);
    const given = made instanceof Promise ? await made : made;
    const { audit, writes, stored, [store]: own } = this.#storage;
    if (stored !== undefined) checkGiven(stored, recordOf(store, method), given);
    const methods = own as Methods<Store, Method>;
    const audited = this.#auditedOf(write, input);
    const isAfter = hooks.length > 0 && hooks.some(({ hook }) => hook.after !== undefined);
    const eventType = this.#published && eventTypeOf(store, method);
    if (!isAfter && audited.length === 0 && eventType === undefined) return await methods[method](...given);
    const at = this.#clock.now();
    const additionsOf = (outcome: Outcome): WriteAdditions => {
      const event = eventType && eventOf(eventType, given, outcome, at);
      const word = wasDone(outcome) ? 'done' : outcome;
      if (typeof word !== 'string' || retried.has(word)) return { entries: [], event };
      const { target: written = createdBy(store, String(method), outcome) } = write;
      const entries = audited.map(({ action, target = written, detail }) =>
        entryOf(caller, { action, target, detail }, at, word),
      );
      return { entries, event };
    };
    if (writes?.stores[store] === own) {
      const around = isAfter ? after(hooks, hooked) : undefined;
      try {
        const outcome = await writes.write(store, method, given, additionsOf, around?.run);
        if (eventType !== undefined) this.#published?.();
        return outcome;
      } catch (error) {
        throw around === undefined ? error : around.failure(error);
      }
    }
    const outcome = await methods[method](...given);
    await audit?.add(additionsOf(outcome).entries);
    return outcome;
  }

  /** Records an action that changes no data. @param outcome - as in an `AuditEntry` */
  async record(caller: Caller, action: AuditedAction, outcome = 'done'): Promise<void> {
    await this.#storage.audit?.add([entryOf(caller, action, this.#clock.now(), outcome)]);
  }

  #auditedOf<Input>({ audited = [] }: Write<Input>, input: Input): readonly AuditedAction[] {
    if (this.#storage.audit === undefined) return [];
    return typeof audited === 'function' ? audited(input) : audited;
  }

  #hooksOf({ actions = [] }: Pick<Write, 'actions'>): readonly NamedHook[] {
    return this.#hooks.size === 0 ? [] : actions.flatMap((action) => this.#hooks.get(action) ?? []);
  }
}

function createdBy(store: WrittenStore, method: string, outcome: unknown): string | undefined {
  const kind = kinds[store === 'idempotency' ? method : store];
  if (kind === undefined || typeof outcome !== 'object' || outcome === null) return undefined;
  return 'id' in outcome ? `${kind}:${String(outcome.id)}` : undefined;
}
