/** The services of the core, created for one storage or a part of one. */
import type { Stores } from '../ports/storage.js';
import { ApiKeyUses } from './credentials/api-key-uses.js';
import { ApiKeysService } from './sign-in/api-keys.js';
import { AuditLog } from './audit/audit-log.js';
import { AuthenticationService } from './sign-in/authentication.js';
import { CommentsService } from './orders/comments.js';
import { withPatience } from './context/patience.js';
import type { ServiceContext, ServicesOptions } from './context/service-context.js';
import { ExternalSignInService } from './sign-in/external-sign-in.js';
import { Outbox } from './outbox/outbox.js';
import { WebhooksService } from './outbox/webhooks.js';
import type { AllServices, Services, Transacts } from './all-services.js';
import type { WriteHooks } from './write-hooks.js';

export type { Services } from './all-services.js';
import { Idempotency } from './writes/idempotency.js';
import { JoinedReads, mostJoined } from './reads/joined-reads.js';
import { OrdersService } from './orders/orders.js';
import { Passwords } from './credentials/secrets.js';
import { PostsService } from './posts/posts.js';
import { ProductsService } from './products/products.js';
import { Rights } from './rights/rights.js';
import { SessionsService } from './sign-in/sessions.js';
import type { KeepsFields } from '../model/stored.js';
import { systemClock } from '../model/timestamp.js';
import { namedHooks } from './writes/hooks.js';
import { transactionOf } from './writes/replaced-stores.js';
import { Writes } from './writes/writes.js';
import { UserChanges } from './rights/user-changes.js';
import { UsersService } from './users/users.js';

/** A service, and the stores that it needs. */
function over<Store extends keyof Stores, Service>(
  stores: readonly Store[],
  make: (context: ServiceContext<Store>, outer?: Service) => Service,
) {
  return { stores, make };
}

const blueprints = {
  authentication: over(
    ['users'],
    (context, outer?: AuthenticationService) => outer ?? new AuthenticationService(context),
  ),
  sessions: over(['users', 'refreshTokens'], (context) => new SessionsService(context)),
  apiKeys: over(['apiKeys'], (context) => new ApiKeysService(context)),
  externalSignIn: over(['externalIdentities'], (context) => new ExternalSignInService(context)),
  users: over(['users'], (context) => new UsersService(context)),
  posts: over(['posts', 'users'], (context, outer?: PostsService) => new PostsService(context, outer)),
  orders: over(['orders', 'products', 'users'], (context) => new OrdersService(context)),
  products: over(['products'], (context) => new ProductsService(context)),
  comments: over(['comments', 'orders'], (context) => new CommentsService(context)),
  webhooks: over(['outbox'], (context) => new WebhooksService(context)),
  audit: over(['audit'], (context) => new AuditLog(context)),
  transaction: over(
    ['transaction'],
    ({ writes }): Services['transaction'] =>
      (caller, work) =>
        writes.transaction(({ services, ...own }) => work(services as Services, { ...own, caller })),
  ),
  outbox: over(['outbox'], (context, outer?: Outbox) => outer ?? new Outbox(context)),
};

type Blueprints = typeof blueprints;

/** The services whose stores a storage has. */
export type ServicesOver<S extends Partial<Stores>> = OwnServices<S> &
  (S extends Pick<Stores, 'transaction'> ? Transacts<OwnServices<S>> : unknown);

type OwnServices<S extends Partial<Stores>> = Pick<
  AllServices,
  | 'rights'
  | 'ownFields'
  | {
      [Name in keyof Blueprints & keyof AllServices]: S extends Pick<
        Stores,
        Blueprints[Name]['stores'][number]
      >
        ? Name
        : never;
    }[keyof Blueprints & keyof AllServices]
>;

/**
 * Creates the services whose stores the storage has. Services keep no durable state, so several may share a storage, in one process
 * or in many.
 *
 * @param options - `hooks` run before the writes, and in their transactions
 *
 * Code that uses a service whose store is missing does not compile. If the types were bypassed, reading the service throws an error
 * that names the store, and so does creating the engine of either contract.
 *
 * @example
 * ```ts
 * const services = createServices({ storage: memoryStorage(), policy: protectedPolicy });
 * const ada = await services.users.create(anonymous, { name: 'Ada', email: 'ada@example.com' });
 * ```
 */
export function createServices<S extends Partial<Stores>>(
  options: ServicesOptions<S> & { readonly hooks?: WriteHooks | undefined },
): ServicesOver<S> {
  const {
    passwordHasher,
    idempotencySecret,
    clock = systemClock,
    hooks = {},
    ...given
  } = withPatience(options);
  const storage: Partial<Stores> & KeepsFields = options.storage;
  const stores = storage as Stores; // each service is created only if its stores are present
  const published = () => (services as unknown as Services).outbox.wake();
  const writes: Writes = new Writes({
    storage,
    transaction: transactionOf(storage),
    clock,
    hooks: namedHooks(hooks, storage),
    published: options.outbox && storage.outbox && published,
    servicesIn: (inside, writes) => servicesOf(storage, { ...context, storage: inside, writes }, services),
  });
  const rights = new Rights(
    options.policy,
    (caller, action, target) => {
      writes.record(caller, { action, target }, 'refused').catch((error: unknown) => options.report?.(error));
    },
    storage.ownFields,
  );
  const context: ServiceContext<keyof Stores> = {
    ...given,
    storage: stores,
    joinedUsers: new JoinedReads((ids) => stores.users.findMany(ids), mostJoined),
    userChanges: new UserChanges(given.events, options.report),
    clock,
    idempotency: storage.idempotency && storage.transaction && new Idempotency(clock, idempotencySecret),
    rights,
    writes,
    apiKeyUses: storage.apiKeys && new ApiKeyUses(storage.apiKeys),
    passwords: passwordHasher && new Passwords(passwordHasher),
    signInForm: options.signInForm ?? 'pair',
    rotatesRefreshTokens: options.rotatesRefreshTokens ?? false,
  };
  const services = servicesOf(storage, context);
  return services as unknown as ServicesOver<S>;
}

/** Makes each service when it is first used. @param outer - in a transaction, the services outside of it */
function servicesOf(
  storage: Partial<Stores>,
  context: ServiceContext<keyof Stores>,
  outer: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const { ownFields } = context.storage;
  const services = { rights: context.rights, ...(ownFields && { ownFields }) };
  for (const [name, { stores, make }] of Object.entries(blueprints)) {
    const missing = stores.filter((store) => storage[store] === undefined);
    const refuse = (): never => {
      const needed = `store${missing.length === 1 ? '' : 's'} ${missing.join(' and ')}`;
      throw new Error(`the ${name} service needs the ${needed}, which the storage does not have`);
    };
    let made: unknown;
    const enumerable = missing.length === 0;
    const get = enumerable ? () => (made ??= make(context, outer[name] as never)) : refuse;
    Object.defineProperty(services, name, { get, enumerable });
  }
  return services;
}
