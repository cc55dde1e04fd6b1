/** Sign-in sessions over HTTP: refreshing, signing out, and the changes that end them. */
import { expect } from 'chai';
import { jwtCodec } from '../../src/core/identity/jwt.js';
import { timestampOf } from '../../src/core/model/timestamp.js';
import { RawSocket } from '../support/raw-socket.js';
import type { TestService } from '../support/service.js';
import { onEveryStore } from '../support/stores.js';
import {
  type Account,
  bearer,
  claimsOf,
  type Pair,
  secrets,
  signIn,
  signInAsAdmin,
  signInSettings,
  signUp,
} from '../support/sign-in.js';
import { expectError, expectErrorAbout } from './user-requests.js';

const refresh = (service: TestService, refreshToken: string) =>
  service.post('/api/auth/refresh', { refreshToken });
const logout = (service: TestService, refreshToken: string) =>
  service.post('/api/auth/logout', { refreshToken });

/** A request that changes a user, as an admin sends it. */
const change = (
  service: TestService,
  { id, email }: Account,
  fields: object,
  as: Readonly<Record<string, string>>,
) => service.put(`/api/users/${id}`, { name: 'Ada', email, ...fields }, as);

/** Access tokens of both forms of a sign-in. */
async function tokensOf(service: TestService, { email, password }: Omit<Account, 'id'>): Promise<string[]> {
  const single = await service.post('/api/auth/login?tokens=single', { email, password });
  return [(single.body as { token: string }).token, (await signIn(service, { email, password })).accessToken];
}

async function expectRevoked(service: TestService, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    expectError(await service.get('/api/profile', bearer(token)), 401, 'Invalid token');
  }
}

onEveryStore(
  'sessions',
  (service) => {
    it('continue with a refresh token, any number of times', async () => {
      const account = await signUp(service);
      const { refreshToken } = await signIn(service, account);
      for (let times = 1; times <= 2; times++) {
        const answer = await refresh(service, refreshToken);
        expect(answer.status).to.equal(200);
        expect(answer.headers['cache-control']).to.equal('no-store');
        expect(answer.body).to.have.all.keys('accessToken');
        const { accessToken } = answer.body as Pair;
        expect(claimsOf(accessToken))
          .to.have.all.keys('userId', 'iat', 'exp')
          .and.include({ userId: account.id });
        expect((await service.get('/api/profile', bearer(accessToken))).status).to.equal(200);
      }
    });

    it('require a refresh token to continue', async () => {
      for (const answer of [
        await service.send({ method: 'POST', path: '/api/auth/refresh' }),
        await service.post('/api/auth/refresh', {}),
        await service.post('/api/auth/refresh', { refreshToken: '' }),
        await service.post('/api/auth/refresh', { refreshToken: null }),
      ]) {
        expectError(answer, 401, 'Refresh token required');
        expect(answer.headers['www-authenticate']).to.equal('Bearer');
      }
      expectErrorAbout(
        await service.post('/api/auth/refresh', { refreshToken: 1 }),
        400,
        'body/refreshToken',
      );
    });

    it('do not continue with anything but a refresh token of this service', async () => {
      const { id } = await signUp(service);
      const codec = jwtCodec(secrets);
      const now = timestampOf(Date.now());
      const validity = { from: now, seconds: 60 };
      const account = await signUp(service);
      for (const token of [
        'nonsense',
        'a.b.c',
        (await signIn(service, account)).accessToken,
        // Correctly signed, but never issued.
        codec.signRefresh({ userId: id, tokenId: 'made up' }, validity),
        codec.signRefresh(
          { userId: id, tokenId: 'made up' },
          { from: timestampOf(Date.now() - 60_000), seconds: 59 },
        ),
        jwtCodec({ ...secrets, refreshSecret: 'a secret that is not of this service' }).signRefresh(
          { userId: id, tokenId: 'x' },
          validity,
        ),
      ]) {
        const answer = await refresh(service, token);
        expectError(answer, 401, 'Invalid refresh token');
        expect(answer.headers['www-authenticate']).to.equal('Bearer');
      }
    });

    it('end separately on sign-out, which may be repeated', async () => {
      const account = await signUp(service);
      const [first, second] = [await signIn(service, account), await signIn(service, account)];
      for (let times = 1; times <= 2; times++) {
        const answer = await logout(service, first.refreshToken);
        expect(answer.status).to.equal(204);
        expect(answer.text).to.equal('');
      }
      expectError(await refresh(service, first.refreshToken), 401, 'Invalid refresh token');
      expect((await refresh(service, second.refreshToken)).status).to.equal(200);
      expect((await logout(service, 'never was a token')).status).to.equal(204);
      expectErrorAbout(await service.post('/api/auth/logout', {}), 400, 'body', 'refreshToken');
    });

    it('end when the password changes, and continue after other changes', async () => {
      const account = await signUp(service);
      const { accessToken, refreshToken } = await signIn(service, account);
      const self = bearer(accessToken);
      expect((await change(service, account, { city: 'London' }, self)).status).to.equal(200);
      expect((await refresh(service, refreshToken)).status).to.equal(200);
      expect((await change(service, account, { password: 'another password' }, self)).status).to.equal(200);
      expectError(await refresh(service, refreshToken), 401, 'Invalid refresh token');
      const old = await service.post('/api/auth/login', { email: account.email, password: account.password });
      expectError(old, 401, 'Invalid credentials');
      await signIn(service, { ...account, password: 'another password' });
    });

    it('end with every token that was issued before the password changed; later ones work at once', async () => {
      const account = await signUp(service);
      const before = await tokensOf(service, account);
      const password = 'another password';
      expect((await change(service, account, { password }, bearer(before[0] ?? ''))).status).to.equal(200);
      const after = await tokensOf(service, { ...account, password });
      await expectRevoked(service, before);
      for (const token of after)
        expect((await service.get('/api/profile', bearer(token))).status).to.equal(200);
    });

    it('end on demand with every token that was issued before; later ones work at once', async () => {
      const account = await signUp(service);
      const bystander = await signUp(service);
      const others = await tokensOf(service, bystander);
      const path = `/api/users/${account.id}/sessions`;
      for (const as of [() => undefined, () => signInAsAdmin(service)]) {
        const { accessToken, refreshToken } = await signIn(service, account);
        const before = [accessToken, ...(await tokensOf(service, account))];
        expect((await service.delete(path, (await as()) ?? bearer(accessToken))).status).to.equal(204);
        const after = await tokensOf(service, account);
        await expectRevoked(service, before);
        expectError(await refresh(service, refreshToken), 401, 'Invalid refresh token');
        for (const token of [...after, ...others]) {
          expect((await service.get('/api/profile', bearer(token))).status).to.equal(200);
        }
      }
      expectError(await service.delete(path), 401, 'No token provided');
      expectError(await service.delete(path, bearer(others[0] ?? '')), 403, 'Insufficient permissions');
      expectError(
        await service.delete('/api/users/999999/sessions', await signInAsAdmin(service)),
        404,
        'User not found',
      );
    });

    it('close an open WebSocket with their next operation when they end', async () => {
      const account = await signUp(service);
      const { accessToken } = await signIn(service, account);
      const socket = await RawSocket.connect(service.url, { authorization: accessToken });
      const path = `/api/users/${account.id}/sessions`;
      expect((await service.delete(path, bearer(accessToken))).status).to.equal(204);
      socket.subscribe('1', '{ me { id } }');
      expect((await socket.closed)[0]).to.equal(4403);
    });

    it('end when the user is deactivated, and do not resume when the user is activated again', async () => {
      const account = await signUp(service);
      const asAdmin = await signInAsAdmin(service);
      const { accessToken, refreshToken } = await signIn(service, account);
      expect((await change(service, account, { status: 'inactive' }, asAdmin)).status).to.equal(200);
      expectError(await service.get('/api/profile', bearer(accessToken)), 401, 'Invalid token');
      expectError(await refresh(service, refreshToken), 401, 'Invalid refresh token');
      expect((await service.post(`/api/users/${account.id}/activate`, undefined, asAdmin)).status).to.equal(
        200,
      );
      expectError(await refresh(service, refreshToken), 401, 'Invalid refresh token');
      expectError(await service.get('/api/profile', bearer(accessToken)), 401, 'Invalid token');
      const { accessToken: next } = await signIn(service, account);
      expect((await service.get('/api/profile', bearer(next))).status).to.equal(200);
    });

    it('end when the user is deleted', async () => {
      const account = await signUp(service);
      const { accessToken, refreshToken } = await signIn(service, account);
      expect(
        (await service.delete(`/api/users/${account.id}`, await signInAsAdmin(service))).status,
      ).to.equal(204);
      expectError(await service.get('/api/profile', bearer(accessToken)), 401, 'Invalid token');
      expectError(await refresh(service, refreshToken), 401, 'Invalid refresh token');
    });

    it('use the current role: a demotion applies at once, and a token with a lower role grants less', async () => {
      const account = await signUp(service);
      const victim = await signUp(service);
      const asAdmin = await signInAsAdmin(service);
      const credentials = { email: account.email, password: account.password };
      const single = async () => {
        const answer = await service.post('/api/auth/login?tokens=single', credentials);
        return bearer((answer.body as { token: string }).token);
      };
      const asUser = await single();
      const pair = bearer((await signIn(service, account)).accessToken);
      const tryIt = (as: Readonly<Record<string, string>>) => service.delete(`/api/users/${victim.id}0`, as);
      expectError(await tryIt(pair), 403, 'Insufficient permissions');

      expect((await change(service, account, { role: 'admin' }, asAdmin)).status).to.equal(200);
      expectError(await tryIt(pair), 404, 'User not found');
      expectError(await tryIt(asUser), 403, 'Insufficient permissions');
      const promoted = await single();
      expectError(await tryIt(promoted), 404, 'User not found');

      expect((await change(service, account, { role: 'user' }, asAdmin)).status).to.equal(200);
      for (const token of [pair, asUser, promoted]) {
        expectError(await tryIt(token), 403, 'Insufficient permissions');
      }
    });
  },
  () => signInSettings,
);

onEveryStore(
  'sessions with REFRESH_ROTATION=on',
  (service) => {
    it('receive a new refresh token with each refresh', async () => {
      let { refreshToken } = await signIn(service, await signUp(service));
      for (let times = 1; times <= 3; times++) {
        const answer = await refresh(service, refreshToken);
        expect(answer.headers['cache-control']).to.equal('no-store');
        expect(answer.body).to.have.all.keys('accessToken', 'refreshToken');
        const next = answer.body as Pair;
        expect(next.refreshToken).not.to.equal(refreshToken);
        expect((await service.get('/api/profile', bearer(next.accessToken))).status).to.equal(200);
        ({ refreshToken } = next);
      }
    });

    it('end when a refresh token is used again, without ending other sessions', async () => {
      const account = await signUp(service);
      const other = await signIn(service, account);
      const { refreshToken: first } = await signIn(service, account);
      const { refreshToken: second } = (await refresh(service, first)).body as Pair;
      const { refreshToken: third } = (await refresh(service, second)).body as Pair;
      for (const token of [first, second, third]) {
        expectError(await refresh(service, token), 401, 'Invalid refresh token');
      }
      expect((await refresh(service, other.refreshToken)).status).to.equal(200);
    });

    it('end when one refresh token is used twice at once', async () => {
      const { refreshToken } = await signIn(service, await signUp(service));
      const answers = await Promise.all([1, 2, 3].map(() => refresh(service, refreshToken)));
      const next = answers.filter(({ status }) => status === 200);
      expect(next.length).to.be.at.most(1);
      for (const { body } of next) {
        expectError(await refresh(service, (body as Pair).refreshToken), 401, 'Invalid refresh token');
      }
    });

    it('end completely on sign-out', async () => {
      const { refreshToken: first } = await signIn(service, await signUp(service));
      const { refreshToken: second } = (await refresh(service, first)).body as Pair;
      expect((await logout(service, second)).status).to.equal(204);
      expectError(await refresh(service, second), 401, 'Invalid refresh token');
      expectError(await refresh(service, first), 401, 'Invalid refresh token');
    });
  },
  () => ({ ...signInSettings, rotateRefreshTokens: true }),
);
