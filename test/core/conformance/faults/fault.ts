/** Sound stores that are broken on purpose, one rule at a time. */
import type { Storage } from '../../../../src/core/ports/storage.js';

/** A fault by its name: which checks must find it, and how a sound store is broken. */
export type Faults = Readonly<
  Record<string, readonly [checks: readonly string[], breakIt: (storage: Storage) => void]>
>;

/** The record without one of its fields. */
export function without<T extends object, Key extends keyof T>(record: T, key: Key): Omit<T, Key> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key)) as Omit<T, Key>;
}

/** Adapters of a port that are broken on purpose, by the fault: which check must find it, and what makes one. */
export type PortFaults<Subject> = Readonly<
  Record<string, readonly [check: string, make: () => Subject | Promise<Subject>]>
>;
