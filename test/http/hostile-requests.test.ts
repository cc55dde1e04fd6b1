/** Hostile requests: each gets an answer that the contract declares, and the service continues. */
import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectErrorAbout, userInput } from './user-requests.js';
import { runs } from '../support/budget.js';
import { cpuTime } from '../support/durations.js';

onEveryStore('hostile requests', (service) => {
  before(() => createUser(service));

  afterEach('the service answers as before', async () => {
    expect((await service.get('/api/users/1')).status).to.equal(200);
  });

  describe('ids', () => {
    for (const id of ['%ff', '%', '%zz', '%E0%A4%A', '1%', '%c0%af']) {
      it(`refuses ${id}, whose percent-encoding is malformed`, async () => {
        expectErrorAbout(await service.get(`/api/users/${id}`), 400, 'path/id');
      });
    }

    const huge = ['1'.repeat(10_000), 'x'.repeat(10_000), '%31'.repeat(3_300), '%F0%9F%98%80'.repeat(800)];
    for (const id of [
      '%00',
      '1%00',
      '%0d%0aSet-Cookie:%20a=b',
      '..%2f1',
      '%2e%2e',
      '1%2F',
      '%F0%9F%98%80',
      "'%20OR%201=1",
      '%3Cscript%3E',
      ...huge,
    ]) {
      it(`returns 404 for ${id.slice(0, 40)}${id.length > 40 ? `… (${String(id.length)} characters)` : ''}`, async () => {
        const answer = await service.get(`/api/users/${id}`);
        expect(answer.status).to.equal(404);
        expect(answer.body).to.deep.equal({ error: 'User not found' });
      });
    }
  });

  describe('headers', () => {
    const long: Readonly<Record<string, string>> = {
      accept: 'a/b;q=0.1,'.repeat(1_000),
      'if-none-match': '"'.repeat(10_000),
      authorization: `Bearer ${'x'.repeat(10_000)}`,
      'x-api-version': '2'.repeat(10_000),
      'x-api-key': 'x'.repeat(10_000),
      cookie: 'a=b;'.repeat(2_500),
    };
    for (const [name, value] of Object.entries(long)) {
      it(`may have a long ${name}`, async () => {
        const taken = cpuTime();
        const { status } = await service.get('/api/users', { [name]: value });
        expect(status).to.be.oneOf([200, 400, 401, 406]);
        // Work that grows faster than the header would show here.
        expect(taken()).to.be.below(1_000);
      });
    }

    it('may be repeated', async () => {
      const twice = { accept: ['application/xml', 'text/html'], 'x-api-version': ['1', '2'] };
      expect((await service.get('/api/users', twice)).status).to.equal(400);
      expect(
        (await service.get('/api/users/1', { accept: ['text/html', 'application/xml'] })).status,
      ).to.equal(200);
    });

    it('may contain bytes beyond ASCII', async () => {
      expect((await service.get('/api/users', { 'x-api-version': '\u00ff' })).status).to.equal(400);
      expect((await service.get('/api/users', { accept: '\u00e9/\u00e9' })).status).to.equal(406);
    });
  });

  it('answers any target as the contract declares', async () => {
    const known = ['/api/users', '/api/v1/users', '/api/users/1', '/api/feed', '/api/auth/idp/callback'];
    const parts = fc.constantFrom(
      ...known, '/', '/api', '/1', '..', '%', '%2F', '%00', '%ff', '?', '&', '=', '+', '[', ']', ';', '#', ':', '@', '*',
      'page', 'limit', 'cursor', 'version', 'envelope', 'embed', 'role', 'since', '=1', '=-1', '=1e999', '=x', '{', '}', "'", '"', '\\', '|', '^', '`', '~',
    ); // prettier-ignore
    const target = fc
      .array(parts, { maxLength: 12 })
      .map((pieces) => `/${pieces.join('')}`.replace(/^\/\//, '/'));
    const method = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH');
    await fc.assert(
      // `#` never reaches a server; Node's parser cuts it off.
      fc.asyncProperty(method, target.map((text) => text.replaceAll('#', '')), async (each, path) => {
        fc.pre(path.split('?')[0] !== '/'); // the start page is not in the contract
        const { status } = await service.send({ method: each, path });
        expect(status).to.not.equal(500);
      }),
      { numRuns: runs(500) },
    ); // prettier-ignore
  });

  it('answers any JSON as the contract declares', async () => {
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('', 'a@example.com', 'admin', 'user'),
    );
    const names = fc.constantFrom(
      'name',
      'email',
      'phone',
      'city',
      'role',
      'status',
      '__proto__',
      'constructor',
      'x',
    );
    const body = fc.oneof(
      fc.json(),
      fc.dictionary(names, values).map((fields) => JSON.stringify(fields)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const headers = { 'content-type': 'application/json' };
        const { status } = await service.send({ method: 'POST', path: '/api/users', headers, body: text });
        expect(status).to.be.oneOf([201, 400, 401, 409]);
      }),
      { numRuns: runs(300) },
    );
  });

  describe('on the wire', () => {
    /** Writes bytes to a new connection and reads until the service closes it, or hangs up at once. */
    function exchange(text: string, hangUp = false): Promise<string> {
      const { hostname, port } = new URL(service.url);
      return new Promise((resolve) => {
        let received = '';
        const socket = connect(Number(port), hostname, () =>
          hangUp ? socket.end(text) : socket.write(text),
        );
        socket.on('data', (chunk) => (received += chunk.toString()));
        socket.on('error', () => undefined);
        socket.on('close', () => {
          resolve(received);
        });
      });
    }
    const get = (target: string, ...headers: readonly string[]): string =>
      [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
    const statusOf = (received: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]);

    it('may not be HTTP at all', async () => {
      expect(statusOf(await exchange('nonsense\r\n\r\n'))).to.equal(400);
      expect(statusOf(await exchange(get('/api/users', 'X-Name')))).to.equal(400);
      expect(statusOf(await exchange(get('/api/users', `X-Long: ${'x'.repeat(20_000)}`)))).to.equal(431);
    });

    // Koa's own answer to the first two would be text, and its errors would reach the log.
    for (const target of ['http://[/', 'http://', 'http://localhost/x', '*']) {
      it(`may request ${target}, and is answered like any unknown path`, async () => {
        const received = await exchange(get(target));
        expect(statusOf(received), received).to.equal(404);
        expect(received).to.match(/Content-Type: application\/json\r\n[^]*\{"error":"Not found"\}$/);
      });
    }

    // Node's own parser refuses these.
    for (const target of ['http://a b/', 'a:b', '?', '?page=1', 'api/users', '/api/users HTTP/9.9']) {
      it(`may not request ${target}`, async () => {
        expect(statusOf(await exchange(get(target)))).to.equal(400);
      });
    }

    describe('may offer another protocol, which is ignored', () => {
      const offers = [
        ['Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA'],
        ['Upgrade: TLS/1.3'],
        ['Upgrade: x'],
      ];
      for (const [offer = '', ...more] of offers) {
        const headers = ['Connection: close, Upgrade, HTTP2-Settings', offer, ...more];

        it(`${offer}, and is answered as without it`, async () => {
          const head = ['GET /api/users/1 HTTP/1.1', 'Host: localhost', ...headers];
          const received = await exchange([...head, '', ''].join('\r\n'));
          expect(received).to.match(/^HTTP\/1\.1 200 OK\r\n[^]*"id":"1"/);
        });

        it(`${offer}, with a body that is read`, async () => {
          const body = JSON.stringify(userInput());
          const head = ['POST /api/users HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
          const length = `Content-Length: ${String(Buffer.byteLength(body))}`;
          const received = await exchange([...head, length, ...headers, '', body].join('\r\n'));
          expect(received).to.match(/^HTTP\/1\.1 201 Created\r\n/);
        });
      }
    });

    it('may end in the middle of a body', async () => {
      const body = JSON.stringify(userInput());
      const head = ['POST /api/users HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
      await exchange([...head, `Content-Length: ${String(body.length + 1)}`, '', body].join('\r\n'), true);
      await exchange([...head, 'Transfer-Encoding: chunked', '', '5', '{"nam'].join('\r\n'), true);
      expect(service.takeMasked()).to.deep.equal([]);
    });

    it('may try to smuggle a second request in a body', async () => {
      const smuggled = get('/api/users/1');
      const head = `GET /api/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${String(smuggled.length)}\r\n`;
      const received = await exchange(`${head}Connection: close\r\n\r\n${smuggled}`);
      expect(received.match(/HTTP\/1\.1 /g)).to.have.length(1);
    });
  });
});
