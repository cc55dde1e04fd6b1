/** The context that the resolvers of one operation share: the caller, and the records read so far. */

import { notFound } from '../model/error.js';
import type { Post } from '../model/post.js';
import type { User } from '../model/user.js';
import type { PostForm } from '../ports/post-store.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { Batch } from './batch.js';
import { AnswerBudget, defaultMaxNodes } from './answer-budget.js';

/** Finds the callers of credentials. */
export interface GraphqlAuthentication {
  /** @returns the caller, and when the token runs out; undefined for a token that is not valid */
  callerOfToken(token: string): Promise<GraphqlCaller | undefined>;
  /** @returns undefined for a key that is not valid */
  callerOfApiKey(key: string): Promise<Caller | undefined>;
}

export interface GraphqlCaller {
  readonly caller: Caller;
  /** When the token runs out; undefined without one. A connection that stays open ends then. */
  readonly expiresAt?: Date | undefined;
}

/** The services that the schema and its callers need. */
export type GraphqlServices = Pick<Services, 'users' | 'posts'> & {
  readonly authentication: GraphqlAuthentication;
};

/** Belongs to one operation, or to one event of a subscription, and is never reused. */
export interface GraphqlContext {
  readonly caller: Caller;
  /** The client's address, where the transport knows it. */
  readonly address: string | undefined;
  /** Users by id, for the authors of posts that the caller may see. */
  readonly authors: Batch<User>;
  /** Posts by the id of their author. */
  readonly postsByAuthor: Readonly<Record<PostForm, Batch<readonly Post[]>>>;
  /** Ids of the users that this operation signed up: a caller may see the email that it has just given. */
  readonly signedUp: Set<string>;
  /** What the lists may still hold. */
  readonly budget: AnswerBudget;
}

/**
 * @param caller the caller of the operation's credential
 * @param maxNodes how many items all lists of the answer may have in total; 100,000 unless given
 * @param address the client's address, by which sign-ups are counted
 */
export function makeContext(
  { posts }: Pick<GraphqlServices, 'posts'>,
  caller: Caller,
  maxNodes = defaultMaxNodes,
  address?: string,
): GraphqlContext {
  const budget = new AnswerBudget(maxNodes);
  const postsByAuthor = (contents: number): Batch<readonly Post[]> =>
    new Batch<readonly Post[]>((ids) =>
      posts.listByAuthors(caller, ids, budget.left, budget.readingOf(contents)),
    );
  return {
    caller,
    budget,
    address,
    authors: new Batch<User>(async (ids) => {
      const users = await posts.getAuthors(caller, ids);
      return users.map((user) => user ?? notFound('User'));
    }),
    postsByAuthor: { whole: postsByAuthor(1), 'without-content': postsByAuthor(0) },
    signedUp: new Set(),
  };
}

/** Makes the fields below a mutation, and the mutations after it, read the changed records again. */
export function forgetReads({ authors, postsByAuthor }: GraphqlContext): void {
  authors.clear();
  for (const batch of Object.values(postsByAuthor)) batch.clear();
}
