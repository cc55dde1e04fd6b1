/** The one path of the services' writes: it runs hooks, and stores what belongs to a write in its step: its entries of the audit log, and its event. */
import { ServiceError } from '../../model/error.js';
import { checkGiven, type KeepsFields } from '../../model/stored.js';
import type { Clock } from '../../model/timestamp.js';
import { isEarlier } from '../../ports/idempotency-store.js';
import type { Stores } from '../../ports/storage.js';
import type {
  StoreTransaction,
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

/** A write of a service, beside the method of the store and its arguments. */
export interface Write<Input = undefined> {
  readonly caller: Caller;
  /** The method of the service: `users.replace`. */
  readonly operation: string;
  /** The rights that the write takes; none, unless given, for a write on which the policy does not decide. */
  readonly actions?: readonly WriteAction[];
  /** The record before the write, if it is known; it is, where there are hooks. */
  readonly old?: object | undefined;
  /** The input, which has been checked. Hooks may change it. */
  readonly input?: Input;
  /** Checks the input that a hook returns. */
  readonly check?: (input: Input) => void;
  /** The actions for the audit log; none unless given. */
  readonly audited?: readonly AuditedAction[] | ((input: Input) => readonly AuditedAction[]);
  /** The record of the audited actions, as `user:<id>`; unless given, the one that the write created. */
  readonly target?: string;
}

/** The transaction of a write, for a hook. */
export interface HookTransaction extends StoreTransaction {
  /** Calls a function if the write is undone, or is tried again: the last one first. */
  readonly onUndo: (undo: () => void) => void;
}

/** The last parameter of a hook, after the input or the record. */
export type HookedWrite<Kept> = Pick<Write, 'caller' | 'operation'> & {
  /** The record before the write; undefined for a creation. */
  readonly old: Kept | undefined;
};

/** A hook of an action, whose input and record the services know; see `WriteHooks`. */
export interface AnyHook {
  before?(caller: Caller, input: never, write: HookedWrite<never>): unknown;
  after?(record: never, transaction: HookTransaction, write: HookedWrite<never>): unknown;
}

/** Tells the compiler that a list of arguments is a tuple. */
export type Arguments<Given extends readonly unknown[]> = [...Given];

interface NamedHook {
  readonly action: string;
  readonly hook: AnyHook;
}

const patienceMs = 5_000;

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
  readonly #hooks: ReadonlyMap<string, NamedHook>;

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
   * @param givenOf - makes the arguments of the method from the input, which hooks may have replaced
   */
  async run<Store extends WrittenStore, Method extends WrittenMethod<Store>, Input = undefined>(
    write: Write<Input>,
    store: Store,
    method: Method,
    givenOf: (
      input: Input,
    ) => Arguments<WriteGiven<Store, Method>> | Promise<Arguments<WriteGiven<Store, Method>>>,
  ): Promise<WriteOutcome<Store, Method>> {
    type Outcome = WriteOutcome<Store, Method>;
    const hooks = this.#hooksOf(write);
    const input = hooks.length > 0 ? await before(hooks, write) : (write.input as Input);
    const made = givenOf(input);
    // To wait for what is there would take longer than a write of the memory storage.
    const given = (made instanceof Promise ? await made : made) as WriteGiven<Store, Method>;
    const { audit, writes, stored, [store]: own } = this.#storage;
    if (stored !== undefined) checkGiven(stored, recordOf(store, method), given);
    const methods = own as Readonly<Record<Method, (...given: unknown[]) => Promise<Outcome>>>;
    const listed = typeof write.audited === 'function' ? write.audited(input) : write.audited;
    const audited = (audit && listed) ?? [];
    const isAfter = hooks.length > 0 && hooks.some(({ hook }) => hook.after !== undefined);
    const eventType = this.#published && eventTypeOf(store, method);
    if (!isAfter && audited.length === 0 && eventType === undefined) return await methods[method](...given);
    const at = this.#clock.now();
    const additionsOf = (outcome: Outcome): WriteAdditions => {
      const event = eventType && eventOf(eventType, given, outcome, at);
      const word = wasDone(outcome) ? 'done' : outcome;
      if (typeof word !== 'string' || retried.has(word)) return { entries: [], event };
      const { caller, target = createdBy(store, outcome) } = write;
      return { entries: audited.map((action) => entryOf(caller, { target, ...action }, at, word)), event };
    };
    if (writes?.stores[store] === own) {
      const { run, failure } = after(hooks, write);
      try {
        const outcome = await writes.write(store, method, given, additionsOf, isAfter ? run : undefined);
        if (eventType !== undefined) this.#published?.();
        return outcome;
      } catch (error) {
        throw failure(error);
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

  #hooksOf({ actions = [] }: Pick<Write, 'actions'>): readonly NamedHook[] {
    return this.#hooks.size === 0 ? [] : actions.flatMap((action) => this.#hooks.get(action) ?? []);
  }
}

/** Runs the hooks before a write, which get copies of its input. @returns the input */
async function before<Input>(hooks: readonly NamedHook[], write: Write<Input>): Promise<Input> {
  const { caller, operation, old } = write;
  let input = write.input as Input;
  for (const { action, hook } of hooks) {
    const name = `${action}.before`;
    const copy = structuredClone(input) as never;
    const call = () => hook.before?.(caller, copy, { caller, operation, old: old as never });
    try {
      const returned = (await inTime(name, call)) as Input | undefined;
      if (returned === undefined) continue;
      checkParts(returned, input);
      write.check?.(returned);
      input = returned;
    } catch (error) {
      throw failureOf(name, error);
    }
  }
  return input;
}

/** Compares an input that a hook returned with the one that it got. Which parts are optional is known to the compiler alone. */
function checkParts(returned: unknown, input: unknown): void {
  const given = Object(returned) as Readonly<Record<string, unknown>>;
  for (const [key, value] of Object.entries(Object(input) as object)) {
    if (value === undefined || key === 'stored') continue;
    const type = key in given ? typeof given[key] : 'missing';
    if (type !== typeof value && type !== 'undefined')
      throw new TypeError(`the "${key}" of the returned input is ${type}`);
  }
}

/** The hooks in the transaction of a write, which get copies of its record, and its failure, which undoes what they noted. */
function after<Input>(hooks: readonly NamedHook[], { caller, operation, old }: Write<Input>) {
  const undone: (() => void)[] = [];
  /** The hooks that failed, or one of whose statements did, with the errors. */
  const failures: (readonly [name: string, error: unknown])[] = [];
  const undo = () => {
    for (const each of undone.splice(0).reverse()) each();
  };
  const onUndo = (each: () => void) => void undone.push(each);
  const run = async (outcome: unknown, { database, query }: StoreTransaction) => {
    undo(); // of an earlier try
    failures.length = 0;
    if (!wasDone(outcome)) return;
    const record = (typeof outcome === 'object' && !Array.isArray(outcome) ? outcome : old) as never;
    for (const { action, hook } of hooks) {
      const name = `${action}.after`;
      const noted = <T>(work: Promise<T>): Promise<T> => {
        work.catch((error: unknown) => failures.push([name, error]));
        return work;
      };
      const copy = structuredClone(record);
      const ask: typeof query = (...given) => noted(query(...given));
      const transaction = { database, query: ask, onUndo };
      const call = () => hook.after?.(copy, transaction, { caller, operation, old: old as never });
      await noted(inTime(name, call));
    }
    const [failed] = failures;
    if (failed !== undefined) throw failed[1]; // of a statement
  };
  const failure = (error: unknown): unknown => {
    // A write whose outcome is unknown may be stored.
    if (!(error instanceof ServiceError && error.code === 'outcome-unknown')) undo();
    const [failed] = failures;
    return failed === undefined ? error : failureOf(failed[0], error);
  };
  return { run, failure };
}

/** The failure of a hook, as it is logged. */
function failureOf(name: string, error: unknown): unknown {
  return error instanceof ServiceError ? error : new Error(`the hook ${name} failed`, { cause: error });
}

/** Whether a write was carried out, and not refused or found to have happened before. */
function wasDone(outcome: unknown): boolean {
  if (typeof outcome === 'object' && outcome !== null) return !isEarlier(outcome);
  return typeof outcome !== 'string' || successes.has(outcome);
}

/** Calls a hook. @throws ServiceError `unavailable` when it has not ended in time */
async function inTime(name: string, call: () => unknown): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const detail = `the hook ${name} did not end within ${String(patienceMs)} ms`;
    const error = new ServiceError('unavailable', 'This was not stored: try again later', { detail });
    timer = setTimeout(() => reject(error), patienceMs);
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function createdBy(store: WrittenStore, outcome: unknown): string | undefined {
  const kind = kinds[store];
  if (kind === undefined || typeof outcome !== 'object' || outcome === null) return undefined;
  return 'id' in outcome ? `${kind}:${String(outcome.id)}` : undefined;
}

/** Whether a value has the shape of a hook, which no compiler has checked in a program of JavaScript. */
function isHook(hook: unknown): boolean {
  const { before, after } = Object(hook) as { before?: unknown; after?: unknown };
  const given = [before, after].filter((part) => part !== undefined);
  return given.length > 0 && given.every((part) => typeof part === 'function');
}
