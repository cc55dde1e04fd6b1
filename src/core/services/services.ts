/** All services of the core, made over one storage. */
import type { Clock } from '../ports/clock.js';
import type { PasswordHasher } from '../ports/password-hasher.js';
import type { Storage } from '../ports/storage.js';
import type { TokenCodec } from '../ports/token-codec.js';
import { AuthenticationService } from './authentication.js';
import { CommentsService } from './comments.js';
import type { ServiceContext } from './context.js';
import { OrdersService } from './orders.js';
import type { Policy } from './policy.js';
import { PostsService } from './posts.js';
import { ProductsService } from './products.js';
import { Rights } from './rights.js';
import { systemClock } from './system-clock.js';
import { UsersService } from './users.js';

export interface ServicesOptions {
  readonly storage: Storage;
  /** Who may do what: `openPolicy`, `protectedPolicy`, or a table of the deployer's. */
  readonly policy: Policy;
  /** The machine's clock unless given. */
  readonly clock?: Clock;
  /** Without one, input that carries a password is refused with `not-implemented`. */
  readonly passwordHasher?: PasswordHasher;
  /** Without one, nobody can sign in and no token is valid. */
  readonly tokens?: TokenCodec;
}

export interface Services {
  readonly authentication: AuthenticationService;
  readonly users: UsersService;
  readonly posts: PostsService;
  readonly orders: OrdersService;
  readonly products: ProductsService;
  readonly comments: CommentsService;
}

/**
 * Makes the services. They hold no state of their own: several may share a storage, in one process or in many.
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
    passwordHasher: options.passwordHasher,
    tokens: options.tokens,
  };
  return {
    authentication: new AuthenticationService(context),
    users: new UsersService(context),
    posts: new PostsService(context),
    orders: new OrdersService(context),
    products: new ProductsService(context),
    comments: new CommentsService(context),
  };
}
