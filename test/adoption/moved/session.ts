/** Probes, signing in and out, and the user's own record. */

import { createHash } from 'node:crypto';
import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { currentUser } from '../legacy-app/auth.js';
import { AppError } from '../legacy-app/errors.js';
import { passwords } from '../legacy-app/seed.js';
import { Checks } from '../legacy-app/validate.js';
import type { Call } from '../part/customers.js';

type Handlers = Pick<Operations<Call>, 'getHealth' | 'getDocs' | 'login' | 'logout' | 'updateMe'>;

const manual = 'https://manual.lantern.example/api';

export const sessionHandlers = ({ store, now }: Deps): Handlers => ({
  getHealth: () => ({
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    body: { status: 'ok', version: '4.2.0', time: now().toISOString() },
  }),

  getDocs: () => ({ status: 302, headers: { Location: manual }, body: `Redirecting to ${manual}.` }),

  login({ body }, { host }) {
    const checks = new Checks(body);
    const email = checks.email('email');
    const password = checks.text('password');
    checks.done();
    const user = [...store.users.values()].find((each) => each.email === email);
    if (user === undefined || passwords[email] !== password) {
      host.log.warn({ email }, 'sign-in refused');
      throw new AppError(401, 'BAD_CREDENTIALS', 'Wrong e-mail address or password');
    }
    const number = store.next('session');
    const token = createHash('sha256')
      .update(`${email}:${String(number)}`)
      .digest('hex')
      .slice(0, 40);
    store.sessions.set(token, user.id);
    host.cookies.set('sid', token, { httpOnly: true, sameSite: 'lax' });
    const expiresAt = new Date(now().getTime() + 8 * 3_600_000).toISOString();
    return {
      status: 200,
      body: { token, expiresAt, user: { id: user.id, name: user.name, role: user.role } },
    };
  },

  logout(_request, { host }) {
    const token = host.cookies.get('sid') ?? host.get('authorization').replace('Bearer ', '');
    store.sessions.delete(token);
    host.cookies.set('sid', null);
    return { status: 204 };
  },

  updateMe({ body: { name, phone } }, { host }) {
    const user = currentUser(host);
    if (name !== undefined) user.name = name.trim();
    if (phone !== undefined) user.phone = phone.trim();
    return { status: 200, body: { updated: true, user } };
  },
});
