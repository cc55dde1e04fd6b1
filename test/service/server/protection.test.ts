/** What the door does against strangers: security headers, CORS, the rate limit, and whom it believes who calls. */

import { request } from 'node:http';
import { expect } from 'chai';
import { RawSocket } from '../../support/raw-socket.js';
import { exchange, readAnswer, requestText } from '../../support/wire.js';
import { useWatched } from './watched-service.js';

/** Sends without what `fetch` adds or forbids, such as `Origin`. */
function ask(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    })
      .once('error', reject)
      .end();
  });
}

describe('security headers', () => {
  const service = useWatched();
  const without = useWatched({ SECURITY_HEADERS: 'off' });

  it('stand on every answer: of operations, probes, GraphQL, and on errors', async () => {
    for (const path of [
      '/api/users',
      '/api/users/999',
      '/nowhere',
      '/healthz',
      '/graphql?query={users{id}}',
    ]) {
      const { headers } = await ask(service().url + path);
      expect(headers, path).to.include({
        'content-security-policy':
          "default-src 'none';frame-ancestors 'none';base-uri 'none';form-action 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers).not.to.have.property('x-powered-by');
    }
  });

  it('can be left to a proxy', async () => {
    const { headers } = await ask(`${without().url}/api/users`);
    expect(headers).not.to.have.any.keys('content-security-policy', 'x-content-type-options');
  });
});

describe('CORS', () => {
  const closed = useWatched();
  const open = useWatched({ CORS_ORIGINS: '*' });
  const some = useWatched({ CORS_ORIGINS: 'https://app.example.com, http://localhost:8080' });
  const app = 'https://app.example.com';

  const preflight = (url: string, origin: string): ReturnType<typeof ask> =>
    ask(`${url}/api/users/1`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });

  it('is off unless it is set: OPTIONS is then the answer of the contract', async () => {
    const { status, headers } = await preflight(closed().url, app);
    expect(status).to.equal(204);
    expect(headers['allow']).to.include('PUT');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
  });

  it('lets the origins through that were named', async () => {
    for (const origin of [app, 'http://localhost:8080']) {
      const { status, headers } = await preflight(some().url, origin);
      expect(status).to.equal(204);
      expect(headers).to.include({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-max-age': '600',
      });
      expect(headers['access-control-allow-methods']).to.equal('GET,HEAD,POST,PUT,PATCH,DELETE');
    }
  });

  it('lets no other origin through, however alike', async () => {
    for (const origin of [
      'https://app.example.com.evil.net',
      'http://app.example.com',
      'null',
      'https://app.example.com:8443',
    ]) {
      for (const { headers } of [
        await preflight(some().url, origin),
        await ask(`${some().url}/api/users`, { headers: { Origin: origin } }),
      ]) {
        expect(headers, origin).not.to.have.property('access-control-allow-origin');
      }
    }
  });

  it('lets pages read what is said in headers, also on errors, and never allows cookies', async () => {
    const { status, headers } = await ask(`${some().url}/api/users/999`, { headers: { Origin: app } });
    expect(status).to.equal(404);
    expect(headers['access-control-allow-origin']).to.equal(app);
    expect(String(headers['access-control-expose-headers']).split(',')).to.include.members([
      'ETag',
      'Link',
      'Retry-After',
    ]);
    expect(headers).not.to.have.property('access-control-allow-credentials');
    expect(String(headers['vary'])).to.include('Origin');
  });

  it('may be open to all', async () => {
    const { headers } = await ask(`${open().url}/api/users`, { headers: { Origin: 'https://any.example' } });
    expect(headers['access-control-allow-origin']).to.equal('*');
  });
});

describe('the rate limit', () => {
  const limited = useWatched({ RATE_LIMIT: '3' });
  const proxied = useWatched({ RATE_LIMIT: '1', TRUST_PROXY: '1' });
  const sockets = useWatched({ RATE_LIMIT: '3', TRUST_PROXY: '1' });

  it('answers 429 with Retry-After in the shape of the document, as JSON and as XML', async () => {
    const url = `${limited().url}/api/users`;
    for (let index = 0; index < 3; index += 1) expect((await ask(url)).status).to.equal(200);
    const refused = await ask(url);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect(JSON.parse(refused.text)).to.deep.equal({
      error: `Too many requests: try again in ${String(refused.headers['retry-after'])} seconds`,
    });
    const asXml = await ask(url, { headers: { Accept: 'application/xml' } });
    expect(asXml.status).to.equal(429);
    expect(asXml.text).to.include('<error>Too many requests');
  });

  it('is for GraphQL too, and not for probes', async () => {
    expect((await ask(`${limited().url}/graphql?query={users{id}}`)).status).to.equal(429);
    expect((await ask(`${limited().url}/readyz`)).status).to.equal(200);
  });

  it('takes the address that the trusted proxy saw, and not one that a client makes up', async () => {
    const from = (forwarded: string): ReturnType<typeof ask> =>
      ask(`${proxied().url}/api/users`, { headers: { 'X-Forwarded-For': forwarded } });
    expect((await from('203.0.113.7')).status).to.equal(200);
    expect((await from('203.0.113.7')).status).to.equal(429);
    expect((await from('203.0.113.8')).status).to.equal(200);
    // The proxy appends whom it saw; what stands before it came from the client.
    expect((await from('198.51.100.1, 203.0.113.7')).status).to.equal(429);
    expect(proxied().lines.map(({ address }) => address)).to.include.members(['203.0.113.7', '203.0.113.8']);
  });

  it('counts the addresses of one IPv6 network together, and an IPv4 address however it is written', async () => {
    const from = async (forwarded: string): Promise<number> =>
      (await ask(`${proxied().url}/api/users`, { headers: { 'X-Forwarded-For': forwarded } })).status;
    expect(await from('2001:db8:1:2::1')).to.equal(200);
    expect(await from('2001:db8:1:2:ffff::2')).to.equal(429);
    expect(await from('2001:db8:1:3::1')).to.equal(200);
    expect(await from('198.51.100.77')).to.equal(200);
    expect(await from('::ffff:198.51.100.77')).to.equal(429);
  });

  it('counts WebSockets, and each operation on them', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.200, 192.0.2.10' };
    const socket = await RawSocket.connect(sockets().url, undefined, { headers });
    for (const id of ['1', '2']) {
      socket.subscribe(id, '{ users { id } }');
      expect((await socket.hear()).type).to.equal('next');
      expect((await socket.hear()).type).to.equal('complete');
    }
    socket.subscribe('3', '{ users { id } }');
    const { type, id, payload } = await socket.hear();
    expect({ type, id }).to.deep.equal({ type: 'error', id: '3' });
    const [error, ...others] = payload as readonly { message: string; extensions: unknown }[];
    expect(others).to.deep.equal([]);
    expect(error?.extensions).to.deep.equal({ code: 'LIMIT_EXCEEDED' });
    expect(error?.message).to.match(/^Too many requests: try again in \d+ seconds?$/);
    // The connection is still open.
    socket.say({ type: 'ping' });
    expect(await socket.hear()).to.deep.equal({ type: 'pong' });
    await socket.close();

    const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'X-Forwarded-For: 192.0.2.10'];
    const refused = readAnswer(await exchange(sockets().url, requestText('/graphql', { headers: lines })));
    expect(refused.status).to.equal(429);
    expect(refused.headers)
      .to.match(/\r\nRetry-After: \d+\r\n/)
      .and.include('Content-Type: application/json');
    expect((refused.body as { error: string }).error).to.match(/^Too many requests: try again in /);
  });

  it('believes nobody without a proxy', async () => {
    const answer = await ask(`${limited().url}/api/users`, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
    expect(answer.status).to.equal(429);
    expect(limited().lines.every(({ address }) => address === '127.0.0.1')).to.equal(true);
  });
});
