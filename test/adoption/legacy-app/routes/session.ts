/** Signing in and out, and the user's own record. */

import { createHash } from 'node:crypto';
import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { currentUser, requireRole } from '../auth.js';
import { AppError } from '../errors.js';
import { passwords } from '../seed.js';
import type { AppContext, AppState } from '../types.js';
import { Checks, bodyOf } from '../validate.js';

export function sessionRoutes({ store, now }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>();

  router.post('/login', (ctx) => {
    const checks = new Checks(bodyOf(ctx));
    const email = checks.email('email');
    const password = checks.text('password');
    checks.done();
    const user = [...store.users.values()].find((each) => each.email === email);
    if (user === undefined || passwords[email] !== password) {
      ctx.log.warn({ email }, 'sign-in refused');
      throw new AppError(401, 'BAD_CREDENTIALS', 'Wrong e-mail address or password');
    }
    const number = store.next('session');
    const token = createHash('sha256')
      .update(`${email}:${String(number)}`)
      .digest('hex')
      .slice(0, 40);
    store.sessions.set(token, user.id);
    ctx.cookies.set('sid', token, { httpOnly: true, sameSite: 'lax' });
    const expiresAt = new Date(now().getTime() + 8 * 3_600_000).toISOString();
    ctx.body = { token, expiresAt, user: { id: user.id, name: user.name, role: user.role } };
  });

  router.post('/logout', requireRole(), (ctx) => {
    const token = ctx.cookies.get('sid') ?? ctx.get('authorization').replace('Bearer ', '');
    store.sessions.delete(token);
    ctx.cookies.set('sid', null);
    ctx.status = 204;
  });

  router.get('/me', requireRole(), (ctx) => {
    ctx.body = currentUser(ctx);
  });

  router.patch('/me', requireRole(), (ctx) => {
    const user = currentUser(ctx);
    const checks = new Checks(bodyOf(ctx));
    const name = checks.optionalText('name', 80);
    const phone = checks.optionalText('phone', 30);
    checks.done();
    if (name !== undefined) user.name = name;
    if (phone !== undefined) user.phone = phone;
    ctx.body = { updated: true, user };
  });

  return router;
}
