/** Creates a record at most once per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). */
import { createHmac } from 'node:crypto';
import { conflict, ServiceError } from '../../model/error.js';
import { type KeepsFields, withoutDefaults } from '../../model/stored.js';
import { timestampOf, type Clock } from '../../model/timestamp.js';
import {
  type EarlierCreation,
  type IdempotencyStore,
  isEarlier,
  type KeyedRequest,
} from '../../ports/idempotency-store.js';
import type { Caller } from '../rights/caller.js';
import { recordsOfEvents } from './published-event.js';
import { hashToken } from '../credentials/secrets.js';
import type { Storing, Write, Writes } from './writes.js';

const dayMs = 24 * 60 * 60 * 1000;

/** The outcome of a creation that may have happened before. */
export interface Created<T> {
  /** The record in its current state. */
  readonly record: T;
  /** Whether an earlier request created it. */
  readonly isReplay: boolean;
}

/** A request to create a record. */
interface CreationRequest<Key extends string | undefined = string> {
  readonly caller: Caller;
  readonly key: Key;
  /** The operation's name: one key serves one operation. */
  readonly operation: string;
  /** The input of the creation: a plain value whose fields are always in the same order. */
  readonly input: object;
}

/** The part of the services' context that a creation needs. */
interface CreationContext {
  readonly storage: KeepsFields & { readonly idempotency?: IdempotencyStore | undefined };
  readonly writes: Writes;
  readonly idempotency?: Idempotency | undefined;
}

/** The creation of a record. */
interface Creation<T, Input, Given, Outcome> extends Omit<Storing<Input, Given, Outcome>, 'keyed'> {
  readonly write: Write<Input>;
  /** Begins the creation, once it is known that no earlier request has created the record. */
  readonly begin?: (() => Promise<void>) | undefined;
  /** Finds what `make` would refuse, before hooks run. */
  readonly precheck?: () => Promise<unknown>;
  /** @throws ServiceError for a word with which the store refuses */
  readonly recordOf: (outcome: Outcome) => T;
  readonly find: (id: string) => Promise<T | undefined>;
}

/**
 * Creates a record, at most once if the request has a key.
 *
 * @throws ServiceError as {@link Idempotency.run}, and `not-implemented` for a key if the storage has no store for keys
 */
export async function createOnce<T extends object, Input, Given, Outcome>(
  { storage, writes, idempotency }: CreationContext,
  request: CreationRequest<string | undefined>,
  { write, begin, precheck, make, store, recordOf, find }: Creation<T, Input, Given, Outcome>,
): Promise<Created<T>> {
  const { key } = request;
  const start = async () => {
    if (begin !== undefined) await begin();
    if (precheck !== undefined && writes.hooked(write.actions)) await precheck();
  };
  if (key === undefined) {
    if (begin !== undefined || precheck !== undefined) await start();
    const outcome = await writes.run(write, undefined, { make, store });
    return { record: recordOf(outcome), isReplay: false };
  }
  if (idempotency === undefined) {
    throw new ServiceError('not-implemented', 'This service keeps no idempotency keys');
  }
  const createKeyed = async (keyed: KeyedRequest) => {
    await start();
    const outcome = await writes.run(write, undefined, { make, store, keyed });
    return isEarlier(outcome) ? outcome : recordOf(outcome);
  };
  // A request that is repeated after a field with a default was added is the same.
  const name = write.event && recordsOfEvents[write.event];
  const input = name && storage.stored ? withoutDefaults(request.input, storage.stored[name]) : request.input;
  return await idempotency.run({ ...request, key, input }, createKeyed, find, storage.idempotency);
}

export class Idempotency {
  readonly #store: IdempotencyStore;
  readonly #clock: Clock;
  readonly #secrets: readonly [string, ...string[]];
  readonly #inFlight = new Set<string>();

  /** @param secrets - the keys for hashing requests, which may contain passwords; the same in every process. The first hashes. */
  constructor(store: IdempotencyStore, clock: Clock, secrets: string | readonly string[] = []) {
    this.#store = store;
    this.#clock = clock;
    const [current = '', ...earlier] = [secrets].flat();
    this.#secrets = [current, ...earlier];
  }

  /**
   * Creates the record, or finds the one that an earlier request under this key created in the last 24 hours.
   *
   * @param store - in a transaction, that of the transaction
   * @throws ServiceError `key-reused` if the earlier request was different; `conflict` while this process handles it, and if its
   *   record was deleted
   */
  async run<T extends object>(
    request: CreationRequest,
    createKeyed: (request: KeyedRequest) => Promise<T | EarlierCreation>,
    find: (id: string) => Promise<T | undefined>,
    store = this.#store,
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
      const outcome = (await store.find(keyed, now)) ?? (await createKeyed(keyed));
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

  #keyed({ caller, key }: CreationRequest, requestHash: string): KeyedRequest {
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
