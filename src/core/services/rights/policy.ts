/** The type of a policy, a table of rights with one row per action, and the two policies that ship. */
import type { AuditEntry } from '../../model/audit.js';
import type { ApiKey } from '../../model/credentials.js';
import type { Comment, Order } from '../../model/order.js';
import type { Id } from '../../model/id.js';
import type { Post } from '../../model/post.js';
import type { Product } from '../../model/product.js';
import type { RecordName } from '../../model/stored.js';
import type { User } from '../../model/user.js';
import type { Webhook } from '../../model/webhook.js';
import type { NewComment } from '../../ports/order-store.js';
import type { NewPost } from '../../ports/post-store.js';
import type { NewProduct } from '../../ports/product-store.js';
import type { NewUser } from '../../ports/user-store.js';
import type { Caller } from './caller.js';

/** The callers that a row allows; a caller needs at least one of its grants. */
export type Grant =
  /** Any caller, with or without a credential. */
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
 * The record that each action concerns: as stored before the action, or as it would be created. A policy without a row for every
 * action does not compile.
 */
export interface ActionRecords {
  'profile.read': User;

  'users.create': Omit<NewUser, 'passwordHash'>;
  'users.read': User;
  'users.update': User;
  'users.giveRole': Omit<NewUser, 'passwordHash'>;
  'users.changePassword': User;
  'users.endSessions': User;
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
  /** Deleting an order that is no longer pending. */
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

  'webhooks.manage': Pick<Webhook, 'url'>;

  'audit.read': AuditEntry;
}

export type Action = keyof ActionRecords;

/** The actions that write records of the contract's users; webhooks are part of the deployment. */
export type WriteAction = Exclude<Action, `${string}.read` | 'keys.readOwn' | 'webhooks.manage'>;

/**
 * Decides on one record: only `true` allows the action. It is synchronous, and uses only its arguments and data in memory. An error
 * that it throws is masked, and the action is refused.
 */
export type Rule<A extends Action> = (caller: Caller, record: ActionRecords[A]) => boolean;

/** The records whose lists a store filters, by the action that reads them. */
export const listedRecords = {
  'users.read': 'User',
  'posts.read': 'Post',
  'orders.read': 'Order',
  'products.read': 'Product',
  'comments.read': 'Comment',
} as const satisfies { readonly [A in Action]?: RecordName };

export type ListedAction = keyof typeof listedRecords;

/** The values that a record must have: one that is undefined allows no record, and so does a match without any. */
export interface Match<A extends ListedAction = ListedAction> {
  /** Of the application's own fields, or their defaults. Those with `x-filter` have an index. */
  readonly stored?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** The user whom the record belongs to. */
  readonly owner?: (A extends 'orders.read' | 'comments.read' ? Id : never) | undefined;
}

/** A rule that a store can apply: equality with values of the caller. */
export interface MatchRule<A extends ListedAction = ListedAction> {
  /** @returns the values; `all` allows every record, and undefined none */
  readonly where: (caller: Caller) => Match<A> | 'all' | undefined;
}

/**
 * A table of rights. A deployer may pass their own. A row is a list of grants, or a rule function of the caller and the record, for
 * rules such as "only within the caller's tenant".
 *
 * A record that the rule of a `read` row hides does not exist for the caller: it is not found, lists and their totals leave it out, and
 * a subscription skips it. With a rule function, such a list is read record by record: a page by offset reads the whole collection, and
 * a page by position reads until it has enough visible records. A row with `where` is applied by the store, which reads one page. Rules
 * are also called for anonymous callers, because they may allow them.
 *
 * @example
 * ```ts
 * const policy: Policy = {
 *   ...protectedPolicy,
 *   'products.read': { where: (caller) => ({ stored: { tenantId: tenantOf(caller) } }) },
 *   'orders.cancel': (caller, order) => caller.kind === 'user' && caller.id === order.userId && isEarly(order.createdAt),
 * };
 * ```
 */
export type Policy = {
  readonly [A in Action]: readonly Grant[] | Rule<A> | (A extends ListedAction ? MatchRule<A> : never);
};

/** Protects only the operations that the contract protects; everything else is public. */
export const openPolicy = {
  'profile.read': ['user'],

  'users.create': ['anyone'],
  'users.read': ['anyone'],
  'users.update': ['anyone'],
  'users.giveRole': ['admin'],
  'users.changePassword': ['owner', 'admin'],
  'users.endSessions': ['owner', 'admin'],
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

  'webhooks.manage': ['admin'],

  'audit.read': ['admin'],
} as const satisfies Policy;

/** For a service that is reachable from the internet. */
export const protectedPolicy: Policy = {
  'profile.read': ['user'],

  'users.create': ['anonymous', 'user'],
  'users.read': ['user', 'api-key'],
  'users.update': ['owner', 'admin'],
  'users.giveRole': ['admin'],
  'users.changePassword': ['owner', 'admin'],
  'users.endSessions': ['owner', 'admin'],
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

  'webhooks.manage': ['admin'],

  'audit.read': ['admin'],
};
