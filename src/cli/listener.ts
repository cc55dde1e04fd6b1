/** The socket that the service listens on: opened, and closed without breaking off what is in flight. */

import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from './settings.js';

/** A socket that accepts connections. */
export interface Listener {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** For what needs more than requests, such as WebSockets. */
  readonly server: Server;
  /** Stops accepting. @returns when the last request that is in flight is answered */
  close(): Promise<void>;
}

/** @throws when the address cannot be listened on, with the reason in words */
export function listen(
  answer: RequestListener,
  { host, port }: Pick<Settings, 'host' | 'port'>,
): Promise<Listener> {
  const server = createServer(answer);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve({
        url: urlOf(server.address() as AddressInfo), // it listens on a port, not on a pipe
        server,
        close: () => new Promise((closed) => void server.close(() => closed())),
      });
    });
  });
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${String(port)}`;
}
