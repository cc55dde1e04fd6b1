/** Reads multipart bodies (RFC 2046 §5.1) as they arrive, part by part, without holding a whole part in memory. */

import { Problem } from '../../http/problem.js';
import { joined, textOf } from '../../http/read-body.js';

export interface BodyPart {
  /** By name in lower case; of a repeated header, the last value. */
  readonly headers: ReadonlyMap<string, string>;
  /** The content as it arrives. Read it before the next part: the unread rest is then skipped. */
  readonly body: AsyncIterableIterator<Uint8Array>;
}

/** The maximum size of the headers of a part in bytes. */
const MAX_HEADERS = 16 * 1024;

/** RFC 2046 §5.1.1. */
const MAX_BOUNDARY = 70;

const CR = 13;
const DASH = 45;

/**
 * The parts of a body. Text before the first part and after the last is ignored.
 *
 * @param contentType - the Content-Type of the body, which has the boundary
 * @throws a 400 `Problem`, while it is read, when the body is not multipart
 */
export async function* readMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<BodyPart, void, void> {
  const source = body[Symbol.asyncIterator]();
  const pieces = new DelimitedPieces(source, boundaryOf(contentType));
  try {
    await skip(pieces.untilDelimiter());
    while (!(await pieces.isLast())) {
      const headers = await readHeaders(pieces);
      const content = pieces.untilDelimiter();
      yield { headers, body: content };
      // A reader that continues with this part must not get bytes of the next one.
      await content.return();
      await skip(pieces.untilDelimiter());
    }
  } finally {
    await source.return?.();
  }
}

/** @throws a 400 `Problem` when there is no boundary, or it is too long */
export function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('the Content-Type has no boundary');
  if (boundary.length > MAX_BOUNDARY) throw malformed('the boundary is too long');
  return boundary;
}

async function skip(pieces: AsyncIterator<Uint8Array>): Promise<void> {
  while ((await pieces.next()).done !== true);
}

/** Reads the headers of a part (RFC 2046 §5.1, RFC 822 folding) and the empty line after them. */
async function readHeaders(pieces: DelimitedPieces): Promise<ReadonlyMap<string, string>> {
  const headers = new Map<string, string>();
  let size = 0;
  let last = '';
  for (;;) {
    const bytes = await pieces.line(MAX_HEADERS - size);
    if (bytes.length === 0) return headers;
    size += bytes.length;
    const line = textOf(bytes, 'body: a header of a part');
    if (/^[ \t]/.test(line)) {
      headers.set(last, `${headers.get(last) ?? ''} ${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon < 1) throw malformed('a header of a part has no name');
    last = line.slice(0, colon).trim().toLowerCase();
    headers.set(last, line.slice(colon + 1).trim());
  }
}

export function malformed(reason: string): Problem {
  return new Problem(400, `body must be valid multipart: ${reason}`);
}

/** A body that is read up to its next delimiter, or line by line. */
class DelimitedPieces {
  readonly #source: AsyncIterator<Uint8Array>;
  /** Bytes read from the source but not yet used. It starts with a line break, because the first delimiter may lack one. */
  #pending: Uint8Array = Uint8Array.of(CR, 10);
  readonly #delimiter: Uint8Array;
  /** Whether a delimiter has been read, but no byte after it. */
  #isAtDelimiter = false;

  constructor(source: AsyncIterator<Uint8Array>, boundary: string) {
    this.#source = source;
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  }

  /** The bytes before the next delimiter; none once the delimiter has been read. */
  async *untilDelimiter(): AsyncGenerator<Uint8Array, void, void> {
    while (!this.#isAtDelimiter) {
      const { index, isWhole } = this.#find();
      const found = this.#pending.subarray(0, index);
      this.#pending = this.#pending.subarray(isWhole ? index + this.#delimiter.length : index);
      this.#isAtDelimiter = isWhole;
      if (found.length > 0) yield found;
      else if (!isWhole) await this.#fill();
    }
  }

  /** Whether a delimiter is the last one. If it is not, the rest of its line is read too. */
  async isLast(): Promise<boolean> {
    while (this.#pending.length < 2) await this.#fill();
    this.#isAtDelimiter = false;
    if (this.#pending[0] === DASH && this.#pending[1] === DASH) return true;
    const padding = await this.line(MAX_HEADERS);
    if (padding.some((byte) => byte !== 32 && byte !== 9)) throw malformed('a boundary is followed by text');
    return false;
  }

  /** The bytes up to the next line break, which is skipped. @param limit - the maximum length */
  async line(limit: number): Promise<Uint8Array> {
    let from = 0;
    for (;;) {
      const end = this.#pending.indexOf(CR, from);
      if ((end === -1 ? this.#pending.length : end) > limit)
        throw malformed('the headers of a part are too long');
      if (end !== -1 && this.#pending[end + 1] === 10) {
        const found = this.#pending.subarray(0, end);
        this.#pending = this.#pending.subarray(end + 2);
        return found;
      }
      if (end !== -1 && end + 1 < this.#pending.length) {
        from = end + 1;
        continue;
      }
      from = end === -1 ? this.#pending.length : end;
      await this.#fill();
    }
  }

  /** The index of the next delimiter, or of pending bytes that may be the start of one; the number of pending bytes if none may be. */
  #find(): { readonly index: number; readonly isWhole: boolean } {
    const [pending, delimiter] = [this.#pending, this.#delimiter];
    let index = pending.indexOf(CR);
    while (index !== -1) {
      const length = Math.min(delimiter.length, pending.length - index);
      let matching = 1;
      while (matching < length && pending[index + matching] === delimiter[matching]) matching += 1;
      if (matching === length) return { index, isWhole: length === delimiter.length };
      index = pending.indexOf(CR, index + 1);
    }
    return { index: pending.length, isWhole: false };
  }

  async #fill(): Promise<void> {
    const piece = await this.#source.next();
    if (piece.done === true) throw malformed('it ends before its last boundary');
    this.#pending = this.#pending.length === 0 ? piece.value : joined([this.#pending, piece.value]);
  }
}
