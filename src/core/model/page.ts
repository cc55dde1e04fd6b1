/** Paging: callers' arguments, the slices that stores read, and the pages of each scheme. */
import { ServiceError } from './error.js';
import type { Id } from './id.js';
import type { Timestamp } from './timestamp.js';

const defaultPage = 1;
/** The page size of the offset, cursor and keyset schemes. */
export const defaultLimit = 10;
export const defaultFeedLimit = 20;
export const maxLimit = 100;
/** The largest page number; a page beyond the last item is empty. */
const maxPage = Number.MAX_SAFE_INTEGER;
/** The maximum size of a list that the contract promises whole if there are no paging arguments. */
export const maxWholeList = 10_000;

/** The arguments of the offset scheme; invalid numbers become the default. */
export interface OffsetArguments {
  readonly page: number | undefined;
  readonly limit: number | undefined;
}

/** The arguments of a request that has none: the first page, with the default size. */
export const anyPage: OffsetArguments = { page: undefined, limit: undefined };

export interface OffsetPage<T> {
  readonly data: readonly T[];
  readonly pagination: {
    readonly page: number;
    readonly limit: number;
    readonly total: number;
    readonly totalPages: number;
    readonly hasNext: boolean;
    readonly hasPrev: boolean;
  };
}

export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly nextCursor: Id | null; readonly hasNext: boolean; readonly limit: number };
}

export interface KeysetPage<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly since: Timestamp | null; readonly limit: number };
}

export interface FeedPage<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
  readonly lastId: Id | null;
}

/** @returns a whole number from 1 to {@link maxLimit}: a value that is missing, not an integer or below 1 becomes the fallback. */
export function clampLimit(limit: number | undefined, fallback = defaultLimit): number {
  if (limit === undefined || !(limit >= 1)) return fallback;
  if (limit > maxLimit) return maxLimit;
  return Number.isInteger(limit) ? limit : fallback;
}

/** @returns a whole number from 1 to {@link maxPage}: a value that is missing, not an integer or below 1 becomes {@link defaultPage}. */
function clampPage(page: number | undefined): number {
  return page !== undefined && Number.isInteger(page) && page >= 1 ? Math.min(page, maxPage) : defaultPage;
}

/**
 * The slice for an offset request. Without arguments it is the first {@link maxLimit} items, which is all of a small collection.
 *
 * @returns `offset` and `limit` in items, and the page's number from 1
 */
export function offsetWindow(asked: OffsetArguments): { page: number; offset: number; limit: number } {
  if (asked.page === undefined && asked.limit === undefined) return { page: 1, offset: 0, limit: maxLimit };
  const page = clampPage(asked.page);
  const limit = clampLimit(asked.limit);
  // A larger offset would not be an exact number, and no list is longer.
  return { page, limit, offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER) };
}

/** @param window the result of {@link offsetWindow} */
export function offsetPage<T>(
  data: readonly T[],
  total: number,
  { page, limit }: { readonly page: number; readonly limit: number },
): OffsetPage<T> {
  const totalPages = Math.ceil(total / limit);
  return {
    data,
    pagination: { page, limit, total, totalPages, hasNext: page * limit < total, hasPrev: page > 1 },
  };
}

/** @param rows up to one more than the limit: the extra row only shows that there are more */
export function cursorPage<T extends { readonly id: Id }>(rows: readonly T[], limit: number): CursorPage<T> {
  const data = rows.slice(0, limit);
  const hasNext = rows.length > limit;
  return { data, pagination: { nextCursor: hasNext ? (data.at(-1)?.id ?? null) : null, hasNext, limit } };
}

export function keysetPage<T extends { readonly createdAt: Timestamp }>(
  data: readonly T[],
  limit: number,
): KeysetPage<T> {
  return { data, pagination: { since: data.at(-1)?.createdAt ?? null, limit } };
}

/** @param rows up to one more than the limit, in descending order of id */
export function feedPage<T extends { readonly id: Id }>(rows: readonly T[], limit: number): FeedPage<T> {
  const data = rows.slice(0, limit);
  return { data, hasMore: rows.length > limit, lastId: data.at(-1)?.id ?? null };
}

/**
 * The error for a list that is promised whole and has more than {@link maxWholeList} items; such a list is never cut silently.
 *
 * @param advice another way to get the items, for the message
 */
export function listTooLong(advice: string): ServiceError {
  return new ServiceError('limit-exceeded', `The list has more than ${maxWholeList} items: ${advice}`);
}

/** The error for an answer whose lists, nested ones included, have too many items in total. */
export function answerTooLarge(): ServiceError {
  const advice = 'page users and posts with limit and after';
  return new ServiceError('limit-exceeded', `The answer has too many items in all its lists: ${advice}`);
}

/** Skips a number of rows; the cost may grow with that number. */
export interface OffsetSlice {
  readonly offset: number;
  readonly limit: number;
}

/** Starts after an id, whether or not it exists; the cost does not depend on the position. */
export interface AfterSlice {
  /** A canonical id, `"0"` or undefined, which both mean the start. */
  readonly after: Id | undefined;
  readonly limit: number;
}

/** At most `limit` rows; the limit is a positive safe integer. */
export type Slice = OffsetSlice | AfterSlice;
