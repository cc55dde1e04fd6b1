/** The landing page: an overview of the service, and the next steps for a newcomer. */

import { type Html, html } from './html.js';
import type { HttpRequest } from '@concordat/runtime';
import type { AssetFolder } from './assets.js';
import { barOf, SHARED_STYLES, signInForm, type SiteFacts } from './bar.js';
import { type Page, htmlPage } from './page.js';

export function landingPage(assets: AssetFolder, facts: SiteFacts, contractVersion: string): Page {
  const styles = assets.add(...SHARED_STYLES, 'page.css');
  const scripts = assets.add('sign-in.js');
  return htmlPage('landing', async ({ headers }) => ({
    title: 'Concordat',
    styles: await styles(),
    deferred: await scripts(),
    body: bodyOf(facts, facts.publicUrl ?? addressOf(headers), contractVersion),
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

/** Links to texts for programs, which open in the page that shows them to people. */
const linksOf = (links: readonly Link[], separator: string): readonly Html[] =>
  links.map(([href, name], index) => html`${index > 0 ? separator : ''}<a href="read#${href}">${name}</a>`);

/** @param id - unique in the page */
const command = (id: string, text: string): Html =>
  html`<div class="command">
    <pre tabindex="0"><code id="${id}">${text}</code></pre>
    <button type="button" class="plain" data-copy="${id}">Copy</button>
  </div>`;

function bodyOf(facts: SiteFacts, url: string, contractVersion: string): Html {
  const { version, demoSignIns = [] } = facts;
  const [{ email, password } = { email: 'you@example.com', password: 'your password' }] = demoSignIns;
  return html`<body class="own">
    ${barOf(facts, '')}
    <main>
      <h1>Concordat</h1>
      <p class="quiet">Users, posts and orders over REST and GraphQL.</p>
      <p class="row">
        <a class="button" href="docs" data-hand-over>Open the API reference</a>
        <a class="second" href="graphql" data-hand-over>Query with GraphiQL</a>
        ${
          facts.hasConsole === true
            ? html`<a class="second" href="console" data-hand-over>Open the console</a>`
            : undefined
        }
      </p>
      <h2>Sign in</h2>
      ${signInForm(facts)} ${demoSignIns.length > 0 ? signInsOf(demoSignIns) : undefined}
      <p>Or from a terminal: get a token, and ask who you are with it.</p>
      ${command('login', `curl ${url}/api/auth/login --json '${JSON.stringify({ email, password })}'`)}
      ${command('profile', `curl ${url}/api/profile -H 'Authorization: Bearer <accessToken>'`)}
      <h2>Read and watch</h2>
      <p>
        Read ${linksOf(DATA, ', ')}. To watch posts as they are made, run this in
        <a href="graphql" data-hand-over>GraphiQL</a>:
      </p>
      ${command('subscription', 'subscription { postAdded { id title author { name } } }')}
      <h2>The contracts</h2>
      <p>${linksOf(CONTRACTS, ' · ')}</p>
    </main>
    <footer class="quiet">
      <p>${linksOf(OPERATION, ' · ')}</p>
      <p>Service ${version} · Contract ${contractVersion}</p>
    </footer>
  </body>`;
}

function signInsOf(signIns: SiteFacts['demoSignIns'] & object): Html {
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
