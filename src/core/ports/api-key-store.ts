/** The part of the storage port that keeps API keys. */
import type { ApiKey } from '../model/api-key.js';
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';
import type { Slice } from './slice.js';

export interface NewApiKey {
  readonly name: string;
  /** The hash of the key; the key itself is not stored. */
  readonly hash: string;
  /** The user with whom the key is deleted; undefined for a key without an owner. */
  readonly ownerId: Id | undefined;
}

/** An API key with its hash; no other method returns the hash. */
export interface ApiKeyCredentials {
  readonly apiKey: ApiKey;
  readonly hash: string;
}

export interface ApiKeyStore {
  /** Stores an active key in one step. `createdAt` is `now`. */
  create(key: NewApiKey, now: Timestamp): Promise<ApiKey | 'owner-not-found'>;

  find(id: string): Promise<ApiKey | undefined>;

  findCredentials(id: string): Promise<ApiKeyCredentials | undefined>;

  /** Ascending by id, inactive ones included. */
  list(slice: Slice): Promise<readonly ApiKey[]>;

  count(): Promise<number>;

  /** Deactivating twice is deactivating once. */
  deactivate(id: string): Promise<'deactivated' | 'not-found'>;

  /** Sets `lastUsedAt`, unless the stored one is later. A deleted key is ignored. */
  recordUse(id: string, at: Timestamp): Promise<void>;
}
