/** The part of the storage port that keeps API keys. */
import type { ApiKey } from '../model/api-key.js';
import type { Id } from '../model/id.js';
import type { Timestamp } from '../model/timestamp.js';
import type { Slice } from './slice.js';

export interface NewApiKey {
  readonly name: string;
  /** What is kept of the key. */
  readonly hash: string;
  /** The user with whom the key goes; without one it stays. */
  readonly ownerId: Id | undefined;
}

/** An API key with its hash, which leaves the store no other way. */
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

  /** Sets `lastUsedAt`, unless it is later already. A key that is gone is no failure. */
  recordUse(id: string, at: Timestamp): Promise<void>;
}
