/** A service that is restarted in its place, on its own port or on a socket that its parent holds, as systemd does. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { serviceProgram } from './compiled-service.js';
import { freePort } from './free-port.js';
import { until } from './until.js';

/**
 * Each line of its input ends the service and starts the next one. It has the socket as descriptor 3, which the service inherits, and
 * never accepts a connection itself. The service ends with it.
 */
const PARENT = `
  while read -r word; do
    if [ -n "$pid" ]; then kill -TERM "$pid"; wait "$pid"; echo "exit $?"; fi
    [ "$word" = stop ] && exit
    sh -c 'LISTEN_PID=$$ exec "$@"' sh "$@" & pid=$!
  done
  kill -KILL "$pid"`;

/** Node has no public way to learn it. */
export function descriptorOf(socket: Server): number {
  return (socket as unknown as { readonly _handle: { readonly fd: number } })._handle.fd;
}

type HeldParent = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };

export class HeldService {
  readonly #parent: HeldParent;
  #output = '';

  private constructor(
    readonly port: number,
    variables: Readonly<Record<string, string>>,
    directory: string,
    socket: Server | undefined,
  ) {
    const listening = socket === undefined ? { PORT: String(port) } : { LISTEN_FDS: '1' };
    this.#parent = spawn('/bin/sh', ['-c', PARENT, 'sh', process.execPath, serviceProgram(directory)], {
      env: { DEMO_DATA: 'off', LOG_LEVEL: 'error', ...variables, ...listening },
      stdio: ['pipe', 'pipe', 'inherit', ...(socket === undefined ? [] : [descriptorOf(socket)])],
    }) as HeldParent;
    this.#parent.stdout.setEncoding('utf8').on('data', (chunk: string) => (this.#output += chunk));
  }

  /** @param isHeld - whether the parent holds the socket, so that connections wait while the service restarts */
  static async start(
    directory: string,
    variables: Readonly<Record<string, string>>,
    isHeld: boolean,
  ): Promise<HeldService> {
    let service: HeldService;
    if (isHeld) {
      const socket = createServer().listen(0, '127.0.0.1');
      await once(socket, 'listening');
      const { port } = socket.address() as AddressInfo;
      service = new HeldService(port, variables, directory, socket);
      // The parent has it now.
      socket.close();
    } else {
      service = new HeldService(await freePort(), variables, directory, undefined);
    }
    await service.restart();
    return service;
  }

  /** Ends the service, if it runs, and waits until the next one listens. @throws when it ended with another code than 0 */
  async restart(): Promise<void> {
    this.#output = '';
    this.#parent.stdin.write('restart\n');
    await until('the next service listens', () => this.#output.includes('listens on'));
    this.#requireSuccess();
  }

  async stop(): Promise<void> {
    const exit = once(this.#parent, 'close');
    this.#output = '';
    this.#parent.stdin.end('stop\n');
    await exit;
    this.#requireSuccess();
  }

  #requireSuccess(): void {
    if (/exit (?!0$)/m.test(this.#output)) throw new Error(`the service failed: ${this.#output}`);
  }
}
