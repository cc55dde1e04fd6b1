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
    const number = text !== null && /^[0-9]+$/.test(text) ? Number(text) : 0;
    return number >= 1 ? Math.min(number, Number.MAX_SAFE_INTEGER) : fallback;
  };
  return { page: read('page', 1), limit: Math.min(100, read('limit', defaultLimit)) };
}

export function drawPaging(random: Random): Query {
  return {
    ...(random.chance(0.5) && { page: random.pick(['1', '2', '3', '0', '-1', 'x', '', '9007199254740993']) }),
    ...(random.chance(0.6) && { limit: random.pick(['1', '2', '7', '100', '101', '0', 'x', '']) }),
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

export function expectPageHeaders(
  answer: Answer,
  total: number,
  { page, limit }: { page: number; limit: number },
): void {
  const header = (name: string) => answer.headers.get(name);
  same('X-Total-Count', header('x-total-count'), String(total));
  same('X-Page', header('x-page'), String(page));
  same('X-Per-Page', header('x-per-page'), String(limit));
  const link = header('link') ?? '';
  same('rel="next"', link.includes('rel="next"'), page * limit < total);
  same('rel="prev"', link.includes('rel="prev"'), page > 1);
}

/** `{data, total}` of the first 100, or a page. */
export function expectCollection<T>(
  call: Call,
  answer: Answer,
  all: readonly T[],
  expectOne: (what: string, one: unknown, each: T) => void,
): void {
  const query = queryOf(call.path);
  const { data, total, pagination } = answer.body as {
    readonly data: unknown;
    readonly total?: unknown;
    readonly pagination?: unknown;
  };
  if (!query.has('page') && !query.has('limit')) {
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
