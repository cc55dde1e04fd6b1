/** Every transport that takes any handler, as a listener of `node:http`: a list, so that a new one is a line. */

import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express from 'express';
import Koa from 'koa';
import type { HttpHandler } from '../../../src/runtime/index.js';
import type { ServedHandler } from '../../../src/runtime/conformance/index.js';
import { fetchTransport } from '../../../src/runtime/transports/fetch.js';
import { koaTransport, sendPastKoa } from '../../../src/runtime/transports/koa.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';

const report = (): void => undefined;

export const listeners: Readonly<Record<string, (handler: HttpHandler) => RequestListener>> = {
  node: (handler) => nodeTransport(handler, { report }),
  koa: (handler) => listenerOf(koaTransport(handler)),
  'koa, with sendPastKoa': (handler) => listenerOf(koaTransport(handler, { send: sendPastKoa })),
  fetch: (handler) => fetchListener(fetchTransport(handler)),
  'Express, behind express.json()': (handler) => {
    const app = express().set('env', 'test').use(express.json(), nodeTransport(handler, { report }));
    // What a service has behind its routes: nothing of an error for clients.
    const answerErrors: express.ErrorRequestHandler = (error, _request, response, next) => {
      if (response.headersSent) next(error);
      else response.sendStatus(500);
    };
    return app.use(answerErrors);
  },
};

function listenerOf(middleware: Koa.Middleware): RequestListener {
  const app = new Koa().use(middleware);
  app.silent = true;
  const answer = app.callback();
  return (request, response) => void answer(request, response);
}

/** What a runtime does that speaks the Fetch standard. */
export function fetchListener(answer: (request: Request) => Response | Promise<Response>): RequestListener {
  return (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    const client = new AbortController();
    outgoing.once('close', () => outgoing.writableFinished || client.abort());
    const request = new Request(`http://localhost${url}`, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((each): [string, string] => [name, each]),
      ),
      signal: client.signal,
      ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' }),
    });
    Promise.resolve(answer(request)).then(
      async (response) => {
        outgoing.setHeaders(response.headers).writeHead(response.status).flushHeaders();
        if (response.body === null) outgoing.end();
        else await pipeline(response.body, outgoing).catch(() => outgoing.destroy());
      },
      () => outgoing.writeHead(500).end(),
    );
  };
}

/** Puts a listener on a port of its own. */
export async function listenTo(listener: RequestListener | NetServer): Promise<ServedHandler> {
  const server = typeof listener === 'function' ? createServer(listener) : listener;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
