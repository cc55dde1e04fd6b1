/** Remembers the most recently used documents, bounded by their number and by the memory that they take. */

export interface CacheBounds {
  readonly documents: number;
  readonly bytes: number;
}

export const defaultCacheBounds: CacheBounds = { documents: 1000, bytes: 64 * 1024 * 1024 };

/** An estimate of what a syntax tree takes per token, with its compiled form. */
const BYTES_A_TOKEN = 1000;

/** Holds only documents that may run, so that documents with errors evict nothing. */
export class DocumentCache<Entry> {
  /** The least recently used entry comes first. */
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

  /** A document that is larger than the whole bound is not remembered. */
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
