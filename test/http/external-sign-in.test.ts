/** External sign-in over HTTP, with a real OpenID provider and a stand-in for the browser. */
import { expect } from 'chai';
import type { User } from '../../src/core/model/user.js';
import { OidcServer } from '../support/oidc-server.js';
import { type ServiceAnswer, TestService } from '../support/service.js';
import { onEveryStore } from '../support/stores.js';
import { expectError } from './user-requests.js';

const PUBLIC_URL = 'http://service.example';
const START = '/api/auth/idp';
const CALLBACK = `${START}/callback`;

const provider = new OidcServer();

/** The settings for the provider. */
const settings = () => ({
  idpIssuer: provider.issuer,
  idpClientId: OidcServer.clientId,
  idpClientSecret: OidcServer.clientSecret,
  publicUrl: PUBLIC_URL,
});

/** A sign-in at the moment when the provider sends the browser back. */
interface Return {
  /** The path of the callback, with its query. */
  readonly path: string;
  /** The cookie, as the browser sends it. */
  readonly cookie: string;
}

/** Starts a sign-in and follows the provider's pages like a browser. @param as - undefined for a user who denies access */
async function visitProvider(service: TestService, as: string | undefined, at = provider): Promise<Return> {
  const start = await service.get(START);
  expect(start.status, start.text).to.equal(302);
  at.visitor = as;
  const path = await at.walkThrough(start.headers.location ?? '', PUBLIC_URL);
  return { path, cookie: cookieOf(start) };
}

function cookieOf(answer: ServiceAnswer): string {
  return (answer.headers['set-cookie']?.[0] ?? '').split(';', 1)[0] ?? '';
}

function come(service: TestService, { path, cookie }: Return): Promise<ServiceAnswer> {
  return service.get(path, { cookie });
}

/** A complete sign-in. */
async function signIn(service: TestService, as: string, at = provider): Promise<ServiceAnswer> {
  return await come(service, await visitProvider(service, as, at));
}

/** Runs a separate service for the duration of the work. */
async function withService<T>(
  settings: Parameters<TestService['start']>[0],
  work: (service: TestService) => Promise<T>,
): Promise<T> {
  const service = new TestService();
  await service.start(settings);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

function tokenOf(answer: ServiceAnswer): string {
  expect(answer.status, answer.text).to.equal(302);
  const url = new URL(answer.headers.location ?? '', PUBLIC_URL);
  expect(url.pathname).to.equal('/auth/success');
  return url.searchParams.get('token') ?? '';
}

async function userBehind(service: TestService, answer: ServiceAnswer): Promise<User> {
  const headers = { authorization: `Bearer ${tokenOf(answer)}` };
  const profile = await service.get('/api/profile', headers);
  expect(profile.status, profile.text).to.equal(200);
  return profile.body as User;
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
}

const FAILED = 'External sign-in failed';
const CLEARED = 'external_sign_in=; Path=/api/auth/idp; Max-Age=0; HttpOnly; SameSite=Lax';

function expectFailed(answer: ServiceAnswer): void {
  expectError(answer, 401, FAILED);
  expect(answer.headers['www-authenticate']).to.equal('Bearer');
  expect(answer.headers['set-cookie']).to.deep.equal([CLEARED]);
}

describe('external sign-in', () => {
  before(() => provider.start(PUBLIC_URL + CALLBACK));
  after(() => provider.stop());

  onEveryStore(
    'users of it',
    (service) => {
      it('creates a user on the first sign-in, and finds that user later', async () => {
        provider.accounts.set('ada', { name: 'Ada Lovelace', email: 'ada@example.com' });
        const first = await userBehind(service, await signIn(service, 'ada'));
        expect(first).to.include({ name: 'Ada Lovelace', email: 'ada@example.com', role: 'user' });

        provider.accounts.set('ada', { name: 'Somebody', email: 'somebody@example.com' });
        const second = await userBehind(service, await signIn(service, 'ada'));
        expect(second).to.deep.equal(first);
      });

      it('creates one user for two concurrent callbacks', async () => {
        provider.accounts.set('grace', { name: 'Grace Hopper', email: 'grace@example.com' });
        const returns = [await visitProvider(service, 'grace'), await visitProvider(service, 'grace')];
        const answers = await Promise.all(returns.map((each) => come(service, each)));
        const users = await Promise.all(answers.map((answer) => userBehind(service, answer)));
        expect(users[0]?.id).to.equal(users[1]?.id);
      });

      it('never links an identity to an existing user by email', async () => {
        const local = { name: 'Alan Turing', email: 'Alan@example.com', password: 'what alan knows' };
        expect((await service.post('/api/users', local)).status).to.equal(201);
        provider.accounts.set('mallory', { name: 'Alan', email: 'alan@example.com', email_verified: true });
        const answer = await signIn(service, 'mallory');
        expectError(answer, 409, 'Email already in use');
        expect(answer.headers['set-cookie']).to.deep.equal([CLEARED]);
      });

      it('refuses a user who is inactive', async () => {
        provider.accounts.set('joan', { name: 'Joan Clarke', email: 'joan@example.com' });
        const { id } = await userBehind(service, await signIn(service, 'joan'));
        const admin = { kind: 'user', id: '0', role: 'admin' } as const;
        const joan = { name: 'Joan Clarke', email: 'joan@example.com', status: 'inactive' } as const;
        await service.services.users.replace(admin, id, { ...joan });
        expectFailed(await signIn(service, 'joan'));
      });

      it('creates a new user for an identity whose user was deleted', async () => {
        provider.accounts.set('edith', { name: 'Edith Clarke', email: 'edith@example.com' });
        const { id } = await userBehind(service, await signIn(service, 'edith'));
        await service.services.users.delete({ kind: 'user', id: '0', role: 'admin' }, id);
        const again = await userBehind(service, await signIn(service, 'edith'));
        expect(again.id).not.to.equal(id);
      });
    },
    () => settings(),
  );

  onEveryStore(
    'the two redirects',
    (service) => {
      before(() => {
        provider.accounts.set('ada', { name: 'Ada Lovelace', email: 'ada@example.com' });
      });

      it('asks the provider for a code, with PKCE, state and nonce, and for the profile and the email', async () => {
        const answer = await service.get(START);
        const url = new URL(answer.headers.location ?? '');
        expect(url.origin + url.pathname).to.equal(`${provider.issuer}/auth`);
        const { state, nonce, code_challenge, ...query } = Object.fromEntries(url.searchParams);
        expect(query).to.deep.equal({
          client_id: OidcServer.clientId,
          response_type: 'code',
          redirect_uri: PUBLIC_URL + CALLBACK,
          scope: 'openid profile email',
          code_challenge_method: 'S256',
        });
        for (const secret of [state, nonce, code_challenge]) expect(secret).to.have.lengthOf.at.least(43);
        expect(answer.headers['cache-control']).to.equal('no-store');
        expect(answer.headers['set-cookie']?.[0]).to.match(
          /^external_sign_in=[\w.-]+; Path=\/api\/auth\/idp; Max-Age=600; HttpOnly; SameSite=Lax$/,
        );
        const other = new URL((await service.get(START)).headers.location ?? '');
        for (const name of ['state', 'nonce', 'code_challenge']) {
          expect(other.searchParams.get(name)).not.to.equal(url.searchParams.get(name));
        }
      });

      it('ends with a token for 24 hours that names the user and nothing else', async () => {
        const answer = await signIn(service, 'ada');
        const { userId, iat, exp, ...others } = claimsOf(tokenOf(answer));
        expect(userId).to.match(/^\d+$/);
        expect(Number(exp) - Number(iat)).to.equal(24 * 60 * 60);
        expect(others).to.deep.equal({});
        expect(answer.headers['cache-control']).to.equal('no-store');
        expect(answer.headers['set-cookie']).to.deep.equal([CLEARED]);
      });

      it('uses the nickname when there is no name, and the email when there is neither', async () => {
        provider.accounts.set('nick', { nickname: 'nick', email: 'nick@example.com' });
        provider.accounts.set('plain', { email: 'plain.person@example.com' });
        provider.accounts.set('endless', { name: `\u0007${'x'.repeat(9)}`, email: 'endless@example.com' });
        const nameOf = async (account: string) =>
          (await userBehind(service, await signIn(service, account))).name;
        expect(await nameOf('nick')).to.equal('nick');
        expect(await nameOf('plain')).to.equal('plain.person');
        expect(await nameOf('endless')).to.equal('endless');
      });

      it('fails for an identity without a valid email', async () => {
        provider.accounts.set('shy', { name: 'Shy' });
        provider.accounts.set('odd', { name: 'Odd', email: 'not an email' });
        expectFailed(await signIn(service, 'shy'));
        expectFailed(await signIn(service, 'odd'));
      });

      it('fails for a user who denies access at the provider', async () => {
        const back = await visitProvider(service, undefined);
        expect(back.path).to.include('error=access_denied');
        expectFailed(await come(service, back));
      });

      it('fails for a callback that is replayed, with the cookie and without', async () => {
        const back = await visitProvider(service, 'ada');
        tokenOf(await come(service, back));
        expectFailed(await come(service, back));
        expectFailed(await service.get(back.path));
      });

      it('fails for a missing, foreign or invalid cookie, without using up the code', async () => {
        const back = await visitProvider(service, 'ada');
        const other = await visitProvider(service, 'ada');
        const [header = '', body = '', signature = ''] = back.cookie.split('.');
        const forgeries = [
          '',
          'external_sign_in=',
          'external_sign_in=nonsense',
          other.cookie,
          [header, body, signature.split('').reverse().join('')].join('.'),
          `external_sign_in=${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
        ];
        for (const cookie of forgeries) expectFailed(await come(service, { ...back, cookie }));
        tokenOf(await come(service, back));
      });

      it('accepts no access token in place of the cookie', async () => {
        const back = await visitProvider(service, 'ada');
        const token = tokenOf(await signIn(service, 'ada'));
        expectFailed(await come(service, { ...back, cookie: `external_sign_in=${token}` }));
      });

      it('fails for an answer with another state, another code or neither', async () => {
        const { path, cookie } = await visitProvider(service, 'ada');
        const changed = (name: string): string => {
          const url = new URL(path, PUBLIC_URL);
          url.searchParams.set(name, 'x'.repeat(43));
          return url.pathname + url.search;
        };
        for (const wrong of [CALLBACK, changed('state'), changed('iss')]) {
          expectFailed(await service.get(wrong, { cookie }));
        }
        expectFailed(await service.get(changed('code'), { cookie }));
      });

      it('marks the cookie as secure and keeps its path when browsers use https and a path prefix', async () => {
        const publicUrl = 'https://example.com/shop';
        const answer = await withService({ ...settings(), publicUrl }, (other) => other.get(START));
        expect(answer.headers['set-cookie']?.[0]).to.match(
          /; Path=\/shop\/api\/auth\/idp; .*; SameSite=Lax; Secure$/,
        );
        expect(answer.headers.location).to.include(encodeURIComponent(publicUrl + CALLBACK));
      });
    },
    () => settings(),
  );

  describe('without a provider that answers', () => {
    it('answers 503 when none is configured', async () => {
      await withService({}, async (service) => {
        for (const path of [START, `${CALLBACK}?code=x&state=y`]) {
          const sentence = 'External sign-in is not configured: sign in with a password';
          expectError(await service.get(path), 503, sentence);
        }
      });
    });

    it('answers 503 while the provider is down, works once it is up, and answers 401 when it goes down again', async () => {
      const late = new OidcServer();
      await late.start(PUBLIC_URL + CALLBACK);
      const idpIssuer = late.issuer;
      await late.stop();
      await withService({ ...settings(), idpIssuer }, async (service) => {
        const sentence = 'The identity provider does not answer: try again later';
        expectError(await service.get(START), 503, sentence);

        await late.start(PUBLIC_URL + CALLBACK, Number(new URL(idpIssuer).port));
        late.accounts.set('ada', { name: 'Ada', email: 'ada@example.com' });
        tokenOf(await signIn(service, 'ada', late));

        const back = await visitProvider(service, 'ada', late);
        await late.stop();
        expectFailed(await come(service, back));
      });
    });
  });
});
