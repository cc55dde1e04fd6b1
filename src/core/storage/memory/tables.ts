/** All tables of a memory storage. The stores share them, because deleting a user or an order affects several tables. */
import type { ApiKey } from '../../model/credentials.js';
import type { Id } from '../../model/id.js';
import type { Comment, Order } from '../../model/order.js';
import type { Post } from '../../model/post.js';
import type { Category, Product } from '../../model/product.js';
import { emailKey, type User } from '../../model/user.js';
import { RefreshTokenTable } from './refresh-token-table.js';
import { Table } from './table.js';

/** An API key with its hash and owner, which are not part of the model. */
interface ApiKeyRow {
  readonly id: Id;
  readonly apiKey: ApiKey;
  readonly hash: string;
  readonly ownerId: Id | undefined;
}

export class Tables {
  readonly users = new Table<User>();
  readonly posts = new Table<Post>();
  readonly orders = new Table<Order>();
  readonly comments = new Table<Comment>();
  readonly refreshTokens = new RefreshTokenTable();
  readonly apiKeys = new Table<ApiKeyRow>();
  readonly products = new Table<Product>();
  readonly categoriesByName = new Map<string, Category>();
  /** By the id of the product; ascending by id. */
  readonly categoriesByProduct = new Map<Id, readonly Category[]>();
  lastItemId = 0;

  /** By `emailKey`. */
  readonly userIdsByEmail = new Map<string, Id>();
  readonly passwordHashes = new Map<Id, string>();
  /** By the identity's key. The entry of a deleted user stays and leads to no user. */
  readonly userIdsByIdentity = new Map<string, Id>();

  readonly postsByAuthor = this.posts.index((post) => post.authorId);
  readonly ordersByUser = this.orders.index((order) => order.userId);
  readonly commentsByUser = this.comments.index((comment) => comment.userId);
  readonly apiKeysByOwner = this.apiKeys.index(({ ownerId }) => ownerId ?? '');
  readonly commentsByOrder = this.comments.index((comment) => comment.orderId);

  /** Deletes a user with their posts, comments, API keys and refresh tokens. */
  deleteUser({ id, email }: User): void {
    for (const post of this.postsByAuthor.get(id)?.all() ?? []) this.posts.delete(post.id);
    for (const comment of this.commentsByUser.get(id)?.all() ?? []) this.comments.delete(comment.id);
    for (const apiKey of this.apiKeysByOwner.get(id)?.all() ?? []) this.apiKeys.delete(apiKey.id);
    this.refreshTokens.deleteOfUser(id);
    this.users.delete(id);
    this.userIdsByEmail.delete(emailKey(email));
    this.passwordHashes.delete(id);
  }

  /** Deletes an order with its comments. */
  deleteOrder(id: Id): void {
    for (const comment of this.commentsByOrder.get(id)?.all() ?? []) this.comments.delete(comment.id);
    this.orders.delete(id);
  }
}

/** The methods of a store without their promises: nothing is awaited in them, so each is atomic. */
export type AtOnce<Store> = {
  readonly [Method in keyof Store]: Store[Method] extends (...given: infer Given) => Promise<infer Outcome>
    ? (...given: Given) => Outcome
    : never;
};

export function storeOf<Store extends object>(methods: AtOnce<Store>): Store {
  const answering = Object.entries<(...given: unknown[]) => unknown>(methods).map(([name, method]) => [
    name,
    (...given: unknown[]) => Promise.resolve(method(...given)),
  ]);
  return Object.fromEntries(answering) as Store;
}
