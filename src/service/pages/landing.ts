/** The landing page: an overview of the service, and the next steps for a newcomer. */

import type { HttpRequest } from '@concordat/runtime';
import type { AssetFolder } from './assets.js';
import { type Html, html, htmlPage } from './html.js';
import type { Page } from './page.js';

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

export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
  readonly role: string;
}

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
