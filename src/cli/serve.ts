/** Runs the service: the core over its store, behind Koa. */

import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { contract } from '../../generated/routing.js';
import { xmlEncoder } from '../adapters/encoding/xml.js';
import { memoryStorage } from '../adapters/storage/memory.js';
import { koaTransport } from '../adapters/transport/koa.js';
import { type ServiceEngineOptions, serviceEngine } from '../core/operations/engine.js';
import { openPolicy } from '../core/services/policy.js';
import { createServices } from '../core/services/services.js';
import type { RestRequest } from '../engine/index.js';
import type { Settings } from './settings.js';

/** A service that accepts connections. */
export interface RunningService {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting, finishes what is in flight, and closes the store. */
  stop(): Promise<void>;
}

/** What whoever runs the service may watch; tests do. */
export type ServeOptions = Partial<Pick<ServiceEngineOptions, 'report' | 'checkResponses'>>;

/** Starts the service and waits until it accepts connections. */
export async function serve(
  { host, port }: Settings,
  { report = logFailure, checkResponses }: ServeOptions = {},
): Promise<RunningService> {
  const storage = memoryStorage();
  const engine = serviceEngine({
    services: createServices({ storage, policy: openPolicy }),
    xml: xmlEncoder(contract.xmlNames),
    report,
    ...(checkResponses && { checkResponses }),
  });
  const app = new Koa();
  app.use(koaTransport(engine, { unknownPaths: 'answer' }).routes());
  const answer = app.callback();
  const server = createServer((request, response) => void answer(request, response));
  await listen(server, host, port);
  return {
    url: urlOf(server.address() as AddressInfo),
    stop: async () => {
      await new Promise((resolve) => server.close(resolve));
      await storage.close();
    },
  };
}

function logFailure(error: unknown, { method, path }: RestRequest): void {
  console.error(`${method} ${path} failed:`, error);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${String(port)}`;
}
