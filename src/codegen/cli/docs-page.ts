/** A page of `concordat docs --serve`. */

import type { HttpResponse } from '@concordat/runtime';
import { type Html, html } from '@concordat/runtime/terminal';

interface DocsPage {
  readonly title: string;
  readonly body: Html;
  /** Styles and scripts, in place of the style of the guides. */
  readonly head?: Html;
  /** The directives of the Content-Security-Policy besides `default-src 'none'`. */
  readonly policy?: string;
  readonly status?: number;
}

const STYLE = html`<style>
  :root {
    color-scheme: light dark;
  }
  body {
    max-width: 62rem;
    margin: 2rem auto;
    padding: 0 1rem;
    font:
      1rem/1.5 system-ui,
      sans-serif;
  }
  pre {
    padding: 0.75rem;
    overflow: auto;
    background: color-mix(in srgb, CanvasText 8%, Canvas);
  }
  table {
    display: block;
    overflow: auto;
    border-collapse: collapse;
  }
  th,
  td {
    padding: 0.25rem 0.5rem;
    border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas);
    text-align: left;
    vertical-align: top;
  }
</style>`;

/** A script in a guide would not run. */
export function docsPage({ title, body, head = STYLE, policy = '', status = 200 }: DocsPage): HttpResponse {
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; ${policy}base-uri 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-cache',
    },
    body: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>${title}</title>
          <link rel="icon" href="data:," />
          ${head}
        </head>
        ${body}
      </html> `.source,
  };
}
