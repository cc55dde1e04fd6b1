/** Conformance checks: data that any test runner can run, made of rules with their tables of calls. */
import assert from 'node:assert/strict';
import { ServiceError } from '../model/error.js';
import type { Storage, Stores } from '../ports/storage.js';
import { AssertionError } from 'node:assert/strict';
import { inspect } from 'node:util';

/** One rule of a port, and its test. */
export interface Check<Subject> {
  /** Never changes and is never given to another check, so that reports can be compared over time. */
  readonly id: string;
  /** `MUST`: the core relies on it. `SHOULD`: the core works without it, but its users are worse off. */
  readonly level: 'MUST' | 'SHOULD';
  /** The rule, as a sentence about the subject. */
  readonly name: string;
  /**
   * @param make makes a new, empty subject; the check closes what it made
   * @throws AssertionError when the subject breaks the rule: its message has the rule, the last calls and what they gave
   */
  run(make: () => Subject | Promise<Subject>): Promise<void>;
}

/** A call, and the value that it must give. A function as the outcome makes that value from the one that the call gave. */
export type Row = readonly [call: () => unknown, outcome: unknown];

/** Calls that are made one after the other, with their outcomes. */
export type Table = readonly Row[];

/** The test of a rule: makes what the rule needs, asserts what no table can say, and returns the table of the rest. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a function without a `return` returns it
export type Test<Subject> = (subject: Subject) => Table | Promise<Table | void>;

/** Tests by their rule, as `id: rule`. */
export type Rules<Test> = Readonly<Record<`${string}: ${string}`, Test>>;

/** Asserts that an answer is a rejection with a `ServiceError` of this code. */
export async function rejectsWith(code: string, answer: Promise<unknown>): Promise<void> {
  await assert.rejects(answer, (error) => error instanceof ServiceError && error.code === code);
}

/** Makes the calls of a table. @throws AssertionError when one gives another value than it must */
export async function runTable(table: Table): Promise<void> {
  for (const [call, outcome] of table) {
    const given = await call();
    const expected: unknown =
      typeof outcome === 'function' ? Reflect.apply(outcome, undefined, [given]) : outcome;
    assert.deepEqual(given, expected);
  }
}

/** MUST checks, which make their subjects themselves. */
export function musts<Subject extends object>(
  rules: Rules<Test<() => Promise<Subject>>>,
): readonly Check<Subject>[] {
  return Object.entries(rules).map(([rule, test]) => {
    const colon = rule.indexOf(': ');
    const run: Check<Subject>['run'] = async (make) => {
      const log = new CallLog();
      try {
        await runTable((await test(async () => log.observe(await make()))) ?? []);
      } catch (error) {
        throw log.explain(rule, error);
      }
    };
    return { id: rule.slice(0, colon), level: 'MUST', name: rule.slice(colon + 2), run };
  });
}

/** MUST checks, each of which runs on one new subject and always closes it. */
export function checks<Subject extends { close?(): Promise<void> }>(
  rules: Rules<Test<Subject>>,
): readonly Check<Subject>[] {
  const tests = Object.entries(rules).map(([rule, test]) => [
    rule,
    async (make: () => Promise<Subject>) => await test(await make()),
  ]);
  return musts(Object.fromEntries(tests) as Rules<Test<() => Promise<Subject>>>).map((check) => ({
    ...check,
    run: async (make) => {
      const subject = await make();
      try {
        await check.run(() => subject);
      } catch (error) {
        await subject.close?.().catch(() => undefined); // whose failure would hide that of the check
        throw error;
      }
      await subject.close?.();
    },
  }));
}

/** Some of the stores of a storage; checks close it if it can be closed. */
export type StoragePart<Store extends keyof Stores> = Pick<Stores, Store> &
  Partial<Pick<Storage, 'close' | 'ownFields'>>;

/** A check of the storage port. */
export interface StorageCheck<Store extends keyof Stores = keyof Stores> extends Check<StoragePart<Store>> {
  /** The stores that the check uses. */
  readonly stores: readonly (keyof Stores)[];
}

/** MUST checks that use no other stores than these. */
export function storeChecks<Store extends keyof Stores>(
  stores: readonly Store[],
  rules: Rules<Test<StoragePart<Store>>>,
): readonly StorageCheck<Store>[] {
  return checks<StoragePart<Store>>(rules).map((check) => ({ ...check, stores }));
}

const shownCalls = 4;

interface Call {
  readonly method: string;
  readonly input: readonly unknown[];
  outcome: () => string;
}

function textOf(value: unknown): string {
  return inspect(value, { breakLength: Infinity, maxStringLength: 60, maxArrayLength: 4, depth: 4 });
}

class CallLog {
  readonly #calls: Call[] = [];

  /** The same object, whose calls and those of its stores are recorded. */
  observe<T extends object>(target: T, path = ''): T {
    // A proxy of the target itself would have to give frozen methods as they are.
    return new Proxy({} as T, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        const method = path + String(name);
        if (typeof value === 'function') {
          return (...input: readonly unknown[]) =>
            this.#record({ method, input, outcome: () => 'did not answer' }, () =>
              Reflect.apply(value, target, input),
            );
        }
        return path === '' && typeof value === 'object' && value !== null
          ? this.observe(value, `${method}.`)
          : value;
      },
    });
  }

  /** The failure of a rule, with the last calls. */
  explain(rule: string, error: unknown): AssertionError {
    const calls = this.#calls.slice(-shownCalls).map(({ method, input, outcome }) => {
      return `  ${method}(${input.map(textOf).join(', ')}) ${outcome()}\n`;
    });
    const { actual, expected, operator } = Object(error) as Partial<AssertionError>;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${rule}\n${calls.join('')}${reason}`;
    return Object.assign(new AssertionError({ message, actual, expected, operator }), { cause: error });
  }

  #record(call: Call, run: () => unknown): unknown {
    if (this.#calls.push(call) > shownCalls) this.#calls.shift();
    const answer = run();
    void Promise.resolve(answer).then(
      (value) => (call.outcome = () => `gave ${textOf(value)}`),
      (error: unknown) => (call.outcome = () => `failed: ${String(error)}`),
    );
    return answer;
  }
}
