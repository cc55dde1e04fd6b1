/** Writes HTML: values in a template are escaped as text, unless they are already HTML. */

import { type Content, page, type Page } from './page.js';
import type { HttpRequest } from '@concordat/runtime';

/** HTML that may be inserted into other HTML unescaped. */
export class Html {
  constructor(readonly source: string) {}
}

type Part = string | number | Html | readonly Html[] | undefined;

/** Fills a template: texts are escaped, lists are joined, and undefined is omitted. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.reduce((source, text, index) => source + sourceOf(parts[index - 1]) + text));
}

function sourceOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.source;
  if (typeof part === 'object') return part.map(({ source }) => source).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

/** One HTML document. */
export interface Document {
  readonly title: string;
  /** Addresses relative to the page, so that a proxy may serve it below a prefix. */
  readonly styles?: readonly string[];
  /** Addresses like those of styles. The scripts run in this order, while the document is parsed. */
  readonly scripts?: readonly string[];
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
