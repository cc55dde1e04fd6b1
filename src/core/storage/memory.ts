/** The in-memory storage, whose data ends with the process: for tests and demonstrations. */
import { ServiceError } from '../model/error.js';
import { type FieldsContract, keptFieldsOf } from '../model/stored.js';
import type { DatabaseObserver, Storage, Stores, RunTransaction } from '../ports/storage.js';
import { observedStores, worksIn } from '../ports/stores-in.js';
import { memoryApiKeys, memoryRefreshTokens } from './memory/credentials.js';
import { memoryComments, memoryOrders } from './memory/orders.js';
import { memoryOutbox } from './memory/outbox.js';
import { memoryPosts } from './memory/posts.js';
import { memoryProducts } from './memory/products.js';
import { asyncStoreOf, MemoryTables, type AtOnce, oldestExpired } from './memory/tables.js';
import { memoryExternalIdentities, memoryUsers } from './memory/users.js';
import type { AuditEntry } from '../model/audit.js';
import type { AuditFilter, AuditStore } from '../ports/audit-store.js';
import type {
  EarlierCreation,
  IdempotencyKey,
  IdempotencyStore,
  KeyedRequest,
} from '../ports/idempotency-store.js';
import { type Journal, JournalMap } from './memory/journal.js';

/**
 * Creates an empty store. Records are frozen when they are written, so that reads need not copy them. Ids count up from
 * `"1"`.
 *
 * @param options - `contract`: that of the application, whose fields are kept; `observer`: runs the calls of stores
 *
 * @example
 * ```ts
 * const services = createServices({ storage: memoryStorage(), policy: openPolicy });
 * ```
 */
export function memoryStorage({
  contract,
  observer,
}: {
  readonly contract?: FieldsContract | undefined;
  readonly observer?: Pick<DatabaseObserver, 'call'> | undefined;
} = {}): Storage {
  const fields = keptFieldsOf(contract);
  const tables = new MemoryTables(fields);
  const methods = {
    users: memoryUsers(tables),
    externalIdentities: memoryExternalIdentities(tables),
    posts: memoryPosts(tables),
    orders: memoryOrders(tables),
    products: memoryProducts(tables),
    comments: memoryComments(tables),
    refreshTokens: memoryRefreshTokens(tables),
    apiKeys: memoryApiKeys(tables),
    outbox: memoryOutbox(tables),
    idempotency: memoryIdempotency(tables.journal),
    audit: memoryAudit(tables),
  };
  let open = true;
  const answering = Object.fromEntries(
    Object.entries(methods).map(([name, store]) => [name, asyncStoreOf(tables.journal, store)]),
  ) as unknown as { readonly [Name in keyof typeof methods]: Stores[Name] };
  const stores = observedStores(answering, observer?.call);
  return {
    ...stores,
    joined: stores,
    ownFields: fields,
    transaction: memoryTransactions(tables, methods, observer?.call),
    ping() {
      if (open) return Promise.resolve();
      return Promise.reject(new ServiceError('unavailable', 'The store is closed'));
    },
    close() {
      open = false;
      return Promise.resolve();
    },
  };
}

function memoryAudit({ audit }: MemoryTables): AtOnce<AuditStore> {
  return {
    add(entries) {
      for (const entry of entries) audit.add(Object.freeze<AuditEntry>({ id: audit.nextId(), ...entry }));
    },
    list: (filter, slice) => audit.slice(slice, testOf(filter)),
    listBefore: (filter, before, limit) => audit.sliceBefore(before, limit, testOf(filter)),

    deleteExpired(before, limit) {
      const expired = audit.slice({ offset: 0, limit }).filter(({ at }) => at < before);
      for (const { id } of expired) audit.delete(id);
      return expired.length;
    },
  };
}

function testOf({ since, ...fields }: AuditFilter): (entry: AuditEntry) => boolean {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return (entry) =>
    (since === undefined || entry.at >= since) &&
    given.every(([field, value]) => entry[field as keyof AuditEntry] === value);
}

type MemoryMethods = {
  readonly [Name in Exclude<keyof Stores, 'transaction'>]: AtOnce<Stores[Name]>;
};

function memoryTransactions(
  { journal, fields }: MemoryTables,
  methods: MemoryMethods,
  observe: DatabaseObserver['call'],
): RunTransaction {
  const run = worksIn(methods, observe);
  return (work, isBrief) =>
    journal.run(isBrief, async () => {
      let isOver = false;
      const call = (method: (...given: unknown[]) => unknown, given: readonly unknown[]) =>
        new Promise((resolve) => {
          if (isOver) throw new Error('this transaction has ended');
          resolve(method(...given));
        });
      const own = {
        database: undefined,
        ownFields: fields,
        query: () =>
          Promise.reject(new Error('the memory storage has no database: keep and undo values of your own')),
      } as const;
      try {
        return await run(call, own, work);
      } finally {
        isOver = true;
      }
    });
}

function memoryIdempotency(journal: Journal): AtOnce<IdempotencyStore> {
  const rows = new JournalMap<string, EarlierCreation & KeyedRequest>(journal);

  const methods: AtOnce<IdempotencyStore> = {
    find(key, now) {
      const row = rows.get(textOf(key));
      if (row === undefined || row.expiresAt <= now) return undefined;
      return { requestHash: row.requestHash, recordId: row.recordId };
    },

    claim(request, now) {
      const earlier = methods.find(request, now);
      if (earlier === undefined) rows.set(textOf(request), { ...request, recordId: '' });
      return earlier;
    },

    keep(key, recordId) {
      const row = rows.get(textOf(key));
      if (row === undefined || recordId === undefined) rows.delete(textOf(key));
      else rows.set(textOf(key), { ...row, recordId });
    },

    deleteExpired(now, limit) {
      const expired = oldestExpired(rows.values(), ({ expiresAt }) => expiresAt <= now, limit);
      for (const row of expired) rows.delete(textOf(row));
      return expired.length;
    },
  };
  return methods;
}

/** A text that is unique to the pair of caller and key. */
function textOf({ caller, keyHash }: IdempotencyKey): string {
  return JSON.stringify([caller, keyHash]);
}
