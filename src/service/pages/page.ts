/** The type of a page, and the rules of HTTP that are the same for all pages. */

import { createHash } from 'node:crypto';
import { Problem, type HttpRequest, type HttpResponse } from '@concordat/runtime';

/** The part of a request that a page depends on. */
export type PageRequest = Pick<HttpRequest, 'method' | 'path' | 'headers'>;

export interface Page {
  /** A fixed name, for logs and metrics. */
  readonly name: string;
  /** @throws a `Problem`: 405 for another method than GET, HEAD and OPTIONS */
  answer(request: PageRequest): Promise<HttpResponse>;
}

/** The content of a page, with its headers. */
export interface Content {
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

const ALLOW = 'GET, HEAD, OPTIONS';

/** Makes a page. @param make - called for each request, so it should keep large content between calls */
export function page(
  name: string,
  make: (request: Pick<HttpRequest, 'path' | 'headers'>) => Promise<Content> | Content,
): Page {
  return {
    name,
    async answer(request) {
      if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: ALLOW } };
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new Problem(405, 'Method not allowed', { Allow: ALLOW });
      }
      const { body, headers } = await make(request);
      const ETag = `"${fingerprint(body)}"`;
      const isKnown = String(request.headers['if-none-match'] ?? '').includes(ETag);
      return isKnown
        ? { status: 304, headers: { ...headers, ETag } }
        : { status: 200, headers: { ...headers, ETag }, body };
    },
  };
}

/** A hash of the content; texts are hashed each time, bytes once. */
export function fingerprint(body: string | Uint8Array): string {
  if (typeof body === 'string') return digest(body);
  let known = fingerprints.get(body);
  if (known === undefined) fingerprints.set(body, (known = digest(body)));
  return known;
}

const fingerprints = new WeakMap<Uint8Array, string>();

function digest(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}
