/** Token secrets that are replaced over restarts of a service: users stay signed in, and requests can be repeated. */

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import type { PublicTokenKey } from '../../src/core/ports/sign-in.js';
import type { DatabaseSettings } from '../../src/service/settings/data.js';
import { readSettings } from '../../src/service/settings/settings.js';
import { forge, HS256 } from '../support/forged-tokens.js';
import { RawSocket } from '../support/raw-socket.js';
import { type ServiceAnswer, TestService } from '../support/service.js';
import { bearer, type Pair, signIn, signUp } from '../support/sign-in.js';
import { onEveryDatabase } from '../support/stores.js';
import { expectError } from './user-requests.js';

const [A, B, C] = ['first', 'second', 'third'].map((name) => `the ${name} secret of access tokens`) as [
  string,
  string,
  string,
];
const [R, S] = ['first', 'second'].map((name) => `the ${name} secret of refresh tokens`) as [string, string];

function makePem(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

interface KeySet {
  readonly keys: readonly PublicTokenKey[];
}

onEveryDatabase('secrets that are replaced', (make, name) => {
  // The users and tokens of the memory store end with each process.
  if (name === 'memory') return;
  const service = new TestService();
  let database: DatabaseSettings['database'];
  before(async () => {
    database = await make();
  });
  afterEach(() => service.stop());

  /** Starts the service anew, with the keys that the variables name. */
  async function restart(variables: Readonly<Record<string, string>>): Promise<void> {
    await service.stop();
    const { accessTokenSecret, accessTokenKey, refreshTokenSecret } = readSettings(variables);
    await service.start({ database, accessTokenSecret, accessTokenKey, refreshTokenSecret });
  }
  const withSecrets = (ACCESS_TOKEN_SECRET: string, REFRESH_TOKEN_SECRET = R) =>
    restart({ ACCESS_TOKEN_SECRET, REFRESH_TOKEN_SECRET });

  async function profileStatus(token: string): Promise<number> {
    const { status } = await service.get('/api/profile', bearer(token));
    // The same token again, which the service may remember.
    expect((await service.get('/api/profile', bearer(token))).status).to.equal(status);
    return status;
  }
  const refresh = (refreshToken: string) => service.post('/api/auth/refresh', { refreshToken });

  it('sign nobody out while the old one is in the list, and everybody once it is not', async () => {
    await withSecrets(A, R);
    const account = await signUp(service);
    const old = await signIn(service, account);
    const unnamed = forge(
      HS256,
      { userId: account.id, iat: Date.now() / 1000, exp: Math.ceil(Date.now() / 1000) + 60 },
      A,
    );

    await withSecrets(`${B},${A}`, `${S},${R}`);
    for (const token of [old.accessToken, unnamed]) expect(await profileStatus(token)).to.equal(200);
    const refreshed = await refresh(old.refreshToken);
    expect(refreshed.status, refreshed.text).to.equal(200);
    const fresh = await signIn(service, account);
    const { accessToken } = refreshed.body as Pair;
    for (const token of [accessToken, fresh.accessToken]) expect(await profileStatus(token)).to.equal(200);
    const socket = await RawSocket.connect(service.url, { authorization: old.accessToken });
    socket.subscribe('1', '{ me { id } }');
    expect(await socket.hear()).to.deep.include({ payload: { data: { me: { id: account.id } } } });
    await socket.close();

    await withSecrets(B, S);
    for (const token of [old.accessToken, unnamed]) expect(await profileStatus(token)).to.equal(401);
    expectError(await refresh(old.refreshToken), 401, 'Invalid refresh token');
    for (const token of [accessToken, fresh.accessToken]) expect(await profileStatus(token)).to.equal(200);
    expect((await refresh(fresh.refreshToken)).status).to.equal(200);
  });

  it('can be known to all processes before one of them signs', async () => {
    await withSecrets(`${A},${B}`);
    const account = await signUp(service);
    const old = await signIn(service, account);
    expect(jwt.verify(old.accessToken, A)).to.include({ userId: account.id });
    await withSecrets(`${B},${A}`);
    const next = await signIn(service, account);
    expect(jwt.verify(next.accessToken, B)).to.include({ userId: account.id });
    // A process that has not restarted yet.
    await withSecrets(`${A},${B}`);
    for (const { accessToken } of [old, next]) expect(await profileStatus(accessToken)).to.equal(200);
  });

  it('leave a request that is repeated with its Idempotency-Key what it was', async () => {
    const product = { name: 'Lamp', price: 24.5 };
    const create = (key: string, body: object = product) =>
      service.post('/api/products', body, { 'idempotency-key': key });
    const replayOf = (answer: ServiceAnswer) => [
      answer.status,
      (answer.body as { id?: string }).id,
      answer.headers['idempotency-replayed'],
    ];
    const idOf = (answer: ServiceAnswer) => (answer.body as { id: string }).id;
    const pems = [makePem(), makePem()] as const;

    await withSecrets(A);
    const first = await create('one');
    await withSecrets(`${B},${A}`);
    expect(replayOf(await create('one'))).to.deep.equal([201, idOf(first), 'true']);
    expectError(
      await create('one', { ...product, price: 25 }),
      422,
      'This Idempotency-Key was used for another request: use a new one',
    );
    const second = await create('two');
    await withSecrets(`${C},${B}`);
    expect(replayOf(await create('two'))).to.deep.equal([201, idOf(second), 'true']);
    await restart({ ACCESS_TOKEN_KEY: pems[0], ACCESS_TOKEN_SECRET: B, REFRESH_TOKEN_SECRET: R });
    expect(replayOf(await create('two'))).to.deep.equal([201, idOf(second), 'true']);
    const third = await create('three');
    await restart({ ACCESS_TOKEN_KEY: `${pems[1]}\n${pems[0]}`, REFRESH_TOKEN_SECRET: R });
    expect(replayOf(await create('three'))).to.deep.equal([201, idOf(third), 'true']);
  });

  it('give way to a private key, whose public key verifies the tokens elsewhere', async () => {
    const pems = [makePem(), makePem()] as const;
    await withSecrets(A);
    const account = await signUp(service);
    const old = await signIn(service, account);
    expect((await service.get('/api/users')).status).to.equal(200);
    expect(await keySet()).to.deep.equal({ keys: [] });

    await restart({ ACCESS_TOKEN_KEY: pems[0], ACCESS_TOKEN_SECRET: A, REFRESH_TOKEN_SECRET: R });
    const next = await signIn(service, account);
    for (const { accessToken } of [old, next]) expect(await profileStatus(accessToken)).to.equal(200);
    expect(await verifiedElsewhere(next.accessToken)).to.include({ userId: account.id });
    expect((await refresh(old.refreshToken)).status).to.equal(200);

    await restart({ ACCESS_TOKEN_KEY: `${pems[1]}${pems[0]}`, REFRESH_TOKEN_SECRET: R });
    const last = await signIn(service, account);
    expect((await keySet()).keys).to.have.length(2);
    for (const { accessToken } of [next, last]) {
      expect(await profileStatus(accessToken)).to.equal(200);
      expect(await verifiedElsewhere(accessToken)).to.include({ userId: account.id });
    }
    expect(await profileStatus(old.accessToken)).to.equal(401);

    await restart({ ACCESS_TOKEN_KEY: pems[1], REFRESH_TOKEN_SECRET: R });
    expect(await profileStatus(next.accessToken)).to.equal(401);
    expect(await profileStatus(last.accessToken)).to.equal(200);
  });

  it('cannot be replaced by a forger with what is public, or with no signature', async () => {
    const pem = makePem();
    await restart({ ACCESS_TOKEN_KEY: pem, ACCESS_TOKEN_SECRET: A, REFRESH_TOKEN_SECRET: R });
    const { id: userId } = await signUp(service);
    const [published] = (await keySet()).keys;
    const claims = { userId, exp: Math.ceil(Date.now() / 1000) + 60 };
    const spki = createPublicKey(pem).export({ type: 'spki', format: 'pem' }) as string;
    const kids = [{}, { kid: published?.kid }, { kid: 'unknown' }];
    for (const kid of kids) {
      for (const secret of [spki, spki.trim(), JSON.stringify(published), published?.['x'] ?? '', '']) {
        expect(await profileStatus(forge({ ...HS256, ...kid }, claims, secret))).to.equal(401);
      }
      const unsigned = forge({ alg: 'none', ...kid }, claims, '');
      for (const token of [unsigned, unsigned.replace(/[^.]*$/, '')]) {
        expect(await profileStatus(token)).to.equal(401);
      }
    }
    expect(await profileStatus(forge({ ...HS256, kid: 'unknown' }, claims, A))).to.equal(401);
    expect(await profileStatus(forge(HS256, claims, A))).to.equal(200);
  });

  async function keySet(): Promise<KeySet> {
    const response = await fetch(`${service.url}/.well-known/jwks.json`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/json');
    return (await response.json()) as KeySet;
  }

  /** Verifies a token as another service does, which knows only the public keys. */
  async function verifiedElsewhere(token: string): Promise<unknown> {
    const kid = jwt.decode(token, { complete: true })?.header.kid;
    const key = (await keySet()).keys.find((each) => each.kid === kid);
    expect(key).not.to.have.property('d');
    return jwt.verify(token, createPublicKey({ key: key ?? {}, format: 'jwk' }), { algorithms: ['ES256'] });
  }
});
