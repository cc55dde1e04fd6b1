/** The attempt limiter port: counts failed attempts per key, and says when there were too many. */

/**
 * A key has a number of attempts per window of time; the limiter knows how many, and how long the window is.
 *
 * `limiterChecks` of `@concordat/core/conformance` checks this.
 */
export interface AttemptLimiter {
  /** @returns whole seconds until the key has an attempt again, at least 1; undefined while it has one */
  blockedFor(key: string): Promise<number | undefined>;

  /**
   * Takes one of the key's attempts in one step: several callers at once never get more than the key has.
   *
   * @returns as {@link blockedFor}: undefined when an attempt was taken
   */
  take(key: string): Promise<number | undefined>;

  /** Gives back a successful attempt. */
  giveBack(key: string): Promise<void>;
}
