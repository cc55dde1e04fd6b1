/** What has to happen, and in which order, when the service stops. */

import { within } from '@concordat/core';

/** Ends one thing that the service holds open. */
export type StopHook = () => void | Promise<void>;

/** Collects the hooks while the service is put together. */
export class Shutdown {
  readonly #drain: StopHook[] = [];
  readonly #close: StopHook[] = [];
  readonly #failures: unknown[] = [];
  #stopping = false;

  /** Whether the service is on its way out. */
  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Says that the end has begun: from now on the service is not ready. */
  begin(): void {
    this.#stopping = true;
  }

  /** For what would keep connections open for ever, such as subscriptions: called once nothing new is accepted. */
  onDrain(hook: StopHook): void {
    this.#drain.push(hook);
  }

  /** For what requests need, such as the store: called when the last is answered, what was opened last first. */
  onClose(hook: StopHook): void {
    this.#close.unshift(hook);
  }

  /** What the hooks throw is thrown by {@link close}. @param limitMs how long to wait for them */
  async drain(limitMs: number): Promise<void> {
    await Promise.all(this.#drain.map((hook) => this.#run(hook, limitMs)));
  }

  /**
   * Every hook has its turn, and none can keep the others from theirs.
   *
   * @param limitMs how long to wait for each
   * @throws what the hooks threw, once all of them had their turn
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
