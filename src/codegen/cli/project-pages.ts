/** The pages of a project beside its guides: its API reference and GraphiQL, which try out a mock with state, and its last reports. */

import { existsSync } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { HttpResponse } from '@concordat/runtime';
import { type NodeListener, nodeTransport } from '@concordat/runtime/node';
import { type Html, explainFailure, html } from '@concordat/runtime/terminal';
import { loadContract } from '../contract/load/load.js';
import { type OpenApiDocument, basePathOf } from '../contract/schemas/document.js';
import { docsPage } from './docs-page.js';
import { type Contracts, type ForApi, contractsOf } from './shared-options.js';
import { loadTools, withoutTools } from './tools.js';

/** The folder to which `.ci/page-assets.js` copies the scripts and styles, which are those of the service's pages. */
const ASSETS = join(dirname(createRequire(import.meta.url).resolve('concordat/package.json')), 'dist/assets');

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

export interface ProjectOptions {
  readonly allowOrigin?: readonly string[];
  readonly reports?: string;
}

interface ProjectPages {
  /** Links to them; undefined if the project has neither contracts nor reports. */
  readonly list: Html | undefined;
  /** Passes on the requests for other pages. */
  readonly listener: NodeListener;
}

/** An API under an address of its own, where its mock answers what is no page. */
interface ServedApi {
  readonly name: string | undefined;
  /** Ends with a slash. */
  readonly base: string;
  readonly contracts: Contracts;
  /** Made for the first request, because large contracts take seconds. */
  readonly mock: () => Promise<NodeListener>;
  readonly document: () => Promise<OpenApiDocument>;
}

export async function projectPages(apis: readonly ForApi<ProjectOptions>[]): Promise<ProjectPages> {
  const served = apis.flatMap((each) => servedApi(each) ?? []);
  const folder = apis[0]?.options.reports ?? 'reports';
  const hasReports = (await reportsIn(folder)).length > 0;
  const listener: NodeListener = (request, response, next) => {
    const [path = ''] = (request.url ?? '/').split('?');
    const api = served.find(({ base }) => path.startsWith(base));
    if (api === undefined && !path.startsWith('/reports/')) {
      next?.();
      return;
    }
    const answer = async (): Promise<HttpResponse | undefined> =>
      api === undefined
        ? reportPage(folder, path)
        : await pageOf(api, path.slice(api.base.length), String(request.headers.accept));
    answer()
      .then(async (found) => {
        if (found !== undefined) {
          nodeTransport(() => found)(request, response);
          return;
        }
        const mock = await api?.mock();
        request.url = (request.url ?? '').slice((api?.base.length ?? 1) - 1);
        mock?.(request, response, next);
      })
      .catch((error: unknown) => {
        const body = html`<body>
          <pre>${explainFailure(error).message}</pre>
        </body>`;
        nodeTransport(() => docsPage({ title: 'Not served', body, status: 500 }))(request, response);
      });
  };
  return { list: served.length === 0 && !hasReports ? undefined : listOf(served, hasReports), listener };
}

/** @returns undefined if its contracts are not there */
function servedApi({ name, options }: ForApi<ProjectOptions>): ServedApi | undefined {
  const contracts = existing(contractsOf(options));
  const { openapi, schema } = contracts;
  if (openapi === undefined && schema === undefined) return undefined;
  const { allowOrigin = [] } = options;
  return {
    name,
    base: `/api/${encodeURIComponent(name ?? 'project')}/`,
    contracts,
    mock: onceMade(() => mockOf(contracts, allowOrigin)),
    document: onceMade(
      async () => (await loadContract(openapi ?? '', { allowOrigins: allowOrigin })).document,
    ),
  };
}

/** Makes a value for the first who asks. Who asks after a failure has it made again, because the contract may have been mended. */
function onceMade<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

async function mockOf(contracts: Contracts, allowOrigin: readonly string[]): ReturnType<ServedApi['mock']> {
  const tools = await loadTools();
  if (tools === undefined) throw withoutTools('The mock behind these pages');
  return await tools.mockListener(contracts, { allowOrigin });
}

/** @returns undefined for what the mock answers */
async function pageOf(api: ServedApi, path: string, accept: string): Promise<HttpResponse | undefined> {
  const { openapi, schema } = api.contracts;
  if (openapi !== undefined && /^(?:reference|openapi\.json)$/.test(path)) {
    const document = await api.document();
    const server = api.base.slice(0, -1) + (basePathOf(document.servers?.[0]) ?? '');
    if (path === 'reference') return referencePage(barOf(api, path), server);
    const body = JSON.stringify({ ...document, servers: [{ url: server }] });
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
  }
  if (path === 'graphql' && schema !== undefined && accept.includes('text/html'))
    return graphiqlPage(barOf(api, path));
  return assetAt(path);
}

function existing({ openapi, schema }: Contracts): Contracts {
  const schemas = [schema ?? []].flat();
  return {
    ...(openapi !== undefined && (/^https?:/.test(openapi) || existsSync(openapi)) && { openapi }),
    ...(schema !== undefined && schemas.every((each) => existsSync(each)) && { schema }),
  };
}

function barOf({ name, contracts: { openapi, schema } }: ServedApi, current: string): Html {
  const mark = (path: string): Html | undefined =>
    path === current ? html` aria-current="page"` : undefined;
  return html`<header class="bar">
    <nav aria-label="Pages">
      <a class="brand" href="/">${name ?? 'Guides'}</a>
      ${openapi === undefined ? undefined : html`<a href="reference" ${mark('reference')}>API<span class="wide"> reference</span></a>`}
      ${schema === undefined ? undefined : html`<a href="graphql" ${mark('graphql')}>GraphiQL</a>`}
      <a href="/reports/">Reports</a>
    </nav>
  </header>`;
}

function headOf(styles: readonly string[], scripts: readonly string[]): Html {
  return html`<meta name="color-scheme" content="light dark" />${styles.map(
      (each) => html`<link rel="stylesheet" href="assets/${each}" />`,
    )}${scripts.map((each) => html`<script src="assets/${each}" defer></script>`)}`;
}

const POLICY = "script-src 'self'; connect-src 'self'; font-src 'self' data:; ";

function referencePage(bar: Html, server: string): HttpResponse {
  return docsPage({
    title: 'API reference',
    head: headOf(['theme.css', 'bar.css', 'docs.css'], ['api-reference.js', 'docs.js']),
    policy: POLICY,
    body: html`<body data-server="${server}" data-server-name="A mock that remembers what is sent">
      ${bar}
      <main>
        <p id="loading" role="status">Loading the API reference…</p>
        <div id="reference"></div>
      </main>
    </body>`,
  });
}

function graphiqlPage(bar: Html): HttpResponse {
  return docsPage({
    title: 'GraphiQL',
    head: headOf(
      ['graphiql.css', 'theme.css', 'bar.css', 'graphiql-page.css'],
      ['react.js', 'react-dom.js', 'graphiql.js', 'graphql-ws.js', 'graphiql-page.js'],
    ),
    policy: POLICY,
    body: html`<body data-query="# Ctrl-Enter runs&#10;{&#10;  __typename&#10;}&#10;">
      ${bar}
      <main id="graphiql"><p role="status">Loading GraphiQL…</p></main>
    </body>`,
  });
}

async function assetAt(path: string): Promise<HttpResponse | undefined> {
  const [, name, type] = /^assets\/([\w-]+\.(css|js))$/.exec(path) ?? [];
  if (name === undefined || !existsSync(join(ASSETS, name))) return undefined;
  const headers = {
    'Content-Type': TYPES[type as keyof typeof TYPES],
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, headers, body: await readFile(join(ASSETS, name)) };
}

/** The newest first. */
async function reportsIn(folder: string): Promise<readonly { readonly file: string; readonly time: Date }[]> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.html'));
  const found = await Promise.all(
    files.map(async (file) => ({ file, time: (await stat(join(folder, file))).mtime })),
  );
  return found.toSorted((a, b) => b.time.getTime() - a.time.getTime());
}

/** A report has an origin of its own, because a file of the folder may be anything. */
const REPORT_POLICY =
  "sandbox allow-scripts allow-modals; default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

async function reportPage(folder: string, path: string): Promise<HttpResponse> {
  const reports = await reportsIn(folder);
  const wanted = reports.find(({ file }) => path === `/reports/${encodeURIComponent(file)}`);
  if (wanted !== undefined) {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': REPORT_POLICY };
    return { status: 200, headers, body: await readFile(join(folder, wanted.file)) };
  }
  const isList = path === '/reports/';
  const items = reports.map(
    ({ file, time }) =>
      html`<li><a href="/reports/${encodeURIComponent(file)}">${file}</a>, ${time.toLocaleString('sv')}</li>`,
  );
  const none = html`<p>
    There are none. A command writes one with <code>--format html &gt; ${join(folder, 'diff.html')}</code>.
  </p>`;
  return docsPage({
    title: isList ? 'Reports' : 'Not found',
    status: isList ? 200 : 404,
    body: html`<body>
      <p><a href="/">Guides</a></p>
      <h1>Reports</h1>
      ${
        items.length === 0
          ? none
          : html`<ul>
              ${items}
            </ul>`
      }
    </body>`,
  });
}

function listOf(served: readonly ServedApi[], hasReports: boolean): Html {
  return html`<h1>This project</h1>
    <ul>
      ${served.map(({ name, base, contracts: { openapi, schema } }) => {
        const of = name === undefined ? '' : ` of ${name}`;
        return html`${openapi === undefined ? undefined : html`<li><a href="${base}reference">API reference${of}</a></li>`}
        ${schema === undefined ? undefined : html`<li><a href="${base}graphql">GraphiQL${of}</a></li>`}`;
      })}
      ${hasReports ? html`<li><a href="/reports/">Reports</a></li>` : undefined}
    </ul>`;
}
