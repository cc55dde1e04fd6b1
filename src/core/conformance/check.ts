/** The types of conformance checks: data that any test runner can run. */
import type { Storage, Stores } from '../ports/storage.js';

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
   * @throws AssertionError when the subject breaks the rule
   */
  run(make: () => Subject | Promise<Subject>): Promise<void>;
}

/** Tests by their rule, as `id: rule`. */
export type Rules<Test> = Readonly<Record<`${string}: ${string}`, Test>>;

/** MUST checks, which make their subjects themselves. */
export function musts<Subject>(rules: Rules<Check<Subject>['run']>): readonly Check<Subject>[] {
  return Object.entries(rules).map(([rule, run]) => {
    const colon = rule.indexOf(': ');
    return { id: rule.slice(0, colon), level: 'MUST', name: rule.slice(colon + 2), run };
  });
}

/** MUST checks, each of which runs on one new subject and always closes it. */
export function checks<Subject extends { close?(): Promise<void> }>(
  rules: Rules<(subject: Subject) => Promise<void>>,
): readonly Check<Subject>[] {
  const tests = Object.entries(rules).map(([rule, test]): [string, Check<Subject>['run']] => [
    rule,
    async (make) => {
      const subject = await make();
      try {
        await test(subject);
      } finally {
        await subject.close?.();
      }
    },
  ]);
  return musts(Object.fromEntries(tests));
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
  rules: Rules<(storage: Pick<Stores, Store>) => Promise<void>>,
): readonly StorageCheck<Store>[] {
  return checks<StoragePart<Store>>(rules).map((check) => ({ ...check, stores }));
}
