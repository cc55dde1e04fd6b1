/** The type of a storage check, which names the stores that it uses. */
import type { Storage, Stores } from '../ports/storage.js';
import { type Check, type Rules, checks } from './check.js';

/** Some of the stores of a storage; checks close it if it can be closed. */
export type StoragePart<Store extends keyof Stores> = Pick<Stores, Store> & Partial<Pick<Storage, 'close'>>;

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
