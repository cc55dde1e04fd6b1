/** Bounds the total number of list items in one answer: nested lists multiply, though each is within its own bounds. */

import { answerTooLarge } from '../model/page.js';

export const defaultMaxNodes = 100_000;

export class NodeBudget {
  readonly #max: number;
  #left: number;

  constructor(max: number) {
    this.#max = max;
    this.#left = max;
  }

  /** How many more items there may be. */
  get left(): number {
    return this.#left;
  }

  /**
   * Counts the items of a list.
   *
   * @returns the list
   * @throws ServiceError `limit-exceeded` when there are too many
   */
  take<T>(list: readonly T[]): readonly T[] {
    if (list.length > this.#left) {
      // The answer has failed, so later lists need not be read.
      this.#left = 0;
      throw answerTooLarge();
    }
    this.#left -= list.length;
    return list;
  }

  /** Called when the answer is computed again. */
  restore(): void {
    this.#left = this.#max;
  }
}
