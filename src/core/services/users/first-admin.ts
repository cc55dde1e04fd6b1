/** Makes sure that the admin named in the settings exists, so that a new deployment has a first admin. */
import { transactionOf } from '../writes/replaced-stores.js';
import { type Write, Writes } from '../writes/writes.js';
import type { ServicesOptions } from '../context/service-context.js';
import { UserChanges } from '../rights/user-changes.js';
import { operator } from '../rights/caller.js';
import { type KeepsFields, withDefaults } from '../../model/stored.js';
import { noUserDetails } from '../../model/user.js';
import type { PasswordHasher } from '../../ports/sign-in.js';
import type { Stores } from '../../ports/storage.js';
import { unchangedUser, type NewUser, type UserChange } from '../../ports/user-store.js';
import { systemClock } from '../../model/timestamp.js';

/**
 * Creates or changes a user so that an active admin with this email and password exists. Several processes may run it at once.
 *
 * @param admin - the email and password from the settings; an existing user with this email becomes the admin, and their tokens
 *   are revoked
 * @param announcing - the bus on which a changed user is announced to the other processes
 */
export async function ensureAdmin(
  storage: Pick<Stores, 'users'> & Partial<Stores> & KeepsFields,
  hasher: PasswordHasher,
  admin: { readonly email: string; readonly password: string },
  { events, report }: Pick<ServicesOptions, 'events' | 'report'> = {},
): Promise<void> {
  const { email, password } = admin;
  const { users } = storage;
  const writes = new Writes({ storage, transaction: transactionOf(storage), clock: systemClock });
  const write: Write = {
    caller: { ...operator, address: 'settings' },
    operation: 'users.ensureAdmin',
    audited: [{ action: 'users.giveRole', detail: 'role admin, status active' }],
  };
  let found = await users.findCredentials(email);
  if (found === undefined) {
    const passwordHash = await hasher.hash(password);
    const created: NewUser = {
      name: 'Administrator',
      email,
      ...noUserDetails,
      role: 'admin',
      status: 'active',
      passwordHash,
    };
    const user = withDefaults(created, storage.ownFields?.User);
    const outcome = await writes.store({ ...write, creates: 'user' }, undefined, ({ users }) =>
      users.create(user, systemClock.now()),
    );
    if (outcome !== 'email-taken') return;
    // Another process was faster; its user is checked like any other.
    found = await users.findCredentials(email);
  }
  if (found === undefined) throw new Error(`the admin ${email} was deleted while the service started`);
  const { user, passwordHash } = found;
  const isRight = passwordHash !== undefined && (await hasher.verify(passwordHash, password));
  if (isRight && user.role === 'admin' && user.status === 'active') return;
  const change: UserChange = {
    ...unchangedUser,
    role: 'admin',
    status: 'active',
    passwordHash: isRight ? undefined : await hasher.hash(password),
    // The person who signed up with this email may not be the admin whom the settings mean.
    revokesTokens: true,
  };
  await writes.store({ ...write, target: `user:${user.id}` }, user, ({ users }) =>
    users.update(user.id, change, systemClock.now()),
  );
  await new UserChanges(events, report).announce(user.id);
}
