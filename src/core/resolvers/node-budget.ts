/** How many items the lists of one answer may have in all: lists within lists multiply, and each by itself is within bounds. */

import { answerTooLarge } from '../model/page.js';

export const defaultMaxNodes = 100_000;

export class NodeBudget {
  readonly #max: number;
  #left: number;

  constructor(max: number) {
    this.#max = max;
    this.#left = max;
  }

  /** How many more there may be. */
  get left(): number {
    return this.#left;
  }

  /**
   * Takes the items of a list into the answer.
   *
   * @returns the list
   * @throws ServiceError `limit-exceeded` for more than there may be
   */
  take<T>(list: readonly T[]): readonly T[] {
    if (list.length > this.#left) {
      // Nothing else is worth reading any more.
      this.#left = 0;
      throw answerTooLarge();
    }
    this.#left -= list.length;
    return list;
  }

  /** For an answer that is made anew. */
  restore(): void {
    this.#left = this.#max;
  }
}
