/** The work to do when the service stops, and its order. */

import { within } from '@concordat/core';

/** Closes one resource of the service. */
export type StopHook = () => void | Promise<void>;

/** Collects the hooks while the service is assembled. */
export class Shutdown {
  readonly #drain: StopHook[] = [];
  readonly #close: StopHook[] = [];
  readonly #failures: unknown[] = [];
  #stopping = false;

  /** Whether the service is stopping. */
  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Marks the service as stopping: from now on it is not ready. */
  begin(): void {
    this.#stopping = true;
  }

  /** For resources that keep connections open for ever, such as subscriptions: called once no connection is accepted any more. */
  onDrain(hook: StopHook): void {
    this.#drain.push(hook);
  }

  /** For resources that requests need, such as the store: called after the last answer, in reverse order of registration. */
  onClose(hook: StopHook): void {
    this.#close.unshift(hook);
  }

  /** Errors of these hooks are thrown by {@link close}. @param limitMs - how long to wait for them */
  async drain(limitMs: number): Promise<void> {
    await Promise.all(this.#drain.map((hook) => this.#run(hook, limitMs)));
  }

  /**
   * Runs all hooks; one that fails or hangs does not stop the others.
   *
   * @param limitMs - how long to wait for each
   * @throws the errors of the hooks, after all of them have run
   */
  async close(limitMs = 5_000): Promise<void> {
    for (const hook of this.#close) await this.#run(hook, limitMs);
    if (this.#failures.length === 0) return;
    const reasons = this.#failures.map((each) => (each instanceof Error ? each.message : String(each)));
    throw new AggregateError(this.#failures, `Not everything could be closed: ${reasons.join('; ')}`);
  }

  async #run(hook: StopHook, limitMs: number): Promise<void> {
    try {
      await within(limitMs, Promise.resolve(hook()), { fault: 'something did not close' });
    } catch (error) {
      this.#failures.push(error);
    }
  }
}
