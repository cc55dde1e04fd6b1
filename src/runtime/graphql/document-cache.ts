/** Remembers the documents that were used last, bounded by their number and by the memory that they take. */

export interface CacheBounds {
  readonly documents: number;
  readonly bytes: number;
}

export const defaultCacheBounds: CacheBounds = { documents: 1000, bytes: 64 * 1024 * 1024 };

/** A syntax tree takes about this much for each token, and as much again once it is compiled, by estimate. */
const BYTES_A_TOKEN = 1000;

/** Only documents that may run are put in: those with errors cost nobody a place. */
export class DocumentCache<Entry> {
  /** The one that was used longest ago comes first. */
  readonly #entries = new Map<string, { readonly entry: Entry; readonly bytes: number }>();
  #bytes = 0;

  constructor(private readonly bounds: CacheBounds) {}

  get size(): number {
    return this.#entries.size;
  }

  /** An estimate of the memory that the entries take. */
  get bytes(): number {
    return this.#bytes;
  }

  get(source: string): Entry | undefined {
    const found = this.#entries.get(source);
    if (found === undefined) return undefined;
    this.#entries.delete(source);
    this.#entries.set(source, found);
    return found.entry;
  }

  /** A document that is larger than all of the memory is not remembered. */
  add(source: string, tokens: number, entry: Entry): void {
    const bytes = 2 * source.length + BYTES_A_TOKEN * tokens;
    if (bytes > this.bounds.bytes) return;
    this.#entries.set(source, { entry, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#entries) {
      if (this.#entries.size <= this.bounds.documents && this.#bytes <= this.bounds.bytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= freed;
    }
  }
}
