/** The attempt limiter port: counts failed attempts under a key, and says when there were too many. */

/**
 * A key has a number of attempts per window of time; the limiter knows how many, and how long the window is.
 *
 * `limiterChecks` of `@concordat/core/conformance` checks this.
 */
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
