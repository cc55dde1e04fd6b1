/** The Koa adapter as a router: what leads where, alone, under prefixes, and mounted in other routers. */
import { Router } from '@koa/router';
import { expect } from 'chai';
import { koaTransport, type KoaTransportOptions } from '../../../src/runtime/transports/koa.js';
import { contractEngine, type KoaServer, type OperationName, withServer } from './koa-server.js';

/** Each path of the contract, and what must be found there in whatever it is mounted. */
const FOUND: readonly (readonly [
  path: string,
  id: OperationName,
  values: Readonly<Record<string, string>>,
])[] = [
  ['/', 'root', {}],
  ['/users', 'listUsers', {}],
  ['/users/me', 'getMe', {}],
  ['/users/%6De', 'getMe', {}],
  ['/users/7', 'getUser', { id: '7' }],
  ['/users/mee', 'getUser', { id: 'mee' }],
  ['/users/a%2Fb%20c', 'getUser', { id: 'a/b c' }],
  ['/users/me/posts/1', 'getPost', { id: 'me', 'post-id': '1' }],
  ['/users/1/posts/a-b', 'getPost', { id: '1', 'post-id': 'a-b' }],
  ['/files/index.json', 'getIndex', {}],
  ['/files/a.json', 'getJson', { name: 'a' }],
  ['/files/a.b.json', 'getJson', { name: 'a.b' }],
  ['/files/1-2', 'getRange', { from: '1', to: '2' }],
  ['/files/1-2-3', 'getRange', { from: '1', to: '2-3' }],
  ['/files/.json', 'getFile', { name: '.json' }],
  ['/files/a', 'getFile', { name: 'a' }],
  ['/probe', 'getProbe', {}],
  ['/odd(*)/a+b:c/x!', 'getOdd', {}],
];

/** Paths that the contract does not have. */
const LOST = [
  '/user',
  '/users/',
  '/users//',
  '//users',
  '/Users',
  '/users/1/posts',
  '/users/1/posts/',
  '/files/',
  '/odd(*)',
  '/odd/a+b:c/x!',
];

function contractRouter(options?: KoaTransportOptions): Router {
  return koaTransport(contractEngine().engine, options);
}

/** A router that another is mounted in. */
function parentOf(path: string | undefined, router: Router, prefix?: string): Router {
  const parent = new Router(prefix === undefined ? {} : { prefix });
  return path === undefined ? parent.use(router.routes()) : parent.use(path, router.routes());
}

async function expectAllFound(server: KoaServer, prefix: string): Promise<void> {
  for (const [path, id, values] of FOUND) {
    expect(await server.echo(prefix + path), prefix + path).to.deep.equal({ id, path: values });
  }
  const put = { id: 'replaceUser', path: { id: '1' } };
  expect(await server.echo(`${prefix}/users/1`, 'PUT')).to.deep.equal(put);
  for (const path of LOST) expect((await server.get(prefix + path)).status, prefix + path).to.equal(404);
  if (prefix === '') return;
  for (const path of ['/users', `${prefix}users`, `/x${prefix}/users`, `${prefix}${prefix}/users`]) {
    expect((await server.get(path)).status, path).to.equal(404);
  }
}

describe('koaTransport', () => {
  describe('finds all that the contract has, and nothing else', () => {
    const mounts: readonly (readonly [how: string, prefix: string, mount: () => Router])[] = [
      ['alone', '', () => contractRouter()],
      ['with the option prefix', '/v1', () => contractRouter({ prefix: '/v1' })],
      ['with a prefix of two segments', '/api/v1', () => contractRouter({ prefix: '/api/v1' })],
      ['after prefix()', '/v1', () => contractRouter().prefix('/v1')],
      ['after prefix() with a slash at its end', '/v1', () => contractRouter().prefix('/v1/')],
      ['after another prefix()', '/v2', () => contractRouter({ prefix: '/v1' }).prefix('/v2')],
      ['with a parameter in the option prefix', '/acme', () => contractRouter({ prefix: '/:tenant' })],
      ['after prefix() with parameters', '/a/acme/b.c', () => contractRouter().prefix('/a/:tenant/b.:part')],
      ['mounted without a path', '', () => parentOf(undefined, contractRouter())],
      ['mounted', '/v1', () => parentOf('/v1', contractRouter())],
      ['mounted in a router with a prefix', '/api', () => parentOf(undefined, contractRouter(), '/api')],
      ['mounted at a path in a router with a prefix', '/api/v1', () => parentOf('/v1', contractRouter(), '/api')],
      ['mounted with a prefix of its own', '/v1/own', () => parentOf('/v1', contractRouter({ prefix: '/own' }))],
      ['mounted two levels deep', '/a/b', () => parentOf('/a', parentOf('/b', contractRouter()))],
      ['mounted three levels deep', '/a/b/c', () => parentOf('/a', parentOf('/b', parentOf('/c', contractRouter())))],
      ['mounted at a path with a parameter', '/acme', () => parentOf('/:tenant', contractRouter())],
      ['mounted deep with parameters', '/acme/x/7', () => parentOf('/:tenant', parentOf('/x/:id', contractRouter()))],
      ['mounted, and the parent prefixed then', '/late/v1', () => parentOf('/v1', contractRouter()).prefix('/late')],
    ]; // prettier-ignore
    for (const [how, prefix, mount] of mounts) {
      it(how, async () => {
        await withServer(
          (app) => app.use(mount().routes()),
          (server) => expectAllFound(server, prefix),
        );
      });
    }

    it('beside routes and middleware of other people', async () => {
      const router = contractRouter();
      router.get('/extra/:id', (context) => (context.body = `extra ${String(context.params['id'])}`));
      router.get('/users/:id', (context) => (context.body = 'never'));
      router.use((_context, next) => next());
      await withServer(
        (app) => app.use(router.routes()),
        async (server) => {
          await expectAllFound(server, '');
          expect((await server.get('/extra/1')).text).to.equal('extra 1');
        },
      );
    });

    it('twice in one application, mounted once and once on its own', async () => {
      const router = contractRouter();
      await withServer(
        (app) => app.use(parentOf('/v1', router).routes()).use(router.routes()),
        async (server) => {
          expect(await server.echo('/v1/users/me')).to.deep.equal({ id: 'getMe', path: {} });
          expect(await server.echo('/users/me')).to.deep.equal({ id: 'getMe', path: {} });
        },
      );
    });
  });

  describe('names its layers after the operations', () => {
    it('in the order of the contract, each with its method', () => {
      const router = contractRouter();
      expect(router).to.be.instanceOf(Router);
      const layers = router.stack.map(({ name, methods }) => [name, methods.at(-1)]);
      expect(layers.slice(0, 3)).to.deep.equal([
        ['root', 'GET'],
        ['listUsers', 'GET'],
        ['createUser', 'POST'],
      ]);
    });

    it('so that url() writes what leads to them', () => {
      const router = contractRouter();
      expect(router.url('listUsers')).to.equal('/users');
      expect(router.url('getUser', { id: 7 })).to.equal('/users/7');
      expect(router.url('getUser', 7)).to.equal('/users/7');
      expect(router.url('getUser', { id: 'a/b ü' })).to.equal('/users/a%2Fb%20%C3%BC');
      expect(router.url('getPost', { id: 1, 'post-id': 2 })).to.equal('/users/1/posts/2');
      expect(router.url('getJson', { name: 'a' })).to.equal('/files/a.json');
      expect(router.url('getRange', { from: 1, to: 2 })).to.equal('/files/1-2');
      expect(router.url('getOdd')).to.equal('/odd(*)/a+b:c/x!');
      expect(router.url('getUser', { id: 7 }, { query: { page: 2 } })).to.equal('/users/7?page=2');
      expect(router.url('nothing')).to.be.instanceOf(Error);
    });

    it('so that url() knows prefixes', () => {
      expect(contractRouter({ prefix: '/v1' }).url('getUser', { id: 7 })).to.equal('/v1/users/7');
      expect(contractRouter().prefix('/v1').url('getUser', { id: 7 })).to.equal('/v1/users/7');
      const deep = parentOf('/:tenant', parentOf('/v1', contractRouter()));
      expect(deep.url('getUser', { tenant: 'acme', id: 7 })).to.equal('/acme/v1/users/7');
    });

    it('and tells those around which one was matched', async () => {
      const seen: unknown[] = [];
      const mounts: Record<string, Router> = {
        '': contractRouter(),
        '/v1': parentOf('/v1', contractRouter()),
      };
      for (const [prefix, router] of Object.entries(mounts)) {
        await withServer(
          (app) => {
            app.use(async (context, next) => {
              await next();
              seen.push([
                context['_matchedRouteName'],
                context['_matchedRoute'],
                context['params'],
                context['routeMatched'],
              ]);
            });
            app.use(router.routes());
          },
          async (server) => {
            await server.get(`${prefix}/users/a%20b`);
          },
        );
      }
      expect(seen).to.deep.equal([
        ['getUser', '/users/:id', { id: 'a b' }, true],
        ['getUser', '/v1/users/:id', { id: 'a b' }, true],
      ]);
    });

    it('and has the parameters of prefixes beside their own', async () => {
      let params: unknown;
      const router = parentOf('/:tenant', contractRouter());
      await withServer(
        (app) => {
          app.use(async (context, next) => {
            await next();
            params = context['params'];
          });
          app.use(router.routes());
        },
        async (server) => {
          await server.get('/acme/users/7');
        },
      );
      expect(params).to.deep.equal({ tenant: 'acme', id: '7' });
    });
  });
});
