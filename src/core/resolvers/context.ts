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
  return new OperationContext(posts, caller, maxNodes, address);
}

/** Makes its parts at their first use: most operations, and events that other subscribers have had before, use few of them. */
class OperationContext implements GraphqlContext {
  #authors: GraphqlContext['authors'] | undefined;
  #postsByAuthor: GraphqlContext['postsByAuthor'] | undefined;
  #signedUp: GraphqlContext['signedUp'] | undefined;
  #budget: AnswerBudget | undefined;

  constructor(
    private readonly posts: GraphqlServices['posts'],
    readonly caller: Caller,
    private readonly maxNodes: number,
    readonly address: string | undefined,
  ) {}

  get authors(): GraphqlContext['authors'] {
    return (this.#authors ??= new Batch<User>(async (ids) => {
      const users = await this.posts.getAuthors(this.caller, ids);
      return users.map((user) => user ?? notFound('User'));
    }));
  }

  get postsByAuthor(): GraphqlContext['postsByAuthor'] {
    return (this.#postsByAuthor ??= { whole: this.#postsWith(1), 'without-content': this.#postsWith(0) });
  }

  get signedUp(): GraphqlContext['signedUp'] {
    return (this.#signedUp ??= new Set());
  }

  get budget(): AnswerBudget {
    return (this.#budget ??= new AnswerBudget(this.maxNodes));
  }

  #postsWith(contents: number): Batch<readonly Post[]> {
    const { budget, caller, posts } = this;
    return new Batch<readonly Post[]>((ids) =>
      posts.listByAuthors(caller, ids, budget.left, budget.readingOf(contents)),
    );
  }
}

/** Makes the fields below a mutation, and the mutations after it, read the changed records again. */
export function forgetReads({ authors, postsByAuthor }: GraphqlContext): void {
  authors.clear();
  for (const batch of Object.values(postsByAuthor)) batch.clear();
}
