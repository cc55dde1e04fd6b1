/** The one table of who may do what: a row an action, in the two versions that ship. */

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
  /** The user whom the thing belongs to; a user belongs to themselves. */
  | 'owner'
  /** A signed-in user whose role is admin. */
  | 'admin';

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
  // The owner is the author: who has a caller writes in that caller's name.
  'posts.create': ['anonymous', 'api-key', 'owner', 'admin'],

  'orders.read': ['anyone'],
  'orders.create': ['anyone'],
  'orders.replace': ['anyone'],
  'orders.changeStatus': ['anyone'],
  'orders.cancel': ['anyone'],
  'orders.refund': ['anyone'],
  'orders.delete': ['anyone'],
  // Deleting an order that is not pending any more.
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
  // The record of the key in use.
  'keys.readOwn': ['api-key'],
} as const satisfies Record<string, readonly Grant[]>;

/** What a row can be asked about. A policy that lacks one does not compile. */
export type Action = keyof typeof openPolicy;

/** A table of rights. A deployer may pass their own. */
export type Policy = Readonly<Record<Action, readonly Grant[]>>;

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
