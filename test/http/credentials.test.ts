/** Credentials over HTTP that are not valid: the sentences of interface §7, and who looks at what. */
import { expect } from 'chai';
import { useService } from '../support/service.js';
import { expectError } from './user-requests.js';

const BEARER = { authorization: 'Bearer nonsense' };
const KEY = { 'x-api-key': 'nonsense' };

describe('credentials', () => {
  const service = useService();

  const bearerOnly = [
    'GET /api/profile',
    'DELETE /api/users/1',
    'GET /api/keys',
    'POST /api/keys',
    'DELETE /api/keys/1',
  ];
  for (const request of bearerOnly) {
    const [method = '', path = ''] = request.split(' ');

    it(`${request} needs a token`, async () => {
      const answer = await service.send({ method, path });
      expectError(answer, 401, 'No token provided');
      expect(answer.headers['www-authenticate']).to.equal('Bearer');
    });

    it(`${request} refuses a token that is not valid`, async () => {
      const answer = await service.send({ method, path, headers: BEARER });
      expectError(answer, 401, 'Invalid token');
      expect(answer.headers['www-authenticate']).to.equal('Bearer');
    });

    it(`${request} takes no other credential for a token`, async () => {
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

  it('are named without regard to case', async () => {
    expectError(await service.get('/api/profile', { authorization: 'bEARER x' }), 401, 'Invalid token');
  });

  it('come before the fields of a body', async () => {
    expectError(await service.post('/api/keys', { nonsense: true }), 401, 'No token provided');
  });

  for (const request of [
    'GET /api/users',
    'GET /api/users/1',
    'GET /api/v1/users',
    'GET /api/v2/users',
    'POST /api/users/1/activate',
    'GET /api/orders',
  ]) {
    it(`${request} needs none, but refuses a token that is not valid`, async () => {
      const [method = '', path = ''] = request.split(' ');
      expectError(await service.send({ method, path, headers: BEARER }), 401, 'Invalid token');
    });
  }

  for (const path of ['/api/users', '/api/users/1', '/api/v1/users', '/api/v2/users']) {
    it(`GET ${path} refuses an API key that is not valid`, async () => {
      expectError(await service.get(path, KEY), 401, 'Invalid API key');
    });
  }

  it('of a key are asked for in the API key area, and nothing else counts there', async () => {
    expectError(await service.get('/api/keys/current'), 401, 'API key required');
    expectError(await service.get('/api/keys/current', BEARER), 401, 'API key required');
    expectError(await service.get('/api/keys/current', { 'x-api-key': '' }), 401, 'API key required');
    expectError(await service.get('/api/keys/current?x-api-key=1&X-API-Key=1'), 401, 'API key required');
    expectError(await service.get('/api/keys/current', KEY), 401, 'Invalid API key');
  });

  it('are refused in XML to those who read it', async () => {
    const { text } = await service.get('/api/profile', { accept: 'application/xml' });
    expect(text).to.include('<error>No token provided</error>');
  });
});
