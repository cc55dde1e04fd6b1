/** Creates a record at most once per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). */
import { createHmac } from 'node:crypto';
import { conflict, ServiceError } from '../../model/error.js';
import { type KeepsFields, withoutDefaults } from '../../model/stored.js';
import { timestampOf, type Clock } from '../../model/timestamp.js';
import { events, type EventType } from '../../model/webhook.js';
import {
  type EarlierCreation,
  type IdempotencyStore,
  isEarlier,
  type KeyedRequest,
} from '../../ports/idempotency-store.js';
import type { Caller } from '../rights/caller.js';
import { hashToken } from '../credentials/secrets.js';

const dayMs = 24 * 60 * 60 * 1000;

/** The outcome of a creation that may have happened before. */
export interface Created<T> {
  /** The record in its current state. */
  readonly record: T;
  /** Whether an earlier request created it. */
  readonly isReplay: boolean;
}

/** The operation that creates a record, and its caller. */
interface Creation {
  readonly caller: Caller;
  /** The operation's name: one key serves one operation. */
  readonly operation: string;
  readonly event?: EventType;
}

/** The input of a request that creates a record, and its key if it has one. */
interface KeyedInput {
  readonly key?: string | undefined;
  /** A plain value whose fields are always in the same order. */
  readonly input: object;
}

/** The part of the services' context that a creation needs. */
interface CreationContext {
  readonly storage: KeepsFields & { readonly idempotency?: IdempotencyStore | undefined };
  readonly idempotency?: Idempotency | undefined;
}

/**
 * Creates a record, at most once if the request has a key.
 *
 * @param create - called only if no earlier request has created the record
 * @throws ServiceError as {@link Idempotency.run}, and `not-implemented` for a key if the storage has no store for keys
 */
export async function createOnce<T extends object>(
  { storage, idempotency }: CreationContext,
  { caller, operation, event }: Creation,
  { key, input }: KeyedInput,
  find: (id: string) => Promise<T | undefined>,
  create: (keyed?: KeyedRequest) => Promise<T | EarlierCreation>,
): Promise<Created<T>> {
  // Without a key there is no earlier creation.
  if (key === undefined) return { record: (await create()) as T, isReplay: false };
  if (idempotency === undefined || storage.idempotency === undefined)
    throw new ServiceError('not-implemented', 'This service keeps no idempotency keys');
  // A request that is repeated after a field with a default was added is the same.
  const fields = event && storage.ownFields?.[events[event].record];
  const given = fields === undefined ? input : withoutDefaults(input, fields);
  return await idempotency.run({ caller, operation, key, input: given }, storage.idempotency, find, create);
}

export class Idempotency {
  readonly #clock: Clock;
  readonly #secrets: readonly [string, ...string[]];
  readonly #inFlight = new Set<string>();

  /** @param secrets - the keys for hashing requests, which may contain passwords; the same in every process. The first hashes. */
  constructor(clock: Clock, secrets: string | readonly string[] = []) {
    this.#clock = clock;
    const [current = '', ...earlier] = [secrets].flat();
    this.#secrets = [current, ...earlier];
  }

  /**
   * Creates the record, or finds the one that an earlier request under this key created in the last 24 hours.
   *
   * @throws ServiceError `key-reused` if the earlier request was different; `conflict` while this process handles it, and if its
   *   record was deleted
   */
  async run<T extends object>(
    request: Creation & KeyedInput & { readonly key: string },
    store: IdempotencyStore,
    find: (id: string) => Promise<T | undefined>,
    create: (keyed: KeyedRequest) => Promise<T | EarlierCreation>,
  ): Promise<Created<T>> {
    const hashable = JSON.stringify([request.key, request.operation, request.input]);
    const keyed = this.#keyed(request, hashOf(hashable, this.#secrets[0]));
    const flight = JSON.stringify([keyed.caller, keyed.keyHash]);
    if (this.#inFlight.has(flight)) {
      throw conflict('A request with this Idempotency-Key is being processed: try again in a moment');
    }
    this.#inFlight.add(flight);
    try {
      const now = this.#clock.now();
      // Most repeated requests end here, before the costs of a creation and its reads of other records.
      const outcome = (await store.find(keyed, now)) ?? (await create(keyed));
      if (!isEarlier(outcome)) return { record: outcome, isReplay: false };
      const isSame = this.#secrets.some((secret) => hashOf(hashable, secret) === outcome.requestHash);
      if (!isSame) {
        throw new ServiceError(
          'key-reused',
          'This Idempotency-Key was used for another request: use a new one',
        );
      }
      const record = await find(outcome.recordId);
      if (record === undefined)
        throw conflict('The record that this Idempotency-Key created has been deleted');
      return { record, isReplay: true };
    } finally {
      this.#inFlight.delete(flight);
    }
  }

  #keyed({ caller, key }: Creation & { readonly key: string }, requestHash: string): KeyedRequest {
    return {
      caller: caller.kind === 'anonymous' ? caller.kind : `${caller.kind}:${caller.id}`,
      keyHash: hashToken(key),
      requestHash,
      expiresAt: timestampOf(Date.parse(this.#clock.now()) + dayMs),
    };
  }
}

function hashOf(request: string, secret: string): string {
  return createHmac('sha256', secret).update(request).digest('base64url');
}
