/** Reads the messages of one direction of an HTTP/1.1 connection from a copy of its bytes (RFC 9112), in bounded memory. */

import type { BodySample } from '@concordat/runtime/observe';

/** The start line and the headers of a message, as they were sent. */
export interface MessageHead {
  readonly startLine: string;
  /** In their order, with repeated ones. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

interface MessageListener {
  /** @returns undefined for what is not HTTP, or is not read */
  readonly head: (head: MessageHead) => MessageBody | undefined;
  /** The message has ended. */
  readonly end: () => void;
}

/** What is known of a body before its bytes come. */
interface MessageBody {
  /** Gets its bytes. */
  readonly sample: BodySample | undefined;
  /** Whether the message has no body although its headers describe one, as the response to a HEAD does. */
  readonly isNone?: boolean;
}

/** No server that is in use takes larger ones. */
export const MOST_HEAD_BYTES = 128 * 1024;

/** RFC 9112 §7.1.1: extensions of a chunk are ignored, up to this length. */
const MOST_LINE_BYTES = 4096;

type State = 'head' | 'length' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'until end' | 'lost';

/**
 * It is fed by a copy and changes no traffic: where it cannot follow the framing, it stops reading the connection.
 */
export class MessageReader {
  #state: State = 'head';
  /** Bytes of a head or a line that is not complete. */
  #rest: Buffer = Buffer.alloc(0);
  #remaining = 0;
  #body: BodySample | undefined;

  constructor(private readonly listener: MessageListener) {}

  /** Whether it has stopped reading. */
  get isLost(): boolean {
    return this.#state === 'lost';
  }

  /** Ignores all that follows: another protocol, or bytes that cannot be understood. */
  stop(): void {
    this.#state = 'lost';
    this.#rest = Buffer.alloc(0);
  }

  /** The connection has ended in this direction. */
  end(): void {
    if (this.#state === 'until end') this.#finish();
    this.stop();
  }

  write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && this.#state !== 'lost') at = this.step(chunk, at);
  }

  /** Reads from `at`, at most to the end of a head or of a message. @returns where to continue */
  step(chunk: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#upTo('\r\n\r\n', MOST_HEAD_BYTES, chunk, at, (text) => this.#readHead(text));
      case 'chunk size':
        return this.#upTo('\r\n', MOST_LINE_BYTES, chunk, at, (line) => {
          const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line) ?? [];
          if (size === undefined) {
            this.stop();
            return;
          }
          this.#remaining = Number.parseInt(size, 16);
          this.#state = this.#remaining === 0 ? 'trailers' : 'chunk';
        });
      case 'chunk end':
        return this.#upTo('\r\n', 2, chunk, at, (text) => {
          if (text === '') this.#state = 'chunk size';
          else this.stop();
        });
      case 'trailers':
        return this.#upTo('\r\n', MOST_HEAD_BYTES, chunk, at, (line) => {
          if (line === '') this.#finish();
        });
      case 'until end':
        this.#body?.add(chunk.subarray(at));
        return chunk.length;
      case 'length':
      case 'chunk': {
        const end = Math.min(chunk.length, at + this.#remaining);
        this.#body?.add(chunk.subarray(at, end));
        this.#remaining -= end - at;
        if (this.#remaining === 0 && this.#state === 'length') this.#finish();
        else if (this.#remaining === 0) this.#state = 'chunk end';
        return end;
      }
      case 'lost':
        return chunk.length;
    }
  }

  /** Collects text until the mark, which may be divided among chunks. */
  #upTo(mark: string, most: number, chunk: Buffer, at: number, read: (text: string) => void): number {
    const before = this.#rest.length;
    const rest = before === 0 ? chunk.subarray(at) : Buffer.concat([this.#rest, chunk.subarray(at)]);
    const found = rest.indexOf(mark, Math.max(0, before - mark.length + 1));
    if (found === -1 ? rest.length > most : found > most) {
      this.stop();
      return chunk.length;
    }
    if (found === -1) {
      this.#rest = Buffer.from(rest);
      return chunk.length;
    }
    this.#rest = Buffer.alloc(0);
    read(rest.toString('latin1', 0, found));
    return at + found + mark.length - before;
  }

  #readHead(text: string): void {
    // RFC 9112 §2.2: empty lines before a request are ignored.
    const [startLine = '', ...lines] = text.replace(/^(?:\r\n)+/, '').split('\r\n');
    const headers = lines.map((line): readonly [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, Math.max(colon, 0)), line.slice(colon + 1).trim()];
    });
    const codings = valuesOf(headers, 'transfer-encoding');
    const [length, ...lengths] = valuesOf(headers, 'content-length');
    const isChunked = /(?:^|,)\s*chunked$/i.test(codings.join(','));
    const isRequest = / HTTP\/\d\.\d$/.test(startLine);
    // Another reader may find other headers or another end: RFC 9112 §5.2, §6.3.
    const isDoubtful =
      headers.some(([name, value]) => !TOKEN.test(name) || /[\r\n\0]/.test(value)) ||
      lengths.some((each) => each !== length) ||
      (isRequest && codings.length > 0 && (!isChunked || length !== undefined));
    const body = isDoubtful ? undefined : this.listener.head({ startLine, headers });
    if (body === undefined) {
      this.stop();
      return;
    }
    this.#body = body.sample;
    if (body.isNone === true) this.#finish();
    else if (isChunked) this.#state = 'chunk size';
    else if (codings.length === 0 && length !== undefined && !/^\d{1,15}$/.test(length)) this.stop();
    else if (codings.length === 0 && Number(length ?? 0) > 0) {
      this.#remaining = Number(length);
      this.#state = 'length';
    } else if (isRequest || (codings.length === 0 && length !== undefined)) this.#finish();
    else this.#state = 'until end';
  }

  #finish(): void {
    this.#state = 'head';
    this.#body = undefined;
    this.listener.end();
  }
}

/** RFC 9110 §5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** The values of a header, whose name is in lower case. */
export function valuesOf(headers: MessageHead['headers'], name: string): readonly string[] {
  return headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
}
