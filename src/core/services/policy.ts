/** The one table of who may do what: a row per action, in the two versions that ship. */
import type { ApiKey } from '../model/api-key.js';
import type { Comment } from '../model/comment.js';
import type { Order } from '../model/order.js';
import type { Post } from '../model/post.js';
import type { Product } from '../model/product.js';
import type { User } from '../model/user.js';
import type { NewComment } from '../ports/comment-store.js';
import type { NewPost } from '../ports/post-store.js';
import type { NewProduct } from '../ports/product-store.js';
import type { NewUser } from '../ports/user-store.js';
import type { Caller } from './caller.js';

/** Who a row lets through; a caller needs one of them. */
export type Grant =
  /** Everybody, with or without a credential. */
  | 'anyone'
  /** A caller without a credential. */
  | 'anonymous'
  /** An active API key. */
  | 'api-key'
  /** Any signed-in user. */
  | 'user'
  /** The user whom the record belongs to; a user belongs to themselves. */
  | 'owner'
  /** A signed-in user whose role is admin. */
  | 'admin';

/**
 * What each action is done to: the record as it is stored before the action, or as it would be made. These are the questions
 * that a policy answers: one that lacks a row does not compile.
 */
export interface ActionRecords {
  'profile.read': User;

  'users.create': Omit<NewUser, 'passwordHash'>;
  'users.read': User;
  'users.update': User;
  'users.giveRole': Omit<NewUser, 'passwordHash'>;
  'users.changePassword': User;
  'users.activate': User;
  'users.delete': User;

  'posts.read': Post;
  'posts.create': NewPost;

  'orders.read': Order;
  'orders.create': Pick<Order, 'userId'>;
  'orders.replace': Order;
  'orders.changeStatus': Order;
  'orders.cancel': Order;
  'orders.refund': Order;
  'orders.delete': Order;
  /** Deleting an order that is not pending any more. */
  'orders.deleteStarted': Order;

  'products.read': Product;
  'products.write': NewProduct;

  'comments.read': Comment;
  /** The order that is commented on. */
  'comments.create': Order;
  'comments.createAs': NewComment;

  'keys.manage': Pick<ApiKey, 'name'>;
  /** The record of the key in use. */
  'keys.readOwn': ApiKey;
}

export type Action = keyof ActionRecords;

/**
 * Decides on one record: `true` lets the caller through, and anything else does not. It answers at once, from what it is
 * given and what the process knows. An error that it throws is masked, and lets nobody through.
 */
export type Rule<A extends Action> = (caller: Caller, record: ActionRecords[A]) => boolean;

/**
 * A table of rights. A deployer may pass their own. A row is a list of grants, or a function of the caller and the record,
 * for rules such as "only within the caller's tenant".
 *
 * A record that a function of a `read` row hides does not exist for the caller: it is not found, lists and their totals leave
 * it out, and a subscription passes over it. Such a list is read record by record: a page by offset costs as much as the
 * collection has records, a page by position as much as it takes to find so many that the caller may see. Callers without
 * a credential are asked about like all others, because a function may let them through.
 *
 * @example
 * ```ts
 * const policy: Policy = {
 *   ...protectedPolicy,
 *   'orders.read': (caller, order) => caller.kind === 'user' && tenantOf(caller.id) === tenantOf(order.userId),
 * };
 * ```
 */
export type Policy = { readonly [A in Action]: readonly Grant[] | Rule<A> };

/** Exactly what the document protects; everything else is public. */
export const openPolicy = {
  'profile.read': ['user'],

  'users.create': ['anyone'],
  'users.read': ['anyone'],
  'users.update': ['anyone'],
  'users.giveRole': ['admin'],
  'users.changePassword': ['owner', 'admin'],
  'users.activate': ['anyone'],
  'users.delete': ['admin'],

  'posts.read': ['anyone'],
  // The owner is the author: a signed-in caller writes in their own name.
  'posts.create': ['anonymous', 'api-key', 'owner', 'admin'],

  'orders.read': ['anyone'],
  'orders.create': ['anyone'],
  'orders.replace': ['anyone'],
  'orders.changeStatus': ['anyone'],
  'orders.cancel': ['anyone'],
  'orders.refund': ['anyone'],
  'orders.delete': ['anyone'],
  'orders.deleteStarted': ['anyone'],

  'products.read': ['anyone'],
  'products.write': ['anyone'],

  // The owners are the comment's user and the order's.
  'comments.read': ['anyone'],
  // The owner is the order's user.
  'comments.create': ['anyone'],
  // The owner is the user in whose name the comment is made.
  'comments.createAs': ['anyone'],

  'keys.manage': ['admin'],
  'keys.readOwn': ['api-key'],
} as const satisfies Policy;

/** For a service that strangers can reach. */
export const protectedPolicy: Policy = {
  'profile.read': ['user'],

  'users.create': ['anonymous', 'user'],
  'users.read': ['user', 'api-key'],
  'users.update': ['owner', 'admin'],
  'users.giveRole': ['admin'],
  'users.changePassword': ['owner', 'admin'],
  'users.activate': ['admin'],
  'users.delete': ['admin'],

  'posts.read': ['anyone'],
  'posts.create': ['owner', 'admin'],

  'orders.read': ['owner', 'admin', 'api-key'],
  'orders.create': ['owner', 'admin'],
  'orders.replace': ['owner', 'admin'],
  'orders.changeStatus': ['admin'],
  'orders.cancel': ['owner', 'admin'],
  'orders.refund': ['admin'],
  'orders.delete': ['owner', 'admin'],
  'orders.deleteStarted': ['admin'],

  'products.read': ['anyone'],
  'products.write': ['admin'],

  'comments.read': ['owner', 'admin', 'api-key'],
  'comments.create': ['owner', 'admin'],
  'comments.createAs': ['owner', 'admin'],

  'keys.manage': ['admin'],
  'keys.readOwn': ['api-key'],
};
