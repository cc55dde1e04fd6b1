/** Remembers for a transaction how the application undoes its own work, and what to do when the transaction is stored. */
import { ServiceError } from '../../model/error.js';

export class Scope {
  readonly #undone: (() => void)[] = [];
  readonly #effects: (() => unknown)[] = [];

  /** Calls a function if the transaction is undone, or is tried again: the last one first. */
  readonly onUndo = (undo: () => void): void => void this.#undone.push(undo);

  /** Does something when the transaction is stored. */
  afterwards(effect: () => unknown): void {
    this.#effects.push(effect);
  }

  /** Begins a try, after an earlier one. */
  begin(): void {
    this.#effects.length = 0;
    try {
      this.#undone.pop()?.();
    } finally {
      if (this.#undone.length > 0) this.begin();
    }
  }

  /** Ends a transaction that is stored. */
  async end(): Promise<void> {
    for (const effect of this.#effects) await effect();
  }

  /** Ends a transaction that failed. One whose outcome is unknown may be stored. */
  fail(error: unknown): void {
    if (!(error instanceof ServiceError && error.code === 'outcome-unknown')) this.begin();
  }
}
