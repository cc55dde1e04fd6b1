/** Signing in with a password over HTTP: both forms of the answer, and the single refusal. */
import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import {
  admin,
  bearer,
  claimsOf,
  type Pair,
  signInAsAdmin,
  signInSettings,
  signUp,
} from '../support/sign-in.js';
import { expectError, expectErrorAbout } from './user-requests.js';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

onEveryStore(
  'POST /api/auth/login',
  (service) => {
    it('returns a pair by default, and forbids caching', async () => {
      const { id, email, password } = await signUp(service);
      const answer = await service.post('/api/auth/login', { email, password });
      expect(answer.status).to.equal(200);
      expect(answer.headers['cache-control']).to.equal('no-store');
      expect(answer.body).to.have.all.keys('accessToken', 'refreshToken');
      const { accessToken, refreshToken } = answer.body as Pair;
      const access = claimsOf(accessToken);
      expect(access).to.have.all.keys('userId', 'iat', 'exp').and.include({ userId: id });
      expect(Number(access['exp']) - Number(access['iat'])).to.equal(15 * MINUTE);
      const refresh = claimsOf(refreshToken);
      expect(refresh).to.have.all.keys('userId', 'jti', 'iat', 'exp').and.include({ userId: id });
      expect(Number(refresh['exp']) - Number(refresh['iat'])).to.equal(7 * DAY);
    });

    it('returns a single token on request, with the user', async () => {
      const { id, email, password } = await signUp(service);
      const answer = await service.post('/api/auth/login?tokens=single', { email, password });
      expect(answer.headers['cache-control']).to.equal('no-store');
      const { token, user } = answer.body as { token: string; user: unknown };
      expect(user).to.deep.equal({ id, email });
      const claims = claimsOf(token);
      expect(claims).to.have.all.keys('userId', 'email', 'role', 'iat', 'exp');
      expect(claims).to.include({ userId: id, email, role: 'user' });
      expect(Number(claims['exp']) - Number(claims['iat'])).to.equal(DAY);
      expect((await service.get('/api/profile', bearer(token))).body).to.include({ id, email });
    });

    it('answers an unknown email, a wrong password, no password and an inactive user alike', async () => {
      const { email, password } = await signUp(service);
      const inactive = await signUp(service);
      const asAdmin = await signInAsAdmin(service);
      const input = { name: 'Ada', email: inactive.email, status: 'inactive' };
      expect((await service.put(`/api/users/${inactive.id}`, input, asAdmin)).status).to.equal(200);
      const without = await service.post('/api/users', { name: 'Ada', email: 'without@example.com' });
      expect(without.status).to.equal(201);

      const attempts = [
        { email: 'nobody@example.com', password },
        { email, password: 'another password' },
        { email, password: '' },
        { email: 'without@example.com', password: 'any password' },
        { email: inactive.email, password: inactive.password },
        { email: '', password },
        { email: '\u0000', password },
        { email: `${email}\u0000`, password },
        { email: 'a'.repeat(10_000), password: 'b'.repeat(10_000) },
      ];
      for (const [index, attempt] of attempts.entries()) {
        const from = { 'x-forwarded-for': `192.0.2.${String(index)}` };
        const answer = await service.post('/api/auth/login', attempt, from);
        expectError(answer, 401, 'Invalid credentials');
        expect(answer.headers['www-authenticate']).to.equal('Bearer');
        expect(answer.headers).not.to.have.property('retry-after');
      }
    });

    it('ignores credentials in the headers', async () => {
      const headers = { ...bearer('nonsense'), 'x-api-key': 'nonsense' };
      expect((await service.post('/api/auth/login', admin, headers)).status).to.equal(200);
    });

    it('answers in XML, with a root element for each form', async () => {
      const xml = { accept: 'application/xml' };
      const pair = await service.post('/api/auth/login', admin, xml);
      expect(pair.text).to.match(/<tokenPair><accessToken>[\w.-]+<\/accessToken><refreshToken>/);
      const single = await service.post('/api/auth/login?tokens=single', admin, xml);
      expect(single.text).to.match(/<singleToken><token>[\w.-]+<\/token><user><id>/);
    });

    it('refuses malformed input, and names the place', async () => {
      expectErrorAbout(await service.post('/api/auth/login?tokens=three', admin), 400, 'query/tokens');
      expectErrorAbout(await service.post('/api/auth/login', { email: 'a' }), 400, 'body', 'password');
      expectErrorAbout(await service.post('/api/auth/login', { email: 1, password: 'x' }), 400, 'body/email');
      expectErrorAbout(
        await service.post('/api/auth/login', { ...admin, role: 'admin' }),
        400,
        'body',
        'role',
      );
    });
  },
  () => signInSettings,
);

onEveryStore(
  'POST /api/auth/login with LOGIN_TOKENS=single',
  (service) => {
    it('returns a single token by default, and a pair on request', async () => {
      expect((await service.post('/api/auth/login', admin)).body).to.have.all.keys('token', 'user');
      const pair = await service.post('/api/auth/login?tokens=pair', admin);
      expect(pair.body).to.have.all.keys('accessToken', 'refreshToken');
    });
  },
  () => ({ ...signInSettings, loginTokens: 'single' }),
);
