/** Services on a memory store with a predictable clock, and callers of every kind. */
import { expect } from 'chai';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import { type ErrorCode, ServiceError } from '../../../src/core/model/error.js';
import type { OrderStatus } from '../../../src/core/model/order.js';
import { timestampOf } from '../../../src/core/model/timestamp.js';
import type { PasswordHasher } from '../../../src/core/ports/sign-in.js';
import type { Storage } from '../../../src/core/ports/storage.js';
import type { ApiKeyCaller, UserCaller } from '../../../src/core/services/rights/caller.js';
import { openPolicy, type Policy } from '../../../src/core/services/rights/policy.js';
import { createServices, type Services } from '../../../src/core/services/services.js';
import { bareUser } from '../../support/bare-records.js';
import { orderOfTwine } from '../../support/sample-inputs.js';

export const apiKey: ApiKeyCaller = { kind: 'api-key', id: '1' };
export const asUser = (id: string): UserCaller => ({ kind: 'user', id, role: 'user' });
export const asAdmin = (id: string): UserCaller => ({ kind: 'user', id, role: 'admin' });

/** Ids in the store that {@link fixture} fills. */
export const ids = { ada: '1', bob: '2', root: '3' } as const;
export const ada = asUser(ids.ada);
export const bob = asUser(ids.bob);
export const root = asAdmin(ids.root);

/** Reverses the password: enough to show that no password is stored in plain text. */
export const reversingHasher: PasswordHasher = {
  hash: (password) => Promise.resolve(`#${Array.from(password).reverse().join('')}`),
  verify: async (hash, password) => (await reversingHasher.hash(password)) === hash,
};

interface Fixture {
  readonly services: Services;
  readonly storage: Storage;
}

/** @returns services on a store with the users Ada and Bob and the admin Root */
export async function fixture(
  policy: Policy,
  { storage = memoryStorage(), passwordHasher }: { storage?: Storage; passwordHasher?: PasswordHasher } = {},
): Promise<Fixture> {
  let second = 0;
  const clock = { now: () => timestampOf(Date.UTC(2026, 0, 1) + 1000 * ++second) };
  for (const [name, role] of [
    ['Ada', 'user'],
    ['Bob', 'user'],
    ['Root', 'admin'],
  ] as const) {
    await storage.users.create(
      { ...bareUser, name, email: `${name}@example.com`, role, status: 'active' },
      clock.now(),
    );
  }
  const services = createServices({ storage, policy, clock, ...(passwordHasher && { passwordHasher }) });
  return { services, storage };
}

export const openFixture = (): Promise<Fixture> => fixture(openPolicy);

/** Fails unless the promise rejects with a ServiceError of this code and, where given, this message. */
export async function refused(
  promise: Promise<unknown>,
  code: ErrorCode,
  message?: string | RegExp,
): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, `expected ${code}`).to.be.instanceOf(ServiceError);
  expect(error).to.have.property('code', code);
  if (typeof message === 'string') expect(error).to.have.property('message', message);
  else if (message !== undefined) expect((error as ServiceError).message).to.match(message);
}

export const unauthenticated = (promise: Promise<unknown>): Promise<void> =>
  refused(promise, 'unauthenticated', 'Not authenticated');
export const forbidden = (promise: Promise<unknown>): Promise<void> =>
  refused(promise, 'forbidden', 'Insufficient permissions');

/** A new order of Ada, brought to a state by an admin. */
export async function orderIn({ orders }: Services, status: OrderStatus): Promise<string> {
  const { id } = await orders.create(ada, { userId: undefined, ...orderOfTwine });
  if (status === 'cancelled') await orders.cancel(root, id);
  else if (status !== 'pending') await orders.changeStatus(root, id, 'processing');
  if (status === 'completed' || status === 'refunded') await orders.changeStatus(root, id, 'completed');
  if (status === 'refunded') await orders.refund(root, id);
  return id;
}
