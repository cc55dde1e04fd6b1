/** The answers that several operations give in the same way. */

import type { CallContext, HttpRequest } from 'concordat';
import type { Operations } from '../../../generated/operations.js';
import type { OffsetPage } from '../model/page.js';
import type { Caller } from '../services/caller.js';
import { isNotModified } from './etag.js';
import { pageHeaders } from './page-links.js';

/** Handlers of some operations; together the parts must have all of them. */
export type SomeOperations = Partial<Operations<CallContext<Caller>>>;

/** A record with its entity tag, or 304 for a client that already has it (RFC 9110 §13.1.2). */
export function conditional<Body>(ifNoneMatch: string | undefined, ETag: string, body: Body) {
  if (isNotModified(ifNoneMatch, ETag)) return { status: 304, headers: { ETag } } as const;
  return { status: 200, headers: { ETag }, body } as const;
}

/** A list: the bare array of a page, with its paging in the headers. */
export function listed<Item, Record>(
  { data, pagination }: OffsetPage<Item>,
  request: HttpRequest,
  record: (item: Item) => Record,
) {
  return { status: 200, headers: pageHeaders(pagination, request), body: data.map(record) } as const;
}

/** The header of an answer to a request that was answered before under the same key. */
export function replayed(isReplay: boolean): { readonly 'Idempotency-Replayed'?: 'true' } {
  return isReplay ? { 'Idempotency-Replayed': 'true' } : {};
}
