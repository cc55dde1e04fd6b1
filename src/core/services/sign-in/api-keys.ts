/** The use cases around API keys. */
import { randomBytes } from 'node:crypto';
import { apiKeyNameBounds, type ApiKey } from '../../model/credentials.js';
import { notFound, ServiceError } from '../../model/error.js';
import { parseId } from '../../model/id.js';
import { anyPage, type OffsetArguments, type OffsetPage } from '../../model/page.js';
import { checkText } from '../../model/text.js';
import type { Caller } from '../rights/caller.js';
import { type Created, createOnce } from '../writes/idempotency.js';
import type { ServiceContext } from '../context/service-context.js';
import { readPage } from '../reads/lists.js';
import { hashToken } from '../credentials/secrets.js';

/** The right that every write of keys takes. */
const actions = ['keys.manage'] as const;

/** As long as its hash (SHA-256); impossible to guess. */
const secretBytes = 32;

/** `ck_<id>_<secret>`: the record is found by its id, so the secret is compared and never searched for. */
const keyPattern = /^ck_([1-9][0-9]{0,17})_([\w-]{43})$/;

/** @returns the parts of a key; undefined for a text that has another form */
export function parseApiKey(key: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = keyPattern.exec(key) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

interface ApiKeyInput {
  readonly name: string;
}

/** Every method throws `unauthenticated` or `forbidden` if the policy refuses. */
export class ApiKeysService {
  constructor(private readonly context: ServiceContext<'apiKeys'>) {}

  /**
   * Creates a key. It is deleted together with the user who created it.
   *
   * @returns the record, and the key itself, which is not stored and cannot be read again
   * @throws ServiceError `invalid-input` for a name that is empty or too long
   */
  async create(
    caller: Caller,
    input: ApiKeyInput,
  ): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
    const secret = newSecret();
    const { record } = await this.#create(caller, input, undefined, secret);
    return { apiKey: record, key: keyOf(record, secret) };
  }

  /**
   * Like {@link create}, at most once per idempotency key.
   *
   * @returns the key itself too, unless an earlier request has created it
   * @throws ServiceError also as `Idempotency.run`
   */
  async createOnce(
    caller: Caller,
    input: ApiKeyInput,
    idempotencyKey: string | undefined,
  ): Promise<Created<ApiKey> & { readonly key: string | undefined }> {
    const secret = newSecret();
    const created = await this.#create(caller, input, idempotencyKey, secret);
    return { ...created, key: created.isReplay ? undefined : keyOf(created.record, secret) };
  }

  async #create(
    caller: Caller,
    { name }: ApiKeyInput,
    key: string | undefined,
    secret: string,
  ): Promise<Created<ApiKey>> {
    this.context.rights.require(caller, 'keys.manage', undefined, { name });
    const check = (given: ApiKeyInput) => checkText('name', given.name, apiKeyNameBounds);
    check({ name });
    const ownerId = caller.kind === 'user' ? parseId(caller.id) : undefined;
    const { storage, clock, writes } = this.context;
    const audited = [{ action: 'keys.create' }] as const;
    const write = { caller, operation: 'keys.create', actions, audited, creates: 'api-key' } as const;
    const find = (id: string) => storage.apiKeys.find(id);
    return await createOnce(this.context, write, { key, input: { name } }, find, async (keyed) => {
      const given = await writes.before(write, undefined, { name }, check);
      const apiKey = { name: given.name, hash: hashToken(secret), ownerId };
      const outcome = await writes.create(write, keyed, ({ apiKeys }) => apiKeys.create(apiKey, clock.now()));
      // The user was deleted after the request was authenticated.
      if (outcome === 'owner-not-found') throw new ServiceError('unauthenticated', 'Not authenticated');
      return outcome;
    });
  }

  /** A page by offset, ascending by id; by default the first 100. */
  async list(caller: Caller, asked: OffsetArguments = anyPage): Promise<OffsetPage<ApiKey>> {
    const { rights, storage } = this.context;
    return await readPage<ApiKey>(
      asked,
      rights.scopeOfAll(caller, 'keys.manage'),
      undefined,
      (slice) => storage.apiKeys.list(slice),
      () => storage.apiKeys.count(),
    );
  }

  /** Deactivates a key for good; its record stays. @throws ServiceError `not-found` */
  async deactivate(caller: Caller, id: string): Promise<void> {
    const { rights, storage, writes } = this.context;
    const passes = rights.filter(caller, 'keys.manage');
    let old: ApiKey | undefined;
    if (passes !== undefined || writes.hooked({ actions })) {
      old = await storage.apiKeys.find(id);
      if (old === undefined || passes?.(old) === false) throw notFound('API key');
    }
    const audited = [{ action: 'keys.revoke', target: `api-key:${id}` }] as const;
    const write = { caller, operation: 'keys.revoke', actions, audited };
    await writes.before(write, old, undefined);
    const outcome = await writes.store(write, old, ({ apiKeys }) => apiKeys.deactivate(id));
    if (outcome === 'not-found') throw notFound('API key');
  }

  /** Deactivates all keys that a user has created, for good. @returns the number of keys that were active */
  async deactivateAllOf(caller: Caller, ownerId: string): Promise<number> {
    const { rights, writes } = this.context;
    rights.require(caller, 'keys.manage');
    const audited = [{ action: 'keys.revoke', target: `user:${ownerId}`, detail: 'all keys' }] as const;
    const write = { caller, operation: 'keys.revokeAll', actions, audited };
    await writes.before(write, undefined, undefined);
    return await writes.store(write, undefined, ({ apiKeys }) => apiKeys.deactivateAllOf(ownerId));
  }

  /** The record of the key that the caller signed in with. */
  async getCurrent(caller: Caller): Promise<ApiKey> {
    const { rights, storage } = this.context;
    const passes = rights.filter(caller, 'keys.readOwn');
    const apiKey = caller.kind === 'api-key' ? await storage.apiKeys.find(caller.id) : undefined;
    if (apiKey === undefined || passes?.(apiKey) === false)
      throw new ServiceError('unauthenticated', 'Not authenticated');
    return apiKey;
  }

  /** Stores when keys were last used; call it before the store is closed. */
  async flush(): Promise<void> {
    await this.context.apiKeyUses?.flush();
  }
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

function keyOf({ id }: ApiKey, secret: string): string {
  return `ck_${id}_${secret}`;
}
