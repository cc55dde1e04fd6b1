/** The use cases around comments on orders. */
import { commentTextBounds, type Comment } from '../model/comment.js';
import { invalidInput, notFound } from '../model/error.js';
import { anyPage, type OffsetArguments, type OffsetPage } from '../model/page.js';
import { checkText } from '../model/text.js';
import type { CommentFilter, CommentStore } from '../ports/comment-store.js';
import type { Caller } from './caller.js';
import type { ServiceContext } from './context.js';
import { readPage } from './filtered-lists.js';
import { ownerOf } from './owner.js';
import type { Rights } from './rights.js';

export interface CommentInput {
  readonly orderId: string;
  /** The caller's id when undefined; required when no user is signed in. */
  readonly userId: string | undefined;
  readonly text: string;
}

/**
 * Every method throws `unauthenticated` or `forbidden` where the table of rights says no. A comment belongs to the user who
 * wrote it and to the user of its order. A comment that the caller may not read is treated as one that does not exist.
 */
export class CommentsService {
  readonly #context: ServiceContext<'comments' | 'orders'>;
  readonly #comments: CommentStore;
  readonly #rights: Rights;

  constructor(context: ServiceContext<'comments' | 'orders'>) {
    this.#context = context;
    this.#comments = context.storage.comments;
    this.#rights = context.rights;
  }

  /**
   * Comments on an order. An order that the caller may not read is treated as one that does not exist.
   *
   * @throws ServiceError `invalid-input`, also for a user or an order that does not exist
   */
  async create(caller: Caller, input: CommentInput): Promise<Comment> {
    this.#rights.requireSome(caller, 'comments.create');
    const { orderId, text } = input;
    const userId = ownerOf(caller, 'userId', input.userId);
    this.#rights.require(caller, 'comments.createAs', userId, { orderId, userId, text });
    checkText('text', text, commentTextBounds);
    const noOrder = invalidInput('orderId', 'must be the id of an order');
    const order = await this.#context.storage.orders.find(orderId);
    if (order === undefined || !this.#rights.allows(caller, 'orders.read', order.userId, order))
      throw noOrder;
    this.#rights.require(caller, 'comments.create', order.userId, order);
    const comment = await this.#comments.create({ orderId, userId, text }, this.#context.clock.now());
    if (comment === 'order-not-found') throw noOrder;
    if (comment === 'user-not-found') throw invalidInput('userId', 'must be the id of a user');
    return comment;
  }

  /** @throws ServiceError `not-found` */
  async get(caller: Caller, id: string): Promise<Comment> {
    this.#rights.requireSome(caller, 'comments.read');
    const comment = await this.#comments.find(id);
    if (comment === undefined || !(await this.#mayRead(caller, comment))) throw notFound('Comment');
    return comment;
  }

  /** A page by offset, ascending by id; by default the first 100. */
  async list(
    caller: Caller,
    { orderId }: Pick<CommentFilter, 'orderId'>,
    asked: OffsetArguments = anyPage,
  ): Promise<OffsetPage<Comment>> {
    const { owner, passes } = this.#rights.scope(caller, 'comments.read');
    const filter = { orderId, concerning: owner };
    return await readPage(
      asked,
      passes,
      (slice) => this.#comments.list(filter, slice),
      () => this.#comments.count(filter),
    );
  }

  async #mayRead(caller: Caller, comment: Comment): Promise<boolean> {
    if (this.#rights.allows(caller, 'comments.read', comment.userId, comment)) return true;
    const order = await this.#context.storage.orders.find(comment.orderId);
    return this.#rights.allows(caller, 'comments.read', order?.userId, comment);
  }
}
