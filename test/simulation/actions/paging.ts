/** How collections are read, one page at a time, and what their answers must have. */

import { type Answer, type Call, Fault, same } from '../calls.js';
import type { Random } from '../random.js';

export type Query = Readonly<Record<string, string>>;

export const pathOf = (path: string, query: Query): string => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
};

export const queryOf = (path: string): URLSearchParams => new URL(path, 'http://localhost').searchParams;

/** The paging parameters never fail: these are the values that the service must use. */
export function pagingOf(
  query: URLSearchParams,
  defaultLimit: number,
): { readonly page: number; readonly limit: number } {
  const read = (name: string, fallback: number): number => {
    const text = query.get(name);
    const number = text !== null && /^(?:[0-9]+|1e999)$/.test(text) ? Number(text) : 0;
    return number >= 1 ? Math.min(number, Number.MAX_SAFE_INTEGER) : fallback;
  };
  return { page: read('page', 1), limit: Math.min(100, read('limit', defaultLimit)) };
}

const usualLimits = ['1', '2', '7', '10', '99', '100', '101', '1000'] as const;

/** Texts that are no number from 1, or a very large one. */
export const oddNumbers = [
  '0',
  '-1',
  '1.5',
  'x',
  '',
  ' ',
  'NaN',
  '0x2',
  '+2',
  '1e1',
  '9007199254740993',
  '1e999',
] as const;

/** @param total - of the list, if its last pages are asked for more often */
export function drawPaging(random: Random, total = 0): Query {
  if (total > 0 && random.chance(0.3)) {
    const limit = random.pick([1, 2, 7, 10, 99, 100]);
    const page = Math.ceil(total / limit) + random.whole(-1, 1);
    return { page: String(page), limit: String(limit) };
  }
  return {
    ...(random.chance(0.5) && { page: random.pick(random.chance(0.7) ? ['1', '2', '3', '11'] : oddNumbers) }),
    ...(random.chance(0.6) && { limit: random.pick(random.chance(0.7) ? usualLimits : oddNumbers) }),
  };
}

export const sliceOf = <T>(
  all: readonly T[],
  { page, limit }: { page: number; limit: number },
): readonly T[] => all.slice((page - 1) * limit, page * limit);

export function expectEach<T>(
  answered: unknown,
  expected: readonly T[],
  expectOne: (what: string, one: unknown, each: T) => void,
): void {
  if (!Array.isArray(answered)) throw new Fault('the list is no array');
  const ids = (records: readonly unknown[]) =>
    records.map((record) => (record as { readonly id: string }).id);
  same('the ids', ids(answered), ids(expected));
  expected.forEach((each, index) => {
    expectOne(`list/${String(index)}`, answered[index], each);
  });
}

/** The headers of a bare array. The links are those of the request with another page. @param others - further links */
export function expectPageHeaders(
  { path }: Call,
  answer: Answer,
  total: number,
  { page, limit }: { page: number; limit: number },
  others: readonly string[] = [],
): void {
  const header = (name: string) => answer.headers.get(name);
  same('X-Total-Count', header('x-total-count'), String(total));
  same('X-Page', header('x-page'), String(page));
  same('X-Per-Page', header('x-per-page'), String(limit));
  const query = queryOf(path);
  query.delete('page');
  query.delete('limit');
  const rest = query.size === 0 ? '' : `&${query.toString()}`;
  const to = (number: number, relation: string): string =>
    `<${path.split('?')[0] ?? ''}?page=${String(number)}&limit=${String(limit)}${rest}>; rel="${relation}"`;
  const links = [
    ...(page > 1 ? [to(page - 1, 'prev'), to(1, 'first')] : []),
    ...(page * limit < total ? [to(page + 1, 'next'), to(Math.ceil(total / limit), 'last')] : []),
    ...others,
  ];
  same('Link', header('link'), links.length === 0 ? null : links.join(', '));
}

/** Draws whether a collection is asked for as a bare array. */
export const drawEnvelope = (random: Random): Query =>
  random.chance(0.3) ? { envelope: random.pick(['false', 'false', 'true']) } : {};

/** `{data, total}` of the first 100, a page, or the bare array. */
export function expectCollection<T>(
  call: Call,
  answer: Answer,
  all: readonly T[],
  expectOne: (what: string, one: unknown, each: T) => void,
): void {
  const query = queryOf(call.path);
  const isPaged = query.has('page') || query.has('limit');
  if (query.get('envelope') === 'false') {
    const paging = pagingOf(query, isPaged ? 10 : 100);
    expectEach(answer.body, sliceOf(all, paging), expectOne);
    expectPageHeaders(call, answer, all.length, paging);
    return;
  }
  same('Link', answer.headers.get('link'), null);
  const { data, total, pagination } = answer.body as {
    readonly data: unknown;
    readonly total?: unknown;
    readonly pagination?: unknown;
  };
  if (!isPaged) {
    expectEach(data, all.slice(0, 100), expectOne);
    same('total', total, all.length);
    return;
  }
  const paging = pagingOf(query, 10);
  expectEach(data, sliceOf(all, paging), expectOne);
  const { page, limit } = paging;
  const totalPages = Math.ceil(all.length / limit);
  const [hasNext, hasPrev] = [page * limit < all.length, page > 1];
  same('pagination', pagination, { page, limit, total: all.length, totalPages, hasNext, hasPrev });
}
