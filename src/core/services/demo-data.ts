/** A small set of demo data for an empty store. */

import { ServiceError } from '../model/error.js';
import type { User } from '../model/user.js';
import type { PasswordHasher } from '../ports/sign-in.js';
import { everyUser, type UserStore } from '../ports/user-store.js';
import type { Caller } from './rights/caller.js';
import type { ProductInput } from './products/products.js';
import type { Services } from './services.js';
import type { UserInput } from './users/user-input.js';

/** How to sign in as one of the demo users. */
export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
  readonly role: User['role'];
}

const PASSWORD = 'concordat-demo';

const COMMON = { password: PASSWORD, status: 'active' } as const;

const USERS: readonly UserInput[] = [
  { ...COMMON, name: 'Ada Lovelace', email: 'ada@example.com', role: 'admin', city: 'London' },
  {
    ...COMMON,
    name: 'Grace Hopper',
    email: 'grace@example.com',
    role: 'user',
    city: 'New York',
    phone: '+1 555 0100',
  },
  { ...COMMON, name: 'Katherine Johnson', email: 'katherine@example.com', role: 'user', city: 'Hampton' },
];

const PRODUCTS: readonly { readonly product: ProductInput; readonly categories: readonly string[] }[] = [
  {
    product: { name: 'Garden shears', description: 'For hedges up to 20 mm.', price: 24.5 },
    categories: ['Garden', 'Tools'],
  },
  { product: { name: 'Watering can', price: 19.99 }, categories: ['Garden'] },
  { product: { name: 'Folding rule', description: 'Two metres, beech.', price: 7.8 }, categories: ['Tools'] },
];

/**
 * Fills an empty store: users, one of them an admin, posts, products with categories, orders in several states, comments.
 * Does nothing when the store is not empty, or when another process is filling it.
 *
 * @param admin - a caller who may create all of these records
 */
export async function fillWithDemoData(services: Services, admin: Caller): Promise<void> {
  const { users, posts, products, orders, comments } = services;
  const { pagination } = await users.list(admin, everyUser, { page: 1, limit: 1 });
  if (pagination.total > 0) return;

  const people: User[] = [];
  for (const user of USERS) {
    try {
      people.push(await users.create(admin, user));
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'conflict') return;
      throw error;
    }
  }
  const [ada, grace, katherine] = people.map(({ id }) => id) as [string, string, string];

  for (const [authorId, title, content] of [
    [
      ada,
      'On the Analytical Engine',
      'It weaves algebraic patterns just as the loom weaves flowers and leaves.',
    ],
    [grace, 'A moth in the relay', 'First actual case of bug being found.'],
    [katherine, 'Checking the numbers', 'If she says they are good, then I am ready to go.'],
  ] as const) {
    await posts.create(admin, { authorId, title, content });
  }

  const productIds: string[] = [];
  for (const { product, categories } of PRODUCTS) {
    const { id } = await products.create(admin, product);
    await products.replaceCategories(admin, id, categories);
    productIds.push(id);
  }
  const [shears, can, rule] = productIds as [string, string, string];

  const pending = await orders.create(admin, { userId: grace, items: [{ productId: shears, quantity: 1 }] });
  const processing = await orders.create(admin, { userId: grace, items: [{ productId: can, quantity: 2 }] });
  const completed = await orders.create(admin, {
    userId: katherine,
    items: [{ productId: rule, quantity: 3 }],
  });
  const cancelled = await orders.create(admin, {
    userId: katherine,
    items: [{ name: 'Engraving', unitPrice: 4.2, quantity: 1 }],
  });
  for (const { id } of [processing, completed]) await orders.changeStatus(admin, id, 'processing');
  await orders.changeStatus(admin, completed.id, 'completed');
  await orders.cancel(admin, cancelled.id);

  await comments.create(admin, { orderId: pending.id, userId: grace, text: 'Please leave it at the door.' });
  await comments.create(admin, { orderId: completed.id, userId: katherine, text: 'Arrived in one piece.' });
}

/**
 * The sign-ins of the demo users in a store. Users who were deleted, deactivated or given another password are left out, so the
 * result is also correct in a later run or another process.
 */
export async function findDemoSignIns(
  users: Pick<UserStore, 'findCredentials'>,
  hasher: PasswordHasher,
): Promise<readonly DemoSignIn[]> {
  const found = await Promise.all(
    USERS.map(async ({ email }): Promise<readonly DemoSignIn[]> => {
      const { user, passwordHash } = (await users.findCredentials(email)) ?? {};
      if (user?.status !== 'active' || passwordHash === undefined) return [];
      const isKnown = await hasher.verify(passwordHash, PASSWORD);
      return isKnown ? [{ email, password: PASSWORD, role: user.role }] : [];
    }),
  );
  return found.flat();
}
