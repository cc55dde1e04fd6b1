/** What every service is made of. */
import type { AttemptLimiter } from '../ports/attempt-limiter.js';
import type { Clock } from '../ports/clock.js';
import type { Events } from '../ports/events.js';
import type { Storage } from '../ports/storage.js';
import type { TokenCodec } from '../ports/token-codec.js';
import type { Passwords } from './passwords.js';
import type { SubscriberBounds } from './post-feed.js';
import type { Rights } from './rights.js';

export interface ServiceContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly rights: Rights;
  /** Without them, every input that carries a password is refused. */
  readonly passwords?: Passwords | undefined;
  /** Without one, nobody can sign in and no token is valid. */
  readonly tokens?: TokenCodec | undefined;
  /** Without one, nobody can sign in with a password. */
  readonly signInLimiter?: AttemptLimiter | undefined;
  /** What a sign-in answers with that does not say what it wants. */
  readonly signInForm: 'pair' | 'single';
  readonly rotatesRefreshTokens: boolean;
  /** Without it, subscribers learn of the posts of this process only. */
  readonly events?: Events | undefined;
  /** How far a subscriber may be behind. */
  readonly subscriberBounds?: Partial<SubscriberBounds> | undefined;
  /** Told of failures that have no caller to tell. */
  readonly report?: ((error: unknown) => void) | undefined;
}
