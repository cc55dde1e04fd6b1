/** The REST probes of signing in and of users. */
import { LEFT_OUT, type Probe } from './probe.js';
import { has, keys, restProbe } from './rest-probe.js';
import { newEmail } from './scene.js';

const userBody = (fields: object = {}) => ({ name: 'Countess', email: newEmail(), ...fields });

export const signInProbes: readonly Probe[] = [
  restProbe('login', [], ({ stage: { account } }) => ({
    request: 'POST /api/auth/login',
    body: { email: account.email, password: account.password },
  })),
  restProbe('refreshToken', [], ({ stage: { account } }) => ({
    request: 'POST /api/auth/refresh',
    body: { refreshToken: account.refreshToken },
  })),
  restProbe('logout', [], () => ({
    request: 'POST /api/auth/logout',
    body: { refreshToken: 'one that is over' },
    success: 204,
  })),
  // No provider is configured: an answer that says so was allowed.
  restProbe('startExternalSignIn', [], () => ({ request: 'GET /api/auth/idp', success: 503 })),
  restProbe('completeExternalSignIn', [], () => ({ request: 'GET /api/auth/idp/callback', success: 503 })),
];

export const userProbes: readonly Probe[] = [
  restProbe('getProfile', ['profile.read'], () => ({ request: 'GET /api/profile' })),
  restProbe('listUsers', ['users.read'], () => ({ request: 'GET /api/users' }), keys),
  restProbe(
    'listUsers',
    ['users.read'],
    async (scene) => {
      const { ownerId } = scene;
      const { id } = await scene.order();
      const shows = (body: unknown) => {
        const { data } = body as { data: readonly { id: string; orders: readonly { id: string }[] }[] };
        return has(id)(data.find((user) => user.id === ownerId)?.orders);
      };
      return { request: `GET /api/users?embed=orders&cursor=${String(Number(ownerId) - 1)}`, shows };
    },
    { ...keys, hidden: { row: 'orders.read', as: LEFT_OUT }, detail: 'with their orders' },
  ),
  restProbe('listUsersV1', ['users.read'], () => ({ request: 'GET /api/v1/users' }), keys),
  restProbe('listUsersV2', ['users.read'], () => ({ request: 'GET /api/v2/users' }), keys),
  restProbe('createUser', ['users.create'], () => ({
    request: 'POST /api/users',
    body: userBody(),
    success: 201,
  })),
  ...[{ role: 'user' }, { role: 'admin' }, { status: 'active' }].map((fields) =>
    restProbe(
      'createUser',
      ['users.create', 'users.giveRole'],
      () => ({ request: 'POST /api/users', body: userBody(fields), success: 201 }),
      { detail: `with ${JSON.stringify(fields)}` },
    ),
  ),
  restProbe('getUser', ['users.read'], ({ ownerId }) => ({ request: `GET /api/users/${ownerId}` }), keys),
  restProbe('replaceUser', ['users.update'], ({ ownerId }) => ({
    request: `PUT /api/users/${ownerId}`,
    body: userBody(),
  })),
  // A role and a status that the user has already are not given.
  restProbe(
    'replaceUser',
    ['users.update'],
    ({ ownerId }) => ({
      request: `PUT /api/users/${ownerId}`,
      body: userBody({ role: 'user', status: 'active' }),
    }),
    { detail: 'with the stored rights' },
  ),
  ...[{ role: 'admin' }, { status: 'inactive' }].map((fields) =>
    restProbe(
      'replaceUser',
      ['users.update', 'users.giveRole'],
      ({ ownerId }) => ({ request: `PUT /api/users/${ownerId}`, body: userBody(fields) }),
      { detail: `with ${JSON.stringify(fields)}` },
    ),
  ),
  restProbe(
    'replaceUser',
    ['users.update', 'users.changePassword'],
    ({ ownerId }) => ({
      request: `PUT /api/users/${ownerId}`,
      body: userBody({ password: 'another password' }),
    }),
    { detail: 'with a password' },
  ),
  restProbe('updateUser', ['users.update'], ({ ownerId }) => ({
    request: `PATCH /api/users/${ownerId}`,
    body: { city: 'London', role: 'user', status: 'active' },
  })),
  ...[{ role: 'admin' }, { status: 'inactive' }].map((body) =>
    restProbe(
      'updateUser',
      ['users.update', 'users.giveRole'],
      ({ ownerId }) => ({ request: `PATCH /api/users/${ownerId}`, body }),
      { detail: `with ${JSON.stringify(body)}` },
    ),
  ),
  restProbe(
    'updateUser',
    ['users.update', 'users.changePassword'],
    ({ ownerId }) => ({ request: `PATCH /api/users/${ownerId}`, body: { password: 'another password' } }),
    { detail: 'with a password' },
  ),
  restProbe('activateUser', ['users.activate'], ({ ownerId }) => ({
    request: `POST /api/users/${ownerId}/activate`,
  })),
  restProbe('endUserSessions', ['users.endSessions'], ({ ownerId }) => ({
    request: `DELETE /api/users/${ownerId}/sessions`,
    success: 204,
  })),
  restProbe('deleteUser', ['users.delete'], ({ ownerId }) => ({
    request: `DELETE /api/users/${ownerId}`,
    success: 204,
  })),
];
