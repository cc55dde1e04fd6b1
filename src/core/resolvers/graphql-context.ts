/** The context that the resolvers of one operation share: the records read so far, and the caller, who is found by a token or an API key. */
import { notFound, ServiceError } from '../model/error.js';
import type { Post } from '../model/post.js';
import type { User } from '../model/user.js';
import type { PostForm } from '../ports/post-store.js';
import { type Caller, anonymous } from '../services/rights/caller.js';
import { KeptReads } from '../services/reads/joined-reads.js';
import type { Lease } from '../services/rights/user-changes.js';
import type { Services } from '../services/services.js';
import { AnswerBudget, defaultMaxNodes } from './answer-budget.js';
import {
  type GraphqlClient as HostedClient,
  type GraphqlSession,
  authorizationOf,
  headerOf,
} from '@concordat/runtime/graphql';

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
  /** While the lease lasts, the caller need not be found again. Without one, the caller is found again for each event. */
  readonly lease?: Lease | undefined;
}

/** The services that the schema and its callers need. */
export type GraphqlServices = Pick<Services, 'users' | 'posts' | 'ownFields'> & {
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
  const allAsked = () => budget.allAsked();
  const postsByAuthor = (contents: number): KeptReads<readonly Post[]> =>
    new KeptReads<readonly Post[]>(
      (ids) => budget.within(posts.listByAuthors(caller, ids, budget.left, budget.readingOf(contents))),
      allAsked,
    );
  return {
    caller,
    budget,
    address,
    lastEventId,
    authors: new KeptReads<User>(async (ids) => {
      const users = await posts.getAuthors(caller, ids);
      return users.map((user) => user ?? notFound('User'));
    }, allAsked),
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

/** Callers do not depend on the host. */
type GraphqlClient = Omit<HostedClient, 'host'>;

const ANONYMOUS: GraphqlCaller = { caller: anonymous };

/**
 * A client's credentials are the `Authorization` header or a WebSocket's `connectionParams.authorization` (a token, with or without
 * `Bearer ` before it), and then `X-API-Key`.
 *
 * @param isJoined whether the user may be read together with those of other clients
 * @returns the caller of the first valid one; anonymous without any
 */
export function callerOfClient(
  services: GraphqlServices,
  client: GraphqlClient,
  isJoined = false,
): GraphqlCaller | Promise<GraphqlCaller> {
  const token = authorizationOf(client)
    ?.replace(/^Bearer +/i, '')
    .trim();
  const key = headerOf(client, 'x-api-key');
  return token || key ? find(services, token, key, isJoined) : ANONYMOUS;
}

async function find(
  { authentication }: GraphqlServices,
  token: string | undefined,
  key: string | undefined,
  isJoined: boolean,
): Promise<GraphqlCaller> {
  const user = token ? await authentication.callerOfToken(token, isJoined) : undefined;
  if (user !== undefined) return user;
  const caller = key ? await authentication.callerOfApiKey(key, isJoined) : undefined;
  return caller === undefined ? ANONYMOUS : { caller };
}

/** An API key may only read. For writes, and if a user is required, it counts as no credential, as over REST. */
export function withoutKey(caller: Caller): Caller {
  return caller.kind === 'api-key' ? anonymous : caller;
}

/**
 * The session of a connection that stays open: its credential is checked again for each operation, and for each event unless
 * the caller's lease lasts. A connection with an
 * invalid credential is anonymous from the start. If a valid credential later becomes invalid, because it expired or because it or
 * its user was deactivated, the session fails. It does not continue as anonymous.
 *
 * @param client the source of the credentials, as for `callerOfClient`
 * @param maxNodes as for `makeContext`
 */
export async function openGraphqlSession(
  services: GraphqlServices,
  client: GraphqlClient,
  maxNodes?: number,
): Promise<GraphqlSession<GraphqlContext>> {
  const { caller: first, expiresAt } = await callerOfClient(services, client);
  const lastEventId = client.headers['last-event-id'];
  const last = typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined;
  // Read once: some transports compute it each time.
  const { address } = client;
  const contextOf = (caller: Caller) => makeContext(services, caller, maxNodes, address, last);
  if (first.kind === 'anonymous') return { context: contextOf(first), makeContext: () => contextOf(first) };
  let latest: GraphqlCaller | undefined;
  const makeNext = async (): Promise<GraphqlContext> => {
    latest = await callerOfClient(services, client, true);
    if (latest.caller.kind === first.kind) return contextOf(latest.caller);
    const fault = first.kind === 'user' ? 'Invalid token' : 'Invalid API key';
    throw new ServiceError('unauthenticated', fault);
  };
  return {
    context: contextOf(first),
    expiresAt,
    makeContext: makeNext,
    makeEventContext: () =>
      latest?.lease !== undefined && latest.lease.until > performance.now()
        ? contextOf(latest.caller)
        : makeNext(),
  };
}
