/** Runs the work of stopping the service, in its order. */

import { setTimeout } from 'node:timers/promises';
import { within } from '@concordat/core';
import type { Settings } from '../settings/settings.js';
import type { Listener } from './listener.js';

/** Closes one resource of the service. @param limitMs - the time that requests in flight have to finish */
type StopHook = (limitMs: number) => void | Promise<void>;

/** Collects the hooks while the service is assembled. */
export class Shutdown {
  readonly #drain: StopHook[] = [];
  readonly #close: StopHook[] = [];
  readonly #failures: unknown[] = [];
  /** Whether the service is stopping. */
  isStopping = false;

  /** Marks the service as stopping: from now on it is not ready. */
  begin(): void {
    this.isStopping = true;
  }

  /** Stops the service: announces it, closes the listener, and then all else. */
  async stop(
    listener: Listener | undefined,
    { stopDelaySeconds, stopTimeoutSeconds }: Pick<Settings, 'stopDelaySeconds' | 'stopTimeoutSeconds'>,
  ): Promise<void> {
    this.begin();
    if (stopDelaySeconds > 0) {
      listener?.announceClose();
      await setTimeout(stopDelaySeconds * 1000);
    }
    const limitMs = stopTimeoutSeconds * 1000;
    await Promise.all([listener?.close(limitMs), this.drain(limitMs)]);
    await this.close();
  }

  /** For resources that keep connections open indefinitely, such as subscriptions: called when the listener begins to close. */
  onDrain(hook: StopHook): void {
    this.#drain.push(hook);
  }

  /** For resources that requests need, such as the store: called after the last answer, in reverse order of registration. */
  onClose(hook: StopHook): void {
    this.#close.unshift(hook);
  }

  /**
   * Runs the hooks of `onDrain`; {@link close} throws their errors. They get a little longer than the limit, because those that wait for
   * connections end once these are cut off.
   */
  async drain(limitMs: number, longerMs = 1000): Promise<void> {
    await Promise.all(this.#drain.map((hook) => this.#run(() => hook(limitMs), limitMs + longerMs)));
  }

  /**
   * Runs the hooks of `onClose`; one that fails or hangs does not stop the others.
   *
   * @param limitMs - the time to wait for each
   * @throws the errors of all hooks, after they have run
   */
  async close(limitMs = 5_000): Promise<void> {
    for (const hook of this.#close) await this.#run(() => hook(limitMs), limitMs);
    if (this.#failures.length === 0) return;
    const reasons = this.#failures.map((each) => (each instanceof Error ? each.message : String(each)));
    throw new AggregateError(this.#failures, `Not everything could be closed: ${reasons.join('; ')}`);
  }

  async #run(hook: () => void | Promise<void>, limitMs: number): Promise<void> {
    try {
      await within(limitMs, Promise.resolve(hook()), { fault: 'something did not close' });
    } catch (error) {
      this.#failures.push(error);
    }
  }
}
