/** The entry point `@concordat/core/testing`: the core in one line, for unit tests of code that calls its services. */
import { type FieldsContract, withDefaults } from './model/stored.js';
import { type Clock, type Timestamp, timestampOf } from './model/timestamp.js';
import { noUserDetails } from './model/user.js';
import type { Storage } from './ports/storage.js';
import type { NewUser } from './ports/user-store.js';
import type { ServicesOptions } from './services/context/service-context.js';
import type { UserCaller } from './services/rights/caller.js';
import { openPolicy } from './services/rights/policy.js';
import { createServices, type Services } from './services/services.js';
import type { WriteHooks } from './services/write-hooks.js';
import { memoryStorage } from './storage/memory.js';

/** The options of `createServices`, all of which may be left out. */
export interface TestCoreOptions extends Partial<Omit<ServicesOptions<Storage>, 'clock'>> {
  readonly hooks?: WriteHooks;
  /** The contract of the application, whose fields the memory store keeps. */
  readonly contract?: FieldsContract;
  /** The first time of the clock, with six decimals; by default the beginning of 2026. */
  readonly now?: Timestamp;
}

/** A clock whose time changes only when it is set. */
export interface TestClock extends Clock {
  /** @param milliseconds - how much later it is now */
  readonly advance: (milliseconds: number) => void;
}

export interface TestCore {
  readonly services: Services;
  readonly storage: Storage;
  /** A signed-in admin. */
  readonly caller: UserCaller;
  readonly clock: TestClock;
  /** Stores a user, beside policy and hooks. @returns the user as a caller: role `user`, `active`, unless given */
  readonly addCaller: (fields?: Partial<NewUser>) => Promise<UserCaller>;
  /** Closes the storage. */
  readonly close: () => Promise<void>;
}

/**
 * Makes the services on an empty store: in memory under `openPolicy`, unless options say otherwise. For SQLite, whose hooks may run
 * statements, the option `storage` is `await sqliteStorage({ path: ':memory:' })`.
 *
 * @example
 * ```ts
 * const { services, caller } = await testCore();
 * const { id } = await services.products.create(caller, { name: 'Lamp', price: 5 });
 * ```
 */
export async function testCore({
  contract,
  storage = memoryStorage({ contract }),
  now = '2026-01-01T00:00:00.000000Z',
  ...options
}: TestCoreOptions = {}): Promise<TestCore> {
  let time = now;
  const clock: TestClock = {
    now: () => time,
    advance: (milliseconds) => {
      time = timestampOf(Date.parse(time) + milliseconds);
    },
  };
  let count = 0;
  const addCaller: TestCore['addCaller'] = async (fields = {}) => {
    count += 1;
    const name = `Caller ${count}`;
    const rights = { role: 'user', status: 'active', passwordHash: undefined } as const;
    const user = { name, email: `caller${count}@example.com`, ...noUserDetails, ...rights, ...fields };
    const record = await storage.users.create(withDefaults(user, storage.ownFields?.User), time);
    if (record === 'email-taken') throw new Error(`a user has the email ${user.email} already`);
    return { kind: 'user', id: record.id, role: record.role, record };
  };
  const services = createServices({ policy: openPolicy, ...options, storage, clock });
  const caller = await addCaller({ role: 'admin' });
  return { services, storage, clock, caller, addCaller, close: () => storage.close() };
}
