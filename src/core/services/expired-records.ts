/** Deletes the records that have expired, of every store that has such records. */
import { setImmediate as turn } from 'node:timers/promises';
import { timestampOf, type Timestamp } from '../model/timestamp.js';
import type { Stores } from '../ports/storage.js';

type ExpiringStore = {
  readonly [Name in keyof Stores]: Stores[Name] extends { readonly deleteExpired: unknown } ? Name : never;
}[keyof Stores];

/** The kinds of records by their store. The type requires a row for each store whose records expire. */
const expiringStores: Readonly<Record<ExpiringStore, string>> = {
  refreshTokens: 'refresh_tokens',
  idempotency: 'idempotency_keys',
  audit: 'audit_log',
  outbox: 'outbox_deliveries',
};

/** A deletion of this many takes a few milliseconds, for which SQLite blocks the process and PostgreSQL locks the rows. */
const atOnce = 1_000;
const dayMs = 24 * 60 * 60 * 1000;
/** For how long events are kept after their deliveries, in days. */
const eventDays = 14;

/**
 * Deletes all records that have expired, in rounds of 1,000 between which other work gets a turn. Call it once a minute in every
 * process; a store lets one process at a time delete.
 *
 * @param deleted - called after each round with the kind of records (`refresh_tokens`, `idempotency_keys`, `audit_log` or `outbox_deliveries`) and their number
 * @param signal - ends the work after the current round
 * @param auditDays - for how long entries of the audit log are kept
 * @throws ServiceError `unavailable` when the store does not answer
 *
 * @example
 * ```ts
 * setInterval(() => void deleteExpired(storage, systemClock.now()).catch(report), 60_000).unref();
 * ```
 */
export async function deleteExpired(
  storage: Partial<Stores>,
  now: Timestamp,
  deleted: (kind: string, count: number) => void = () => undefined,
  signal?: AbortSignal,
  auditDays = 365,
): Promise<void> {
  const daysAgo = (days: number) => timestampOf(Date.parse(now) - days * dayMs);
  const oldest: Partial<Record<ExpiringStore, Timestamp>> = {
    audit: daysAgo(auditDays),
    outbox: daysAgo(eventDays),
  };
  for (const [name, kind] of Object.entries(expiringStores) as [ExpiringStore, string][]) {
    let count = atOnce;
    while (count === atOnce && signal?.aborted !== true) {
      count = (await storage[name]?.deleteExpired(oldest[name] ?? now, atOnce)) ?? 0;
      if (count > 0) deleted(kind, count);
      await turn();
    }
  }
}
