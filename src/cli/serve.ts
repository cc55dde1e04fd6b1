/** Runs the service: the core over its store, behind Koa. */

import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { contract } from '../../generated/routing.js';
import { xmlEncoder } from '../adapters/encoding/xml.js';
import { argon2Hasher } from '../adapters/identity/argon2.js';
import { koaTransport } from '../adapters/transport/koa.js';
import { type ServiceEngineOptions, serviceEngine } from '../core/operations/engine.js';
import type { Storage } from '../core/ports/storage.js';
import type { Caller } from '../core/services/caller.js';
import { type DemoSignIn, fillWithDemoData } from '../core/services/demo-data.js';
import { ensureAdmin } from '../core/services/first-admin.js';
import { openPolicy } from '../core/services/policy.js';
import { type Services, createServices } from '../core/services/services.js';
import type { ResponseChecks, RestEngine, RestRequest } from '../engine/index.js';
import { openStorage } from './open-storage.js';
import type { Settings } from './settings.js';

/** A service that accepts connections. */
export interface RunningService {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Where the data is, in words. */
  readonly store: string;
  /** The core behind the door. */
  readonly services: Services;
  /** How to sign in, where demo data was made. */
  readonly demoSignIns: readonly DemoSignIn[];
  /** Stops accepting, finishes what is in flight, and closes the store. */
  stop(): Promise<void>;
}

/** What a service needs to be told; the rest is a memory store that everybody may use. */
export type ServeSettings = Pick<Settings, 'host' | 'port'> & Partial<Settings>;

/** What whoever runs the service may watch; tests do. */
export type ServeOptions = Partial<Pick<ServiceEngineOptions, 'report' | 'checkResponses'>>;

/** Opens the store, brings it up to date, and waits until the service accepts connections. */
export async function serve(
  settings: ServeSettings,
  { report = logFailure, checkResponses }: ServeOptions = {},
): Promise<RunningService> {
  const { database = { kind: 'memory' }, policy = openPolicy, reportVersions = true } = settings;
  const { storage, description } = await openStorage(database);
  try {
    const demoSignIns = await prepare(storage, settings);
    const services = createServices({ storage, policy, passwordHasher });
    const checks = checkResponses ?? (await responseChecks(settings));
    const xml = xmlEncoder(contract.xmlNames);
    const engine = serviceEngine({
      services,
      xml,
      report,
      reportVersions,
      ...(checks && { checkResponses: checks }),
    });
    const server = await listen(engine, settings);
    return {
      url: urlOf(server.address() as AddressInfo),
      store: description,
      services,
      demoSignIns,
      stop: async () => {
        await new Promise((resolve) => server.close(resolve));
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

const passwordHasher = argon2Hasher();

/** Loaded only where answers are checked. */
async function responseChecks({ checkResponses }: ServeSettings): Promise<ResponseChecks | undefined> {
  return checkResponses === true ? await import('../../generated/response-validators.js') : undefined;
}

/** Demo data and the first admin; a deployer's policy does not bind the service itself. */
async function prepare(
  storage: Storage,
  { demoData = false, admin }: ServeSettings,
): Promise<readonly DemoSignIn[]> {
  const services = createServices({ storage, policy: openPolicy, passwordHasher });
  const signIns = demoData ? await fillWithDemoData(services, { kind: 'user', id: '0', role: 'admin' }) : [];
  if (admin !== undefined) await ensureAdmin(storage, passwordHasher, admin);
  return signIns;
}

function listen(engine: RestEngine<Caller>, { host, port }: ServeSettings): Promise<Server> {
  const app = new Koa();
  app.use(koaTransport(engine, { unknownPaths: 'answer' }).routes());
  // The engine answers for what goes wrong within; a connection that its client broke off is nobody's failure.
  app.on('error', (error: Error, context?: Koa.Context) => {
    if (context?.writable !== false) app.onerror(error);
  });
  const answer = app.callback();
  const server = createServer((request, response) => void answer(request, response));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function logFailure(error: unknown, { method, path }: RestRequest): void {
  console.error(`${method} ${path} failed:`, error);
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${String(port)}`;
}
