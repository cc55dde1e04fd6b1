/** The HTML pages: the landing page, the end of an external sign-in, and the tools for both contracts (Scalar and GraphiQL). */

import type { DemoSignIn } from '@concordat/core';
import type { HttpRequest } from '@concordat/runtime';
import type { AssetFolder } from './assets.js';
import { type Html, type Page, html, htmlPage } from './page.js';

/** The facts about the service that the page shows. */
export interface LandingFacts {
  readonly version: string;
  /** The address that browsers use, without a trailing slash; by default, that of the request's `Host`. */
  readonly publicUrl?: string | undefined;
  /** Demo users with public passwords. */
  readonly demoSignIns?: readonly DemoSignIn[];
  /** Whether people can sign in with an identity provider. */
  readonly hasExternalSignIn?: boolean;
}

/** An overview of the service, and the next steps for a newcomer. */
export function landingPage(assets: AssetFolder, facts: LandingFacts): Page {
  const stylesheet = assets.add('page.css');
  return htmlPage('landing', async ({ headers }) => ({
    title: 'Concordat',
    styles: [await stylesheet()],
    body: bodyOf(facts, facts.publicUrl ?? addressOf(headers)),
  }));
}

type Link = readonly [href: string, name: string];

const DATA: readonly Link[] = [
  ['api/products', 'products'],
  ['api/posts', 'posts'],
  ['api/feed', 'the feed'],
];

const CONTRACTS: readonly Link[] = [
  ['openapi.yaml', 'openapi.yaml'],
  ['openapi.json', 'openapi.json'],
  ['schema.graphql', 'schema.graphql'],
];

const OPERATION: readonly Link[] = [
  ['healthz', 'Health'],
  ['readyz', 'Readiness'],
  ['metrics', 'Metrics'],
];

const linksOf = (links: readonly Link[], separator: string): readonly Html[] =>
  links.map(([href, name], index) => html`${index > 0 ? separator : ''}<a href="${href}">${name}</a>`);

function bodyOf(facts: LandingFacts, url: string): Html {
  const { version, demoSignIns = [], hasExternalSignIn = false } = facts;
  const [demo = { email: 'you@example.com', password: 'your password' }] = demoSignIns;
  return html`<body>
    <main>
      <h1>Concordat</h1>
      <p class="quiet">Users, posts and orders over REST and GraphQL.</p>
      <p class="row">
        <a class="button" href="docs">Open the API reference</a>
        <a class="second" href="graphql">Query with GraphiQL</a>
      </p>
      <h2>Sign in</h2>
      ${demoSignIns.length > 0 ? signInsOf(demoSignIns) : undefined}
      ${hasExternalSignIn ? html`<p><a href="api/auth/idp">Sign in with the identity provider</a></p> ` : undefined}
      <p>Get a token, and ask who you are with it:</p>
      <pre
        tabindex="0"
      ><code>curl ${url}/api/auth/login --json '${JSON.stringify({ email: demo.email, password: demo.password })}'
curl ${url}/api/profile -H 'Authorization: Bearer &lt;accessToken&gt;'</code></pre>
      <h2>Read and watch</h2>
      <p>
        Read ${linksOf(DATA, ', ')}. To watch posts as they are made, run this in
        <a href="graphql">GraphiQL</a>:
      </p>
      <pre tabindex="0"><code>subscription { postAdded { id title author { name } } }</code></pre>
      <h2>The contracts</h2>
      <p>${linksOf(CONTRACTS, ' · ')}</p>
    </main>
    <footer class="quiet">
      <p>${linksOf(OPERATION, ' · ')}</p>
      <p>Version ${version}</p>
    </footer>
  </body>`;
}

function signInsOf(signIns: readonly DemoSignIn[]): Html {
  return html`<p>The demo data has these users:</p>
    <table>
      <thead>
        <tr>
          <th scope="col">Email</th>
          <th scope="col">Password</th>
          <th scope="col">Role</th>
        </tr>
      </thead>
      <tbody>
        ${signIns.map(
          ({ email, password, role }) =>
            html`<tr>
              <td>${email}</td>
              <td>${password}</td>
              <td>${role}</td>
            </tr> `,
        )}
      </tbody>
    </table> `;
}

/** The address in the request's `Host`, or else localhost; it is only shown, never followed. */
function addressOf({ host }: HttpRequest['headers']): string {
  return `http://${typeof host === 'string' && /^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`;
}

/** The page at which an external sign-in ends: it removes the token from the address, and shows the signed-in user. */
export function successPage(assets: AssetFolder): Page {
  const stylesheet = assets.add('page.css');
  const script = assets.add('success.js');
  return htmlPage('signed-in', async () => ({
    title: 'Signed in – Concordat',
    // The script comes first and is not a module, so that it removes the token from the address before anything else runs.
    scripts: [`../${await script()}`],
    styles: [`../${await stylesheet()}`],
    headers: { 'Cache-Control': 'no-store' },
    body: SUCCESS,
  }));
}

const SUCCESS = html`<body>
  <main>
    <h1 id="title">Signing you in…</h1>
    <p id="message" class="quiet" role="status"></p>
    <noscript><p>This page needs JavaScript to take the token out of the address.</p></noscript>
    <div id="signed-in" hidden>
      <dl class="box">
        <dt>Name</dt>
        <dd id="name"></dd>
        <dt>Email</dt>
        <dd id="email"></dd>
        <dt>Role</dt>
        <dd id="role"></dd>
        <dt>User</dt>
        <dd id="user"></dd>
      </dl>
      <h2>What next?</h2>
      <p>
        <span id="lifetime"></span> Send it with each request, as <code>Authorization: Bearer</code> and the
        token. It is kept nowhere: once you leave this page, it is gone.
      </p>
      <p class="row">
        <button id="copy" type="button">Copy the token</button>
        <span id="copied" class="quiet" role="status"></span>
      </p>
      <ul>
        <li>Send a request from the <a href="../docs">API reference</a>.</li>
        <li>
          Ask <code>{ me { id name } }</code> in <a href="../graphql">GraphiQL</a>, with the token in the
          headers.
        </li>
      </ul>
    </div>
    <div id="signed-out" hidden>
      <p class="row"><a href="../api/auth/idp">Sign in again</a> <a href="../">Start page</a></p>
    </div>
  </main>
</body>`;

/** The bar above a tool, with a link to the landing page. */
const barOf = (name: string): Html =>
  html`<nav class="tool-bar" aria-label="Concordat"><a href="./">Concordat</a> <span>${name}</span></nav>`;

/** The API reference, Scalar. */
export function docsPage(assets: AssetFolder): Page {
  const reference = assets.add('api-reference.js');
  const start = assets.add('docs.js');
  const styles = [assets.add('tool-bar.css'), assets.add('docs.css')];
  return htmlPage('docs', async () => ({
    title: 'API reference – Concordat',
    styles: await Promise.all(styles.map((address) => address())),
    fetched: ['openapi.json'],
    scripts: [await reference()],
    body: html`<body>
      ${barOf('API reference')}
      <div id="reference"></div>
      <noscript
        ><p>
          The API reference needs JavaScript. The contract is at <a href="openapi.yaml">openapi.yaml</a>.
        </p></noscript
      >
      <script src="${await start()}"></script>
    </body>`,
    policy: {
      // The reference adds styles at run time.
      'style-src': "'self' 'unsafe-inline'",
      'font-src': "'self' data:",
      'img-src': "'self' data: blob:",
    },
  }));
}

/** The query editor, GraphiQL, which browsers get at the path of GraphQL. */
export function graphiqlPage(assets: AssetFolder): Page {
  const styles = [assets.add('graphiql.css'), assets.add('tool-bar.css'), assets.add('graphiql-page.css')];
  const scripts = [
    assets.add('react.js'),
    assets.add('react-dom.js'),
    assets.add('graphiql.js'),
    assets.add('graphql-ws.js'),
  ];
  const start = assets.add('graphiql-page.js');
  return htmlPage('graphiql', async () => ({
    title: 'GraphiQL – Concordat',
    styles: await Promise.all(styles.map((address) => address())),
    scripts: await Promise.all(scripts.map((address) => address())),
    body: html`<body>
      ${barOf('GraphiQL')}
      <div id="graphiql"></div>
      <noscript
        ><p>
          GraphiQL needs JavaScript. The schema is at <a href="schema.graphql">schema.graphql</a>.
        </p></noscript
      >
      <script src="${await start()}"></script>
    </body>`,
    policy: {
      // GraphiQL and its editor add styles at run time; the stylesheet contains their fonts.
      'style-src': "'self' 'unsafe-inline'",
      'font-src': 'data:',
    },
    // Clients that do not ask for HTML get GraphQL at this address.
    headers: { Vary: 'Accept' },
  }));
}
