/** A subscriber over WebSocket that counts messages without reading them: a client should cost less than the server it measures. */

import { randomBytes } from 'node:crypto';
import { type Socket, connect } from 'node:net';

const TEXT = 1;
const PING = 9;
const PONG = 10;

const INIT = { type: 'connection_init' };
/** Operations are served in order: once this one is complete, the one before it is subscribed. */
const PROBE = { type: 'subscribe', id: 'probe', payload: { query: '{ __typename }' } };

export class EventSocket {
  /** What is left of the frame whose start was read. */
  #left = 0;
  #opcode = TEXT;
  /** The start of a frame whose length has not come yet. */
  #start: Buffer = Buffer.alloc(0);
  /** Whole messages are read until the subscription has started, and the first event too. */
  #message: Buffer[] | undefined = [];
  /** The payload of a control frame. */
  #control: Buffer[] = [];
  readonly #socket: Socket;
  #isSubscribed = false;
  #ready = (): void => undefined;

  private constructor(
    socket: Socket,
    private readonly query: string,
    private readonly take: (message: Buffer | undefined) => void,
    private readonly token: string | undefined,
  ) {
    this.#socket = socket;
  }

  /** @param take - called with every event; the message only of the first one. Resolves once it is subscribed */
  static async subscribe(
    url: string,
    query: string,
    take: (message: Buffer | undefined) => void,
    token?: string,
  ): Promise<EventSocket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', (error) => {
      throw error;
    });
    const subscriber = new EventSocket(socket, query, take, token);
    await subscriber.#open(`${hostname}:${port}`);
    return subscriber;
  }

  async #open(host: string): Promise<void> {
    const ready = new Promise<void>((resolve) => (this.#ready = resolve));
    const credential = this.token === undefined ? '' : `Authorization: Bearer ${this.token}\r\n`;
    this.#socket.write(
      `GET /graphql HTTP/1.1\r\n${credential}Host: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
    let head = '';
    const readHead = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      if (!head.startsWith('HTTP/1.1 101')) throw new Error(`no WebSocket: ${head}`);
      this.#socket.off('data', readHead);
      this.#socket.on('data', (data) => {
        this.#read(data);
      });
      this.#send(INIT);
      this.#read(Buffer.from(head.slice(end + 4), 'latin1'));
    };
    this.#socket.on('data', readHead);
    await ready;
  }

  /** Splits what has come into frames (RFC 6455 §5.2); those of a server have no mask. */
  #read(data: Buffer): void {
    let chunk = this.#start.length === 0 ? data : Buffer.concat([this.#start, data]);
    this.#start = Buffer.alloc(0);
    while (chunk.length > 0) {
      if (this.#left === 0) {
        const header = headerOf(chunk);
        if (header === undefined) {
          this.#start = chunk;
          return;
        }
        this.#left = header.payload;
        this.#opcode = header.opcode;
        chunk = chunk.subarray(header.length);
      }
      const piece = chunk.subarray(0, this.#left);
      if (this.#opcode !== TEXT) this.#control.push(piece);
      else this.#message?.push(piece);
      this.#left -= piece.length;
      chunk = chunk.subarray(piece.length);
      if (this.#left === 0 && this.#opcode === TEXT) this.#end();
      else if (this.#left === 0) this.#answerControl();
    }
  }

  #answerControl(): void {
    const payload = Buffer.concat(this.#control);
    this.#control = [];
    if (this.#opcode !== PING) throw new Error(`cut off: ${payload.toString('utf8', 2)}`);
    this.#write(PONG, payload);
  }

  #end(): void {
    const message = this.#message && Buffer.concat(this.#message);
    if (this.#isSubscribed) {
      this.#message = undefined;
      this.take(message);
      return;
    }
    this.#message = [];
    const { type, id } = JSON.parse(String(message)) as { type: string; id?: string };
    if (type === 'connection_ack') {
      this.#send({ type: 'subscribe', id: 'posts', payload: { query: this.query } });
      this.#send(PROBE);
    } else if (type === 'complete' && id === 'probe') {
      this.#isSubscribed = true;
      this.#ready();
    } else if (type !== 'next' || id !== 'probe') {
      throw new Error(`not subscribed: ${String(message)}`);
    }
  }

  #send(message: unknown): void {
    this.#write(TEXT, Buffer.from(JSON.stringify(message)));
  }

  /** A client masks what it sends; a mask of zeros changes nothing. */
  #write(opcode: number, payload: Buffer): void {
    const header = Buffer.alloc(8);
    header.writeUInt16BE(0x80fe | (opcode << 8));
    header.writeUInt16BE(payload.length, 2);
    // The length of control frames has one byte.
    const short = Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]);
    this.#socket.write(Buffer.concat([payload.length < 126 ? short : header, payload]));
  }
}

interface Header {
  readonly opcode: number;
  /** Of itself. */
  readonly length: number;
  readonly payload: number;
}

/** @returns undefined when it has not come as a whole */
function headerOf(chunk: Buffer): Header | undefined {
  const [first = 0, second = 0] = chunk;
  const opcode = first & 0x0f;
  const size = second & 0x7f;
  const length = size === 127 ? 10 : size === 126 ? 4 : 2;
  if (chunk.length < length) return undefined;
  if (size < 126) return { opcode, length, payload: size };
  return { opcode, length, payload: size === 126 ? chunk.readUInt16BE(2) : Number(chunk.readBigUInt64BE(2)) };
}
