/** Runs the service: the core over its store, behind Koa. Reads from top to bottom as it starts, and stops in reverse. */

import { contract } from '../../generated/routing.js';
import { xmlEncoder } from '../adapters/encoding/xml.js';
import { argon2Hasher } from '../adapters/identity/argon2.js';
import { type ServiceEngineOptions, serviceEngine } from '../core/operations/engine.js';
import type { DemoSignIn } from '../core/services/demo-data.js';
import { type Services, createServices } from '../core/services/services.js';
import type { ResponseChecks, RestRequest } from '../engine/index.js';
import { createDoor } from './door/door.js';
import { type Listener, listen } from './listener.js';
import { openStorage } from './open-storage.js';
import { openTokens } from './open-tokens.js';
import { prepareStore } from './prepare-store.js';
import type { Settings } from './settings.js';
import { Shutdown } from './shutdown.js';

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
  /** What whoever runs it should know. */
  readonly warnings: readonly string[];
  /** Stops accepting, finishes what is in flight, and closes the store. */
  stop(): Promise<void>;
}

/** What whoever runs the service may watch; tests do. */
export type ServeOptions = Partial<Pick<ServiceEngineOptions, 'report' | 'checkResponses'>>;

/** Opens the store, brings it up to date, and waits until the service accepts connections. */
export async function serve(settings: Settings, options: ServeOptions = {}): Promise<RunningService> {
  const shutdown = new Shutdown();
  try {
    return await start(settings, options, shutdown);
  } catch (error) {
    await shutdown.close();
    throw error;
  }
}

async function start(
  settings: Settings,
  { report = logFailure, checkResponses }: ServeOptions,
  shutdown: Shutdown,
): Promise<RunningService> {
  // What holds the data.
  const { storage, description } = await openStorage(settings.database);
  shutdown.onClose(() => storage.close());
  const passwordHasher = argon2Hasher();
  const demoSignIns = await prepareStore(storage, passwordHasher, settings);

  // What the service can do.
  const { tokens, warnings } = openTokens(settings);
  const services = createServices({ storage, policy: settings.policy, passwordHasher, tokens });

  // The contracts over it.
  const checks = checkResponses ?? (await responseChecks(settings));
  const rest = serviceEngine({
    services,
    xml: xmlEncoder(contract.xmlNames),
    report,
    reportVersions: settings.reportVersions,
    ...(checks && { checkResponses: checks }),
  });

  // The way in.
  const answer = createDoor({ rest }).callback();
  const listener = await listen((request, response) => void answer(request, response), settings);
  return {
    url: listener.url,
    store: description,
    services,
    demoSignIns,
    warnings,
    stop: () => stop(listener, shutdown),
  };
}

async function stop(listener: Listener, shutdown: Shutdown): Promise<void> {
  shutdown.begin();
  const drained = listener.close();
  await shutdown.drain();
  await drained;
  await shutdown.close();
}

/** Loaded only where answers are checked. */
async function responseChecks({ checkResponses }: Settings): Promise<ResponseChecks | undefined> {
  return checkResponses ? await import('../../generated/response-validators.js') : undefined;
}

function logFailure(error: unknown, { method, path }: RestRequest): void {
  console.error(`${method} ${path} failed:`, error);
}
