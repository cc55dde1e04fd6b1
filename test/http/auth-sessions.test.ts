/** Sign-in sessions over HTTP: refreshing, signing out, and the changes that end them. */
import { expect } from 'chai';
import { jwtCodec } from '../../src/core/identity/jwt.js';
import { timestampOf } from '../../src/core/model/timestamp.js';
import { RawSocket } from '../support/raw-socket.js';
import type { TestService } from '../support/service.js';
import { onEveryStore } from '../support/stores.js';
import { bearer, claimsOf, type Pair, secrets, signIn, signInSettings, signUp } from '../support/sign-in.js';
import { expectError, expectErrorAbout } from './user-requests.js';

const refresh = (service: TestService, refreshToken: string) =>
  service.post('/api/auth/refresh', { refreshToken });

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

    it('close an open WebSocket with their next operation when they end', async () => {
      const account = await signUp(service);
      const { accessToken } = await signIn(service, account);
      const socket = await RawSocket.connect(service.url, { authorization: accessToken });
      const path = `/api/users/${account.id}/sessions`;
      expect((await service.delete(path, bearer(accessToken))).status).to.equal(204);
      socket.subscribe('1', '{ me { id } }');
      expect((await socket.closed)[0]).to.equal(4403);
    });
  },
  () => signInSettings,
);

onEveryStore(
  'sessions with REFRESH_ROTATION=on',
  (service) => {
    it('end when one refresh token is used twice at once', async () => {
      const { refreshToken } = await signIn(service, await signUp(service));
      const answers = await Promise.all([1, 2, 3].map(() => refresh(service, refreshToken)));
      const next = answers.filter(({ status }) => status === 200);
      expect(next.length).to.be.at.most(1);
      for (const { body } of next) {
        expectError(await refresh(service, (body as Pair).refreshToken), 401, 'Invalid refresh token');
      }
    });
  },
  () => ({ ...signInSettings, rotateRefreshTokens: true }),
);
