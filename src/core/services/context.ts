/** What every service is made of. */
import type { Clock } from '../ports/clock.js';
import type { PasswordHasher } from '../ports/password-hasher.js';
import type { Storage } from '../ports/storage.js';
import type { TokenCodec } from '../ports/token-codec.js';
import type { Rights } from './rights.js';

export interface ServiceContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly rights: Rights;
  /** Without one, every input that carries a password is refused. */
  readonly passwordHasher?: PasswordHasher | undefined;
  /** Without one, nobody can sign in and no token is valid. */
  readonly tokens?: TokenCodec | undefined;
}
