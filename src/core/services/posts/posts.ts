/** The use cases around posts. */
import { invalidInput, notFound, type ServiceError } from '../../model/error.js';
import { type Id, parsePosition } from '../../model/id.js';
import {
  clampLimit,
  defaultFeedLimit,
  feedPage,
  keysetPage,
  listTooLong,
  type FeedPage,
  type KeysetPage,
} from '../../model/page.js';
import { checkPostTexts, type Post } from '../../model/post.js';
import type { StoredValues } from '../../model/stored.js';
import { parseTimestamp, type Timestamp } from '../../model/timestamp.js';
import type { User } from '../../model/user.js';
import type { NewPost, PostStore } from '../../ports/post-store.js';
import { type Caller, ownerOf } from '../rights/caller.js';
import type { ServiceContext } from '../context/service-context.js';
import { writeBy } from '../writes/writes.js';
import { bothStored, passing, readWholeList, wholeList, type WholeListArguments } from '../reads/lists.js';
import { type FeedState, PostFeed, type PostSubscription } from './post-feed.js';
import { type PostReading, postReader, wholePosts } from './post-reader.js';
import type { Rights } from '../rights/rights.js';
import { Semaphore } from '../../pacing/pacing.js';

export interface PostInput extends Omit<NewPost, 'authorId'> {
  /** The caller's id when undefined; required when no user is signed in. */
  readonly authorId?: string | undefined;
}

/** Every method throws `unauthenticated` or `forbidden` if the policy refuses. */
export class PostsService {
  readonly #context: ServiceContext<'posts' | 'users'>;
  readonly #posts: PostStore;
  readonly #rights: Rights;
  readonly #feed: PostFeed;
  /** Few reads of long lists run at once, because each may take megabytes. */
  readonly #permits = new Semaphore(8, Infinity);

  /** @param outer - the service whose subscribers get the posts, in a transaction */
  constructor(context: ServiceContext<'posts' | 'users'>, outer?: PostsService) {
    this.#context = context;
    this.#posts = context.storage.posts;
    this.#rights = context.rights;
    const { storage, events, subscriberBounds: bounds, userChanges, report, delivered } = context;
    const settle = () => userChanges.settle();
    this.#feed =
      outer === undefined
        ? new PostFeed({ posts: storage.posts, events, bounds, settle, report, delivered })
        : outer.#feed;
  }

  /**
   * Stores a post, then announces it to the subscribers of every process. A failed announcement does not fail the call: see
   * {@link PostFeed.announce}.
   *
   * @throws ServiceError `invalid-input`, also for an author who does not exist
   */
  async create(caller: Caller, input: PostInput): Promise<Post> {
    this.#rights.requireSome(caller, 'posts.create');
    const { title, content } = input;
    const authorId = ownerOf(caller, 'authorId', input.authorId);
    const draft = { title, content, authorId, stored: input.stored };
    this.#rights.require(caller, 'posts.create', authorId, draft);
    checkPostTexts(input);
    const { clock, writes } = this.#context;
    const write = { ...writeBy(caller, 'posts.create'), event: 'post.created' } as const;
    const given = await writes.before<NewPost>(write, undefined, draft, checkPostTexts);
    const post = await writes.store(write, undefined, ({ posts }) => posts.create(given, clock.now()));
    if (post === 'author-not-found') throw invalidInput('authorId', 'must be the id of a user');
    await writes.afterwards(() => this.#feed.announce(post));
    return post;
  }

  /**
   * Subscribes to every post that is stored from now on, by any process of the deployment, each once and in order.
   *
   * @param since - the id of the last post that the subscriber has, if it returns: it gets all later ones, at most 10,000 missed ones
   * @param place - the name of this input, for the message
   * @param authorId - only the posts of this author; those of all unless given
   * @returns an iterator, once it cannot miss a later post. It fails with `limit-exceeded` if it is read so slowly that more posts
   *   wait than `subscriberBounds` allows
   * @throws ServiceError `invalid-input` for another `since`, `limit-exceeded` when more posts were missed
   */
  async subscribeAdded(
    caller: Caller,
    since?: string,
    place = 'since',
    authorId?: string,
  ): Promise<PostSubscription> {
    const passes = this.#rights.filter(caller, 'posts.read');
    const after = since === undefined ? undefined : parsePosition(place, since);
    const ofAuthor = (post: Post): boolean => post.authorId === authorId && (passes?.(post) ?? true);
    return await this.#feed.subscribe(authorId === undefined ? passes : ofAuthor, after);
  }

  /** The subscribers of this process and their queues, for metrics. */
  get feedState(): FeedState {
    return this.#feed.state;
  }

  /** A key of the rights that decide on the fields of a post and its author: callers with equal keys may read the same. */
  readingRights(caller: Caller): string {
    return this.#rights.keyOf(caller, ['posts.read', 'users.read']);
  }

  /** Checks the right to read a post that a subscription is about to deliver. */
  requireRead(caller: Caller, post: Post): void {
    this.#rights.require(caller, 'posts.read', undefined, post);
  }

  /** @throws ServiceError `not-found` */
  async get(caller: Caller, id: string): Promise<Post> {
    const passes = this.#rights.filter(caller, 'posts.read');
    const post = await this.#posts.find(id);
    if (post === undefined || passes?.(post) === false) throw notFound('Post');
    return post;
  }

  /**
   * All posts, or a part of the list, ascending by id.
   *
   * @param reading - in which form, and with which `Keep`
   * @throws ServiceError as {@link readWholeList}
   */
  async listAll(
    caller: Caller,
    asked: WholeListArguments = wholeList,
    reading: PostReading = wholePosts,
  ): Promise<readonly Post[]> {
    const { passes, stored } = this.#visible(caller, asked.stored);
    const reader = postReader(this.#posts, this.#permits, passes, reading);
    return await readWholeList(asked, async (slice) => (stored === 'none' ? [] : reader.list(slice, stored)));
  }

  /**
   * A page by time, oldest first.
   *
   * @param asked - `since` is an ISO 8601 timestamp: only posts created later are returned
   * @throws ServiceError `invalid-input` for any other `since`
   */
  async listSince(
    caller: Caller,
    asked: { readonly since: string | undefined; readonly limit: number | undefined },
    stored?: StoredValues,
  ): Promise<KeysetPage<Post>> {
    const { passes, stored: filter } = this.#visible(caller, stored);
    const since = asked.since === undefined ? undefined : parseTimestamp('since', asked.since, 'paging');
    const limit = clampLimit(asked.limit);
    if (filter === 'none') return keysetPage([], limit);
    const read = passing(
      passes,
      ({ createdAt }) => createdAt,
      (from: Timestamp | undefined, count) => this.#posts.listSince(from, count, filter),
    );
    return keysetPage(await read(since, limit), limit);
  }

  /**
   * A page of the feed, newest first.
   *
   * @param asked - `lastId` is digits: only posts with a smaller id are returned
   * @throws ServiceError `invalid-input` for any other `lastId`
   */
  async listFeed(
    caller: Caller,
    asked: { readonly lastId: string | undefined; readonly limit: number | undefined },
  ): Promise<FeedPage<Post>> {
    const { passes, stored } = this.#visible(caller);
    const before = asked.lastId === undefined ? undefined : parsePosition('lastId', asked.lastId);
    const limit = clampLimit(asked.limit, defaultFeedLimit);
    if (stored === 'none') return feedPage([], limit);
    const read = passing(
      passes,
      ({ id }) => id,
      (from: Id | undefined, count) => this.#posts.listBefore(from, count, stored),
    );
    return feedPage(await read(before, limit + 1), limit);
  }

  /**
   * The posts of several authors, one entry per author in the order of the ids. Posts that a rule function hides count towards both
   * bounds, because they are read.
   *
   * @param most - the maximum number of posts in total
   * @param reading - in which form, and with which `Keep`
   * @returns the posts of each author ascending by id, or the error `limit-exceeded` for an author with more than 10,000
   * @throws ServiceError `limit-exceeded` when there are more than `most` in total
   */
  async listByAuthors(
    caller: Caller,
    authorIds: readonly string[],
    most = Infinity,
    reading: PostReading = wholePosts,
  ): Promise<readonly (readonly Post[] | ServiceError)[]> {
    const passes = this.#rights.filter(caller, 'posts.read');
    const reader = postReader(this.#posts, this.#permits, passes, reading);
    const lists = await reader.byAuthors(authorIds, { left: most });
    const advice = 'read them with posts(limit, after)';
    return lists.map((posts) => (posts === 'too-many' ? listTooLong(advice) : posts));
  }

  /**
   * The authors of posts that the caller has read, in one read, in the order of the ids. The right to read a post covers only the
   * id and name of its author: before using any other field, call `UsersService.requireDetails`.
   */
  async getAuthors(caller: Caller, authorIds: readonly string[]): Promise<readonly (User | undefined)[]> {
    this.#rights.requireSome(caller, 'posts.read');
    const { storage, joinedUsers } = this.#context;
    const [id = '', ...others] = authorIds;
    // An event has one author, whom its subscribers may ask for with several operations.
    return others.length > 0 ? await storage.users.findMany(authorIds) : [await joinedUsers.load(id)];
  }

  /** The values by which the store finds the posts of a list, and the test of what it cannot apply. */
  #visible(caller: Caller, given?: StoredValues) {
    const scope = this.#rights.scopeOfAll(caller, 'posts.read');
    const passes = scope.stored === undefined ? scope.passes : undefined;
    return { passes, stored: bothStored(given, scope) };
  }
}
