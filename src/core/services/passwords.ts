/** Hashes and checks passwords, a few at a time, and gives nothing away by how long that takes. */
import { randomUUID } from 'node:crypto';
import type { PasswordHasher } from '../ports/password-hasher.js';
import { Turns } from './turns.js';

/**
 * A hash costs a core for some 20 ms and 19 MiB of memory, on one of the four threads that Node has for this, for files and
 * for names of hosts. Two leave the other two free, whoever signs in.
 */
const hashesAtOnce = 2;
/** Some five seconds of waiting. */
const maxWaiting = 500;

export class Passwords {
  readonly #hasher: PasswordHasher;
  readonly #turns = new Turns(hashesAtOnce, maxWaiting);
  #nobodys: Promise<string> | undefined;

  constructor(hasher: PasswordHasher) {
    this.#hasher = hasher;
  }

  hash(password: string): Promise<string> {
    return this.#turns.take(() => this.#hasher.hash(password));
  }

  /**
   * Whether this is the password that was stored. Where nothing is stored, as much work is done for the same answer.
   *
   * @param admit is asked when the turn has come, and throws where the password may not be tried
   */
  async check(stored: string | undefined, password: string, admit: () => Promise<void>): Promise<boolean> {
    // Made before anybody is told anything, so that the first one who has no password does not wait for it alone.
    const nobodys = await (this.#nobodys ??= this.#makeNobodys());
    return await this.#turns.take(async () => {
      await admit();
      const isRight = await this.#hasher.verify(stored ?? nobodys, password);
      return isRight && stored !== undefined;
    });
  }

  /** The hash of a password that nobody has. One that could not be made is made anew for the next who asks. */
  async #makeNobodys(): Promise<string> {
    try {
      return await this.#hasher.hash(randomUUID());
    } catch (error) {
      this.#nobodys = undefined;
      throw error;
    }
  }
}
