/** The same application on each host, with its own body parser and its own way to answer, observed or not. */

import type { RequestListener } from 'node:http';
import type { Server } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import type { Observer } from '../../../src/runtime/observe/index.js';
import { passingServer } from '../../../src/tools/traffic/passing-server.js';
import { fetchListener, listenTo } from '../transports/listeners.js';

/** What the application answers. */
export interface AppAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A list is streamed. */
  readonly body?: string | Buffer | readonly string[];
}

/** @param body - as the host's parser read it; undefined for none */
export type App = (request: {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}) => AppAnswer;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const thing = '{"name":"Lamp","notes":[{"text":"a"},{"text":"b"}]}';

/** Answers well, except where the path says otherwise. @throws at /things/500 */
export const shop: App = ({ method, path, body }) => {
  if (method === 'PUT') return { status: 405 };
  const versioned = { ...JSON_TYPE, 'x-version': '1' };
  if (path === '/things/500') throw new Error('broken');
  if (path === '/things/404') return { status: 404, headers: JSON_TYPE, body: '{"error":"none"}' };
  if (path === '/things/304') return { status: 304, headers: { etag: '"1"' } };
  if (path === '/things/77') {
    return { headers: { ...versioned, 'content-encoding': 'gzip' }, body: gzipSync('{"name":5}') };
  }
  if (path === '/things/88') return { headers: versioned, body: ['{"name":', '"Lam', 'p"}'] };
  if (path === '/things/99') {
    return {
      headers: JSON_TYPE,
      body: '{"name":"","email":"ada@","password":"hunter2","notes":[{},{"text":1}],"x":1}',
    };
  }
  if (path.startsWith('/things/')) return { headers: versioned, body: thing };
  if (path === '/things') return { status: 201, headers: JSON_TYPE, body: JSON.stringify(body) };
  if (path === '/events') {
    return {
      headers: { 'content-type': 'application/x-ndjson' },
      body: ['{"n":1}\n', '{"n":', '"2"}\n{"n":3}\n'],
    };
  }
  if (path === '/events/import') return { status: 204 };
  if (path === '/old/7') return { headers: JSON_TYPE, body: '{}' };
  return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'nothing' };
};

export type HostName = 'Koa' | 'Express' | 'Fastify' | 'Hono' | 'Hono on Node' | 'a server behind a proxy';

/** @param observer - none for the bare application @param isBehind - whether it is mounted behind the body parser */
export type Host = (
  app: App,
  observer?: Observer,
  isBehind?: boolean,
) => RequestListener | Promise<RequestListener | Server>;

export const hosts: Readonly<Record<HostName, Host>> = {
  Koa: (app, observer, isBehind = false) => {
    const koa = new Koa();
    koa.silent = true;
    const parser = koaBody();
    if (isBehind) koa.use(parser);
    if (observer !== undefined) koa.use(observer.koa);
    if (!isBehind) koa.use(parser);
    koa.use((context) => {
      const { method, path } = context;
      const answer = app({ method, path, body: context.request.body });
      context.status = answer.status ?? 200;
      context.set(answer.headers ?? {});
      if (answer.body !== undefined)
        context.body = isList(answer.body) ? Readable.from(answer.body) : answer.body;
    });
    const callback = koa.callback();
    return (incoming, outgoing) => void callback(incoming, outgoing);
  },
  Express: (app, observer, isBehind = false) => {
    const server = express().set('env', 'test');
    const parsers = [express.json(), express.urlencoded({ extended: false })];
    if (isBehind) server.use(parsers);
    if (observer !== undefined) server.use(observer.express);
    if (!isBehind) server.use(parsers);
    server.use((request, response) => {
      const { method, path } = request;
      const answer = app({ method, path, body: request.body as unknown });
      response.status(answer.status ?? 200).set(answer.headers ?? {});
      if (isList(answer.body)) Readable.from(answer.body).pipe(response);
      else response.send(answer.body);
    });
    const answerErrors: express.ErrorRequestHandler = (
      error: { status?: number },
      _request,
      response,
      next,
    ) => {
      if (response.headersSent) next(error);
      else response.sendStatus(error.status ?? 500);
    };
    return server.use(answerErrors);
  },
  Fastify: async (app, observer) => {
    const server = fastify();
    if (observer !== undefined) await server.register(observer.fastify);
    server.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'application/x-ndjson'],
      { parseAs: 'string' },
      (_request, body, done) => {
        done(null, Object.fromEntries(new URLSearchParams(String(body))));
      },
    );
    server.all('/*', (request, reply) => {
      const { method, url, body } = request;
      const answer = app({ method, path: url.replace(/\?.*/, ''), body });
      const content = isList(answer.body) ? Readable.from(answer.body) : answer.body;
      return reply
        .code(answer.status ?? 200)
        .headers(answer.headers ?? {})
        .send(content);
    });
    await server.ready();
    return (incoming, outgoing) => {
      server.routing(incoming, outgoing);
    };
  },
  Hono: (app, observer) => {
    const server = honoApp(app, observer);
    return fetchListener((request) => server.fetch(request));
  },
  'Hono on Node': (app, observer) => {
    const server = honoApp(app, observer);
    return (incoming, outgoing) => {
      fetchListener((request) => server.fetch(request, { incoming, outgoing }))(incoming, outgoing);
    };
  },
  'a server behind a proxy': async (app, observer) => {
    const bare = (await hosts.Koa(app)) as RequestListener;
    if (observer === undefined) return bare;
    const served = await listenTo(bare);
    const passing = passingServer({
      target: new URL(served.url),
      open: ({ method, target, headers }) => observer.open(method, target, headers),
    });
    return passing.once('close', () => void served.close());
  },
};

function honoApp(app: App, observer: Observer | undefined): Hono {
  const server = new Hono();
  if (observer !== undefined) server.use(observer.hono);
  server.onError((_error, context) => context.text('Internal', 500));
  server.all('/*', async (context) => {
    const { method, path } = context.req;
    const type = context.req.header('content-type') ?? '';
    const body: unknown =
      method !== 'POST'
        ? undefined
        : type.includes('json') && !type.includes('nd')
          ? await context.req.json()
          : Object.fromEntries(new URLSearchParams(await context.req.text()));
    const answer = app({ method, path, body });
    const content = isList(answer.body)
      ? (Readable.toWeb(
          Readable.from(answer.body.map((text) => Buffer.from(text))),
        ) as ReadableStream<Uint8Array>)
      : answer.body;
    return new Response(content ?? null, { status: answer.status ?? 200, headers: answer.headers ?? {} });
  });
  return server;
}

function isList(body: AppAnswer['body']): body is readonly string[] {
  return Array.isArray(body);
}
