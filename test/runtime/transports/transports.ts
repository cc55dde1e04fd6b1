/** The doors that the same tests go through: a list, so that a new one is a line. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as consumers from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Koa from 'koa';
import { OpenAPIBackend } from 'openapi-backend';
import { fetchTransport } from '../../../src/runtime/transports/fetch.js';
import { koaTransport } from '../../../src/runtime/transports/koa.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import { openapiBackendHandlers } from '../../../src/runtime/transports/openapi-backend.js';
import type { RestEngine, HttpResponse } from '../../../src/runtime/index.js';

interface Transport {
  readonly name: string;
  /** A listener of `node:http` that serves the engine through the transport. */
  readonly listen: (engine: RestEngine<undefined>) => RequestListener | Promise<RequestListener>;
}

export const transports: readonly Transport[] = [
  { name: 'node', listen: (engine) => nodeTransport(engine) },
  {
    name: 'koa',
    listen: (engine) => {
      const answer = new Koa().use(koaTransport(engine, { unknownPaths: 'answer' }).routes()).callback();
      return (request, response) => void answer(request, response);
    },
  },
  { name: 'fetch', listen: fetchListener },
  { name: 'openapi-backend', listen: backendListener },
];

/** What a runtime does that speaks the Fetch standard. */
function fetchListener(engine: RestEngine<undefined>): RequestListener {
  const answer = fetchTransport(engine);
  return (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    const client = new AbortController();
    outgoing.once('close', () => outgoing.writableFinished || client.abort());
    const request = new Request(`http://localhost${url}`, {
      signal: client.signal,
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((each): [string, string] => [name, each]),
      ),
      ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' }),
    });
    void answer(request).then(async (response) => {
      outgoing.setHeaders(response.headers).writeHead(response.status).flushHeaders();
      if (response.body === null) outgoing.end();
      else await pipeline(response.body, outgoing).catch(() => outgoing.destroy());
    });
  };
}

async function backendListener(engine: RestEngine<undefined>): Promise<RequestListener> {
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
      outgoing.end(response.body);
    });
  };
}

/** Runs a test against the address of a server, and stops it whatever comes of the test. */
export async function withListener(
  listener: RequestListener,
  test: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await test(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
