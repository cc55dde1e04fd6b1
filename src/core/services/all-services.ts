/** The services of the core, and the transactions that they take part in. */
import type { KeptFields } from '../model/stored.js';
import type { OwnTransaction } from './writes/hooks.js';
import type { AuditLog } from './audit/audit-log.js';
import type { CommentsService } from './orders/comments.js';
import type { OrdersService } from './orders/orders.js';
import type { Outbox } from './outbox/outbox.js';
import type { WebhooksService } from './outbox/webhooks.js';
import type { PostsService } from './posts/posts.js';
import type { ProductsService } from './products/products.js';
import type { Caller } from './rights/caller.js';
import type { Rights } from './rights/rights.js';
import type { ApiKeysService } from './sign-in/api-keys.js';
import type { AuthenticationService } from './sign-in/authentication.js';
import type { ExternalSignInService } from './sign-in/external-sign-in.js';
import type { SessionsService } from './sign-in/sessions.js';
import type { UsersService } from './users/users.js';

export interface AllServices {
  /** The application's own fields, which the storage keeps. */
  readonly ownFields?: KeptFields | undefined;
  readonly authentication: AuthenticationService;
  readonly sessions: SessionsService;
  readonly apiKeys: ApiKeysService;
  /** The rights of the policy, for protocols that check them before they read a request. */
  readonly rights: Rights;
  readonly externalSignIn: ExternalSignInService;
  readonly users: UsersService;
  readonly posts: PostsService;
  readonly orders: OrdersService;
  readonly products: ProductsService;
  readonly comments: CommentsService;
  readonly webhooks: WebhooksService;
  readonly audit: AuditLog;
  /** The deliveries of this process, which begin with `start`. */
  readonly outbox: Outbox;
}

/** The transaction of {@link Transacts}. */
export interface ServicesTransaction extends OwnTransaction {
  readonly caller: Caller;
}

/** Services whose calls can be one step. */
export interface Transacts<Own> {
  /**
   * Runs work in a transaction, for five seconds at most: what the given services write, with their entries of the audit log, events and
   * keys, and the statements of `tx`, is stored when the work has ended, or nothing if it or one of its writes fails, even if the work has
   * caught that. Inside another, which its services begin, it is a part of it. Other calls do not see it until it ends, and may wait for
   * it: the work must use the services that it is given. Work that lost a race is run again, so it must have no other effects.
   *
   * @param caller - on whose behalf, which `tx` has
   * @returns what the work returns
   * @throws the error of the work, or `unavailable` when it has not ended in time
   */
  readonly transaction: <T>(
    caller: Caller,
    work: (services: Own & Transacts<Own>, tx: ServicesTransaction) => Promise<T>,
  ) => Promise<T>;
}

export interface Services extends AllServices, Transacts<AllServices> {}

/** The transaction of a write, for a hook. */
export interface HookTransaction extends OwnTransaction {
  /** The services, whose calls are part of the transaction. */
  readonly services: Services;
}
