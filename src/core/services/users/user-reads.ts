/** The use cases that read users. */
import { notFound, ServiceError } from '../../model/error.js';
import { parsePosition } from '../../model/id.js';
import {
  anyPage,
  clampLimit,
  cursorPage,
  type CursorPage,
  type OffsetArguments,
  type OffsetPage,
  type Slice,
} from '../../model/page.js';
import type { StoredValues } from '../../model/stored.js';
import type { User } from '../../model/user.js';
import { everyUser, type UserFilter } from '../../ports/user-store.js';
import type { ServiceContext } from '../context/service-context.js';
import { inParts, type Keep, readPage, readWholeList, visibleById, wholeList } from '../reads/lists.js';
import type { Caller } from '../rights/caller.js';

/** Every method throws `unauthenticated` or `forbidden` if the policy refuses. */
export class UserReads {
  constructor(protected readonly context: ServiceContext<'users'>) {}

  /** @throws ServiceError `not-found` */
  async get(caller: Caller, id: string): Promise<User> {
    const passes = this.context.rights.filter(caller, 'users.read');
    const user = await this.context.storage.users.find(id);
    if (user === undefined || passes?.(user) === false) throw notFound('User');
    return user;
  }

  /** The caller's own record, `known` if it was just read. @throws ServiceError `unauthenticated` also when the user was deleted */
  async getProfile(caller: Caller, known?: User): Promise<User> {
    const passes = this.context.rights.filter(caller, 'profile.read');
    const user =
      caller.kind === 'user' ? (known ?? (await this.context.storage.users.find(caller.id))) : undefined;
    if (user === undefined || passes?.(user) === false)
      throw new ServiceError('unauthenticated', 'Not authenticated');
    return user;
  }

  /**
   * Checks the right to see more than the id and name of a user. Those two are public, for example as the author of a post.
   *
   * @throws ServiceError `unauthenticated` or `forbidden`
   */
  requireDetails(caller: Caller, user: User): void {
    this.context.rights.require(caller, 'users.read', undefined, user);
  }

  /** A page by offset, ascending by id; by default the first 100. */
  async list(
    caller: Caller,
    filter: UserFilter,
    asked: OffsetArguments = anyPage,
  ): Promise<OffsetPage<User>> {
    return await readPage(
      asked,
      this.context.rights.scopeOfAll(caller, 'users.read'),
      filter.stored,
      (slice, stored) => this.context.storage.users.list({ ...filter, stored }, slice),
      (stored) => this.context.storage.users.count({ ...filter, stored }),
    );
  }

  /**
   * A page by cursor, ascending by id.
   *
   * @param asked - `cursor` is digits, empty or absent for the start
   * @throws ServiceError `invalid-input` for any other cursor
   */
  async listByCursor(
    caller: Caller,
    filter: UserFilter,
    asked: { readonly cursor: string | undefined; readonly limit: number | undefined },
  ): Promise<CursorPage<User>> {
    const list = this.#visible(caller, filter);
    const after = asked.cursor ? parsePosition('cursor', asked.cursor) : undefined;
    const limit = clampLimit(asked.limit);
    return cursorPage(await list({ after, limit: limit + 1 }), limit);
  }

  /**
   * All users, or a part of the list, ascending by id; `keep` gets each part when it is read.
   * @throws ServiceError as {@link readWholeList}
   */
  async listAll(caller: Caller, asked = wholeList, keep?: Keep<User>): Promise<readonly User[]> {
    const list = this.#visible(caller, { ...everyUser, stored: asked.stored });
    return await readWholeList(asked, inParts(list, keep));
  }

  #visible(caller: Caller, filter: UserFilter) {
    const visible = this.context.rights.scopeOfAll(caller, 'users.read');
    const list = (slice: Slice, stored?: StoredValues) =>
      this.context.storage.users.list({ ...filter, stored }, slice);
    return visibleById(visible, filter.stored, list);
  }
}
