/** The use cases around users. */
import { notFound } from '../../model/error.js';
import { checkUserInput, type User } from '../../model/user.js';
import { unchangedUser, type UserChange } from '../../ports/user-store.js';
import type { Caller } from '../rights/caller.js';
import { type Created, createOnce } from '../writes/idempotency.js';
import { type Amounts, increased, unlessInvalid } from '../writes/stored-changes.js';
import type { AuditedAction } from '../writes/audit.js';
import { type Write, writeBy } from '../writes/writes.js';
import { hashNew } from '../credentials/secrets.js';
import { countSignUp } from '../sign-in/attempts.js';
import { unconditional, type WriteCondition, writeWhile } from '../writes/write-condition.js';
import {
  accepted,
  changedMeanwhile,
  changedRights,
  userFromInput,
  givingRole,
  patchedFields,
  grants,
  targetOf,
  writtenFields,
  type UserInput,
  type UserPatch,
} from './user-input.js';
import { UserReads } from './user-reads.js';

/** Every method throws `unauthenticated` or `forbidden` if the policy refuses. */
export class UsersService extends UserReads {
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
    const user = userFromInput(input);
    const actions = ['users.create', ...givingRole(input)] as const;
    for (const action of actions) this.context.rights.require(caller, action, undefined, user);
    checkUserInput(input);
    const { writes, clock, signUpLimiter } = this.context;
    const own = { operation: 'users.create', creates: 'user', event: 'user.created' } as const;
    const write = { caller, actions, ...own };
    const find = (id: string) => this.context.storage.users.find(id);
    return await createOnce(this.context, write, { key, input }, find, async (keyed) => {
      if (address !== undefined) await countSignUp(signUpLimiter, address);
      const given = await writes.before(write, undefined, input, checkUserInput);
      const user = userFromInput(given, await hashNew(this.context.passwords, given.password));
      const outcome = await writes.create({ ...write, audited: grants(given) }, keyed, ({ users }) =>
        users.create(user, clock.now()),
      );
      return accepted(outcome);
    });
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
    return await this.#write(caller, 'users.replace', id, input, condition, writtenFields);
  }

  /** Changes some fields of a user. @throws ServiceError as {@link replace} */
  async update(
    caller: Caller,
    id: string,
    patch: UserPatch,
    condition: WriteCondition = unconditional,
  ): Promise<User> {
    return await this.#write(caller, 'users.update', id, patch, condition, patchedFields);
  }

  /** Adds amounts to stored fields, in the step of the write. @throws ServiceError as {@link update} and `increased` */
  async increment(
    caller: Caller,
    id: string,
    amounts: Amounts<'User'>,
    condition: WriteCondition = unconditional,
  ): Promise<User> {
    const stored = increased(this.context.storage.ownFields, 'User', amounts);
    return await this.update(caller, id, { stored }, condition);
  }

  async #write<Input extends UserPatch>(
    caller: Caller,
    operation: string,
    id: string,
    input: Input,
    condition: WriteCondition,
    fieldsOf: (given: Input) => Partial<UserChange>,
  ): Promise<User> {
    const compared = givingRole(input).length > 0 ? await this.context.storage.users.find(id) : undefined;
    const { role, status } = changedRights(input, compared);
    const changingPassword = input.password === undefined ? [] : (['users.changePassword'] as const);
    const actions = ['users.update', ...givingRole({ role, status }), ...changingPassword] as const;
    const decide = this.context.rights.requireFirst(caller, actions, id, targetOf(id));
    checkUserInput(input);
    const compareAgain = (user: User): void => {
      decide?.(user);
      if (user.role !== compared?.role || user.status !== compared.status) throw changedMeanwhile;
    };
    const write = { caller, operation, actions, event: 'user.updated' } as const;
    const whole = { ...input, role, status };
    const changing = this.#update(write, id, condition, compared ? compareAgain : decide, async (user) => {
      const given = await this.context.writes.before(write, user, whole, checkUserInput);
      const audited = [...grants(given), ...changingPassword.map((action) => ({ action }))];
      const change = {
        ...unchangedUser,
        ...fieldsOf(given),
        role: given.role,
        status: given.status,
        passwordHash: await hashNew(this.context.passwords, given.password),
      };
      return [change, audited];
    });
    return await changing.catch((error: unknown) => {
      if (error === changedMeanwhile) return this.#write(caller, operation, id, input, condition, fieldsOf);
      throw error;
    });
  }

  /** Activates a user; does nothing if the user is already active. @throws ServiceError `not-found` */
  async activate(caller: Caller, id: string): Promise<User> {
    const decide = this.context.rights.requireFirst(caller, ['users.activate'], undefined, targetOf(id));
    const user = await this.#find(caller, id);
    if (user === undefined) throw notFound('User');
    decide?.(user);
    if (user.status === 'active') return user;
    return await this.#changeBy(caller, 'users.activate', id, decide, { status: 'active' });
  }

  /** Revokes every token of a user, of all kinds. @throws ServiceError `not-found` */
  async endSessions(caller: Caller, id: string): Promise<void> {
    const decide = this.context.rights.requireFirst(caller, ['users.endSessions'], id, targetOf(id));
    await this.#changeBy(caller, 'users.endSessions', id, decide, { revokesTokens: true });
  }

  /** A change without an input. */
  async #changeBy(
    caller: Caller,
    action: 'users.activate' | 'users.endSessions',
    id: string,
    decide: ((user: User) => void) | undefined,
    fields: Partial<UserChange>,
  ): Promise<User> {
    const write = { ...writeBy(caller, action), event: 'user.updated' } as const;
    return await this.#update(write, id, unconditional, decide, async (user) => {
      await this.context.writes.before(write, user, undefined);
      return [{ ...unchangedUser, ...fields }, [{ action }]];
    });
  }

  /**
   * Deletes a user with their posts and comments; their orders stay.
   *
   * @throws ServiceError `not-found`, `precondition-failed`, `conflict` for the last admin
   */
  async delete(caller: Caller, id: string, condition: WriteCondition = unconditional): Promise<void> {
    const decide = this.context.rights.requireFirst(caller, ['users.delete'], undefined, targetOf(id));
    const { writes, userChanges } = this.context;
    const audited = [{ action: 'users.delete', target: targetOf(id) }] as const;
    const write = { ...writeBy(caller, 'users.delete'), audited, event: 'user.deleted', id } as const;
    await writeWhile(this.#readFor(write, id, condition, decide), async (user) => {
      await writes.before(write, user, undefined);
      const outcome = await writes.store(write, user, ({ users }) => users.delete(id, user?.version));
      return accepted(outcome, 'deleted');
    });
    await writes.afterwards(() => userChanges.announce(id));
  }

  /** @param changeOf - runs after the version check, so that a refused write costs no password hash */
  async #update(
    write: Write,
    id: string,
    condition: WriteCondition,
    decide: ((user: User) => void) | undefined,
    changeOf: (user: User | undefined) => Promise<readonly [UserChange, (readonly AuditedAction[])?]>,
  ): Promise<User> {
    const { writes, clock, userChanges } = this.context;
    const reading = this.#readFor(write, id, condition, decide);
    const changed = await writeWhile<User, User>(reading, async (user) => {
      const [change, audited = []] = await changeOf(user);
      const outcome = await writes.store({ ...write, audited, target: targetOf(id) }, user, ({ users }) =>
        users.update(id, change, clock.now(), user?.version),
      );
      return accepted(unlessInvalid(outcome, change), change.role === 'user' ? 'demoted' : 'deactivated');
    });
    await writes.afterwards(() => userChanges.announce(id));
    return changed;
  }

  #readFor(write: Write, id: string, condition: WriteCondition, decide?: (user: User) => void) {
    const read = () => this.#find(write.caller, id);
    return { what: 'User', condition, decide, read, isNeeded: this.context.writes.hooked(write) };
  }

  async #find(caller: Caller, id: string): Promise<User | undefined> {
    const user = await this.context.storage.users.find(id);
    return user && this.context.rights.hides(caller, 'users.read', user) ? undefined : user;
  }
}
