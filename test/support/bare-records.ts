/** Records without what need not be there, for tests to build on. */

import type { NewUser } from '../../src/core/ports/user-store.js';
import type { UserInput } from '../../src/core/services/users/users.js';

export const bareUser = {
  phone: undefined,
  city: undefined,
  passwordHash: undefined,
} satisfies Partial<NewUser>;

export const bareUserInput = {
  password: undefined,
  phone: undefined,
  city: undefined,
  role: undefined,
  status: undefined,
} satisfies Partial<UserInput>;
