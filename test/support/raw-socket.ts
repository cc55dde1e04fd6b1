/** A WebSocket client that sends and receives raw messages. */
import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';

export interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

export class RawSocket {
  readonly socket: WebSocket;
  readonly #closed: Promise<readonly [code: number, reason: string]>;
  readonly #heard: Message[] = [];
  #wake: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      this.#heard.push(JSON.parse((data as Buffer).toString()) as Message);
      this.#wake();
    });
    this.#closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        resolve([code, String(reason)]);
      });
    });
  }

  /** @param url - the http URL of the service */
  static async open(
    url: string,
    { protocols = ['graphql-transport-ws'], ...options }: { protocols?: string[] } & ClientOptions = {},
  ): Promise<RawSocket> {
    const client = new RawSocket(new WebSocket(`${url.replace('http', 'ws')}/graphql`, protocols, options));
    client.socket.on('error', () => undefined);
    await once(client.socket, 'open');
    return client;
  }

  /** Opens and initialises a connection. */
  static async connect(url: string, payload?: unknown, options?: ClientOptions): Promise<RawSocket> {
    const client = await RawSocket.open(url, options);
    client.say({ type: 'connection_init', payload });
    const { type } = await client.hear();
    if (type !== 'connection_ack') throw new Error(`received ${type}`);
    return client;
  }

  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(id: string, query: string, variables?: unknown): void {
    this.say({ type: 'subscribe', id, payload: { query, variables } });
  }

  /** The next message. @throws when the connection closes instead */
  async hear(): Promise<Message> {
    for (;;) {
      const message = this.#heard.shift();
      if (message !== undefined) return message;
      const closed = this.#closed.then(([code, reason]) => {
        if (this.#heard.length === 0) throw new Error(`closed with ${String(code)} ${reason}`);
      });
      await Promise.race([new Promise<void>((resolve) => (this.#wake = resolve)), closed]);
    }
  }

  /** The close code and its reason. */
  get closed(): Promise<readonly [code: number, reason: string]> {
    return this.#closed;
  }

  /** Closes, and waits until both sides have closed. */
  async close(): Promise<void> {
    this.socket.close(1000);
    await this.#closed;
  }
}
