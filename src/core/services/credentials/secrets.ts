/** Hashes secrets, because stores hold only hashes: passwords a few at a time, tokens and keys immediately. */
import { createHash, randomUUID } from 'node:crypto';
import { ServiceError } from '../../model/error.js';
import type { PasswordHasher } from '../../ports/sign-in.js';
import { Semaphore } from '../../pacing/pacing.js';

/**
 * A hash takes about 20 ms of one core and 19 MiB of memory, on one of the four threads of Node's pool, which also serves
 * files and DNS lookups. Two hashes at once leave two threads free for those.
 */
const hashesAtOnce = 2;
/** About five seconds of waiting, for sign-ins and for new passwords separately. */
const maxWaiting = 500;

/** Hashes and checks passwords. A check takes equally long for an account that does not exist. */
export class Passwords {
  readonly #hasher: PasswordHasher;
  readonly #semaphore = new Semaphore(hashesAtOnce, maxWaiting);
  #decoyHash: Promise<string> | undefined;

  constructor(hasher: PasswordHasher) {
    this.#hasher = hasher;
  }

  /** A burst of sign-ups does not delay a sign-in, because hashes and checks take turns. */
  hash(password: string): Promise<string> {
    return this.#semaphore.run(() => this.#hasher.hash(password), 'hash');
  }

  /**
   * Whether this is the stored password. Without a stored hash, a decoy is checked, so that the answer takes equally long.
   *
   * @param admit - called right before the check; throws when the password may not be tried
   */
  async check(hash: string | undefined, password: string, admit: () => Promise<void>): Promise<boolean> {
    // Made before the first check of any kind: otherwise the first unknown account would take visibly longer.
    const decoyHash = await (this.#decoyHash ??= this.#makeDecoyHash());
    return await this.#semaphore.run(async () => {
      await admit();
      const isRight = await this.#hasher.verify(hash ?? decoyHash, password);
      return isRight && hash !== undefined;
    }, 'check');
  }

  /** The hash of a random password. If hashing fails, the next call tries again. */
  async #makeDecoyHash(): Promise<string> {
    try {
      return await this.#hasher.hash(randomUUID());
    } catch (error) {
      this.#decoyHash = undefined;
      throw error;
    }
  }
}

/** Hashes a new password, if one is given. @throws ServiceError `not-implemented` without a hasher */
export async function hashNew(
  passwords: Passwords | undefined,
  password: string | undefined,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  if (passwords) return await passwords.hash(password);
  throw new ServiceError('not-implemented', 'This service does not take passwords');
}

/**
 * The hash that is stored instead of a token or key. One round of a fast hash is enough: unlike passwords, tokens and keys are
 * random and too long to guess.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
