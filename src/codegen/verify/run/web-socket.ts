/** A WebSocket (RFC 6455) of a client, for texts: Node 20 has none, and a server under test may send frames of any kind. */

import { createHash, randomBytes } from 'node:crypto';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';

export interface WebSocketListener {
  /** Each message; of a binary one what its bytes are as text. */
  readonly message: (text: string, client: WebSocketClient) => void;
  /** Called once. @param code - 1006 where the connection ends without one */
  readonly closed: (code: number, reason: string) => void;
}

/** How long a handshake may take, in milliseconds: a server may leave an upgrade that it does not know unanswered. */
const PATIENCE = 2000;

/** RFC 6455 §1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** RFC 6455 §5.2. */
const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/**
 * Opens a connection.
 *
 * @param url - with the scheme http or https
 * @param headers - those of the handshake; `sec-websocket-protocol` is the one protocol that is spoken
 * @returns undefined where the server has no WebSocket of that protocol there
 */
export function openWebSocket(
  url: URL,
  headers: Readonly<Record<string, string>>,
  listener: WebSocketListener,
): Promise<WebSocketClient | undefined> {
  const key = randomBytes(16).toString('base64');
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64');
  const handshake = { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-version': '13' };
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sent = send(url, {
      headers: { ...headers, ...handshake, 'sec-websocket-key': key },
      timeout: PATIENCE,
    });
    sent.on('upgrade', (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
      const isAccepted =
        answer.headers['sec-websocket-accept'] === accept &&
        answer.headers['sec-websocket-protocol'] === headers['sec-websocket-protocol'];
      if (!isAccepted) socket.destroy();
      resolve(isAccepted ? new WebSocketClient(socket, head, listener) : undefined);
    });
    sent.on('response', (answer) => {
      answer.destroy();
      resolve(undefined);
    });
    sent.on('timeout', () => sent.destroy(new Error('no handshake')));
    sent.on('error', () => {
      resolve(undefined);
    });
    sent.end();
  });
}

interface Frame {
  readonly opcode: number;
  /** Whether it ends its message. */
  readonly isLast: boolean;
  readonly payload: Buffer;
}

export class WebSocketClient {
  /** Received and not read. */
  #pending: Buffer = Buffer.alloc(0);
  /** The frames so far of a message that has several. */
  #fragments: Buffer[] = [];
  #isClosed = false;

  constructor(
    private readonly socket: Duplex,
    head: Buffer,
    private readonly listener: WebSocketListener,
  ) {
    socket.on('data', (piece: Buffer) => {
      this.#read(piece);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#closed(1006, '');
    });
    this.#read(head);
  }

  send(text: string): void {
    this.#write(OPCODES.text, Buffer.from(text));
  }

  /** Says that it is done, and ends the connection. */
  close(): void {
    const code = Buffer.alloc(2);
    code.writeUInt16BE(1000);
    if (!this.#isClosed) this.#write(OPCODES.close, code);
    this.#isClosed = true;
    this.socket.end(() => this.socket.destroy());
  }

  #read(piece: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, piece]);
    for (let frame = this.#frame(); frame !== undefined; frame = this.#frame()) this.#take(frame);
  }

  /** The next frame, once it is there as a whole. */
  #frame(): Frame | undefined {
    const pending = this.#pending;
    const [first = 0, second = 0] = pending;
    const short = second & 0x7f;
    const start = { 126: 4, 127: 10 }[short] ?? 2;
    if (pending.length < start) return undefined;
    const length =
      short === 126 ? pending.readUInt16BE(2) : short === 127 ? Number(pending.readBigUInt64BE(2)) : short;
    if (pending.length < start + length) return undefined;
    this.#pending = pending.subarray(start + length);
    return {
      opcode: first & 0x0f,
      isLast: first >= 0x80,
      payload: pending.subarray(start, start + length),
    };
  }

  #take({ opcode, isLast, payload }: Frame): void {
    if (opcode === OPCODES.ping) this.#write(OPCODES.pong, payload);
    else if (opcode === OPCODES.close) {
      // RFC 6455 §7.1.5: a frame without a code counts as 1005.
      const code = payload.length < 2 ? 1005 : payload.readUInt16BE();
      if (!this.#isClosed) this.#write(OPCODES.close, payload);
      this.#closed(code, payload.subarray(2).toString());
      this.socket.end(() => this.socket.destroy());
    } else if (opcode !== OPCODES.pong) {
      this.#fragments.push(payload);
      if (!isLast) return;
      const text = Buffer.concat(this.#fragments).toString();
      this.#fragments = [];
      if (!this.#isClosed) this.listener.message(text, this);
    }
  }

  #closed(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.listener.closed(code, reason);
  }

  /** What a client sends is masked (RFC 6455 §5.3). */
  #write(opcode: number, payload: Buffer): void {
    const { length } = payload;
    const mask = randomBytes(4);
    const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
    const size = Buffer.alloc(length < 126 ? 0 : length < 65_536 ? 2 : 8);
    if (size.length === 2) size.writeUInt16BE(length);
    else if (size.length === 8) size.writeBigUInt64BE(BigInt(length));
    const short = { 0: length, 2: 126, 8: 127 }[size.length] ?? 0;
    this.socket.write(Buffer.concat([Buffer.of(0x80 | opcode, 0x80 | short), size, mask, masked]));
  }
}
