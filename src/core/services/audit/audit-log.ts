/** Reads the audit log for callers of the contract. */
import type { AuditEntry } from '../../model/audit.js';
import type { Id } from '../../model/id.js';
import { parsePosition } from '../../model/id.js';
import { clampLimit, defaultFeedLimit, feedPage, type FeedPage } from '../../model/page.js';
import { parseTimestamp } from '../../model/timestamp.js';
import type { AuditFilter } from '../../ports/audit-store.js';
import type { ServiceContext } from '../context/service-context.js';
import { passing } from '../reads/lists.js';
import type { Caller } from '../rights/caller.js';

export class AuditLog {
  constructor(private readonly context: ServiceContext<'audit'>) {}

  /**
   * A page of the entries that a filter selects, newest first.
   *
   * @param filter - `since` is an ISO 8601 timestamp
   * @param asked - `lastId` is digits: only entries with a smaller id are returned
   * @throws ServiceError `unauthenticated` or `forbidden` if the policy refuses, `invalid-input` for another `since` or `lastId`
   */
  async list(
    caller: Caller,
    filter: AuditFilter,
    asked: { readonly lastId: string | undefined; readonly limit: number | undefined },
  ): Promise<FeedPage<AuditEntry>> {
    const passes = this.context.rights.filter(caller, 'audit.read');
    const before = asked.lastId === undefined ? undefined : parsePosition('lastId', asked.lastId);
    const since = filter.since === undefined ? undefined : parseTimestamp('since', filter.since, 'paging');
    const limit = clampLimit(asked.limit, defaultFeedLimit);
    const { audit } = this.context.storage;
    const read = passing(
      passes,
      ({ id }) => id,
      (from: Id | undefined, count) => audit.listBefore({ ...filter, since }, from, count),
    );
    return feedPage(await read(before, limit + 1), limit);
  }
}
