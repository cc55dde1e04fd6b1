/** Records without what need not be there, for tests to build on. */

import { noUserDetails } from '../../src/core/model/user.js';
import type { NewUser } from '../../src/core/ports/user-store.js';

export const bareUser = {
  ...noUserDetails,
  passwordHash: undefined,
} satisfies Partial<NewUser>;
