/** Serves a page by the rules of HTTP, and compresses it: for all pages alike. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type HttpRequest, type HttpResponse, Problem } from '@concordat/runtime';
import { type Html, html } from './html.js';

/** The part of a request that a page depends on. */
type PageRequest = Pick<HttpRequest, 'method' | 'path' | 'headers'>;

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

/**
 * The codings in order of preference. Brotli at level 9 of 11 compresses the largest script to a quarter in 0.3 s; level 11
 * is a tenth smaller, but takes twenty times as long. Browsers accept Brotli over TLS and on localhost only.
 */
const CODINGS: Readonly<Record<string, (body: Uint8Array) => Promise<Uint8Array>>> = {
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body) => gzipped(body, { level: 9 }),
};
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Smaller files fit into a packet without compression. */
const MIN_BYTES = 1024;

const compressedForms = new WeakMap<Uint8Array, Map<string, Promise<Uint8Array>>>();

/** Keeps the form of a body that was compressed with Brotli before. */
export function keepBrotli(body: Uint8Array, compressed: Uint8Array): void {
  compressedForms.set(body, new Map([['br', Promise.resolve(compressed)]]));
}

/**
 * @param body - the same object each time, because its compressed forms are cached by identity
 * @returns the bytes to send, and the headers to send with them
 */
export async function encoded(
  body: Uint8Array,
  { headers }: Pick<HttpRequest, 'headers'>,
): Promise<{ readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> }> {
  const Vary = 'Accept-Encoding';
  const coding =
    body.length < MIN_BYTES ? undefined : preferredCoding(String(headers['accept-encoding'] ?? ''));
  const compress = coding === undefined ? undefined : CODINGS[coding];
  if (coding === undefined || compress === undefined) return { body, headers: { Vary } };
  let codings = compressedForms.get(body);
  if (codings === undefined) compressedForms.set(body, (codings = new Map<string, Promise<Uint8Array>>()));
  let made = codings.get(coding);
  if (made === undefined) codings.set(coding, (made = compress(body)));
  return { body: await made, headers: { Vary, 'Content-Encoding': coding } };
}

/** The supported coding with the greatest weight; of several, the preferred one; undefined if none is accepted. */
function preferredCoding(accepted: string): string | undefined {
  const weights = new Map<string, number>();
  for (const entry of accepted.toLowerCase().split(',')) {
    const [, name, weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*([\d.]+))?\s*$/.exec(entry) ?? [];
    if (name !== undefined) weights.set(name, Number(weight));
  }
  let preferred: string | undefined;
  let most = 0;
  for (const coding of Object.keys(CODINGS)) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > most) [preferred, most] = [coding, weight];
  }
  return preferred;
}

/** One HTML document. */
interface Document {
  readonly title: string;
  /** Addresses relative to the page, so that a proxy may serve it below a prefix. */
  readonly styles?: readonly string[];
  /** Addresses like those of styles. The scripts run in this order, while the document is parsed. */
  readonly scripts?: readonly string[];
  /** Those that run when the document is parsed, and is shown. */
  readonly deferred?: readonly string[];
  /** The same, as modules. */
  readonly modules?: readonly string[];
  /** Addresses like those of styles, which the scripts fetch; the browser begins with them. */
  readonly fetched?: readonly string[];
  readonly body: Html;
  /** Directives that replace or extend the Content-Security-Policy of every page. */
  readonly policy?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Allows scripts, styles and requests of this origin only, and no framing by other sites. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** A page that is an HTML document. */
export function htmlPage(
  name: string,
  make: (request: Pick<HttpRequest, 'headers'>) => Promise<Document> | Document,
): Page {
  return page(name, async (request) => contentOf(await make(request)));
}

function contentOf({
  title,
  styles = [],
  scripts = [],
  deferred = [],
  modules = [],
  fetched = [],
  body,
  policy,
  headers,
}: Document): Content {
  const { source } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${fetched.map((path) => html`<link rel="preload" href="${path}" as="fetch" crossorigin /> `)}
        ${styles.map((path) => html`<link rel="stylesheet" href="${path}" /> `)}${scripts.map(
          (path) => html`<script src="${path}"></script> `,
        )}${deferred.map((path) => html`<script src="${path}" defer></script> `)}${modules.map(
          (path) => html`<script src="${path}" type="module"></script> `,
        )}
      </head>
      ${body}
    </html> `;
  const sources = Object.entries({ ...POLICY, ...policy });
  return {
    body: source,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': sources.map((source) => source.join(' ')).join('; '),
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  };
}
