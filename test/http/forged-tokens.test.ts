/** Forged tokens over HTTP and WebSocket: none authenticates, and all are refused with the same message. */
import { expect } from 'chai';
import { jwtCodec } from '../../src/core/identity/jwt.js';
import { timestampOf } from '../../src/core/model/timestamp.js';
import type { TestService } from '../support/service.js';
import { forge, forgedAccessTokens, forgedTokens, HS256, type Target } from '../support/forged-tokens.js';
import { RawSocket } from '../support/raw-socket.js';
import { onEveryStore } from '../support/stores.js';
import {
  type Account,
  bearer,
  type Pair,
  secrets,
  signIn,
  signInAsAdmin,
  signInSettings,
  signUp,
} from '../support/sign-in.js';
import { codesOf, run } from './graphql-requests.js';
import { expectError } from './user-requests.js';

const { accessSecret, refreshSecret } = secrets;
const seconds = (ahead: number) => Math.floor(Date.now() / 1000) + ahead;

/** A signed-in user whose tokens are forged. */
interface Victim extends Account, Pair {}

async function signUpAndIn(service: TestService): Promise<Victim> {
  const account = await signUp(service);
  return { ...account, ...(await signIn(service, account)) };
}

/** Correctly signed tokens of users who may not sign in. */
async function tokensOfNobody(service: TestService): Promise<Readonly<Record<string, string>>> {
  const asAdmin = await signInAsAdmin(service);
  const [gone, inactive] = [await signUpAndIn(service), await signUpAndIn(service)];
  await service.delete(`/api/users/${gone.id}`, asAdmin);
  const change = { name: 'Ada', email: inactive.email, status: 'inactive' };
  await service.put(`/api/users/${inactive.id}`, change, asAdmin);
  return {
    'a user who never was': forge(HS256, { userId: '999999', exp: seconds(60) }, accessSecret),
    'a user who is gone': gone.accessToken,
    'a user who is inactive': inactive.accessToken,
  };
}

onEveryStore(
  'forged tokens',
  (service) => {
    let forged: Readonly<Record<string, string>> = {};
    let victim: Victim;
    let target: Target;

    before(async () => {
      victim = await signUpAndIn(service);
      const [exp, past] = [seconds(60), seconds(-1)];
      target = { secret: accessSecret, otherSecret: refreshSecret, userId: victim.id, exp, past };
      forged = {
        ...forgedAccessTokens(target),
        ...(await tokensOfNobody(service)),
        'a refresh token': victim.refreshToken,
      };
    });

    it('differ from a valid token only in their fault', async () => {
      const sound = forge(HS256, { userId: victim.id, exp: target.exp }, accessSecret);
      expect((await service.get('/api/profile', bearer(sound))).body).to.include({ id: victim.id });
    });

    it('are refused where a caller is required, and where it is optional', async () => {
      for (const [what, token] of Object.entries(forged)) {
        for (const path of ['/api/profile', '/api/users', '/api/posts']) {
          const answer = await service.get(path, bearer(token));
          expect(answer.status, `${what} at ${path}`).to.equal(401);
          expectError(answer, 401, 'Invalid token');
          expect(answer.headers['www-authenticate'], what).to.equal('Bearer');
        }
      }
    });

    it('count as anonymous over GraphQL, where public fields are answered', async () => {
      for (const [what, token] of Object.entries(forged)) {
        for (const authorization of [token, `Bearer ${token}`]) {
          const result = await run(service, '{ me { id } posts { id } }', { authorization });
          expect(codesOf(result), what).to.deep.equal(['UNAUTHENTICATED']);
          expect(result.data, what).to.deep.equal({ me: null, posts: [] });
        }
      }
    });

    it('count as anonymous on a WebSocket', async () => {
      for (const [what, token] of Object.entries(forged)) {
        const socket = await RawSocket.connect(service.url, { authorization: token });
        socket.subscribe('1', '{ me { id } }');
        const { payload } = await socket.hear();
        expect(codesOf(payload as Parameters<typeof codesOf>[0]), what).to.deep.equal(['UNAUTHENTICATED']);
        await socket.close();
      }
    });

    it('cannot be used to refresh', async () => {
      const codec = jwtCodec(secrets);
      const validity = { from: timestampOf(Date.now()), seconds: 60 };
      const kinds = {
        ...forgedTokens({
          ...target,
          secret: refreshSecret,
          otherSecret: accessSecret,
          claims: { jti: 'one that was issued' },
        }),
        'an access token': victim.accessToken,
        'one that was never issued': codec.signRefresh({ userId: victim.id, tokenId: 'x' }, validity),
        'one in other letters': victim.refreshToken.toUpperCase(),
        'one with a space': `${victim.refreshToken} `,
      };
      for (const [what, refreshToken] of Object.entries(kinds)) {
        const answer = await service.post('/api/auth/refresh', { refreshToken });
        expect(answer.status, what).to.equal(401);
        expectError(answer, 401, 'Invalid refresh token');
        expect(answer.headers['www-authenticate'], what).to.equal('Bearer');
      }
      const sound = await service.post('/api/auth/refresh', { refreshToken: victim.refreshToken });
      expect(sound.status).to.equal(200);
    });

    it('grant no role that the user does not have', async () => {
      const claims = { userId: victim.id, email: victim.email, role: 'admin', exp: target.exp };
      const asAdmin = bearer(forge(HS256, claims, accessSecret));
      expectError(await service.get('/api/keys', asAdmin), 403, 'Insufficient permissions');
    });
  },
  () => signInSettings,
);
