/** Who calls: a bearer token, the cookie of a browser, or the key of a scanner. */

import type { Middleware, Next } from 'koa';
import { AppError } from './errors.js';
import { scannerKeys } from './seed.js';
import type { Store } from './store.js';
import type { AppContext, AppState, Ctx, Role, User } from './types.js';

/** Puts the user into `ctx.state`, where there is one. */
export function authenticate(store: Store): Middleware<AppState, AppContext> {
  return async (ctx, next) => {
    const [, bearer] = /^Bearer (.+)$/.exec(ctx.get('authorization')) ?? [];
    const token = bearer ?? ctx.cookies.get('sid');
    const user = token === undefined ? undefined : store.users.get(store.sessions.get(token) ?? 0);
    if (user !== undefined) {
      ctx.state.user = user;
      ctx.log = ctx.log.child({ user: user.id });
    }
    await next();
  };
}

/** Lets users pass that have one of the roles; any user, where none is named. Admins may do everything. */
export function requireRole(...roles: Role[]) {
  return async (ctx: Ctx, next: Next): Promise<void> => {
    const { role } = currentUser(ctx);
    if (roles.length > 0 && role !== 'admin' && !roles.includes(role)) {
      throw new AppError(403, 'FORBIDDEN', `Needs the role ${roles.join(' or ')}`);
    }
    await next();
  };
}

/** Lets scanners pass by their key, and staff by their token. */
export async function requireScannerOrStaff(ctx: Ctx, next: Next): Promise<void> {
  if (scannerKeys[ctx.get('x-api-key')] === undefined) await requireRole('staff')(ctx, next);
  else await next();
}

export function currentUser(ctx: Ctx): User {
  const { user } = ctx.state;
  if (user !== undefined) return user;
  ctx.set('WWW-Authenticate', 'Bearer');
  throw new AppError(401, 'UNAUTHENTICATED', 'Sign in first');
}

/** The name for records: of the scanner, or of the user. */
export function actorOf(ctx: Ctx): string {
  return scannerKeys[ctx.get('x-api-key')] ?? currentUser(ctx).name;
}
