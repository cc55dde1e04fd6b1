/** The transports that the same tests go through: a list, so that a new one is a line. */

import type { RequestListener } from 'node:http';
import * as consumers from 'node:stream/consumers';
import Koa from 'koa';
import { OpenAPIBackend } from 'openapi-backend';
import { type KoaSendOptions, koaTransport, sendPastKoa } from '../../../src/runtime/transports/koa.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import { openapiBackendHandlers } from '../../../src/runtime/transports/openapi-backend.js';
import { fetchTransport } from '../../../src/runtime/transports/fetch.js';
import { fetchListener, listenTo } from './listeners.js';
import type { RestEngine, HttpResponse } from '../../../src/runtime/index.js';

interface Transport {
  readonly name: string;
  /** A listener of `node:http` that serves the engine through the transport. */
  readonly listen: <Caller>(engine: RestEngine<Caller>) => RequestListener | Promise<RequestListener>;
}

export const transports: readonly Transport[] = [
  { name: 'node', listen: (engine) => nodeTransport(engine, { report: () => undefined }) },
  { name: 'koa', listen: (engine) => koaListener(engine) },
  { name: 'koa, with sendPastKoa', listen: (engine) => koaListener(engine, { send: sendPastKoa }) },
  { name: 'fetch', listen: (engine) => fetchListener(fetchTransport(engine)) },
  { name: 'openapi-backend', listen: backendListener },
];

function koaListener<Caller>(engine: RestEngine<Caller>, options?: KoaSendOptions): RequestListener {
  const app = new Koa().use(koaTransport(engine, { unknownPaths: 'answer', ...options }).routes());
  app.silent = true;
  const answer = app.callback();
  return (request, response) => void answer(request, response);
}

async function backendListener<Caller>(engine: RestEngine<Caller>): Promise<RequestListener> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { id, path, method } of engine.operations) {
    const { [path]: operations = {} } = paths;
    paths[path] = { ...operations, [method.toLowerCase()]: { operationId: id, responses: {} } };
  }
  const backend = new OpenAPIBackend({
    definition: { openapi: '3.0.3', info: { title: 'Small', version: '1' }, paths } as never,
    quick: true,
    validate: false,
    handlers: openapiBackendHandlers(engine),
  });
  await backend.init();
  return (incoming, outgoing) => {
    void consumers.buffer(incoming).then(async (body) => {
      const { method = 'GET', url = '/', headers } = incoming;
      const request = { method, path: url, headers: headers as Record<string, string>, body };
      const response = (await backend.handleRequest(request, request)) as HttpResponse;
      for (const [name, value] of Object.entries(response.headers)) {
        outgoing.setHeader(name, typeof value === 'string' ? value : [...value]);
      }
      outgoing.statusCode = response.status;
      outgoing.end(response.body as string | Uint8Array);
    });
  };
}

/** Runs a test against the address of a server, and always stops it. */
export async function withListener(
  listener: RequestListener,
  test: (url: string) => Promise<void>,
): Promise<void> {
  const server = await listenTo(listener);
  try {
    await test(server.url);
  } finally {
    await server.close();
  }
}
