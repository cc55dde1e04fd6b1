/** Limits the guessing of passwords: failed sign-ins are counted by email and by address. */
import { createHash } from 'node:crypto';
import { tooManyRequests } from '../model/error.js';
import { emailKey } from '../model/user.js';
import type { AttemptLimiter } from '../ports/attempt-limiter.js';
import { networkOf } from './network.js';

/**
 * One attempt to sign in. It counts as soon as the password is tried, not only once it has turned out to be wrong:
 * otherwise a thousand guesses at once would each count as the first.
 */
export class SignInAttempt {
  readonly #limiter: AttemptLimiter;
  readonly #keys: readonly string[];

  /** @param address - the client's address, where the transport knows it */
  constructor(limiter: AttemptLimiter, email: string, address: string | undefined) {
    this.#limiter = limiter;
    // An email may be of any length, and should not be readable in the limiter's store.
    const digest = createHash('sha256').update(emailKey(email)).digest('base64url');
    this.#keys = [`email:${digest}`, ...(address === undefined ? [] : [`address:${networkOf(address)}`])];
  }

  /** @throws ServiceError `too-many-requests` after too many failures */
  async requireAllowed(): Promise<void> {
    const waits = await Promise.all(this.#keys.map((key) => this.#limiter.blockedFor(key)));
    for (const seconds of waits) refuse(seconds);
  }

  /** Counts the attempt. @throws ServiceError `too-many-requests`; then the attempt is not counted */
  async take(): Promise<void> {
    const taken: string[] = [];
    for (const key of this.#keys) {
      const seconds = await this.#limiter.take(key);
      if (seconds !== undefined) {
        await Promise.all(taken.map((each) => this.#limiter.giveBack(each)));
        refuse(seconds);
      }
      taken.push(key);
    }
  }

  /** Takes the count back, because the password was right. */
  async giveBack(): Promise<void> {
    await Promise.all(this.#keys.map((key) => this.#limiter.giveBack(key)));
  }
}

function refuse(seconds: number | undefined): void {
  if (seconds !== undefined) throw tooManyRequests('Too many failed sign-ins', seconds);
}
