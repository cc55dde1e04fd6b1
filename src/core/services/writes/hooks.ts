/** Runs the hooks of a write: code of the deployer before it, and in its transaction. */
import { ServiceError } from '../../model/error.js';
import { within } from '../../pacing/pacing.js';
import { isEarlier } from '../../ports/idempotency-store.js';
import type { Storage } from '../../ports/storage.js';
import type { StoreTransaction } from '../../ports/transaction.js';
import type { Caller } from '../rights/caller.js';
import { openPolicy } from '../rights/policy.js';

/** A transaction, for code of the application. */
export interface OwnTransaction extends StoreTransaction {
  /** Calls a function if the transaction is undone, or is tried again: the last one first. */
  readonly onUndo: (undo: () => void) => void;
}

/** The last parameter of a hook, after the input or the record. */
export interface HookedWrite<Kept> {
  readonly caller: Caller;
  /** The method of the service: `users.replace`. */
  readonly operation: string;
  /** The record before the write; undefined for a creation. */
  readonly old: Kept | undefined;
}

/** A hook of an action, whose input and record the services know; see `WriteHooks`. */
interface AnyHook {
  readonly needs?: unknown;
  before?(caller: Caller, input: never, write: HookedWrite<never>): unknown;
  after?(record: never, transaction: never, write: HookedWrite<never>): unknown;
}

export interface NamedHook {
  readonly action: string;
  readonly hook: AnyHook;
}

const patienceMs = 5_000;

/** The outcomes with which stores report that a write was carried out. */
const successes: ReadonlySet<unknown> = new Set(['created', 'deleted', 'deactivated']);

/** Runs the hooks before a write, which get copies of its input. @param check - of an input that a hook returns @returns the input */
export async function before<Input>(
  hooks: readonly NamedHook[],
  write: HookedWrite<never>,
  given: Input,
  check: ((input: Input) => unknown) | undefined,
): Promise<Input> {
  let input = given;
  for (const { action, hook } of hooks) {
    const name = `${action}.before`;
    const copy = structuredClone(input) as never;
    const call = () => hook.before?.(write.caller, copy, { ...write });
    try {
      const returned = (await inTime(`the hook ${name}`, call)) as Input | undefined;
      if (returned === undefined) continue;
      checkParts(returned, input);
      check?.(returned);
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
    // Null clears a field.
    if (value == null || given[key] === null || key === 'stored') continue;
    const type = key in given ? typeof given[key] : 'missing';
    if (type !== typeof value && type !== 'undefined')
      throw new TypeError(`the "${key}" of the returned input is ${type}`);
  }
}

/** The hooks in the transaction of a write that was carried out, which get copies of its record, and its failure. */
export function after(hooks: readonly NamedHook[], write: HookedWrite<never>) {
  /** The hooks that failed, or one of whose statements did, with the errors. */
  const failures: (readonly [name: string, error: unknown])[] = [];
  const run = async (outcome: unknown, begin: () => OwnTransaction) => {
    failures.length = 0; // of an earlier try
    if (hooks.length === 0) return;
    const own = begin();
    const record = (typeof outcome === 'object' && !Array.isArray(outcome) ? outcome : write.old) as never;
    for (const { action, hook } of hooks) {
      const name = `${action}.after`;
      const noted = <T>(work: Promise<T>): Promise<T> => {
        work.catch((error: unknown) => failures.push([name, error]));
        return work;
      };
      const copy = structuredClone(record);
      const query: typeof own.query = (...given) => noted(own.query(...given));
      const transaction = { ...own, query } as never;
      await noted(inTime(`the hook ${name}`, () => hook.after?.(copy, transaction, { ...write })));
    }
    const [failed] = failures;
    if (failed !== undefined) throw failed[1]; // of a statement
  };
  const failure = (error: unknown): unknown => {
    const [failed] = failures;
    return failed === undefined ? error : failureOf(failed[0], error);
  };
  return { run, failure, isEmpty: hooks.length === 0 };
}

/** The failure of a hook, as it is logged. */
function failureOf(name: string, error: unknown): unknown {
  return error instanceof ServiceError ? error : new Error(`the hook ${name} failed`, { cause: error });
}

/** Whether a write was carried out, and not refused or found to have happened before. */
export function wasDone(outcome: unknown): boolean {
  return typeof outcome === 'string' ? successes.has(outcome) : !isEarlier(outcome);
}

/** Calls code of the application. @throws ServiceError `unavailable` when it has not ended in time */
export function inTime<T>(name: string, call: () => T | Promise<T>): Promise<T> {
  return within(patienceMs, (async () => await call())(), {
    fault: `${name} did not end`,
    errorOf: (detail) => new ServiceError('unavailable', 'This was not stored: try again later', { detail }),
  });
}

/**
 * The hooks by their actions, checked as no compiler has checked those of a program of JavaScript.
 *
 * @throws an error that names a hook that can never run, or that the storage cannot run in the step of its write
 */
export function namedHooks(
  hooks: Readonly<Record<string, AnyHook>>,
  { transaction, sql }: Partial<Storage>,
): ReadonlyMap<string, NamedHook> {
  for (const [action, hook] of Object.entries(hooks)) {
    if (!Object.hasOwn(openPolicy, action) || /\.read(Own)?$|^webhooks\./.test(action))
      throw new Error(`the hook ${action} has the name of no write of the policy`);
    const { before, after } = Object(hook) as { readonly before?: unknown; readonly after?: unknown };
    const given = [before, after].filter((part) => part !== undefined);
    if (given.length === 0 || given.some((part) => typeof part !== 'function'))
      throw new Error(`the hook ${action} must have a function "before" or "after"`);
    if (after !== undefined && transaction === undefined)
      throw new Error(`the hook ${action} has "after", but the storage has no "transaction"`);
    const { needs = 'nothing' } = hook;
    if (needs !== 'nothing' && needs !== 'database')
      throw new Error(`the hook ${action} must need "database" or nothing`);
    if (needs === 'database' && sql === undefined)
      throw new Error(
        `the hook ${action} needs a database, which the storage does not have: use SQLite in its place, ` +
          "which may be in memory too: sqliteStorage({ path: ':memory:' })",
      );
  }
  return new Map(Object.entries(hooks).map(([action, hook]) => [action, { action, hook }]));
}
