/** The table of hooks: code of the deployer that runs before a write, and inside its transaction. */
import type { ApiKey } from '../model/credentials.js';
import type { Comment, Order } from '../model/order.js';
import type { Post } from '../model/post.js';
import type { Category, Product } from '../model/product.js';
import type { RecordName, StoredOf } from '../model/stored.js';
import type { User } from '../model/user.js';
import type { NewComment, NewOrder } from '../ports/order-store.js';
import type { NewPost } from '../ports/post-store.js';
import type { HookTransaction } from './all-services.js';
import type { HookedWrite } from './writes/hooks.js';
import type { OrderInput, OrderItemsPatch, OrderReplacement } from './orders/order-items.js';
import type { ProductInput, ProductPatch } from './products/products.js';
import type { Caller } from './rights/caller.js';
import type { WriteAction } from './rights/policy.js';
import type { UserInput, UserPatch } from './users/user-input.js';

/** Code of the deployer that belongs to a write. A ServiceError that it throws is the answer; any other error is masked, and logged with its name. */
interface Hook<Input, Row> {
  /** Refuses a storage without a database at the start: for a hook that uses `kyselyOf` or `tx.query`, which fail in memory. */
  readonly needs?: 'database';
  /**
   * Runs when the caller is authorized and the input is checked, for five seconds at most, before the transaction, which therefore does
   * not wait for it.
   *
   * @returns a changed input, which is checked again, but not by the policy; nothing to leave it
   */
  before?(caller: Caller, input: Input, write: HookedWrite<Row>): Returned<Input>;
  /**
   * Runs in the transaction of the write, for five seconds at most. The write is undone if it throws. It is called again when the
   * transaction is tried again.
   *
   * @param record - as stored; of a deletion, as deleted
   */
  after?(record: Row, transaction: HookTransaction, write: HookedWrite<Row>): Returned<void>;
}

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a function without a `return` returns it
type Returned<T> = T | void | Promise<T | void>;

/** The names of a product's categories, with the values of the application's fields by the places of the names. */
interface CategoriesInput {
  readonly categories: readonly string[];
  readonly stored: readonly Category['stored'][];
}

/** A patch as a hook gets it: with values in place of a function that makes them. */
type Patch<Given, Name extends RecordName> = Omit<Given, 'stored'> & {
  readonly stored?: StoredOf<Name> | undefined;
};

type UserChanges = UserInput | Patch<UserPatch, 'User'>;

/** The input of the writes of each action, and the record that they store or delete. A write without an input has undefined. */
interface HookedWrites {
  'users.create': [UserInput, User];
  'users.update': [UserChanges, User];
  'users.giveRole': [UserChanges, User];
  'users.changePassword': [UserChanges, User];
  'users.endSessions': [undefined, User];
  'users.activate': [undefined, User];
  'users.delete': [undefined, User];
  'posts.create': [NewPost, Post];
  'orders.create': [OrderInput, Order];
  'orders.replace': [OrderReplacement | Patch<OrderItemsPatch, 'Order'>, Order];
  'orders.changeStatus': [Pick<NewOrder, 'stored'> & Pick<Order, 'status'>, Order];
  'orders.cancel': [undefined, Order];
  'orders.refund': [undefined, Order];
  'orders.delete': [undefined, Order];
  'orders.deleteStarted': [undefined, Order];
  /** Either a product or some of its fields, or the names of its categories, or nothing for a deletion. */
  'products.write': [ProductInput | Patch<ProductPatch, 'Product'> | CategoriesInput | undefined, Product];
  'comments.create': [NewComment, Comment];
  'comments.createAs': [NewComment, Comment];
  /** Either a new key, or nothing for one that is revoked. All keys of a user that are revoked at once have no record. */
  'keys.manage': [{ readonly name: string } | undefined, ApiKey | undefined];
}

/**
 * The hooks of a deployer, by the action of the policy: a write calls those of all actions that it takes. A replacement of a user with a
 * new role calls `users.update` and then `users.giveRole`. Imports, commands, demo users and the admin of the settings call none.
 *
 * @example
 * ```ts
 * const hooks: WriteHooks = {
 *   'users.create': {
 *     before: (caller, input) => ({ ...input, name: input.name.trim() }),
 *     after: async (user, tx) => {
 *       await tx.query('insert into cards (user_id) values ($1)', [user.id]);
 *     },
 *   },
 * };
 * ```
 */
export type WriteHooks = { readonly [A in WriteAction]?: Hook<HookedWrites[A][0], HookedWrites[A][1]> };
