/**
 * Limits the total size of the lists in one answer: nested lists and aliases multiply, even if each list is within its own bounds.
 * The texts of posts count as often as the operation selects them.
 */

import type { RunningOperation } from '@concordat/runtime/graphql';
import { ServiceError } from '../model/error.js';
import { answerTooLarge } from '../model/page.js';
import type { Post } from '../model/post.js';
import type { PostReading } from '../services/posts/post-reader.js';
import { endOfTurn } from '../services/reads/joined-reads.js';
import type { Keep } from '../services/reads/lists.js';
import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

export const defaultMaxNodes = 100_000;

export class AnswerBudget {
  /** The number of items that the answer may still get. */
  left: number;
  #running: RunningOperation | undefined;
  /** The characters of the posts in the answer: a lower bound of their size in bytes. */
  #held = 0;

  /** @param max - the maximum number of items in all lists together */
  constructor(private readonly max: number) {
    this.left = max;
  }

  /** Called when the computation of the answer begins, and when it begins again. */
  begin(running: RunningOperation): void {
    this.left = this.max;
    this.#held = 0;
    this.#running = running;
  }

  /**
   * Counts the items of a list, or of a part that was just read, so that reading stops when the answer has failed.
   *
   * @returns the list
   * @throws the error that ends the operation when there are too many
   */
  take<T>(list: readonly T[]): readonly T[] {
    this.#running?.check();
    if (list.length > this.left) {
      // The answer has failed, so later lists need not be read.
      this.left = 0;
      throw this.#ended(answerTooLarge());
    }
    this.left -= list.length;
    return list;
  }

  /** Reads lists that may have no more items than are left. @throws the error that ends the operation when they have more */
  async within<T>(read: Promise<T>): Promise<T> {
    try {
      return await read;
    } catch (error) {
      throw error instanceof ServiceError && error.code === 'limit-exceeded' ? this.#ended(error) : error;
    }
  }

  /** Resolves when the resolvers that need no other values have run. */
  async allAsked(): Promise<void> {
    let idle: Promise<void> | undefined;
    do {
      await idle;
      await endOfTurn();
      idle = this.#running?.idle();
    } while (idle !== undefined);
  }

  /** An engine other than `graphqlEngine` goes on, and gets the error once for each list. */
  #ended(error: ServiceError): ServiceError {
    this.#running?.refuse(error.message);
    return error;
  }

  /** How to read the posts of a list. @param times - the minimum number of times that the answer has the content of each post */
  readingOf(times: number): PostReading {
    const keep: Keep<Post> = (part) => this.#hold(part, times);
    return { form: times === 0 ? 'without-content' : 'whole', keep };
  }

  /**
   * Counts the size of the posts that are held until the answer is complete.
   *
   * @throws the error that ends the operation if the posts are larger than its response may be
   */
  #hold(posts: readonly Post[], times: number): readonly Post[] {
    this.#running?.check();
    for (const { title, content } of posts) this.#held += title.length + times * content.length;
    if (this.#running && this.#held > this.#running.maxResponseBytes) this.#running.refuseLargeResponse();
    return posts;
  }
}

/** The results by the nodes of a field, which are the same for all its objects. */
const known = new WeakMap<readonly FieldNode[], number>();

/**
 * The minimum number of times that the answer has the content of each post of a field, under any alias. If only conditional
 * selections have it, it counts as one.
 */
export function contentsSelected(info: GraphQLResolveInfo): number {
  const { fieldNodes } = info;
  let times = known.get(fieldNodes);
  if (times === undefined) {
    times = count(info);
    known.set(fieldNodes, times);
  }
  return times;
}

function count({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const responseNames = new Set<string>();
  let conditional = 0;

  function add({ selections }: SelectionSetNode, isCertain: boolean): void {
    for (const selection of selections) {
      const isSure = isCertain && !selection.directives?.length;
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value !== 'content') continue;
        if (isSure) responseNames.add((selection.alias ?? selection.name).value);
        else conditional += 1;
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        add(selection.selectionSet, isSure);
      } else {
        const fragment = fragments[selection.name.value];
        if (fragment) add(fragment.selectionSet, isSure);
      }
    }
  }

  for (const { selectionSet } of fieldNodes) if (selectionSet) add(selectionSet, true);
  return responseNames.size === 0 ? Math.min(conditional, 1) : responseNames.size;
}
