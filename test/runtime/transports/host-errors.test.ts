/** The errors of hosts in handlers of the engine, and refusals of the engine in the error handlers of hosts. */

import { connect } from 'node:net';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { NotFoundException } from '@nestjs/common';
import { expect } from 'chai';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import createError from 'http-errors';
import Koa, { type Context } from 'koa';
import { Problem, hostType } from '../../../src/runtime/index.js';
import { fastifyTransport } from '../../../src/runtime/transports/fastify.js';
import { fetchTransport } from '../../../src/runtime/transports/fetch.js';
import { koaTransport } from '../../../src/runtime/transports/koa.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import { appWithErrors } from '../../recipes/keep-errors.js';
import { type OneOperationOptions, oneOperation } from '../rest/one-operation.js';
import { fetchListener, listenTo } from './listeners.js';
import { withListener } from './transports.js';

const thrown = (error: unknown, options: OneOperationOptions = {}) =>
  oneOperation({
    handler: () => {
      throw error;
    },
    ...options,
  });

class ClientError extends Error {
  readonly status = 404;
}

class FastifyError extends Error {
  override readonly name = 'FastifyError';
  readonly code = 'FST_NO_NOTE';
  readonly statusCode = 404;
}

const added = (message: string, members: object): Error => Object.assign(new Error(message), members);

describe('an error of a host, from a handler of the engine', () => {
  const known: Readonly<Record<string, Error>> = {
    'http-errors': createError(404, 'no note'),
    'a class of http-errors': new createError.NotFound('no note'),
    'an Error with a status': added('no note', { status: 404 }),
    'an Error with a statusCode, as in Fastify': added('no note', { statusCode: 404 }),
    '@fastify/error': new FastifyError('no note'),
    Hono: new HTTPException(404, { message: 'no note' }),
    Nest: new NotFoundException('no note'),
    h3: added('no note', { statusCode: 404, unhandled: false, fatal: false }),
    Boom: added('no note', { isBoom: true, output: { statusCode: 404, headers: {} } }),
  };
  for (const [name, error] of Object.entries(known)) {
    it(`keeps its status and text: ${name}`, async () => {
      const engine = thrown(error);
      const { status, body } = await engine.send();
      expect([status, JSON.parse(body as string), engine.reported]).to.deep.equal([
        404,
        { type: 'about:blank', title: 'Not Found', status: 404, detail: 'no note' },
        [],
      ]);
    });
  }

  it('keeps its headers, but not those of a body', async () => {
    const headers = { 'Retry-After': 5, 'content-type': 'text/html' };
    const answer = await thrown(createError(429, 'too fast', { headers })).send();
    expect(answer.headers).to.deep.equal({ 'Retry-After': '5', 'Content-Type': 'application/problem+json' });
  });

  it('keeps its status, and its text only for report, unless the text is public', async () => {
    for (const [status, title, error] of [
      [503, 'Service Unavailable', createError(503, 'secret')],
      [500, 'Internal Server Error', createError(500, 'secret')],
      [403, 'Forbidden', createError(403, 'secret', { expose: false })],
      [502, 'Bad Gateway', new HTTPException(502, { message: 'secret' })],
    ] as const) {
      const engine = thrown(error);
      const answer = await engine.send();
      expect([answer.status, answer.body]).to.deep.equal([
        status,
        JSON.stringify({ type: 'about:blank', title, status, detail: title }),
      ]);
      expect(engine.reported).to.deep.equal([error]);
    }
    expect((await thrown(createError(503, 'in five minutes', { expose: true })).send()).body).to.contain(
      'minutes',
    );
  });

  it('is masked if it is of an HTTP client, of another service, or has no status of an error', async () => {
    for (const error of [
      new ClientError('secret'),
      added('secret', { status: 404, response: {} }),
      added('secret', { statusCode: 404, requestId: '1', code: 'NoSuchKey' }),
      added('secret', { status: 200 }),
      added('secret', { statusCode: '404' }),
      added('secret', { statusCode: 404, unhandled: true }),
      { status: 404, expose: true, message: 'secret' },
      'secret',
    ]) {
      const engine = thrown(error);
      const answer = await engine.send();
      expect([answer.status, engine.reported]).to.deep.equal([500, [error]]);
      expect(answer.body).to.not.contain('secret');
    }
  });

  it('is first explained', async () => {
    const explain = () => new Problem(410, 'gone');
    expect((await thrown(createError(404, 'no note'), { explain }).send()).status).to.equal(410);
  });

  it("is Koa's ctx.throw, also in hooks and security", async () => {
    const engine = oneOperation({
      hooks: [
        {
          before: (_request, { host }) => {
            (host as Context).throw(409, 'locked');
          },
        },
      ],
    });
    expect(hostType<Context>()).to.deep.equal({});
    const app = new Koa().use(koaTransport(engine).routes());
    await withListener(
      (...given) => void app.callback()(...given),
      async (url) => {
        const response = await fetch(`${url}/thing`, { method: 'POST' });
        expect([response.status, await response.text()]).to.deep.equal([
          409,
          '{"type":"about:blank","title":"Conflict","status":409,"detail":"locked"}',
        ]);
      },
    );
  });
});

/** The format of a team: its status, its own member, and the names of what it knows of an error. */
const written = (error: unknown): [status: number, body: string] => {
  const { status, statusCode, expose, message } = error as Problem;
  return [status, JSON.stringify({ error: message, same: status === statusCode && expose })];
};

const engineOf = (): ReturnType<typeof oneOperation> =>
  oneOperation({
    operation: {
      requestBody: { required: true, content: { 'text/plain': { kind: 'text' } } },
    },
    handler: ({ body }) => {
      if (body === 'fail') throw new Error('secret');
      if (body === 'busy') throw new Problem(429, 'Later', { 'Retry-After': '3' });
      return { status: 200, body: 'handled' };
    },
    hooks: [{ after: ({ response }) => ({ ...response, headers: { ...response.headers, 'X-Id': '7' } }) }],
  });

const hosts: Readonly<Record<string, () => RequestListener | Promise<RequestListener>>> = {
  Koa: () =>
    new Koa()
      .use(async (context, next) => {
        try {
          await next();
        } catch (error) {
          [context.status, context.body] = written(error);
          context.set((error as Problem).headers);
        }
      })
      .use(koaTransport(engineOf(), { refusals: 'throw', unknownPaths: 'answer' }).routes())
      .callback(),
  Express: () => {
    const answer: express.ErrorRequestHandler = (error, _request, response, _next) => {
      const [status, body] = written(error);
      response
        .status(status)
        .set((error as Problem).headers)
        .send(body);
    };
    const engine = nodeTransport(engineOf(), { refusals: 'throw', unknownPaths: 'answer' });
    return express().use(engine).use(answer) as RequestListener;
  },
  Fastify: async () => {
    const app = fastify();
    app.all('/*', fastifyTransport(engineOf(), { refusals: 'throw', unknownPaths: 'answer' }));
    app.setErrorHandler((error, _request, reply) => {
      const [status, body] = written(error);
      return reply
        .status(status)
        .headers((error as Problem).headers)
        .send(body);
    });
    await app.ready();
    return (request, response) => {
      app.routing(request, response);
    };
  },
  Hono: () => {
    const answer = fetchTransport(engineOf(), { refusals: 'throw' });
    const app = new Hono();
    app.all('*', ({ req }) => answer(req.raw));
    app.onError((error) => {
      const [status, body] = written(error);
      return new Response(body, { status, headers: (error as Problem).headers });
    });
    return fetchListener((request) => app.fetch(request));
  },
};

for (const [name, listen] of Object.entries(hosts)) {
  it(`a refusal of the engine is thrown to the error handler of ${name} with the option`, async () => {
    const served = await listenTo(await listen());
    try {
      const send = async (path: string, body?: string) => {
        const headers = { 'content-type': 'text/plain' };
        const response = await fetch(served.url + path, { method: 'POST', headers, ...(body && { body }) });
        return [response.status, await response.text(), response.headers.get('x-id')];
      };
      const body = (error: string): string => JSON.stringify({ error, same: true });
      expect(await send('/thing', 'hello')).to.deep.equal([200, '"handled"', '7']);
      expect(await send('/thing')).to.deep.equal([400, body('body is required'), '7']);
      expect(await send('/thing', 'fail')).to.deep.equal([500, body('Internal server error'), '7']);
      expect(await send('/thing', 'busy')).to.deep.equal([429, body('Later'), '7']);
      expect(await send('/thing/')).to.deep.equal([404, body('Not found'), null]);
    } finally {
      await served.close();
    }
  });
}

it("a refusal is written in the application's format by the recipe of the guide", async () => {
  const answer = appWithErrors(engineOf()).callback();
  await withListener(
    (...given) => void answer(...given),
    async (url) => {
      const send = async (path: string) => {
        const response = await fetch(url + path, { method: 'POST' });
        return [response.status, await response.json(), response.headers.get('x-id')];
      };
      expect(await send('/thing')).to.deep.equal([400, { error: 'body is required' }, '7']);
      expect(await send('/else')).to.deep.equal([404, { error: 'There is no such page' }, null]);
    },
  );
});

it('a refusal of the engine is answered by the engine where a server of node:http has no error handler', async () => {
  const listener = nodeTransport(engineOf(), { refusals: 'throw' });
  await withListener(listener, async (url) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end('POST /thing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).to.match(/^HTTP\/1\.1 400 .*"errors":/s);
  });
});

it('a refusal of the engine has the response of the engine for the default error handler of Hono', async () => {
  const answer = fetchTransport(engineOf(), { refusals: 'throw' });
  const app = new Hono().all('*', ({ req }) => answer(req.raw));
  const response = await app.request('/thing', { method: 'POST' });
  expect([response.status, response.headers.get('content-type')]).to.deep.equal([
    400,
    'application/problem+json',
  ]);
});
