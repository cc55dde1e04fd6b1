/** The use cases around users. */
import { notFound, ServiceError } from '../../model/error.js';
import { parsePosition } from '../../model/id.js';
import {
  anyPage,
  clampLimit,
  cursorPage,
  type CursorPage,
  type OffsetArguments,
  type OffsetPage,
} from '../../model/page.js';
import { checkUserInput, checkUserTexts, type User } from '../../model/user.js';
import {
  everyUser,
  unchangedUser,
  type UserChange,
  type UserFilter,
  type UserStore,
} from '../../ports/user-store.js';
import type { Caller } from '../rights/caller.js';
import type { ServiceContext } from '../context/service-context.js';
import { type Created, createOnce } from '../writes/idempotency.js';
import { inParts, type Keep, passingById, readPage, readWholeList, wholeList } from '../reads/lists.js';
import type { Rights } from '../rights/rights.js';
import type { Write } from '../writes/writes.js';
import { countSignUp } from '../sign-in/attempts.js';
import { unconditional, type WriteCondition, writeWhile } from '../writes/write-condition.js';
import {
  givenUser,
  givingRole,
  grants,
  targetOf,
  writtenFields,
  type UserInput,
  type UserPatch,
} from './user-input.js';
import { stored, writeBy } from './user-writes.js';

/** Every method throws `unauthenticated` or `forbidden` if the policy refuses. */
export class UsersService {
  readonly #context: ServiceContext<'users'>;
  readonly #users: UserStore;
  readonly #rights: Rights;

  constructor(context: ServiceContext<'users'>) {
    this.#context = context;
    this.#users = context.storage.users;
    this.#rights = context.rights;
  }

  /**
   * Creates a user: role `user` and status `active`, unless an admin gives others.
   *
   * @param address - the client's address, by which sign-ups are counted; sign-ups without one are not counted
   * @throws ServiceError `invalid-input`, `conflict` when the email is in use, `not-implemented` for a password without a hasher,
   *   `too-many-requests` after too many sign-ups from the address
   */
  async create(caller: Caller, input: UserInput, address?: string): Promise<User> {
    return (await this.createOnce(caller, input, undefined, address)).record;
  }

  /** Like {@link create}, at most once per idempotency key. @throws ServiceError also as `Idempotency.run` */
  async createOnce(caller: Caller, input: UserInput, key?: string, address?: string): Promise<Created<User>> {
    const user = givenUser(input);
    const actions = ['users.create', ...givingRole(input)] as const;
    for (const action of actions) this.#rights.require(caller, action, undefined, user);
    checkUserInput(input);
    const request = { caller, key, operation: 'users.create', input };
    return await createOnce(this.#context, request, {
      write: {
        ...request,
        actions,
        check: checkUserInput,
        audited: grants,
        creates: 'user',
        event: 'user.created',
      },
      begin: address === undefined ? undefined : () => countSignUp(this.#context.signUpLimiter, address),
      make: (given) =>
        given.password === undefined
          ? givenUser(given)
          : this.#hashed(given.password).then((hash) => givenUser(given, hash)),
      store: ({ users }, given) => users.create(given, this.#context.clock.now()),
      recordOf: (outcome) => stored(outcome),
      find: (id) => this.#users.find(id),
    });
  }

  /** @throws ServiceError `not-found` */
  async get(caller: Caller, id: string): Promise<User> {
    const passes = this.#rights.filter(caller, 'users.read');
    const user = await this.#users.find(id);
    if (user === undefined || passes?.(user) === false) throw notFound('User');
    return user;
  }

  /** The caller's own record, `known` if it was just read. @throws ServiceError `unauthenticated` also when the user was deleted */
  async getProfile(caller: Caller, known?: User): Promise<User> {
    const passes = this.#rights.filter(caller, 'profile.read');
    const user = caller.kind === 'user' ? (known ?? (await this.#users.find(caller.id))) : undefined;
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
    this.#rights.require(caller, 'users.read', undefined, user);
  }

  /** A page by offset, ascending by id; by default the first 100. */
  async list(
    caller: Caller,
    filter: UserFilter,
    asked: OffsetArguments = anyPage,
  ): Promise<OffsetPage<User>> {
    return await readPage(
      asked,
      this.#rights.filter(caller, 'users.read'),
      (slice) => this.#users.list(filter, slice),
      () => this.#users.count(filter),
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
    const passes = this.#rights.filter(caller, 'users.read');
    const after = asked.cursor ? parsePosition('cursor', asked.cursor) : undefined;
    const limit = clampLimit(asked.limit);
    const list = passingById(passes, (slice) => this.#users.list(filter, slice));
    return cursorPage(await list({ after, limit: limit + 1 }), limit);
  }

  /**
   * All users, or a part of the list, ascending by id; `keep` gets each part when it is read.
   * @throws ServiceError as {@link readWholeList}
   */
  async listAll(caller: Caller, asked = wholeList, keep?: Keep<User>): Promise<readonly User[]> {
    const passes = this.#rights.filter(caller, 'users.read');
    const list = passingById(passes, (slice) =>
      this.#users.list({ ...everyUser, stored: asked.stored }, slice),
    );
    return await readWholeList(asked, inParts(list, keep));
  }

  /**
   * Replaces a user: an undefined phone or city is cleared; an undefined password, role or status is kept.
   *
   * @throws ServiceError `invalid-input`, `not-found`, `precondition-failed`, `conflict` when the email is in use and for the last
   *   admin, `not-implemented` for a password without a hasher
   */
  async replace(
    caller: Caller,
    id: string,
    input: UserInput,
    condition: WriteCondition = unconditional,
  ): Promise<User> {
    const { role, status } = await this.#changedRights(id, input);
    const changingPassword = input.password === undefined ? [] : (['users.changePassword'] as const);
    const actions = ['users.update', ...givingRole({ role, status }), ...changingPassword] as const;
    const decide = this.#rights.requireFirst(caller, actions, id, targetOf(id));
    checkUserInput(input);
    const write: Write<UserInput> = {
      caller,
      operation: 'users.replace',
      actions,
      input: { ...input, role, status },
      check: checkUserInput,
      audited: (given) => [...grants(given), ...changingPassword.map((action) => ({ action }))],
      target: targetOf(id),
    };
    return await this.#update(write, id, condition, decide, async (given) => ({
      ...unchangedUser,
      ...writtenFields(given),
      role: given.role,
      status: given.status,
      passwordHash: await this.#hashed(given.password),
    }));
  }

  /** Changes single fields of a user. @throws ServiceError as {@link replace} */
  async update(
    caller: Caller,
    id: string,
    patch: UserPatch,
    condition: WriteCondition = unconditional,
  ): Promise<User> {
    const decide = this.#rights.requireFirst(caller, ['users.update'], id);
    checkUserTexts(patch);
    const write: Write<UserPatch> = {
      caller,
      operation: 'users.update',
      actions: ['users.update'],
      input: patch,
      check: checkUserTexts,
    };
    return await this.#update(write, id, condition, decide, (given) => ({ ...unchangedUser, ...given }));
  }

  /** Activates a user; does nothing if the user is already active. @throws ServiceError `not-found` */
  async activate(caller: Caller, id: string): Promise<User> {
    const decide = this.#rights.requireFirst(caller, ['users.activate'], undefined, targetOf(id));
    const user = await this.#find(caller, id);
    if (user === undefined) throw notFound('User');
    decide?.(user);
    if (user.status === 'active') return user;
    const change = { ...unchangedUser, status: 'active' } as const;
    return await this.#update(writeBy(caller, 'users.activate', id), id, unconditional, decide, () => change);
  }

  /** Revokes every token of a user, of all kinds. @throws ServiceError `not-found` */
  async endSessions(caller: Caller, id: string): Promise<void> {
    const decide = this.#rights.requireFirst(caller, ['users.endSessions'], id, targetOf(id));
    const change = { ...unchangedUser, revokesTokens: true } as const;
    await this.#update(writeBy(caller, 'users.endSessions', id), id, unconditional, decide, () => change);
  }

  /**
   * Deletes a user with their posts and comments; their orders stay.
   *
   * @throws ServiceError `not-found`, `precondition-failed`, `conflict` for the last admin
   */
  async delete(caller: Caller, id: string, condition: WriteCondition = unconditional): Promise<void> {
    const decide = this.#rights.requireFirst(caller, ['users.delete'], undefined, targetOf(id));
    const read = () => this.#find(caller, id);
    const { writes } = this.#context;
    const write: Write = { ...writeBy(caller, 'users.delete', id), event: 'user.deleted', id };
    const isNeeded = writes.hooked(write.actions);
    const outcome = await writeWhile({ what: 'User', condition, decide, read, isNeeded }, (user) =>
      writes.run(write, user, {
        make: () => undefined,
        store: ({ users }) => users.delete(id, user?.version),
      }),
    );
    if (outcome !== 'deleted') stored(outcome, 'deleted');
    await writes.afterwards(() => this.#context.userChanges.announce(id));
  }

  /** The role and status that differ from the stored ones, so that a caller may write back the values that it has read. */
  async #changedRights(id: string, { role, status }: UserInput): Promise<Pick<UserInput, 'role' | 'status'>> {
    if (role === undefined && status === undefined) return { role, status };
    const stored = await this.#users.find(id);
    return {
      role: role === stored?.role ? undefined : role,
      status: status === stored?.status ? undefined : status,
    };
  }

  /** The change is computed after the version check, so that a refused write costs no password hash. */
  async #update<Input>(
    write: Write<Input>,
    id: string,
    condition: WriteCondition,
    decide: ((user: User) => void) | undefined,
    change: (input: Input) => UserChange | Promise<UserChange>,
  ): Promise<User> {
    const { writes, clock } = this.#context;
    const read = () => this.#find(write.caller, id);
    const isNeeded = writes.hooked(write.actions);
    let ending: string | undefined;
    const outcome = await writeWhile({ what: 'User', condition, decide, read, isNeeded }, (user) =>
      writes.run({ ...write, event: 'user.updated' }, user, {
        make: change,
        store({ users }, fields) {
          ending = fields.role === 'user' ? 'demoted' : 'deactivated';
          return users.update(id, fields, clock.now(), user?.version);
        },
      }),
    );
    const user = stored(outcome, ending);
    await writes.afterwards(() => this.#context.userChanges.announce(id));
    return user;
  }

  async #find(caller: Caller, id: string): Promise<User | undefined> {
    const user = await this.#users.find(id);
    return user && this.#rights.hides(caller, 'users.read', user) ? undefined : user;
  }

  async #hashed(password: string | undefined): Promise<string | undefined> {
    if (password === undefined) return undefined;
    const { passwords } = this.#context;
    if (passwords) return await passwords.hash(password);
    throw new ServiceError('not-implemented', 'This service does not take passwords');
  }
}
