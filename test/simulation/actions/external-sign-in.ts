/** Signs in with the identity provider. */

import { type Action, Fault, Refusals, newId, same } from '../calls.js';
import { emailOwner, wrote } from '../model.js';
import { profiles } from '../neighbours/identity-provider.js';
import { begun } from './sign-in.js';
import { nobody } from './senders.js';

const day = 24 * 60 * 60_000;

const start: Action = {
  name: 'startExternalSignIn',
  weight: 1,
  draw: () => ({ method: 'GET', path: '/api/auth/idp', sender: nobody }),
  judge(_, call, answer) {
    // The provider may not answer.
    if (!new Refusals().perhaps(true, 503).judge(answer, 302)) return;
    same('location', answer.headers.get('location'), 'https://idp.example/');
    same('Cache-Control', answer.headers.get('cache-control'), 'no-store');
    const cookie = answer.headers.get('set-cookie') ?? '';
    if (!/^external_sign_in=ticket;.*HttpOnly/.test(cookie))
      throw new Fault(`${call.path} set the cookie ${cookie}`);
  },
};

const complete: Action = {
  name: 'completeExternalSignIn',
  weight: 2,
  draw(random) {
    const code = random.chance(0.9) ? (random.pick(Object.keys(profiles)) ?? '') : 'other';
    const cookie = random.chance(0.9) ? { cookie: 'external_sign_in=ticket' } : {};
    const path = `/api/auth/idp/callback?code=${code}&state=x`;
    return { method: 'GET', path, sender: nobody, headers: cookie };
  },
  judge(model, call, answer) {
    const code = new URL(call.path, 'http://localhost').searchParams.get('code') ?? '';
    const profile = call.headers?.['cookie'] === undefined ? undefined : profiles[code];
    const email = profile?.email;
    const known = model.identities.get(code);
    const user = known === undefined ? undefined : model.users.get(known);
    const owner = email === undefined ? undefined : emailOwner(model, email);
    const isSound = email?.includes('@') === true;
    // A user who was deleted may come back as another.
    const isNew = user === undefined;
    const refusals = new Refusals()
      .perhaps(profile !== undefined, 401)
      .perhaps(profile !== undefined, 503)
      .when(profile === undefined || !isSound, 401)
      .when(user !== undefined && user.status !== 'active', 401)
      .when(isNew && isSound && owner !== undefined, 409);
    if (!refusals.judge(answer, 302) || email === undefined) return;
    const token = new URL(answer.headers.get('location') ?? '', 'http://localhost').searchParams.get('token');
    if (token === null) throw new Fault('the answer has no token');
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      userId: string;
    };
    if (isNew) {
      newId(model, 'user', { id: claims.userId });
      const name = nameOf(profile?.name, email);
      model.users.set(claims.userId, { id: claims.userId, name, email, role: 'user', status: 'active' });
      model.identities.set(code, claims.userId);
      model.externals.add(claims.userId);
      wrote(model, 'user.created', `user:${claims.userId}`);
    } else same('the user', claims.userId, known);
    model.sessions.set(token, {
      userId: claims.userId,
      access: token,
      ...begun(token),
      accessUntil: model.now + day,
      refreshUntil: 0,
    });
  },
};

/** The display name if it can be stored, cut to its greatest length; else the part of the email before the `@`. */
function nameOf(name: string | undefined, email: string): string {
  const shown = Array.from(name?.trim() ?? '')
    .slice(0, 200)
    .join('');
  return shown === '' || shown.includes('\u0000') ? email.slice(0, email.indexOf('@')) : shown;
}

export const externalActions: readonly Action[] = [start, complete];
