/** HEAD, OPTIONS, unknown paths and methods, on every path of the contract. */
import { readFile } from 'node:fs/promises';
import { parseYaml } from '@redocly/openapi-core';
import { expect } from 'chai';
import { type Node, operationsOf } from '../contract/contract-document.js';
import { useService } from '../support/service.js';
import { expectError, expectErrorAbout } from './user-requests.js';

const document = parseYaml(await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Node;

/** The declared methods by path, parameters filled with an id. */
const declared = new Map<string, string[]>();
for (const { path, method } of operationsOf(document)) {
  const filled = path.replaceAll(/\{[^}]+\}/g, '999');
  declared.set(filled, [...(declared.get(filled) ?? []), method.toUpperCase()]);
}

describe('methods and paths', () => {
  const service = useService();

  // The client checks Allow and the error format against the contract.
  for (const [path, methods] of declared) {
    it(`${path} answers OPTIONS with Allow, and other methods with 405`, async () => {
      const options = await service.send({ method: 'OPTIONS', path });
      expect(options.status).to.equal(204);
      const head = methods.includes('GET') ? [] : ['HEAD'];
      for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', ...head]) {
        if (methods.includes(method)) continue;
        const answer = await service.send({ method, path, headers: { 'content-length': '0' } });
        expect(answer.status, method).to.equal(405);
        expect(answer.headers.allow).to.equal(options.headers.allow);
      }
    });
  }

  it('lists HEAD with GET, and OPTIONS', async () => {
    const allowed = async (path: string): Promise<string[]> =>
      ((await service.send({ method: 'OPTIONS', path })).headers.allow ?? '').split(', ');
    expect(await allowed('/api/users')).to.have.members(['GET', 'HEAD', 'POST', 'OPTIONS']);
    expect(await allowed('/api/users/1')).to.have.members([
      'GET',
      'HEAD',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
    ]);
    expect(await allowed('/api/auth/login')).to.have.members(['POST', 'OPTIONS']);
  });

  it('names the allowed methods in the error of a 405', async () => {
    const answer = await service.send({ method: 'POST', path: '/api/users/1' });
    expectErrorAbout(answer, 405, 'GET', 'PUT', 'PATCH', 'DELETE');
  });

  const unknown = [
    '//',
    '/api',
    '/api/',
    '/api/user',
    '/api/users/',
    '//api/users',
    '/api//users',
    '/api/users//orders',
    '/API/users',
    '/api/Users',
    '/api/users/1/orders/',
    '/api/users/1/orders/2/items',
    '/api/users/1/activate/now',
    '/api/v1/users/1',
    '/api/keys/current/x',
    '/api/users/../users',
    '/api/./users',
    '/api%2Fusers',
    '/constructor',
    '/__proto__',
    '/api/__proto__',
    '/api/users.json',
    '/api/users;v=1',
    '/%',
    '/%ff',
    '/api/%zz',
    `/${'x'.repeat(10_000)}`,
    `/api/users${'/1'.repeat(3_000)}`,
    '/'.repeat(8_000),
  ];
  for (const path of unknown) {
    const shown = path.length > 60 ? `${path.slice(0, 30)}… of ${String(path.length)} characters` : path;
    it(`returns 404 for ${shown}`, async () => {
      expectError(await service.get(path), 404, 'Not found');
    });
  }

  it('returns 404 for an unknown path with any method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      expectError(await service.send({ method, path: '/api/nothing' }), 404, 'Not found');
    }
    expect((await service.send({ method: 'HEAD', path: '/api/nothing' })).status).to.equal(404);
    expectError(await service.send({ method: 'OPTIONS', path: '*' }), 404, 'Not found');
  });

  it('accepts needless percent-encoding in a path (RFC 3986 §6.2.2.2)', async () => {
    expect((await service.get('/%61pi/us%65rs')).status).to.equal(200);
  });

  it('accepts a request target in absolute form (RFC 9112 §3.2.2)', async () => {
    expect((await service.get(`${service.url}/api/users`)).status).to.equal(200);
  });

  it('has errors in XML too', async () => {
    const accept = { accept: 'application/xml' };
    const unknownPath = await service.get('/api/nothing', accept);
    expect(unknownPath.text).to.include('<error><error>Not found</error></error>');
    const method = await service.send({ method: 'PUT', path: '/api/users', headers: accept });
    expect([method.status, method.headers['content-type']]).to.deep.equal([405, 'application/xml']);
  });
});
