/** The dependencies that all services share. */
import type { AttemptLimiter } from '../ports/attempt-limiter.js';
import type { Clock } from '../ports/clock.js';
import type { Events } from '../ports/events.js';
import type { IdentityProvider } from '../ports/identity-provider.js';
import type { Stores } from '../ports/storage.js';
import type { TokenCodec } from '../ports/token-codec.js';
import type { ApiKeyUses } from './api-key-uses.js';
import type { Idempotency } from './idempotency.js';
import type { Passwords } from './passwords.js';
import type { SubscriberBounds } from './post-feed.js';
import type { Rights } from './rights.js';

/** @typeParam Store the stores that the service cannot do without; the others may be missing */
export interface ServiceContext<Store extends keyof Stores = never> {
  readonly storage: Pick<Stores, Store> & Partial<Stores>;
  /** There where the store of API keys is. */
  readonly apiKeyUses?: ApiKeyUses | undefined;
  /** There where the store of idempotency keys is. */
  readonly idempotency?: Idempotency | undefined;
  readonly clock: Clock;
  readonly rights: Rights;
  /** When absent, every input with a password is refused. */
  readonly passwords?: Passwords | undefined;
  /** When absent, sign-in is not available and no token is valid. */
  readonly tokens?: TokenCodec | undefined;
  /** When absent, sign-in with a password is not available. */
  readonly signInLimiter?: AttemptLimiter | undefined;
  /** When absent, sign-ups are not limited. */
  readonly signUpLimiter?: AttemptLimiter | undefined;
  /** Without one, external sign-in is `unavailable`. */
  readonly identityProvider?: IdentityProvider | undefined;
  /** The form of a sign-in's answer when the request does not name one. */
  readonly signInForm: 'pair' | 'single';
  readonly rotatesRefreshTokens: boolean;
  /** When absent, subscribers receive the posts of this process only. */
  readonly events?: Events | undefined;
  /** How far a subscriber may fall behind. */
  readonly subscriberBounds?: Partial<SubscriberBounds> | undefined;
  /** Called with failures that cannot be reported to a caller. */
  readonly report?: ((error: unknown) => void) | undefined;
}
