/** What has to happen, and in which order, when the service stops. */

/** Ends one thing that the service holds open. */
export type StopHook = () => void | Promise<void>;

/** Collects the hooks while the service is put together. */
export class Shutdown {
  readonly #drain: StopHook[] = [];
  readonly #close: StopHook[] = [];
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

  async drain(): Promise<void> {
    await Promise.all(this.#drain.map(async (hook) => hook()));
  }

  /** Every hook has its turn. @throws what the hooks threw, once all of them had it */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const hook of this.#close) {
      try {
        await hook();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
  }
}
