/** The pagination response headers of the offset scheme (RFC 8288). */

import type { HttpRequest } from 'concordat';
import type { OffsetPage } from '../model/page.js';

/** The headers of a page whose body is the bare array. */
export interface PageHeaders {
  readonly Link?: string;
  readonly 'X-Total-Count': number;
  readonly 'X-Page': number;
  readonly 'X-Per-Page': number;
}

/** @param request - the links have its path, and its query except for the page */
export function pageHeaders(
  page: OffsetPage<unknown>['pagination'],
  { path, query }: Pick<HttpRequest, 'path' | 'query'>,
): PageHeaders {
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
