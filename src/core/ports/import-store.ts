/** The part of the storage port that stores many records in one step. */
import type { Id } from '../model/id.js';
import type { Order } from '../model/order.js';
import type { Product } from '../model/product.js';
import type { User } from '../model/user.js';
import type { NewAuditEntry } from './audit-store.js';
import type { NewOrder, NewOrderItem } from './order-store.js';
import type { NewUser } from './user-store.js';

/** The id that a record keeps, if the store keeps ids; any other assigns one. */
interface Kept {
  readonly id?: Id;
}

/** A user with the times of another system. */
export type ImportedUser = Kept & NewUser & Pick<User, 'createdAt' | 'updatedAt'>;

/** A product with the names of its categories, each once; a category that does not exist is created. */
export interface ImportedProduct extends Kept, Omit<Product, 'id' | 'version'> {
  readonly categories: readonly string[];
}

/** An order in any status. */
export type ImportedOrder = Kept &
  Omit<NewOrder, 'items'> & { readonly items: readonly (NewOrderItem & Kept)[] } & Pick<
    Order,
    'status' | 'createdAt' | 'updatedAt'
  >;

/** The first record that cannot be stored, counted from 0. */
export interface ImportRefusal<Reason extends string> {
  readonly position: number;
  readonly reason: Reason;
}

/** The entry of the audit log for an import. @param count - the number of records stored */
export type ImportEntry = (count: number) => NewAuditEntry;

/**
 * Every method reads its records as a stream and stores them in one step: all of them, or none if one is refused, if the reading
 * fails (the method then rejects with that error) or if the database fails. Ids are assigned in the order of the records, and
 * versions are 1. Only the database limits the number of records.
 *
 * Other writers may have to wait in the meantime, or get `unavailable`. An import that loses a race to another writer is not run
 * again: it rejects with a `ServiceError` of code `conflict`. The entry of an import that is carried out is stored in its step.
 */
export interface ImportStore {
  /** @returns the number stored, or the first whose email is in use, in the store or earlier in the import */
  users(
    users: AsyncIterable<ImportedUser>,
    entryOf?: ImportEntry,
  ): Promise<number | ImportRefusal<'email-taken'>>;

  /** @returns the number stored */
  products(products: AsyncIterable<ImportedProduct>, entryOf?: ImportEntry): Promise<number>;

  /** @returns the number stored, or the first whose user does not exist */
  orders(
    orders: AsyncIterable<ImportedOrder>,
    entryOf?: ImportEntry,
  ): Promise<number | ImportRefusal<'user-not-found'>>;
}
