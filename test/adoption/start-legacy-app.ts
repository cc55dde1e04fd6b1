/** Starts the application as its own tests do: a clock that does not move, and no log. */

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { type AppOptions, createApp } from './legacy-app/app.js';
import { webhookSecret } from './requests/request-makers.js';

/** A server that answers at `url` until it is stopped. */
export interface Started {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** How a stage of the adoption starts the application. */
export type Start = () => Promise<Started>;

export const testOptions: Required<AppOptions> = {
  logger: pino({ level: 'silent' }),
  now: () => new Date('2026-03-02T09:30:00.000Z'),
  webhookSecret,
};

/** @param port - a free one, unless it is given */
export const startLegacyApp = (port = 0): Promise<Started> => listen(createApp(testOptions), port);

/** An application of Koa or Express. */
interface Listening {
  readonly listen: (port: number, hostname: string) => Server;
}

/** Serves any application. */
export async function listen(app: Listening, port = 0): Promise<Started> {
  const server: Server = app.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
