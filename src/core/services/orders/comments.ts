/** The use cases around comments on orders. */
import { commentTextBounds, type Comment } from '../../model/order.js';
import { invalidInput, notFound, type ServiceError } from '../../model/error.js';
import { anyPage, type OffsetArguments, type OffsetPage } from '../../model/page.js';
import type { StoredOf } from '../../model/stored.js';
import { checkText } from '../../model/text.js';
import type { Id } from '../../model/id.js';
import type { CommentFilter, NewComment } from '../../ports/order-store.js';
import { type Caller, ownerOf } from '../rights/caller.js';
import type { ServiceContext } from '../context/service-context.js';
import { type Created, createOnce } from '../writes/idempotency.js';
import { readPage } from '../reads/lists.js';

/** The rights that a new comment takes. */
const actions = ['comments.create', 'comments.createAs'] as const;

export interface CommentInput {
  readonly orderId: string;
  /** The caller's id when undefined; required when no user is signed in. */
  readonly userId: string | undefined;
  readonly text: string;
  readonly stored?: StoredOf<'Comment'> | undefined;
}

/**
 * Every method throws `unauthenticated` or `forbidden` if the policy refuses. A comment belongs to the user who wrote it and to the
 * user of its order. A comment that the caller may not read is treated as one that does not exist.
 */
export class CommentsService {
  constructor(private readonly context: ServiceContext<'comments' | 'orders'>) {}

  /**
   * Comments on an order. An order that the caller may not read is treated as one that does not exist.
   *
   * @throws ServiceError `invalid-input`, also for a user or an order that does not exist
   */
  async create(caller: Caller, input: CommentInput): Promise<Comment> {
    return (await this.createOnce(caller, input, undefined)).record;
  }

  /** Like {@link create}, at most once per idempotency key. @throws ServiceError also as `Idempotency.run` */
  async createOnce(caller: Caller, input: CommentInput, key: string | undefined): Promise<Created<Comment>> {
    this.context.rights.requireSome(caller, 'comments.create');
    const { orderId, text, stored } = input;
    const userId = ownerOf(caller, 'userId', input.userId);
    const draft = { orderId, userId, text, stored };
    this.context.rights.require(caller, 'comments.createAs', userId, draft);
    const check = (given: NewComment) => checkText('text', given.text, commentTextBounds);
    check(draft);
    const allowed = async ({ orderId, userId, text, stored }: NewComment) => {
      const order = await this.context.storage.orders.find(orderId);
      if (order === undefined || !this.context.rights.allows(caller, 'orders.read', order.userId, order)) {
        throw noOrder();
      }
      this.context.rights.require(caller, 'comments.create', order.userId, order);
      return { orderId, userId, text, stored };
    };
    const { writes, clock } = this.context;
    const write = { caller, operation: 'comments.create', actions, event: 'comment.created' } as const;
    const find = (id: string) => this.context.storage.comments.find(id);
    return await createOnce(this.context, write, { key, input }, find, async (keyed) => {
      if (writes.hooked(write)) await allowed(draft);
      const comment = await allowed(await writes.before(write, undefined, draft, check));
      const outcome = await writes.create(write, keyed, ({ comments }) =>
        comments.create(comment, clock.now()),
      );
      return created(outcome);
    });
  }

  /** @throws ServiceError `not-found` */
  async get(caller: Caller, id: string): Promise<Comment> {
    this.context.rights.requireSome(caller, 'comments.read');
    const comment = await this.context.storage.comments.find(id);
    if (comment === undefined) throw notFound('Comment');
    const mayRead = (owner: Id | undefined): boolean =>
      this.context.rights.allows(caller, 'comments.read', owner, comment);
    if (mayRead(comment.userId)) return comment;
    const order = await this.context.storage.orders.find(comment.orderId);
    if (!mayRead(order?.userId)) throw notFound('Comment');
    return comment;
  }

  /** A page by offset, ascending by id; by default the first 100. */
  async list(
    caller: Caller,
    { orderId, stored }: Pick<CommentFilter, 'orderId' | 'stored'>,
    asked: OffsetArguments = anyPage,
  ): Promise<OffsetPage<Comment>> {
    const { owner: concerning, ...visible } = this.context.rights.scope(caller, 'comments.read');
    return await readPage(
      asked,
      visible,
      stored,
      (slice, values) => this.context.storage.comments.list({ orderId, concerning, stored: values }, slice),
      (values) => this.context.storage.comments.count({ orderId, concerning, stored: values }),
    );
  }
}

function noOrder(): ServiceError {
  return invalidInput('orderId', 'must be the id of an order');
}

function created<T extends object>(outcome: T | 'order-not-found' | 'user-not-found'): T {
  if (outcome === 'order-not-found') throw noOrder();
  if (outcome === 'user-not-found') throw invalidInput('userId', 'must be the id of a user');
  return outcome;
}
