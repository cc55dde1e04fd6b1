/** The HTML pages of the service, their files, and the contracts as files. Nothing is loaded from other hosts. */

import { AssetFolder } from './assets.js';
import type { SiteFacts } from './bar.js';
import { consolePage, docsPage, graphiqlPage, readerPage, successPage } from './documents.js';
import { landingPage } from './landing.js';
import { type Page, encoded, keepBrotli, page } from './page.js';

interface PagesOptions {
  /** The content of `/openapi.yaml`, `/openapi.json`, `/schema.graphql` and `/tools.json`. */
  readonly contracts: ContractTexts;
  readonly facts: SiteFacts;
  /** The JSON Web Keys by which other services verify access tokens. */
  readonly publicKeys: readonly object[];
}

export interface Pages {
  /** The pages by path. */
  readonly byPath: ReadonlyMap<string, Page>;
  /** The script or style at a path below {@link ASSETS_FOLDER}; undefined if there is none. */
  readonly findAsset: (path: string) => Page | undefined;
  /** The query editor, which must be served at GraphQL's path, because it sends queries to its own path. */
  readonly graphiql: Page;
}

/**
 * Makes the landing page, `/auth/success`, `/docs`, the console, the reader, GraphiQL, the contract files, and the assets of these.
 *
 * @example
 * ```ts
 * const pages = servicePages({ contracts: { openapiYaml, openapiJson, schema }, facts: { version: '1.0.0' }, publicKeys: [] });
 * const response = await pages.byPath.get('/docs')?.answer({ method: 'GET', path: '/docs', headers: {} });
 * ```
 */
export function servicePages({ contracts, facts, publicKeys }: PagesOptions): Pages {
  const contractVersion = /^ {2}version: (?:'|")?([^'"\n]+)/m.exec(contracts.openapiYaml)?.[1] ?? 'unknown';
  const assets = new AssetFolder();
  const byPath = new Map<string, Page>(
    Object.entries({
      '/': landingPage(assets, facts, contractVersion),
      '/auth/success': successPage(assets, facts),
      '/docs': docsPage(assets, facts),
      '/read': readerPage(assets, facts),
      ...(facts.hasConsole === true && { '/console': consolePage(assets, facts, contractVersion) }),
      // For browsers that show an answer that is not a page. The media type counts, not the path's ending.
      '/favicon.ico': page('favicon', () => ({
        body: ICON,
        headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' },
      })),
      // A JWK Set (RFC 7517 §5). A new key must be in it this long before it signs, for services that keep the set.
      '/.well-known/jwks.json': page('jwks', () => ({
        body: JSON.stringify({ keys: publicKeys }),
        headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' },
      })),
      ...contractFiles(contracts),
    }),
  );
  return {
    byPath,
    findAsset: (path) => assets.find(path),
    graphiql: graphiqlPage(assets, facts),
  };
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<path d="M11 4.5a4.5 4.5 0 1 0 0 7" fill="none" stroke="#2563eb" stroke-width="3" stroke-linecap="round"/>
</svg>
`;

/** The contracts as text. */
interface ContractTexts {
  readonly openapiYaml: string;
  /** The same document as JSON, read on first use, and compressed with Brotli if the build has done that. */
  readonly openapiJson: () => Promise<{ readonly text: string; readonly brotli?: Uint8Array | undefined }>;
  readonly schema: string;
  /** The table of tools for models, for `concordat-service mcp`. */
  readonly toolsJson?: ContractTexts['openapiJson'];
}

function contractFiles({ openapiYaml, openapiJson, schema, toolsJson }: ContractTexts): Record<string, Page> {
  return {
    // RFC 9512
    '/openapi.yaml': file('openapi.yaml', 'application/yaml', () => ({ text: openapiYaml })),
    '/openapi.json': file('openapi.json', 'application/json', openapiJson),
    // SDL has no registered media type, and browsers display this one.
    '/schema.graphql': file('schema.graphql', 'text/plain; charset=utf-8', () => ({ text: schema })),
    ...(toolsJson && { '/tools.json': file('tools.json', 'application/json', toolsJson) }),
  };
}

type FileContent = Awaited<ReturnType<ContractTexts['openapiJson']>>;

function file(name: string, type: string, read: () => Promise<FileContent> | FileContent): Page {
  let bytes: Promise<Uint8Array> | undefined;
  const readOnce = async (): Promise<Uint8Array> => {
    const { text, brotli } = await read();
    const body = Buffer.from(text);
    if (brotli !== undefined) keepBrotli(body, brotli);
    return body;
  };
  return page(name, async (request) => {
    const { body, headers } = await encoded(await (bytes ??= readOnce()), request);
    return { body, headers: { ...headers, 'Content-Type': type, 'Cache-Control': 'no-cache' } };
  });
}
