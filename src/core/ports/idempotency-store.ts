/** The part of the storage port that creates a record at most once per idempotency key of a caller. */
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';

/** The owner of a key, and the key's hash: the same key from two callers is two keys. */
export interface IdempotencyKey {
  readonly caller: string;
  readonly keyHash: string;
}

/** A request that creates a record under a key. */
export interface KeyedRequest extends IdempotencyKey {
  /** The hash of the request, by which another request under the same key is recognised. */
  readonly requestHash: string;
  /** The key is forgotten from this moment on. */
  readonly expiresAt: Timestamp;
}

/** An earlier creation under the same key. */
export interface EarlierCreation {
  readonly requestHash: string;
  /** The record may have been changed or deleted since. */
  readonly recordId: Id;
}

/**
 * A key is claimed in the transaction that creates its record. A key that has expired at `now` may be used again.
 *
 * Cascades: none. A key stays when its record or its caller is deleted, so that a repetition does not create another record.
 */
export interface IdempotencyStore {
  find(key: IdempotencyKey, now: Timestamp): Promise<EarlierCreation | undefined>;

  /**
   * Takes a key in a transaction, which must {@link keep} it. If several do so at once, the others wait for the end of the first.
   *
   * @returns the earlier creation under the key, even for a different request; undefined if the key is taken now
   */
  claim(request: KeyedRequest, now: Timestamp): Promise<EarlierCreation | undefined>;

  /** Stores the record of a claimed key, or frees the key if there is none. */
  keep(key: IdempotencyKey, recordId: Id | undefined): Promise<void>;

  /** Deletes keys that expired at `now` or before, oldest first. @returns the number of deleted keys, at most `limit` */
  deleteExpired(now: Timestamp, limit: number): Promise<number>;
}

/**
 * Creates a record at most once under a key, in a transaction. A refusal, which is a word, leaves the key unused.
 *
 * @returns what `create` does, or the earlier creation
 */
export async function once<Outcome>(
  { idempotency }: { readonly idempotency: IdempotencyStore },
  request: KeyedRequest,
  now: Timestamp,
  create: () => Promise<Outcome>,
): Promise<Outcome | EarlierCreation> {
  const earlier = await idempotency.claim(request, now);
  if (earlier !== undefined) return earlier;
  const outcome = await create();
  const { id } = Object(outcome) as { readonly id?: Id };
  await idempotency.keep(request, id);
  return outcome;
}

/** Whether a key was used before, so that nothing was created. */
export function isEarlier(outcome: unknown): outcome is EarlierCreation {
  return typeof outcome === 'object' && outcome !== null && 'recordId' in outcome;
}
