/** Runs the service: the core over its store, behind Koa. */

import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { contract } from '../../generated/routing.js';
import { xmlEncoder } from '../adapters/encoding/xml.js';
import { memoryStorage } from '../adapters/storage/memory.js';
import { koaTransport } from '../adapters/transport/koa.js';
import { serviceEngine } from '../core/operations/engine.js';
import { openPolicy } from '../core/services/policy.js';
import { createServices } from '../core/services/services.js';
import type { Settings } from './settings.js';

/** A service that accepts connections. */
export interface RunningService {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting, finishes what is in flight, and closes the store. */
  stop(): Promise<void>;
}

/** Starts the service and waits until it accepts connections. */
export async function serve({ host, port }: Settings): Promise<RunningService> {
  const storage = memoryStorage();
  const engine = serviceEngine({
    services: createServices({ storage, policy: openPolicy }),
    xml: xmlEncoder(contract.xmlNames),
    report: (error, { method, path }) => {
      console.error(`${method} ${path} failed:`, error);
    },
  });
  const app = new Koa();
  app.use(koaTransport(engine, { unknownPaths: 'answer' }).routes());
  const server = createServer(app.callback());
  await listen(server, host, port);
  return {
    url: urlOf(server.address() as AddressInfo),
    stop: async () => {
      await new Promise((resolve) => server.close(resolve));
      await storage.close();
    },
  };
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
