/** Records without what need not be there, for tests to build on. */

import { noUserDetails } from '../../src/core/model/user.js';
import type { NewUser } from '../../src/core/ports/user-store.js';
import type { UserInput } from '../../src/core/services/users/user-input.js';

export const bareUser = {
  ...noUserDetails,
  passwordHash: undefined,
} satisfies Partial<NewUser>;

export const bareUserInput = {
  password: undefined,
  ...noUserDetails,
  role: undefined,
  status: undefined,
} satisfies Partial<UserInput>;
