/** Decides which lines of the log are written where the same one comes again and again, such as the failures of an outage. */

const WINDOW_MS = 10_000;

/** The maximum number of keys that are counted apart, because a key may contain anything. Others count together. */
const MOST_KEYS = 200;

interface Window {
  readonly start: number;
  readonly lines: number;
  /** The lines that were left out since the last one. */
  readonly more: number;
}

export class RepeatedLines {
  readonly #windows = new Map<string, Window>();

  /** @param now - a clock in milliseconds */
  constructor(private readonly now = () => performance.now()) {}

  /**
   * @param key - the same for lines that say the same
   * @param most - the lines in ten seconds
   * @returns the number of lines that were left out before this one; undefined for one that is left out
   */
  write(key: string, most = 1): number | undefined {
    const now = this.now();
    const isOver = ({ start }: Window): boolean => now - start >= WINDOW_MS;
    const isFull = this.#windows.size >= MOST_KEYS && !this.#windows.has(key);
    if (isFull) for (const [each, window] of this.#windows) if (isOver(window)) this.#windows.delete(each);
    const name = this.#windows.size < MOST_KEYS || this.#windows.has(key) ? key : 'others';
    const { start = now, lines = 0, more = 0 } = this.#windows.get(name) ?? {};
    const begins = isOver({ start, lines, more });
    const isWritten = begins || lines < most;
    this.#windows.set(name, {
      start: begins ? now : start,
      lines: begins ? 1 : lines + Number(isWritten),
      more: isWritten ? 0 : more + 1,
    });
    return isWritten ? more : undefined;
  }
}
