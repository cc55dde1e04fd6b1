/** Signs users in and out, and reads their profile. */

import { type Action, Fault, Refusals } from '../calls.js';
import { type Model, type Session, callerOf, emailOwner } from '../model.js';
import { judgeRead, unlessKnown } from '../records.js';
import { drawEmail, expectUser, userPath } from './users.js';
import { drawSender, nobody } from './senders.js';

const minute = 60_000;
const day = 24 * 60 * minute;

/** The state of a session that begins. */
export const begun = (family: string) =>
  ({ family, isUsed: false, isLoggedOut: false, isEnded: false }) as const;

/** Ends the refresh tokens that came of one sign-in. */
function endFamily(model: Model, { family }: Session): void {
  for (const each of model.sessions.values()) if (each.family === family) each.isLoggedOut = true;
}

const login: Action = {
  name: 'login',
  weight: 5,
  draw(random, model) {
    const withPassword = [...model.users.values()].filter(({ password }) => password !== undefined);
    const user = random.chance(0.9) ? random.pick(withPassword) : undefined;
    const password = random.chance(0.9) ? user?.password : undefined;
    const email = user?.email ?? drawEmail(random);
    return {
      method: 'POST',
      path: `/api/auth/login${random.pick(['', '?tokens=pair', '?tokens=single'])}`,
      sender: nobody,
      body: {
        email: random.chance(0.2) ? email.toUpperCase() : email,
        password: password ?? 'wrong password',
      },
    };
  },
  judge(model, call, answer) {
    const { email, password } = call.body as { readonly email: string; readonly password: string };
    const user = emailOwner(model, email);
    const isRight = user?.password === password && user.status === 'active';
    const failures = model.failed.filter((at) => at > model.now - minute);
    // All come from one address. The window of a limiter need not begin with the first failure.
    const mayBeLimited = failures.length >= 10;
    if (mayBeLimited && answer.status === 429) return;
    const isIn = new Refusals().when(!isRight, 401).judge(answer, 200);
    if (!isIn || user === undefined) {
      model.failed.push(model.now);
      return;
    }
    const body = answer.body as { token?: string; accessToken?: string; refreshToken?: string };
    const access = body.token ?? body.accessToken;
    if (access === undefined) throw new Fault('a sign-in gave no token');
    model.sessions.set(access, {
      userId: user.id,
      access,
      refresh: body.refreshToken,
      role: body.token === undefined ? undefined : user.role,
      ...begun(access),
      accessUntil: model.now + (body.token === undefined ? 15 * minute : day),
      refreshUntil: model.now + 7 * day,
    });
  },
};

const refresh: Action = {
  name: 'refreshToken',
  weight: 2,
  draw(random, model) {
    const session = random.pick([...model.sessions.values()].filter(({ refresh }) => refresh !== undefined));
    const refreshToken = random.chance(0.9)
      ? session?.refresh
      : random.pick(['', null, 'x', session?.access]);
    return { method: 'POST', path: '/api/auth/refresh', sender: nobody, body: { refreshToken } };
  },
  judge(model, call, answer) {
    const { refreshToken } = call.body as { readonly refreshToken?: string };
    const session = [...model.sessions.values()].find(
      ({ refresh, exchanged = [] }) => refreshToken != null && [refresh, ...exchanged].includes(refreshToken),
    );
    const isUsed = session?.isUsed === true || session?.refresh !== refreshToken;
    const isAlive =
      session !== undefined &&
      !session.isEnded &&
      !session.isLoggedOut &&
      !isUsed &&
      session.refreshUntil > model.now &&
      model.users.get(session.userId)?.status === 'active';
    // Somebody has copied it, so what came of it ends.
    if (session !== undefined && isUsed) endFamily(model, session);
    if (!new Refusals().when(!isAlive, 401).judge(answer, 200) || session === undefined) return;
    const { accessToken, refreshToken: next } = answer.body as { accessToken: string; refreshToken?: string };
    if ((next !== undefined) !== model.rotates)
      throw new Fault(`a refresh gave the refresh token ${String(next)}`);
    session.isUsed = model.rotates;
    const isSame = session.access === accessToken;
    if (isSame && next === undefined) return;
    model.sessions.set(accessToken, {
      ...(isSame && { exchanged: [...(session.exchanged ?? []), refreshToken ?? ''] }),
      userId: session.userId,
      access: accessToken,
      refresh: next,
      ...begun(session.family),
      accessUntil: model.now + 15 * minute,
      refreshUntil: next === undefined ? 0 : model.now + 7 * day,
    });
  },
};

const logout: Action = {
  name: 'logout',
  weight: 1,
  draw(random, model) {
    const session = random.pick([...model.sessions.values()].filter(({ refresh }) => refresh !== undefined));
    return {
      method: 'POST',
      path: '/api/auth/logout',
      sender: nobody,
      body: { refreshToken: session?.refresh ?? 'x' },
    };
  },
  judge(model, call, answer) {
    if (!new Refusals().judge(answer, 204)) return;
    const { refreshToken } = call.body as { readonly refreshToken: string };
    const session = [...model.sessions.values()].find((each) => each.refresh === refreshToken);
    if (session !== undefined) endFamily(model, session);
  },
};

const getProfile: Action = {
  name: 'getProfile',
  weight: 3,
  draw(random, model) {
    const sender = drawSender(random, model);
    const id = sender.kind === 'session' ? model.sessions.get(sender.access)?.userId : undefined;
    const headers = unlessKnown(random, model, userPath(id ?? ''));
    return { method: 'GET', path: '/api/profile', sender, headers };
  },
  judge(model, call, answer) {
    const caller = callerOf(model, call.sender, false);
    const user = caller.kind === 'user' ? (model.users.get(caller.user.id) ?? caller.user) : undefined;
    const refusals = new Refusals().when(user === undefined, 401);
    const isRead = judgeRead(model, userPath(user?.id ?? ''), call, answer, refusals);
    if (isRead && user !== undefined) expectUser('body', answer.body, user);
  },
};

export const signInActions: readonly Action[] = [login, refresh, logout, getProfile];
