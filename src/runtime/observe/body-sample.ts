/** Keeps a copy of a body as it passes, up to a limit, in memory that all bodies share. */

import { joined } from '../http/read-body.js';

/** The memory for all bodies that are held at one time. */
export class SampleMemory {
  #used = 0;

  /** @param most - in bytes */
  constructor(readonly most: number) {}

  take(bytes: number): boolean {
    if (this.#used + bytes > this.most) return false;
    this.#used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#used -= bytes;
  }
}

/** A response in a content coding is read whole if it has up to so many times the limit: long lists become short. */
export const RESPONSE_EXPANSION = 16;

/** The value of a header, as Node has it. */
export type HeaderValue = number | string | readonly string[] | undefined;

export class BodySample {
  readonly #pieces: (string | Uint8Array)[] = [];
  size = 0;
  /** Whether only the beginning is kept. */
  isCut = false;

  /** @param limit - in bytes; a text counts as many as it has characters */
  constructor(
    readonly limit: number,
    private readonly memory: SampleMemory,
  ) {}

  /** The body was broken off. */
  cut(): void {
    this.isCut = true;
  }

  add(piece: string | Uint8Array): void {
    if (this.isCut || piece.length === 0) return;
    const room = this.limit - this.size;
    if (piece.length > room) this.isCut = true;
    const kept = this.isCut ? piece.slice(0, room) : piece;
    if (!this.memory.take(kept.length)) {
      this.isCut = true;
      return;
    }
    this.size += kept.length;
    // A server may use its buffer again when the bytes are sent.
    this.#pieces.push(typeof kept === 'string' ? kept : Uint8Array.from(kept));
  }

  /** The bytes that are kept. */
  bytes(): Uint8Array {
    const encoder = new TextEncoder();
    return joined(this.#pieces.map((piece) => (typeof piece === 'string' ? encoder.encode(piece) : piece)));
  }

  /**
   * The whole body without its content codings; `unread` if it is not known.
   *
   * @param codings - the header
   * @param most - the maximum size of the result in bytes
   */
  whole(codings: HeaderValue, most = this.limit): Promise<Uint8Array | 'unread'> | Uint8Array | 'unread' {
    if (this.isCut) return 'unread';
    return codings === undefined ? this.bytes() : decompressed(this.bytes(), String(codings), most);
  }

  text(): string {
    const [first] = this.#pieces;
    if (this.#pieces.length === 1 && typeof first === 'string') return first;
    return new TextDecoder().decode(this.bytes());
  }

  /** Releases the memory; what follows is not kept. */
  release(): void {
    this.isCut = true;
    this.memory.release(this.size);
    this.size = 0;
    this.#pieces.length = 0;
  }
}

/** The functions of Node that undo a content coding (RFC 9110 §8.4.1). */
const DECODERS = new Map(
  Object.entries({
    gzip: 'gunzip',
    'x-gzip': 'gunzip',
    deflate: 'inflate',
    br: 'brotliDecompress',
  } as const),
);

/** Undoes content codings, outside of the main thread. @param most - the maximum size of the result in bytes */
async function decompressed(
  bytes: Uint8Array,
  codings: string,
  most: number,
): Promise<Uint8Array | 'unread'> {
  // An import would keep this module from runtimes that do not have Node's.
  const { process } = globalThis as { readonly process?: Partial<Pick<NodeJS.Process, 'getBuiltinModule'>> };
  const zlib = process?.getBuiltinModule?.('node:zlib');
  let plain: Uint8Array | 'unread' = bytes;
  for (const name of codings
    .toLowerCase()
    .split(/[\s,]+/)
    .toReversed()) {
    if (name === 'identity' || name === '' || plain === 'unread') continue;
    const decoder = DECODERS.get(name);
    if (zlib === undefined || decoder === undefined) return 'unread';
    const decode: typeof zlib.gunzip = zlib[decoder];
    const coded: Uint8Array = plain;
    plain = await new Promise((resolve) => {
      decode(coded, { maxOutputLength: most }, (error, result) => {
        resolve(error === null ? result : 'unread');
      });
    });
  }
  return plain;
}
