/** Finds the current caller of a token or an API key. */
import { timingSafeEqual } from 'node:crypto';
import type { ApiKeyCredentials } from '../../ports/credential-store.js';
import type { User } from '../../model/user.js';
import { parseApiKey } from './api-keys.js';
import type { ApiKeyCaller, UserCaller } from '../rights/caller.js';
import type { ServiceContext } from '../context/service-context.js';
import type { Lease } from '../rights/user-changes.js';
import { JoinedReads, mostJoined } from '../reads/joined-reads.js';
import { hashToken } from '../credentials/secrets.js';

export interface TokenCaller {
  readonly caller: UserCaller;
  readonly user: User;
  /** When the token expires; an open connection must end then. */
  readonly expiresAt: Date;
  /** For a joined read: as long as it lasts, the caller is the same. */
  readonly lease?: Lease | undefined;
}

/** Authenticates callers for both protocols. An invalid credential gives no caller and no reason. */
export class AuthenticationService {
  /** API keys, for the subscribers of one event. */
  readonly #joinedKeys: JoinedReads<ApiKeyCredentials | undefined>;

  constructor(private readonly context: ServiceContext<'users'>) {
    const { apiKeys } = context.storage;
    this.#joinedKeys = new JoinedReads(
      (ids) => Promise.all(ids.map(async (id) => await apiKeys?.findCredentials(id))),
      mostJoined,
    );
  }

  /**
   * @param token an access token, without `Bearer`
   * @param isJoined whether the user is read together with those of other calls, as for the subscribers of one event
   * @returns the user, if active, with their current role; undefined for any other text, and for a token that was revoked
   */
  async callerOfToken(token: string, isJoined = false): Promise<TokenCaller | undefined> {
    const { clock, storage, tokens, joinedUsers, userChanges } = this.context;
    const read = tokens?.readAccess(token, clock.now());
    // Awaiting a value that is not a promise would cost every request a turn of the microtask queue.
    const claims = read !== undefined && 'then' in read ? await read : read;
    if (claims === undefined) return undefined;
    const lease = isJoined ? userChanges.leaseOf(claims.userId) : undefined;
    const user = await (isJoined ? joinedUsers.load(claims.userId) : storage.users.find(claims.userId));
    if (user?.status !== 'active') return undefined;
    if (user.sessionsFrom !== undefined && claims.issuedAt <= user.sessionsFrom) return undefined;
    // The lower of two roles: that of the token's claim, if it has one, and that of the user's record.
    const role = (claims.role ?? user.role) === 'admin' ? user.role : 'user';
    return {
      caller: { kind: 'user', id: user.id, role, record: user },
      user,
      expiresAt: claims.expiresAt,
      lease,
    };
  }

  /**
   * @param isJoined whether the key is read together with those of other calls, as for the subscribers of one event
   * @returns the key's caller; undefined when the key is unknown or inactive, or when there is no store of keys
   */
  async callerOfApiKey(key: string, isJoined = false): Promise<ApiKeyCaller | undefined> {
    const { clock, storage, apiKeyUses } = this.context;
    const parts = parseApiKey(key);
    if (parts === undefined) return undefined;
    const found = await (isJoined
      ? this.#joinedKeys.load(parts.id)
      : storage.apiKeys?.findCredentials(parts.id));
    if (found === undefined || !isSame(found.hash, hashToken(parts.secret)) || !found.apiKey.active) {
      return undefined;
    }
    await apiKeyUses?.note(found.apiKey, clock.now());
    return { kind: 'api-key', id: found.apiKey.id };
  }
}

/** Compares in constant time. */
function isSame(known: string, given: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
