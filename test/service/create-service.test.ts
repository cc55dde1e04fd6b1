/** The service inside somebody's application: with its own store, policy, tokens and credentials. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  type Policy,
  ServiceError,
  createOperations,
  protectedPolicy,
  securityHandlers,
  serviceEngine,
} from '@concordat/core';
import { contract } from '@concordat/core/contract';
import { memoryStorage } from '@concordat/core/storage/memory';
import { type Service, type ServiceOptions, createService, readSettings } from '@concordat/service';
import { koaTransport } from '@concordat/runtime/koa';
import { xmlEncoder } from '@concordat/runtime/xml';

const settings = {
  ...readSettings({}),
  ...{ port: 0, demoData: false, logLevel: 'silent' as const },
  // A fifth of it passes before the connections of `fetch` are closed.
  stopTimeoutSeconds: 0.25,
} as const;

describe('createService', () => {
  const open: Service[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((service) => service.close()));
  });

  async function start(options: ServiceOptions = {}): Promise<{ service: Service; url: string }> {
    const database = { kind: 'memory' } as const;
    const service = await createService({
      ...options,
      settings: { ...settings, database, ...options.settings },
    });
    open.push(service);
    const { url } = await service.listen();
    return { service, url };
  }

  const ask = (url: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { headers });

  async function me(url: string, token: string): Promise<unknown> {
    const body = JSON.stringify({ query: '{ me { id name } }' });
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    return await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json();
  }

  it('needs no options but where to keep its data', async () => {
    const { service, url } = await start();
    expect((await ask(url, '/healthz')).status).to.equal(200);
    expect((await ask(url, '/readyz')).status).to.equal(200);
    expect(await (await ask(url, '/metrics')).text()).to.include('http_request_duration_seconds');
    expect((await service.health.check()).fault).to.equal(undefined);
    expect(service.store).to.equal('memory, gone when the service stops');
  });

  it("uses the application's store, and leaves it open", async () => {
    const storage = memoryStorage();
    const { service, url } = await start({ storage });
    const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com' });
    const headers = { 'Content-Type': 'application/json' };
    const created = await fetch(`${url}/api/users`, { method: 'POST', headers, body });
    expect(created.status).to.equal(201);
    await service.close();
    expect(await storage.users.find('1')).to.include({ name: 'Ada' });
    await storage.ping();
  });

  it("asks the application's policy, over REST and GraphQL", async () => {
    const closed: Policy = { ...protectedPolicy, 'products.read': ['admin'], 'posts.read': ['admin'] };
    const { url } = await start({ policy: closed });
    expect((await ask(url, '/api/products')).status).to.equal(401);
    const query = encodeURIComponent('{ posts { id } }');
    expect(await (await ask(url, `/graphql?query=${query}`)).json()).to.have.nested.property(
      'errors[0].extensions.code',
      'UNAUTHENTICATED',
    );
  });

  it("asks the application's handler of bearer tokens, which answers later, over REST and GraphQL", async () => {
    const { service, url } = await start({
      securityHandlers: {
        bearerAuth: {
          missing: 'No token provided',
          authenticate: async (token) => {
            await new Promise((resolve) => setImmediate(resolve));
            return token === 'the key'
              ? { caller: { kind: 'user', id: '1', role: 'user' } }
              : { refused: 'Invalid token' };
          },
        },
      },
    });
    await service.services.users.create({ kind: 'anonymous' }, { name: 'Ada', email: 'ada@example.com' });
    const profile = await ask(url, '/api/profile', { Authorization: 'Bearer the key' });
    expect(await profile.json()).to.include({ id: '1', name: 'Ada' });
    const refused = await ask(url, '/api/profile', { Authorization: 'Bearer another' });
    expect([refused.status, await refused.json()]).to.deep.equal([401, { error: 'Invalid token' }]);
    expect(await me(url, 'the key')).to.deep.equal({ data: { me: { id: '1', name: 'Ada' } } });
    expect(await me(url, 'another')).to.have.nested.property('errors[0].message', 'Not authenticated');
  });

  it("asks the application's tokens, and refuses the request when they cannot be read now", async () => {
    const unreachable = () => Promise.reject(new ServiceError('unavailable', 'The keys cannot be fetched'));
    const tokens = {
      signAccess: unreachable,
      readAccess: unreachable,
      signRefresh: unreachable,
      readRefresh: unreachable,
    };
    const { service, url } = await start({ tokens });
    expect(service.warnings).to.deep.equal([]);
    const answer = await ask(url, '/api/profile', { Authorization: 'Bearer any' });
    expect([answer.status, await answer.json()]).to.deep.equal([
      503,
      { error: 'The keys cannot be fetched' },
    ]);
  });

  it("runs the application's middleware and routes before its own, and after what watches and guards requests", async () => {
    const seen: unknown[] = [];
    const { url, service } = await start({
      mount(app, services) {
        app.use(async (context, next) => {
          await next();
          seen.push([context.path, context.status, typeof context.body]);
          context.set('Server-Timing', 'app;dur=1');
        });
        app.use(async (context, next) => {
          if (context.path === '/count') {
            const { pagination } = await services.products.list({ kind: 'anonymous' });
            context.body = { products: pagination.total };
          } else if (context.path === '/healthz') context.body = 'replaced';
          else await next();
        });
      },
    });
    const count = await ask(url, '/count', { 'X-Request-Id': 'seven' });
    expect([count.status, await count.json()]).to.deep.equal([200, { products: 0 }]);
    const headers = ['X-Request-Id', 'Server-Timing', 'X-Content-Type-Options'].map((name) =>
      count.headers.get(name),
    );
    expect(headers).to.deep.equal(['seven', 'app;dur=1', 'nosniff']);
    expect(await (await ask(url, '/healthz')).text()).to.equal('replaced');

    const products = await ask(url, '/api/products?envelope=true', { 'X-Request-Id': 'eight' });
    expect(await products.json()).to.deep.equal({ data: [], total: 0 });
    expect(products.headers.get('Vary')).to.equal('Authorization, X-API-Key, Accept');
    expect([products.headers.get('X-Request-Id'), products.headers.get('Server-Timing')]).to.deep.equal([
      'eight',
      'app;dur=1',
    ]);
    expect(await (await ask(url, '/graphql?query={users{name}}')).json()).to.deep.equal({
      data: { users: [] },
    });
    expect((await ask(url, '/nowhere')).status).to.equal(404);
    expect(seen).to.deep.equal([
      ['/count', 200, 'object'],
      ['/healthz', 200, 'string'],
      ['/api/products', 200, 'string'],
      ['/graphql', 200, 'string'],
      ['/nowhere', 404, 'string'],
    ]);

    const page = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://example.org' };
    expect((await fetch(`${url}/count`, { method: 'POST', headers: page })).status).to.equal(403);
    expect(seen).to.have.length(5);
    expect(await service.metrics.render())
      .to.have.property('text')
      .that.includes('http_requests_in_flight 0');
  });

  it("serves the application's own contract before its own, and keeps caches from sharing the answers", async () => {
    const { url } = await start({
      mount(app, services) {
        const engine = serviceEngine({
          services,
          contract,
          operations: {
            ...createOperations(services),
            getFeed: () => ({ status: 200, body: { data: [], hasMore: false, lastId: null } }),
          },
          security: securityHandlers(services.authentication),
          xml: xmlEncoder(contract.xmlNames),
          report: console.error,
        });
        return app.use(koaTransport(engine).routes());
      },
    });
    const feed = await ask(url, '/api/feed', { Authorization: 'Bearer none' });
    expect(await (await ask(url, '/api/feed')).json()).to.deep.equal({
      data: [],
      hasMore: false,
      lastId: null,
    });
    expect(feed.headers.get('Cache-Control')).to.equal('private, no-cache');
    expect(feed.headers.get('Vary')).to.equal('Authorization, X-API-Key, Accept');
    expect((await ask(url, '/api/users')).status).to.equal(200);
    expect((await ask(url, '/readyz')).status).to.equal(200);
  });

  it("serves through the application's own server, and closes without one", async () => {
    const service = await createService({ settings, storage: memoryStorage() });
    open.push(service);
    const answer = service.app.callback();
    const server = createServer((request, response) => void answer(request, response));
    server.on('upgrade', service.handleUpgrade).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    expect((await ask(`http://127.0.0.1:${String(port)}`, '/api/users')).status).to.equal(200);
    server.closeAllConnections();
    server.close();
    await service.close();
    await service.close();
  });
});
