/** The context that the resolvers of one operation share: the caller, and the records read so far. */
import DataLoader from 'dataloader';
import { notFound, ServiceError } from '../model/error.js';
import type { Post } from '../model/post.js';
import type { User } from '../model/user.js';
import type { PostForm } from '../ports/post-store.js';
import type { Caller } from '../services/rights/caller.js';
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
  readonly authors: Batch<User>;
  /** Posts by the id of their author. */
  readonly postsByAuthor: Readonly<Record<PostForm, Batch<readonly Post[]>>>;
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
  const postsByAuthor = (contents: number): Batch<readonly Post[]> =>
    new Batch<readonly Post[]>((ids) =>
      posts.listByAuthors(caller, ids, budget.left, budget.readingOf(contents)),
    );
  return {
    caller,
    budget,
    address,
    lastEventId,
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

/**
 * Like DataLoader, but a loaded value needs no promise: for a hundred posts with ten authors, ten loads wait for the batch,
 * and later loads do not wait.
 */
export class Batch<Value> {
  /** Made when it is needed: most events need none, and each has contexts for all of its subscribers. */
  #known: Map<string, Value> | undefined;
  readonly #read: (ids: readonly string[]) => Promise<readonly (Value | Error)[]>;
  #loader: DataLoader<string, Value> | undefined;

  /** @param read - returns one entry per id, in the order of the ids; an error concerns only its own id */
  constructor(read: (ids: readonly string[]) => Promise<readonly (Value | Error)[]>) {
    this.#read = read;
  }

  load(id: string): Value | Promise<Value> {
    return this.#known?.get(id) ?? (this.#loader ??= this.#newLoader()).load(id);
  }

  /** Adds a value that was read elsewhere. */
  add(id: string, value: Value): void {
    (this.#known ??= new Map<string, Value>()).set(id, value);
  }

  /** Forgets all values, after a write. */
  clear(): void {
    this.#known?.clear();
    this.#loader?.clearAll();
  }

  /** Called on the first load, because most operations and most events of subscriptions load nothing. */
  #newLoader(): DataLoader<string, Value> {
    return new DataLoader(async (ids) => {
      const values = await this.#read(ids);
      for (const [index, id] of ids.entries()) {
        const value = values[index];
        if (value !== undefined && !(value instanceof Error)) this.add(id, value);
      }
      return values;
    });
  }
}

export async function nullWhereMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not-found') return null;
    throw error;
  }
}
