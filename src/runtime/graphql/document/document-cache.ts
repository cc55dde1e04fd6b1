/** Caches the most recently used documents, with bounds on their number and their memory. */

export interface CacheBounds {
  readonly documents: number;
  readonly bytes: number;
}

export const defaultCacheBounds: CacheBounds = { documents: 1000, bytes: 64 * 1024 * 1024 };

/** The size of the cache of documents, with their estimated memory, and its lookups so far. */
export interface CacheState extends CacheBounds {
  readonly hits: number;
  readonly misses: number;
}

/** Estimated memory per token, for the syntax tree and its compiled form. */
const BYTES_A_TOKEN = 1000;

/** Holds only valid documents, so that documents with errors evict none. */
export class DocumentCache<Entry> implements CacheState {
  /** The least recently used entry comes first. */
  readonly #entries = new Map<string, { readonly entry: Entry; readonly bytes: number }>();
  bytes = 0;
  hits = 0;
  misses = 0;

  constructor(private readonly bounds: CacheBounds) {}

  get documents(): number {
    return this.#entries.size;
  }

  get(source: string): Entry | undefined {
    const found = this.#entries.get(source);
    if (found === undefined) {
      this.misses += 1;
      return undefined;
    }
    this.hits += 1;
    this.#entries.delete(source);
    this.#entries.set(source, found);
    return found.entry;
  }

  /** A document that is larger than the whole bound is not cached. */
  add(source: string, tokens: number, entry: Entry): void {
    const bytes = 2 * source.length + BYTES_A_TOKEN * tokens;
    if (bytes > this.bounds.bytes) return;
    this.#entries.set(source, { entry, bytes });
    this.bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#entries) {
      if (this.#entries.size <= this.bounds.documents && this.bytes <= this.bounds.bytes) break;
      this.#entries.delete(oldest);
      this.bytes -= freed;
    }
  }
}
