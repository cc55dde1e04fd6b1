/** Bounds what the lists of one answer hold: nested lists and aliases multiply, though each list is within its own bounds. */

import { visit } from 'graphql';
import type { PreparedOperation, RunningOperation } from 'concordat/graphql';
import { answerTooLarge } from '../model/page.js';
import type { Post } from '../model/post.js';

export const defaultMaxNodes = 100_000;

export class AnswerBudget {
  readonly #max: number;
  #left: number;
  #running: RunningOperation | undefined;
  /** How many bytes of posts the answer holds. */
  #held = 0;

  /** @param max - the limit of items in all lists together */
  constructor(max: number) {
    this.#max = max;
    this.#left = max;
  }

  /** How many more items there may be. */
  get left(): number {
    return this.#left;
  }

  /** Called when the answer begins to be computed, and when it is computed again. */
  begin(running: RunningOperation): void {
    this.#left = this.#max;
    this.#held = 0;
    this.#running = running;
  }

  /**
   * Counts the items of a list, or of a part of it that was just read, so that no more is read for an answer that has failed.
   *
   * @returns the list
   * @throws ServiceError `limit-exceeded` when there are too many
   */
  take<T>(list: readonly T[]): readonly T[] {
    this.#running?.check();
    if (list.length > this.#left) {
      // The answer has failed, so later lists need not be read.
      this.#left = 0;
      throw answerTooLarge();
    }
    this.#left -= list.length;
    return list;
  }

  /**
   * Counts what posts take in memory until the answer is complete. The text, which may be most of it, is left out where the
   * operation does not ask for it.
   *
   * @throws the error that ends the operation when its response could not hold them
   */
  hold(posts: readonly Post[]): readonly Post[] {
    const running = this.#running;
    if (running === undefined) return posts;
    running.check();
    const kept = asksForContent(running.operation) ? posts : posts.map((post) => ({ ...post, content: '' }));
    for (const { title, content } of kept) this.#held += title.length + content.length;
    if (this.#held > running.maxResponseBytes) running.refuseLargeResponse();
    return kept;
  }
}

const known = new WeakMap<PreparedOperation, boolean>();

/** Whether the document asks for the text of any post. */
function asksForContent(operation: PreparedOperation): boolean {
  const answer = known.get(operation);
  if (answer !== undefined) return answer;
  let asks = false;
  visit(operation.document, { Field: ({ name }) => void (asks ||= name.value === 'content') });
  known.set(operation, asks);
  return asks;
}
