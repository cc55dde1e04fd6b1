/** The attempt limiter port: counts what went wrong under a key, and says when it was too often. */

/** A key has a number of attempts a window of time; which, is the limiter's business. */
export interface AttemptLimiter {
  /** @returns whole seconds until the key has an attempt again, at least 1; undefined while it has one */
  blockedFor(key: string): Promise<number | undefined>;

  /**
   * Takes one of the key's attempts in one step: of several takers at once no more get one than there are.
   *
   * @returns as {@link blockedFor}: undefined when it was taken
   */
  take(key: string): Promise<number | undefined>;

  /** Gives back an attempt that went well. */
  giveBack(key: string): Promise<void>;
}
