/** What shared caches may keep: headers of every answer, and a real nginx that caches all it is allowed to. */

import { expect } from 'chai';
import { NginxServer, nginxAbsence } from '../../support/nginx-server.js';
import { useWatched } from './watched-service.js';

const service = useWatched({
  DEMO_DATA: 'off',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct horse battery',
});

interface Tokens {
  readonly accessToken: string;
}

/** Signs up and in. @returns the headers of the user's requests */
async function headersOf(email: string, password = 'a long password'): Promise<Record<string, string>> {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
  if (email !== 'admin@example.com') {
    const body = JSON.stringify({ name: email, email, password });
    expect((await fetch(`${service().url}/api/users`, { ...json, body })).status).to.equal(201);
  }
  const body = JSON.stringify({ email, password });
  const answer = await fetch(`${service().url}/api/auth/login`, { ...json, body });
  const { accessToken } = (await answer.json()) as Tokens;
  return { authorization: `Bearer ${accessToken}` };
}

describe('answers to a credential', () => {
  it('are private, and every answer names the headers that it depends on', async () => {
    const admin = await headersOf('admin@example.com', 'correct horse battery');
    const accept = 'application/json';
    const graphql = '/graphql?query={users{id}}';
    for (const path of ['/api/users', '/api/posts', '/api/profile', '/api/keys', graphql, '/nowhere']) {
      const anonymous = await fetch(service().url + path, { headers: { accept } });
      const vary = (anonymous.headers.get('vary') ?? '').split(/, */);
      expect(vary, path).to.include.members(['Authorization', 'X-API-Key']);
      expect(anonymous.headers.get('cache-control'), path).to.equal(null);
      for (const credential of [admin, { 'x-api-key': 'none' }]) {
        const answer = await fetch(service().url + path, { headers: { accept, ...credential } });
        expect(answer.headers.get('cache-control'), path).to.equal('private, no-cache');
      }
    }
  });

  it('are private for pages, contracts, assets and refusals too, and public without a credential', async () => {
    const paths = [
      '/',
      '/docs',
      '/auth/success',
      '/openapi.yaml',
      '/openapi.json',
      '/schema.graphql',
      '/tools.json',
    ];
    const others = ['/favicon.ico', '/.well-known/jwks.json', '/assets/x/page.css', '/graphql'];
    for (const path of [...paths, ...others]) {
      const plain = { accept: path === '/graphql' ? 'text/html' : '*/*' };
      const anonymous = await fetch(service().url + path, { headers: plain });
      expect(anonymous.headers.get('cache-control'), path).to.match(/^(no-cache|no-store|public, .*)$/);
      for (const credential of [{ authorization: 'Bearer x' }, { 'x-api-key': 'none' }]) {
        const answer = await fetch(service().url + path, { headers: { ...plain, ...credential } });
        expect(answer.headers.get('cache-control'), path).to.equal(
          path === '/auth/success' ? 'no-store' : 'private, no-cache',
        );
        const etag = answer.headers.get('etag') ?? '';
        const headers = { ...plain, ...credential, 'if-none-match': etag };
        const known = await fetch(service().url + path, { headers });
        expect([known.status, known.headers.get('cache-control')], path).to.deep.equal([
          304,
          answer.headers.get('cache-control'),
        ]);
      }
    }
    const refused = await fetch(`${service().url}/docs`, {
      method: 'POST',
      headers: { 'x-api-key': 'none' },
    });
    expect([refused.status, refused.headers.get('cache-control')]).to.deep.equal([405, 'private, no-cache']);
  });

  it('are not stored at all where they carry a token', async () => {
    const headers = { 'content-type': 'application/json', ...(await headersOf('token@example.com')) };
    const body = JSON.stringify({ email: 'token@example.com', password: 'a long password' });
    const answer = await fetch(`${service().url}/api/auth/login`, { method: 'POST', headers, body });
    expect(answer.headers.get('cache-control')).to.equal('no-store');
  });
});

const title = 'behind a proxy that caches';
(nginxAbsence === undefined ? describe : describe.skip)(
  nginxAbsence === undefined ? title : `${title} (skipped: ${nginxAbsence})`,
  () => {
    let nginx: NginxServer;
    let url = '';
    before(async () => {
      nginx = await NginxServer.start(caching(service().url));
      ({ url } = nginx);
    });
    after(() => nginx.stop());

    it('gives each user their own profile, and a stranger none', async () => {
      const [ada, bob] = [await headersOf('ada@example.com'), await headersOf('bob@example.com')];
      const emails = [];
      for (const headers of [ada, bob, ada]) {
        const answer = await fetch(`${url}/api/profile`, { headers });
        emails.push(((await answer.json()) as { email: string }).email);
      }
      expect(emails).to.deep.equal(['ada@example.com', 'bob@example.com', 'ada@example.com']);
      expect((await fetch(`${url}/api/profile`)).status).to.equal(401);
    });

    it('still caches public answers', async () => {
      const states = [];
      for (let count = 0; count < 2; count += 1) {
        states.push((await fetch(`${url}/api/products`)).headers.get('x-cache'));
      }
      expect(states).to.deep.equal(['MISS', 'HIT']);
    });
  },
);

/** A cache that keeps every 200 for a minute, as far as the headers of the answer allow. */
function caching(upstream: string): (port: number, directory: string) => string {
  return (port, directory) => `
  access_log off;
  proxy_cache_path ${directory}/cache keys_zone=shared:1m;
  server {
    listen 127.0.0.1:${String(port)};
    location / {
      proxy_pass ${upstream};
      proxy_cache shared;
      proxy_cache_valid 200 1m;
      add_header X-Cache $upstream_cache_status;
    }
  }`;
}
