/** All services of the core, made over one storage. */
import type { AttemptLimiter } from '../ports/attempt-limiter.js';
import type { Clock } from '../ports/clock.js';
import type { Events } from '../ports/events.js';
import type { IdentityProvider } from '../ports/identity-provider.js';
import type { PasswordHasher } from '../ports/password-hasher.js';
import type { Storage } from '../ports/storage.js';
import type { TokenCodec } from '../ports/token-codec.js';
import { ApiKeyUses } from './api-key-uses.js';
import { ApiKeysService } from './api-keys.js';
import { AuthenticationService } from './authentication.js';
import { CommentsService } from './comments.js';
import type { ServiceContext } from './context.js';
import { ExternalSignInService } from './external-sign-in.js';
import { OrdersService } from './orders.js';
import { Passwords } from './passwords.js';
import type { Policy } from './policy.js';
import type { SubscriberBounds } from './post-feed.js';
import { PostsService } from './posts.js';
import { ProductsService } from './products.js';
import { Rights } from './rights.js';
import { SessionsService, type SignInForm } from './sessions.js';
import { systemClock } from './system-clock.js';
import { UsersService } from './users.js';

export interface ServicesOptions {
  readonly storage: Storage;
  /** Who may do what: `openPolicy`, `protectedPolicy`, or a table of the deployer's. */
  readonly policy: Policy;
  /** The machine's clock unless given. */
  readonly clock?: Clock;
  /** What processes tell each other; without it, subscribers learn of the posts of this process only. */
  readonly events?: Events;
  /** How far a subscriber may be behind before it is given up; 1,000 posts and 8 MiB unless given. */
  readonly subscriberBounds?: Partial<SubscriberBounds>;
  /** Told of failures that have no caller to tell, such as an event that could not be published. */
  readonly report?: (error: unknown) => void;
  /** Without one, input that carries a password is refused with `not-implemented`. */
  readonly passwordHasher?: PasswordHasher;
  /** Without one, nobody can sign in and no token is valid. */
  readonly tokens?: TokenCodec;
  /** Counts failed sign-ins. Without one, nobody can sign in with a password: it could be guessed. */
  readonly signInLimiter?: AttemptLimiter;
  /** What a sign-in answers with that does not say what it wants; `pair` unless given. */
  readonly signInForm?: SignInForm;
  /** Whether a refresh gives the next refresh token too, and uses the old one up; not unless given. */
  readonly rotatesRefreshTokens?: boolean;
  /** Without one, external sign-in is `unavailable`. */
  readonly identityProvider?: IdentityProvider;
}

export interface Services {
  readonly authentication: AuthenticationService;
  readonly sessions: SessionsService;
  readonly apiKeys: ApiKeysService;
  /** The table of rights, for protocols that ask before they read a request. */
  readonly rights: Rights;
  readonly externalSignIn: ExternalSignInService;
  readonly users: UsersService;
  readonly posts: PostsService;
  readonly orders: OrdersService;
  readonly products: ProductsService;
  readonly comments: CommentsService;
}

/**
 * Makes the services. What they hold themselves may be lost: several may share a storage, in one process or in many.
 *
 * @example
 * ```ts
 * const services = createServices({ storage: memoryStorage(), policy: protectedPolicy });
 * const ada = await services.users.create(anonymous, { name: 'Ada', email: 'ada@example.com' });
 * ```
 */
export function createServices(options: ServicesOptions): Services {
  const context: ServiceContext = {
    storage: options.storage,
    clock: options.clock ?? systemClock,
    rights: new Rights(options.policy),
    events: options.events,
    subscriberBounds: options.subscriberBounds,
    report: options.report,
    passwords: options.passwordHasher && new Passwords(options.passwordHasher),
    tokens: options.tokens,
    signInLimiter: options.signInLimiter,
    signInForm: options.signInForm ?? 'pair',
    rotatesRefreshTokens: options.rotatesRefreshTokens ?? false,
  };
  const uses = new ApiKeyUses(options.storage.apiKeys);
  return {
    authentication: new AuthenticationService(context, uses),
    sessions: new SessionsService(context),
    apiKeys: new ApiKeysService(context, uses),
    rights: context.rights,
    externalSignIn: new ExternalSignInService(context, options.identityProvider),
    users: new UsersService(context),
    posts: new PostsService(context),
    orders: new OrdersService(context),
    products: new ProductsService(context),
    comments: new CommentsService(context),
  };
}
