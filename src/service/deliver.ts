/** Delivers the events of a store in a process that does nothing else, and serves only the pages for operators. */

import { Problem, type HttpHandler, type HttpResponse } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import { listen } from './listen/listener.js';
import { openStore, opened } from './open/adapters.js';
import { openOutbox, runOutbox } from './open/outbox.js';
import { compileRest } from './open/own-contract.js';
import { operatorServices } from './open/prepare-store.js';
import { openHealth } from './open/repeated-work.js';
import { pageHandler, probePages } from './server/endpoints.js';
import { databaseSettings } from './settings/data.js';
import { operationsSettings } from './settings/operations.js';
import { serverSettings } from './settings/server.js';
import type { Settings } from './settings/settings.js';
import { rejectionLog } from './watch/failure-log.js';
import type { Log } from './watch/log.js';

/** The settings that it reads: the others, such as the secrets of tokens, need not be there. */
export const deliverySettings = {
  ...serverSettings,
  ...databaseSettings,
  slowStatementMs: operationsSettings.slowStatementMs,
};

export type DeliverySettings = Pick<Settings, keyof typeof deliverySettings>;

interface DeliveryOptions {
  readonly log: Log;
  /** False to refuse a store that lacks migrations. */
  readonly migrate: boolean;
  /** The path of the application's contract, whose fields events have. */
  readonly contract?: string | undefined;
}

/** A process that delivers. */
interface RunningDelivery {
  readonly url: string;
  readonly store: string;
  /** For the event `unhandledRejection` of the process. */
  readonly unhandledRejection: (reason: unknown) => void;
  /** Ends the attempts that are on their way, and closes the store. */
  stop(): Promise<void>;
}

/** @throws an error that explains why it cannot start */
export async function deliver(
  settings: DeliverySettings,
  { log, migrate, contract }: DeliveryOptions,
): Promise<RunningDelivery> {
  if (settings.database.kind === 'memory')
    throw new Error(
      'DATABASE_URL is memory:, which other processes cannot reach: name a lasting store, sqlite:<path> or postgres://…',
    );
  return await opened(log, settings, async (watching) => {
    const { failures, metrics, shutdown } = watching;
    const own = contract === undefined ? undefined : await compileRest(contract);
    const contents = { ...settings, migrate, contract: own?.contract };
    const { storage, description: store } = await openStore(contents, watching);
    const outbox = await openOutbox(settings, watching);
    const services = operatorServices(storage, { outbox, report: failures.aftermath });
    const pages = probePages(openHealth({ storage }, watching), metrics, false);
    const handle: HttpHandler = (request) => {
      const found = pages.get(request.path);
      return found === undefined
        ? refuse(new Problem(404, 'Not found'))
        : pageHandler(found, refuse)(request);
    };
    const report = (error: unknown): void => failures.other(error, 'a request failed');
    const listener = await listen({
      answer: nodeTransport(handle, { report }),
      settings: { ...settings, socket: undefined },
      refuse,
      isLocal: false,
      warn: log.warn.bind(log),
      report,
    });
    runOutbox(services.outbox, { outbox: true }, watching);
    return {
      url: listener.url,
      store,
      unhandledRejection: rejectionLog(watching),
      stop: () => shutdown.stop(listener, settings),
    };
  });
}

/** Errors have the form of the service's. */
function refuse(error: unknown): HttpResponse {
  const { status, message, headers } =
    error instanceof Problem ? error : new Problem(500, 'Internal server error');
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error: message }),
  };
}
