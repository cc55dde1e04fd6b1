/** What the resolvers of one operation share: who asks, and what was read for them already. */

import { notFound } from '../model/error.js';
import type { Post } from '../model/post.js';
import type { User } from '../model/user.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { Batch } from './batch.js';
import { NodeBudget, defaultMaxNodes } from './node-budget.js';

/** The services that the schema and its callers need. */
/** Says who a token stands for. */
export interface TokenAuthentication {
  /** @returns the caller, and when the token runs out; undefined for a token that is not valid */
  callerOfToken(token: string): Promise<GraphqlCaller | undefined>;
}

export interface GraphqlCaller {
  readonly caller: Caller;
  /** When the token runs out; undefined without one. A connection that stays open ends then. */
  readonly expiresAt?: Date | undefined;
}

export type GraphqlServices = Pick<Services, 'users' | 'posts'> & {
  readonly authentication: TokenAuthentication;
};

/** Of one operation, or of one event of a subscription, and never of two. */
export interface GraphqlContext {
  readonly caller: Caller;
  /** Users by id, for those who may see the posts that they wrote. */
  readonly authors: Batch<User>;
  /** Posts by the id of their author. */
  readonly postsByAuthor: Batch<readonly Post[]>;
  /** Ids of the users that this operation signed up: who gave an email may see it. */
  readonly signedUp: Set<string>;
  /** What lists may still hold. */
  readonly nodes: NodeBudget;
}

/**
 * @param caller who the operation's token stands for
 * @param maxNodes how many items the lists of the answer may have, those of nested lists added up; 100,000 unless given
 */
export function makeContext(
  { posts }: Pick<GraphqlServices, 'posts'>,
  caller: Caller,
  maxNodes = defaultMaxNodes,
): GraphqlContext {
  const nodes = new NodeBudget(maxNodes);
  return {
    caller,
    nodes,
    authors: new Batch<User>(async (ids) => {
      const users = await posts.getAuthors(caller, ids);
      return users.map((user) => user ?? notFound('User'));
    }),
    postsByAuthor: new Batch<readonly Post[]>((ids) => posts.listByAuthors(caller, ids, nodes.left)),
    signedUp: new Set(),
  };
}

/** Makes what a mutation changed be read anew by the fields below it, and by the mutations after it. */
export function forgetReads({ authors, postsByAuthor }: GraphqlContext): void {
  authors.clear();
  postsByAuthor.clear();
}
