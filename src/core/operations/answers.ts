/** The parts of answers that several operations share: lists with their paging, entity tags, conditional requests. */
import { createHash } from 'node:crypto';
import type { CallContext, HttpRequest } from '@concordat/runtime';
import type { Operations } from '../../../generated/operations.js';
import type { OffsetArguments, OffsetPage } from '../model/page.js';
import { type WriteCondition, unconditional } from '../services/writes/write-condition.js';
import type { Caller } from '../services/rights/caller.js';

/** Handlers of some operations; together the parts must have all of them. */
export type SomeOperations = Partial<Operations<CallContext<Caller>>>;

/** A record with its entity tag, or 304 for a client that already has it (RFC 9110 §13.1.2). */
export function conditional<Body>(ifNoneMatch: string | undefined, ETag: string, body: Body) {
  // By weak comparison.
  if (ifNoneMatch !== undefined && (isAny(ifNoneMatch) || comparedWeakly(ifNoneMatch).includes(ETag)))
    return { status: 304, headers: { ETag } } as const;
  return { status: 200, headers: { ETag }, body } as const;
}

/** A list: the bare array of a page, with its paging in the headers. */
export function listed<Item, Record>(
  { data, pagination }: OffsetPage<Item>,
  request: HttpRequest,
  record: (item: Item) => Record,
) {
  return {
    status: 200,
    headers: pageHeaders(pagination, request),
    body: data.map((item) => record(item)),
  } as const;
}

/** A collection: as it is, with the paging that was asked for, or as a list without an envelope. @param name - of the schema of its items */
export function collection<Name extends string, Item, Record>(
  name: Name,
  found: OffsetPage<Item>,
  { page, limit, envelope }: OffsetArguments & { readonly envelope: boolean },
  request: HttpRequest,
  record: (item: Item) => Record,
) {
  if (!envelope) return { ...listed(found, request, record), schema: `${name}List` } as const;
  const data = found.data.map((item) => record(item));
  const { pagination } = found;
  if (page !== undefined || limit !== undefined)
    return { status: 200, schema: `${name}OffsetPage`, body: { data, pagination } } as const;
  return { status: 200, schema: `${name}Collection`, body: { data, total: pagination.total } } as const;
}

/** The header of an answer to a request that was answered before under the same key. */
export function replayed(isReplay: boolean): { readonly 'Idempotency-Replayed'?: 'true' } {
  return isReplay ? { 'Idempotency-Replayed': 'true' } : {};
}

/** The headers of a page whose body is the bare array. @param request - the links have its path, and its query except for the page */
export function pageHeaders(
  page: OffsetPage<unknown>['pagination'],
  { path, query }: Pick<HttpRequest, 'path' | 'query'>,
) {
  const { limit, total } = page;
  const to = (number: number, relation: string): string => {
    const parameters = new URLSearchParams(query);
    parameters.delete('page');
    parameters.delete('limit');
    const others = parameters.size === 0 ? '' : `&${parameters.toString()}`;
    return `<${path}?page=${String(number)}&limit=${String(limit)}${others}>; rel="${relation}"`;
  };
  const links = [
    ...(page.hasPrev ? [to(page.page - 1, 'prev'), to(1, 'first')] : []),
    ...(page.hasNext ? [to(page.page + 1, 'next'), to(page.totalPages, 'last')] : []),
  ];
  return {
    ...(links.length > 0 && { Link: links.join(', ') }),
    'X-Total-Count': total,
    'X-Page': page.page,
    'X-Per-Page': limit,
  };
}

/** Several `Link` headers as one (RFC 8288 §3). */
export function joinLinks(...links: readonly (string | undefined)[]): string {
  return links.filter((link) => link !== undefined).join(', ');
}

/**
 * The tag of one representation of a record. Representations differ in bytes, so a strong tag must distinguish them.
 *
 * @param mediaType - of the representation
 * @param content - a digest of the parts of the body that are not in the record
 */
export function entityTag(version: number, mediaType: string | undefined, content?: string): string {
  const media =
    mediaType === undefined || mediaType === 'application/json' ? '' : `-${mediaType.replace(/\W/g, '.')}`;
  return content === undefined ? `"${String(version)}${media}"` : `"${String(version)}${media}-${content}"`;
}

/** A digest for the tag of a body with embedded parts, which change without the record's version. */
export function digest(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 16);
}

/** The tag of a representation whose record has no version, made from its content. */
export function contentTag(body: unknown, mediaType: string | undefined): string {
  return entityTag(1, mediaType, digest(body));
}

/** The conditions of a request that writes. */
interface WriteHeaders {
  readonly 'If-Match'?: string;
  readonly 'If-None-Match'?: string;
}

/**
 * The condition that headers put on a write. A write changes the record, so the tag of any representation matches. Weak tags match
 * in `If-None-Match` only (RFC 9110 §13.1.1, §13.1.2).
 *
 * @param headers - all that the operation has; another one does not compile, because it would not be read
 */
export function writeCondition<Given extends WriteHeaders>(
  headers: Given & Readonly<Record<Exclude<keyof Given, keyof WriteHeaders>, never>>,
): WriteCondition {
  const { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch } = headers as WriteHeaders;
  if (ifMatch === undefined && ifNoneMatch === undefined) return unconditional;
  const ifVersion = ifMatch === undefined || isAny(ifMatch) ? undefined : versionsOf(tagsOf(ifMatch));
  if (ifNoneMatch === undefined) return { ifVersion };
  return { ifVersion, unlessVersion: isAny(ifNoneMatch) ? 'any' : versionsOf(comparedWeakly(ifNoneMatch)) };
}

function versionsOf(tags: readonly string[]): readonly number[] {
  return tags.flatMap((tag) => /^"(\d+)(?:-[\w.-]+)?"$/.exec(tag)?.[1] ?? []).map(Number);
}

function isAny(header: string): boolean {
  return header.trim() === '*';
}

function comparedWeakly(header: string): readonly string[] {
  return tagsOf(header).map((tag) => tag.replace(/^W\//, ''));
}

function tagsOf(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
