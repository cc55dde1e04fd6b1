/** The context that the resolvers of one operation share: the caller, and the records read so far. */
import { notFound, ServiceError } from '../model/error.js';
import type { Post } from '../model/post.js';
import type { User } from '../model/user.js';
import type { PostForm } from '../ports/post-store.js';
import type { Caller } from '../services/rights/caller.js';
import { KeptReads } from '../services/context/joined-reads.js';
import type { Lease } from '../services/context/user-changes.js';
import type { Services } from '../services/services.js';
import { AnswerBudget, defaultMaxNodes } from './answer-budget.js';

/** Finds the callers of credentials. */
export interface GraphqlAuthentication {
  /**
   * @param isJoined - whether the user may be read together with those of other calls, as for the subscribers of one event
   * @returns the caller, and when the token expires; undefined for a token that is not valid
   */
  callerOfToken(token: string, isJoined?: boolean): Promise<GraphqlCaller | undefined>;
  /** @returns undefined for a key that is not valid; `isJoined` as above */
  callerOfApiKey(key: string, isJoined?: boolean): Promise<Caller | undefined>;
}

export interface GraphqlCaller {
  readonly caller: Caller;
  /** When the token expires; undefined without one. A connection that stays open ends then. */
  readonly expiresAt?: Date | undefined;
  /** As long as it lasts, the caller is the same; without one, the caller is found again for each event. */
  readonly lease?: Lease | undefined;
}

/** The services that the schema and its callers need. */
export type GraphqlServices = Pick<Services, 'users' | 'posts'> & {
  readonly authentication: GraphqlAuthentication;
};

/** Belongs to one operation, or to one event of a subscription, and is never reused. */
export interface GraphqlContext {
  readonly caller: Caller;
  /** The client's address, if the transport knows it. */
  readonly address: string | undefined;
  /** The `Last-Event-ID` of a client of server-sent events that reconnects. */
  readonly lastEventId: string | undefined;
  /** Users by id, for the authors of posts that the caller may see. */
  readonly authors: KeptReads<User>;
  /** Posts by the id of their author. */
  readonly postsByAuthor: Readonly<Record<PostForm, KeptReads<readonly Post[]>>>;
  /** Ids of the users that this operation signed up: a caller may see the email that it has just given. */
  readonly signedUp: Set<string>;
  /** The size that the lists may still reach. */
  readonly budget: AnswerBudget;
}

/**
 * @param caller the caller of the operation's credential
 * @param maxNodes the maximum number of items in all lists of the answer; 100,000 unless given
 * @param address the client's address, by which sign-ups are counted
 * @param lastEventId the last event that a subscriber has, if it returns
 */
export function makeContext(
  { posts }: Pick<GraphqlServices, 'posts'>,
  caller: Caller,
  maxNodes = defaultMaxNodes,
  address?: string,
  lastEventId?: string,
): GraphqlContext {
  const budget = new AnswerBudget(maxNodes);
  const postsByAuthor = (contents: number): KeptReads<readonly Post[]> =>
    new KeptReads<readonly Post[]>((ids) =>
      posts.listByAuthors(caller, ids, budget.left, budget.readingOf(contents)),
    );
  return {
    caller,
    budget,
    address,
    lastEventId,
    authors: new KeptReads<User>(async (ids) => {
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

export async function nullWhereMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not-found') return null;
    throw error;
  }
}
