/** Black-box tests of probes, signing in and out, and the user's own record. */

import { expect } from 'chai';
import { json } from '../requests/request-makers.js';
import { type Api, expectEmpty, expectError, fieldsOf, read, readObject } from './api.js';

export function sessionTests(api: Api): void {
  const signIn = { email: 'Ada@Lantern.example', password: 'correct-horse-1' };

  it('GET /health reports the version and the time, uncached', async () => {
    const answer = await api(json('GET', '/health', 'nobody'));
    expect(read(answer, 200)).to.deep.equal({
      status: 'ok',
      version: '4.2.0',
      time: '2026-03-02T09:30:00.000Z',
    });
    expect(answer.headers['cache-control']).to.equal('no-store');
  });

  it('GET /docs redirects to the manual', async () => {
    const answer = await api(json('GET', '/docs', 'nobody'));
    expect(answer.status).to.equal(302);
    expect(answer.headers.location).to.equal('https://manual.lantern.example/api');
    expect(answer.text).to.contain('https://manual.lantern.example/api');
  });

  it('POST /login makes a token and a cookie, which both identify the user', async () => {
    const answer = await api(json('POST', '/login', 'nobody', signIn));
    const { token, ...rest } = readObject(answer, 200);
    expect(rest).to.deep.equal({
      expiresAt: '2026-03-02T17:30:00.000Z',
      user: { id: 1, name: 'Ada Berg', role: 'admin' },
    });
    expect(token).to.match(/^[0-9a-f]{40}$/);
    expect(answer.headers['set-cookie']).to.deep.equal([
      `sid=${String(token)}; path=/; samesite=lax; httponly`,
    ]);
    for (const headers of [
      { authorization: `Bearer ${String(token)}` },
      { cookie: `sid=${String(token)}` },
    ]) {
      const me = await api({ method: 'GET', path: '/me', headers });
      expect(readObject(me, 200)['name']).to.equal('Ada Berg');
    }
  });

  it('POST /login refuses a wrong password, and names bad fields', async () => {
    const wrong = await api(json('POST', '/login', 'nobody', { ...signIn, password: 'guess' }));
    expect(expectError(wrong, 401, 'BAD_CREDENTIALS')).not.to.have.property('details');
    const bad = await api(json('POST', '/login', 'nobody', { email: 'ada' }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['email', 'password']);
  });

  it('POST /logout ends the session', async () => {
    const answer = await api(json('POST', '/login', 'nobody', signIn));
    const cookie = `sid=${String(readObject(answer, 200)['token'])}`;
    const out = await api({ method: 'POST', path: '/logout', headers: { cookie } });
    expectEmpty(out, 204);
    expect(String(out.headers['set-cookie'])).to.contain('expires=Thu, 01 Jan 1970');
    expectError(await api({ method: 'GET', path: '/me', headers: { cookie } }), 401, 'UNAUTHENTICATED');
    expectError(await api(json('POST', '/logout', 'nobody')), 401, 'UNAUTHENTICATED');
  });

  it('GET /me answers the user, with a phone number where there is one', async () => {
    const ada = read(await api(json('GET', '/me', 'admin')), 200);
    const email = 'ada@lantern.example';
    expect(ada).to.deep.equal({ id: 1, name: 'Ada Berg', email, role: 'admin', phone: '+49 30 5550101' });
    expect(read(await api(json('GET', '/me', 'staff')), 200)).not.to.have.property('phone');
    const nobody = await api(json('GET', '/me', 'nobody'));
    expectError(nobody, 401, 'UNAUTHENTICATED');
    expect(nobody.headers['www-authenticate']).to.equal('Bearer');
  });

  it('PATCH /me changes the name and the phone number', async () => {
    const answer = await api(json('PATCH', '/me', 'viewer', { name: ' Vera ', phone: '+49 30 1' }));
    const { updated, user } = readObject(answer, 200);
    expect(updated).to.equal(true);
    expect(user).to.include({ name: 'Vera', phone: '+49 30 1' });
    const bad = await api(json('PATCH', '/me', 'viewer', { name: '', phone: 7 }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['name', 'phone']);
    expectError(await api(json('PATCH', '/me', 'nobody', { name: 'x' })), 401, 'UNAUTHENTICATED');
  });
}
