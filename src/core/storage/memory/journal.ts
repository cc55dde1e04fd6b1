/** Undoes the changes of a memory storage, and makes its other callers wait while a write may still be undone. */
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The writes whose other work makes a call, of whichever storage. One for all of them: each further one would slow down every promise of the
 * process.
 */
const within = new AsyncLocalStorage<readonly unknown[]>();

export class Journal {
  /** While a write may be undone, in the order of its changes. */
  #undo: (() => void)[] | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  /** Whether a write may still be undone. Else nothing needs to note how: that would take longer than most changes. */
  get isOpen(): boolean {
    return this.#undo !== undefined;
  }

  /** Notes how to undo a change. */
  note(undo: () => void): void {
    this.#undo?.push(undo);
  }

  /** Makes a call at once if no write is open, or if the other work of the open one makes it; else when the write has ended. */
  call<T>(make: () => T): Promise<T> {
    if (this.#undo === undefined || within.getStore()?.includes(this.#undo)) return Promise.resolve(make());
    return this.#ended.then(() => this.call(make));
  }

  /** Runs work that changes the tables, alone. If it fails, all its changes are undone. @param isBrief - whether it makes no other calls */
  run<T>(isBrief: boolean | undefined, work: () => Promise<T>): Promise<T> {
    const open: (() => void)[] = [];
    const outcome = this.#ended.then(async () => {
      this.#undo = open;
      try {
        return await (isBrief ? work() : within.run([...(within.getStore() ?? []), open], work));
      } catch (error) {
        this.#undo = undefined;
        for (const undo of open.reverse()) undo();
        throw error;
      } finally {
        this.#undo = undefined;
      }
    });
    this.#ended = outcome.catch(() => undefined);
    return outcome;
  }
}

/** A map whose changes can be undone. */
export class JournalMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly journal: Journal) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.#note(key);
    return super.set(key, value);
  }

  override delete(key: Key): boolean {
    this.#note(key);
    return super.delete(key);
  }

  #note(key: Key): void {
    if (!this.journal.isOpen) return;
    const old = this.get(key);
    this.journal.note(() => (old === undefined ? super.delete(key) : super.set(key, old)));
  }
}
