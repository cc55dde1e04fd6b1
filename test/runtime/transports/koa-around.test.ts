/** The Koa adapter among other middleware: what runs around its operations, and what becomes of all that it does not have. */
import { Router } from '@koa/router';
import { expect } from 'chai';
import type { Context, Next } from 'koa';
import { koaTransport, type KoaTransportOptions } from '../../../src/runtime/transports/koa.js';
import { contractEngine, withServer } from './koa-server.js';

function contractRouter(options?: KoaTransportOptions): Router {
  return koaTransport(contractEngine().engine, options);
}

/** Middleware that notes when it came and went. */
function noting(notes: string[], name: string): (context: Context, next: Next) => Promise<void> {
  return async (_context, next) => {
    notes.push(`${name} in`);
    await next();
    notes.push(`${name} out`);
  };
}

describe('middleware around koaTransport', () => {
  it('runs before and after the operation, in a parent router too', async () => {
    const notes: string[] = [];
    const parent = new Router().use('/v1', noting(notes, 'parent')).use('/v1', contractRouter().routes());
    await withServer(
      (app) => app.use(noting(notes, 'app')).use(parent.routes()),
      async (server) => {
        expect((await server.get('/v1/users/1')).status).to.equal(200);
      },
    );
    expect(notes).to.deep.equal(['app in', 'parent in', 'parent out', 'app out']);
  });

  it('sees what the operation answered', async () => {
    let seen: unknown;
    await withServer(
      (app) =>
        app
          .use(async (context, next) => {
            await next();
            seen = [context.status, context.type, typeof context.body];
            context.set('X-After', '1');
          })
          .use(contractRouter().routes()),
      async (server) => {
        expect((await server.get('/users/1')).headers['x-after']).to.equal('1');
      },
    );
    expect(seen).to.deep.equal([200, 'application/json', 'string']);
  });

  it('is added to one operation by its layer', async () => {
    const notes: string[] = [];
    const router = contractRouter();
    const layer = router.route('getUser');
    if (layer === false) throw new Error('getUser has no layer');
    layer.stack.unshift(noting(notes, 'getUser'));
    for (const [mounted, prefix] of [
      [router, ''],
      [new Router().use('/v1', router.routes()), '/v1'],
    ] as const) {
      await withServer(
        (app) => app.use(mounted.routes()),
        async (server) => {
          expect(await server.echo(`${prefix}/users/7`)).to.deep.equal({ id: 'getUser', path: { id: '7' } });
          expect(await server.echo(`${prefix}/users/me`)).to.deep.equal({ id: 'getMe', path: {} });
        },
      );
    }
    expect(notes).to.deep.equal(['getUser in', 'getUser out', 'getUser in', 'getUser out']);
  });

  it('may answer in place of one operation', async () => {
    const router = contractRouter();
    const layer = router.route('getUser');
    if (layer === false) throw new Error('getUser has no layer');
    layer.stack.unshift((context) => {
      context.status = 403;
      context.body = 'no';
    });
    await withServer(
      (app) => app.use(router.routes()),
      async (server) => {
        expect(await server.echo('/users/7')).to.equal('403 no');
        expect(await server.echo('/users')).to.deep.equal({ id: 'listUsers', path: {} });
      },
    );
  });

  it('is added by the name of a parameter with param()', async () => {
    const ids: string[] = [];
    const router = contractRouter();
    router.param('id', (id: string, _context: unknown, next: Next) => {
      ids.push(id);
      return next();
    });
    await withServer(
      (app) => app.use(router.routes()),
      async (server) => {
        await server.get('/users/7');
        await server.get('/users/me');
        await server.get('/users/a%20b/posts/1');
      },
    );
    expect(ids).to.deep.equal(['7', 'a b']);
  });

  it('that was added to the router later runs for what was added after it, as in any router', async () => {
    const notes: string[] = [];
    const router = contractRouter().use(noting(notes, 'late'));
    router.get('/extra', (context) => {
      context.body = 'extra';
    });
    await withServer(
      (app) => app.use(router.routes()),
      async (server) => {
        expect(await server.echo('/users')).to.deep.equal({ id: 'listUsers', path: {} });
        expect(notes).to.deep.equal([]);
        expect((await server.get('/extra')).text).to.equal('extra');
        expect(notes).to.deep.equal(['late in', 'late out']);
      },
    );
  });

  it('may rewrite the path', async () => {
    await withServer(
      (app) =>
        app
          .use((context, next) => {
            context.path = context.path.replace('/people', '/users');
            return next();
          })
          .use(contractRouter().routes()),
      async (server) => {
        expect(await server.echo('/people/7?x=1')).to.deep.equal({ id: 'getUser', path: { id: '7' } });
      },
    );
  });

  it('is not passed where the router is for another host', async () => {
    await withServer(
      (app) => app.use(contractRouter({ host: 'api.example.com', unknownPaths: 'answer' }).routes()),
      async (server) => {
        expect(await server.echo('/users')).to.equal('404 Not Found');
        const headers = { host: 'api.example.com' };
        const answer = await server.send({ method: 'GET', path: '/users', headers });
        expect(answer.status).to.equal(200);
        expect((await server.send({ method: 'GET', path: '/nothing', headers })).text).to.include(
          '"Not found"',
        );
      },
    );
  });
});

describe('what koaTransport does not have', () => {
  const problem = (status: number, title: string, detail: string): string =>
    `${String(status)} ${JSON.stringify({ type: 'about:blank', title, status, detail })}`;

  it('goes to the middleware behind it', async () => {
    await withServer(
      (app) => app.use(contractRouter().routes()).use((context) => (context.body = 'behind')),
      async (server) => {
        expect((await server.get('/nothing')).text).to.equal('behind');
        expect((await server.send({ method: 'OPTIONS', path: '/nothing' })).text).to.equal('behind');
        expect(await server.echo('/users')).to.deep.equal({ id: 'listUsers', path: {} });
      },
    );
  });

  it('leaves the layers of a router behind it to each request', async () => {
    const behind = new Router().get('/nothing', (context) => {
      context.body = context.matched?.length;
    });
    await withServer(
      (app) => app.use(contractRouter().routes()).use(behind.routes()),
      async (server) => {
        expect(await server.echo('/nothing')).to.equal(1);
        expect(await server.echo('/nothing')).to.equal(1);
      },
    );
  });

  it('leaves the methods that a path does not have to allowedMethods(), if that is asked for', async () => {
    const router = contractRouter({ unknownMethods: 'next' });
    await withServer(
      (app) => app.use(router.routes()).use(router.allowedMethods()),
      async (server) => {
        const options = await server.send({ method: 'OPTIONS', path: '/users/1' });
        expect([options.status, options.headers.allow]).to.deep.equal([200, 'HEAD, GET, PUT']);
        const wrong = await server.send({ method: 'DELETE', path: '/users/me' });
        expect([wrong.status, wrong.headers.allow]).to.deep.equal([405, 'HEAD, GET']);
        expect((await server.send({ method: 'HEAD', path: '/users/1' })).status).to.equal(200);
        expect((await server.send({ method: 'DELETE', path: '/nothing' })).status).to.equal(404);
      },
    );
  });

  it('is answered where that is asked for', async () => {
    await withServer(
      (app) =>
        app
          .use(contractRouter({ unknownPaths: 'answer' }).routes())
          .use((context) => (context.body = 'behind')),
      async (server) => {
        for (const path of ['/nothing', '/users/', '//users', '/']) {
          const expected = path === '/' ? { id: 'root', path: {} } : problem(404, 'Not Found', 'Not found');
          expect(await server.echo(path), path).to.deep.equal(expected);
        }
        expect((await server.send({ method: 'OPTIONS', path: '/nothing' })).status).to.equal(404);
      },
    );
  });

  it('is not what a path looks like without the prefix', async () => {
    for (const prefix of ['/v1', '/:tenant/v1']) {
      await withServer(
        (app) => app.use(contractRouter({ prefix, unknownPaths: 'answer' }).routes()),
        async (server) => {
          for (const path of ['/users', '/users/1', '/v1users', '/v2/users', '/v1']) {
            expect(await server.echo(path), path).to.equal(problem(404, 'Not Found', 'Not found'));
          }
        },
      );
    }
  });

  const routers: Readonly<Record<string, readonly [prefix: string, options: KoaTransportOptions]>> = {
    'by default': ['', {}],
    'where unknown paths are answered': ['', { unknownPaths: 'answer' }],
    'with a prefix': ['/v1', { prefix: '/v1' }],
    'with a prefix that has parameters': ['/acme', { prefix: '/:tenant' }],
  };
  for (const [how, [prefix, options]] of Object.entries(routers)) {
    it(`is a method of a path that there is: 405 with Allow, and OPTIONS, ${how}`, async () => {
      const allow = {
        '/users': 'GET, POST, HEAD, OPTIONS',
        '/users/7': 'GET, PUT, HEAD, OPTIONS',
        '/users/me': 'GET, HEAD, OPTIONS',
      };
      await withServer(
        (app) => app.use(contractRouter(options).routes()),
        async (server) => {
          for (const [path, methods] of Object.entries(allow)) {
            const answer = await server.send({ method: 'DELETE', path: prefix + path });
            expect(answer.status).to.equal(405);
            expect(answer.headers.allow).to.equal(methods);
            expect(answer.headers['content-type']).to.equal('application/problem+json');
            const asked = await server.send({ method: 'OPTIONS', path: prefix + path });
            expect([asked.status, asked.headers.allow, asked.text]).to.deep.equal([204, methods, '']);
          }
        },
      );
    });
  }

  it('is left to a parent router, whose allowedMethods() knows the operations, where unknownMethods is next', async () => {
    const parent = new Router().use('/v1', contractRouter({ unknownMethods: 'next' }).routes());
    await withServer(
      (app) => app.use(parent.routes()).use(parent.allowedMethods()),
      async (server) => {
        const answer = await server.send({ method: 'DELETE', path: '/v1/users' });
        expect(answer.status).to.equal(405);
        expect((answer.headers.allow ?? '').split(', ')).to.have.members(['GET', 'HEAD', 'POST']);
        expect((await server.send({ method: 'OPTIONS', path: '/v1/users/me' })).headers.allow).to.equal(
          'HEAD, GET',
        );
        expect((await server.send({ method: 'DELETE', path: '/v1/nothing' })).status).to.equal(404);
      },
    );
  });

  it('is a method of a path that there is, in a parent router', async () => {
    const parents = [
      new Router().use('/v1', contractRouter().routes()),
      new Router({ prefix: '/v1' }).use(contractRouter().routes()),
      new Router({ prefix: '/:version' }).use(contractRouter().routes()),
      new Router().use('/v1', new Router().use(contractRouter().routes()).routes()),
    ];
    for (const parent of parents) {
      parent.patch('/v1/users', (context) => (context.body = 'own'));
      if (parent.opts.prefix !== undefined) parent.patch('/users', (context) => (context.body = 'own'));
      await withServer(
        (app) => app.use(parent.routes()).use(parent.allowedMethods()),
        async (server) => {
          const answer = async (method: string, path: string) => {
            const { status, headers, text } = await server.send({ method, path });
            return `${String(status)} ${headers.allow ?? text}`;
          };
          expect(await answer('DELETE', '/v1/users')).to.equal('405 GET, POST, HEAD, OPTIONS');
          expect(await answer('OPTIONS', '/v1/users/7')).to.equal('204 GET, PUT, HEAD, OPTIONS');
          expect(await answer('PATCH', '/v1/users')).to.equal('200 own');
          expect(await answer('GET', '/v1/USERS/7')).to.contain('404 {"type"');
          expect(await answer('OPTIONS', '/v1/users/')).to.contain('404 {"type"');
          if (parent.opts.prefix !== '/:version')
            expect(await answer('GET', '/V1/users')).to.contain('404 {"type"');
          expect(await answer('GET', '/v1/nothing')).to.equal('404 Not Found');
          expect(await answer('GET', '/v1/users/7')).to.contain('"getUser"');
        },
      );
    }
  });

  it('is no address at all', async () => {
    for (const options of [{}, { prefix: '/v1' }] as const) {
      await withServer(
        (app) => app.use(contractRouter({ ...options, unknownPaths: 'answer' }).routes()),
        async (server) => {
          for (const path of ['http://[/', 'http://', '*']) {
            const { status, text } = await server.send({ method: 'GET', path });
            expect(`${String(status)} ${text}`, path).to.equal(problem(404, 'Not Found', 'Not found'));
          }
          expect(server.errors).to.deep.equal([]);
        },
      );
    }
  });
});

describe('HEAD through koaTransport', () => {
  it('is answered by GET, without the body', async () => {
    await withServer(
      (app) => app.use(contractRouter().routes()),
      async (server) => {
        const get = await server.get('/users/7');
        const head = await server.send({ method: 'HEAD', path: '/users/7' });
        expect([head.status, head.text]).to.deep.equal([200, '']);
        expect({ ...head.headers, date: '' }).to.deep.equal({ ...get.headers, date: '' });
      },
    );
  });

  it('is answered by its own operation where there is one, mounted too', async () => {
    const { engine } = contractEngine({
      answers: { probe: () => ({ status: 204, headers: { 'X-Probe': '1' } }) },
      responses: { probe: { '204': {} } },
    });
    const router = koaTransport(engine);
    for (const [mounted, prefix] of [
      [router, ''],
      [new Router().use('/v1', router.routes()), '/v1'],
    ] as const) {
      await withServer(
        (app) => app.use(mounted.routes()),
        async (server) => {
          const head = await server.send({ method: 'HEAD', path: `${prefix}/probe` });
          expect([head.status, head.headers['x-probe']]).to.deep.equal([204, '1']);
          expect(await server.echo(`${prefix}/probe`)).to.deep.equal({ id: 'getProbe', path: {} });
        },
      );
    }
  });
});
