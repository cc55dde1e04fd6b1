/** Credentials over HTTP that are missing, not valid or ignored: the answer of each operation. */
import { expect } from 'chai';
import { contract } from '../../generated/routing.js';
import { onEveryStore } from '../support/stores.js';
import { expectError } from './user-requests.js';

const BEARER = { authorization: 'Bearer nonsense' };
const KEY = { 'x-api-key': 'nonsense' };

/** Signing in, signing out and signing up ignore tokens. */
const TOKENLESS = [
  'login',
  'refreshToken',
  'logout',
  'startExternalSignIn',
  'completeExternalSignIn',
  'createUser',
];
onEveryStore('credentials', (service) => {
  const bearerOnly = [
    'GET /api/profile',
    'DELETE /api/users/1',
    'GET /api/keys',
    'POST /api/keys',
    'DELETE /api/keys/1',
  ];
  for (const request of bearerOnly) {
    const [method = '', path = ''] = request.split(' ');

    it(`${request} requires a token`, async () => {
      const answer = await service.send({ method, path });
      expectError(answer, 401, 'No token provided');
      expect(answer.headers['www-authenticate']).to.equal('Bearer');
    });

    it(`${request} refuses a token that is not valid`, async () => {
      const answer = await service.send({ method, path, headers: BEARER });
      expectError(answer, 401, 'Invalid token');
      expect(answer.headers['www-authenticate']).to.equal('Bearer');
    });

    it(`${request} accepts no other credential in place of a token`, async () => {
      for (const headers of [
        KEY,
        { authorization: 'Basic YTpi' },
        { authorization: 'Bearer' },
        { authorization: '' },
        { cookie: 'authorization=Bearer x' },
      ]) {
        expectError(await service.send({ method, path, headers }), 401, 'No token provided');
      }
    });
  }

  it('have a scheme in upper or lower case', async () => {
    expectError(await service.get('/api/profile', { authorization: 'bEARER x' }), 401, 'Invalid token');
  });

  it('are checked before the fields of a body', async () => {
    expectError(await service.post('/api/keys', { nonsense: true }), 401, 'No token provided');
  });

  it('that are not valid are refused by exactly the operations that accept them, even where they are optional', async () => {
    for (const [id, { path: template, method, security }] of Object.entries(contract.operations)) {
      const request = { method, path: template.replaceAll(/\{\w+\}/g, '1') };
      const isByKey = security.some((requirement) => 'apiKeyAuth' in requirement);
      const saidTo = async (headers: Readonly<Record<string, string>>) =>
        (await service.send({ ...request, headers })).text;
      const looksAtTokens = !TOKENLESS.includes(id) && id !== 'getCurrentApiKey';
      const withToken = await saidTo(BEARER);
      expect(withToken === '{"error":"Invalid token"}', `${id}: ${withToken}`).to.equal(looksAtTokens);
      const withKey = await saidTo(KEY);
      expect(withKey === '{"error":"Invalid API key"}', `${id}: ${withKey}`).to.equal(isByKey);
      // An invalid credential is refused even where none is required.
      if (looksAtTokens && isByKey) {
        expect(await saidTo({ ...BEARER, ...KEY })).to.match(/Invalid (?:token|API key)/);
      }
    }
  });

  it('must be an API key where one is required', async () => {
    expectError(await service.get('/api/keys/current'), 401, 'API key required');
    expectError(await service.get('/api/keys/current', BEARER), 401, 'API key required');
    expectError(await service.get('/api/keys/current', { 'x-api-key': '' }), 401, 'API key required');
    expectError(await service.get('/api/keys/current?x-api-key=1&X-API-Key=1'), 401, 'API key required');
    expectError(await service.get('/api/keys/current', KEY), 401, 'Invalid API key');
  });

  it('are refused in XML for a client that accepts it', async () => {
    const { text } = await service.get('/api/profile', { accept: 'application/xml' });
    expect(text).to.include('<error>No token provided</error>');
  });
});
