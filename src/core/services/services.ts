/** The services of the core, made over one storage or over a part of one. */
import type { AttemptLimiter } from '../ports/attempt-limiter.js';
import type { Clock } from '../ports/clock.js';
import type { Events } from '../ports/events.js';
import type { IdentityProvider } from '../ports/identity-provider.js';
import type { PasswordHasher } from '../ports/password-hasher.js';
import type { Stores } from '../ports/storage.js';
import type { TokenCodec } from '../ports/token-codec.js';
import { ApiKeyUses } from './api-key-uses.js';
import { ApiKeysService } from './api-keys.js';
import { AuthenticationService } from './authentication.js';
import { CommentsService } from './comments.js';
import type { ServiceContext } from './context.js';
import { ExternalSignInService } from './external-sign-in.js';
import { Idempotency } from './idempotency.js';
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

export interface ServicesOptions<S extends Partial<Stores> = Stores> {
  /** All stores, or those of the services that are wanted. */
  readonly storage: S;
  /** The table of rights: `openPolicy`, `protectedPolicy`, or the deployer's own. */
  readonly policy: Policy;
  /** The machine's clock unless given. */
  readonly clock?: Clock;
  /** Events between processes; without them, subscribers only get the posts of this process. */
  readonly events?: Events;
  /** How far a subscriber may be behind before it is given up; 1,000 posts and 8 MiB unless given. */
  readonly subscriberBounds?: Partial<SubscriberBounds>;
  /** Called with failures that concern no caller, such as an event that could not be published. */
  readonly report?: (error: unknown) => void;
  /** Without one, input that carries a password is refused with `not-implemented`. */
  readonly passwordHasher?: PasswordHasher;
  /**
   * Keys the hashes of requests under an `Idempotency-Key`, which are kept for a day and may contain passwords: at least 32
   * bytes, the same in every process and after a restart. Without one, only the client's key protects them.
   */
  readonly idempotencySecret?: string;
  /** Without one, users cannot sign in and no token is valid. */
  readonly tokens?: TokenCodec;
  /** Counts failed sign-ins. Without one, sign-in with a password is refused, because passwords could be guessed. */
  readonly signInLimiter?: AttemptLimiter;
  /** Counts the users that an address creates. Without one, they are not limited. */
  readonly signUpLimiter?: AttemptLimiter;
  /** The default form of a sign-in's answer; `pair` unless given. */
  readonly signInForm?: SignInForm;
  /** Whether a refresh also gives a new refresh token and invalidates the old one; false unless given. */
  readonly rotatesRefreshTokens?: boolean;
  /** Without one, external sign-in is `unavailable`. */
  readonly identityProvider?: IdentityProvider;
}

export interface Services {
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
}

/** A service, and the stores that it needs. */
function over<Store extends keyof Stores, Service>(
  stores: readonly Store[],
  make: (context: ServiceContext<Store>) => Service,
) {
  return { stores, make };
}

const blueprints = {
  authentication: over(['users'], (context) => new AuthenticationService(context)),
  sessions: over(['users', 'refreshTokens'], (context) => new SessionsService(context)),
  apiKeys: over(['apiKeys'], (context) => new ApiKeysService(context)),
  externalSignIn: over(['externalIdentities'], (context) => new ExternalSignInService(context)),
  users: over(['users'], (context) => new UsersService(context)),
  posts: over(['posts', 'users'], (context) => new PostsService(context)),
  orders: over(['orders', 'products', 'users'], (context) => new OrdersService(context)),
  products: over(['products'], (context) => new ProductsService(context)),
  comments: over(['comments', 'orders'], (context) => new CommentsService(context)),
};

type Blueprints = typeof blueprints;

/** The services that a storage has all stores for. */
export type ServicesOver<S extends Partial<Stores>> = Pick<
  Services,
  | 'rights'
  | {
      [Name in keyof Blueprints]: S extends Pick<Stores, Blueprints[Name]['stores'][number]> ? Name : never;
    }[keyof Blueprints]
>;

/**
 * Makes the services that the storage has the stores for. Services keep no durable state: several may share a storage, in one
 * process or in many.
 *
 * A service whose store is missing is a compile error where it is used. Where the types were bypassed, reading it throws an
 * error that names the store; so do the engines of both contracts when they are made.
 *
 * @example
 * ```ts
 * const services = createServices({ storage: memoryStorage(), policy: protectedPolicy });
 * const ada = await services.users.create(anonymous, { name: 'Ada', email: 'ada@example.com' });
 * ```
 */
export function createServices<S extends Partial<Stores>>(options: ServicesOptions<S>): ServicesOver<S> {
  const { passwordHasher, idempotencySecret = '', clock = systemClock, ...given } = options;
  const storage: Partial<Stores> = options.storage;
  const context = {
    ...given,
    storage: storage as Stores, // each service is made only where its stores are there
    clock,
    idempotency: storage.idempotency && new Idempotency(storage.idempotency, clock, idempotencySecret),
    rights: new Rights(options.policy),
    apiKeyUses: storage.apiKeys && new ApiKeyUses(storage.apiKeys),
    passwords: passwordHasher && new Passwords(passwordHasher),
    signInForm: options.signInForm ?? 'pair',
    rotatesRefreshTokens: options.rotatesRefreshTokens ?? false,
  };
  const services = { rights: context.rights };
  for (const [name, { stores, make }] of Object.entries(blueprints)) {
    const missing = stores.filter((store) => storage[store] === undefined);
    const property =
      missing.length === 0
        ? { value: make(context), enumerable: true }
        : { get: () => refuse(name, missing) };
    Object.defineProperty(services, name, property);
  }
  return services as ServicesOver<S>;
}

function refuse(service: string, missing: readonly string[]): never {
  const stores = missing.length === 1 ? 'store' : 'stores';
  throw new Error(
    `the ${service} service needs the ${stores} ${missing.join(' and ')}, which the storage does not have`,
  );
}
