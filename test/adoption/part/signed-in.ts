/** The security schemes of users: the application's own middleware has already read their token or cookie. */

import type { SecurityHandler } from '@concordat/runtime';
import type { Ctx, Role, User } from '../legacy-app/types.js';

/** The user whom the application's own middleware has put into `ctx.state`. */
export const signedIn: SecurityHandler<User | undefined, Ctx> = {
  missing: 'Sign in first',
  authenticate: (_credential, { host }) => {
    const { user } = host.state;
    return user === undefined ? { refused: 'Sign in first' } : { caller: user, scopes: rolesOf(user) };
  },
};

const rolesOf = ({ role }: User): Role[] => (role === 'admin' ? ['admin', 'staff', 'viewer'] : [role]);
