/** An address that leads to one server and later to another, as a name does after a failover; open connections stay. */
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

export class MovingAddress {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  /** @param target - the port to which new connections lead */
  constructor(public target: number) {
    this.#server = createServer((socket) => {
      const onward = connect(this.target, '127.0.0.1');
      for (const each of [socket, onward]) each.on('error', () => undefined);
      this.#sockets.add(socket);
      socket.pipe(onward).pipe(socket);
    });
  }

  /** @returns the port */
  async listen(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends the open connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
