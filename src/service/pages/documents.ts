/** The other HTML pages: the end of an external sign-in, the tools for both contracts (Scalar and GraphiQL), the console and the reader. */

import { type Html, html } from './html.js';
import type { AssetFolder } from './assets.js';
import { barOf, SHARED_STYLES, signInForm, type SiteFacts } from './bar.js';
import { type Page, htmlPage } from './page.js';

/** The page at which an external sign-in ends: it removes the token from the address, and shows the signed-in user. */
export function successPage(assets: AssetFolder, facts: SiteFacts): Page {
  const styles = assets.add(...SHARED_STYLES, 'page.css');
  const first = assets.add('success.js');
  const later = assets.add('sign-in.js');
  return htmlPage('signed-in', async () => ({
    title: 'Signed in – Concordat',
    // The script comes first and is not a module, so that it removes the token from the address before anything else runs.
    scripts: above(await first()),
    deferred: above(await later()),
    styles: above(await styles()),
    headers: { 'Cache-Control': 'no-store' },
    body: successBody(facts),
  }));
}

const above = (paths: readonly string[]) => paths.map((path) => `../${path}`);

const successBody = (facts: SiteFacts): Html =>
  html`<body class="own">
    ${barOf(facts, 'auth/success', '../')}
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
          <li>Send a request from the <a href="../docs" data-hand-over>API reference</a>.</li>
          <li>Ask <code>{ me { id name } }</code> in <a href="../graphql" data-hand-over>GraphiQL</a>.</li>
          ${
            facts.hasConsole === true
              ? html`<li>Work in the <a href="../console" data-hand-over>console</a>.</li>`
              : undefined
          }
        </ul>
      </div>
      <div id="signed-out" hidden>
        <p class="row"><a href="../api/auth/idp">Sign in again</a> <a href="../">Start page</a></p>
      </div>
    </main>
  </body>`;

/** The bar above a tool, in which one signs in for its requests. @param text - how the tool uses the token */
const toolBar = (facts: SiteFacts, path: string, text: string): Html =>
  barOf(
    facts,
    path,
    './',
    html`<details class="sign-in">
      <summary>Sign in</summary>
      <div class="panel">
        <p class="quiet">${text}</p>
        ${signInForm(facts)}
      </div>
    </details>`,
  );

/** The API reference, Scalar. */
export function docsPage(assets: AssetFolder, facts: SiteFacts): Page {
  const scripts = assets.add('api-reference.js', 'docs.js', 'sign-in.js');
  const styles = assets.add(...SHARED_STYLES, 'docs.css');
  return htmlPage('docs', async () => ({
    title: 'API reference – Concordat',
    styles: await styles(),
    fetched: ['openapi.json'],
    deferred: await scripts(),
    body: html`<body>
      ${toolBar(facts, 'docs', 'Requests that are tried out here then have your token.')}
      <main>
        <p id="loading" role="status">Loading the API reference…</p>
        <div id="reference"></div>
      </main>
      <noscript
        ><p>
          The API reference needs JavaScript. The contract is at <a href="openapi.yaml">openapi.yaml</a>.
        </p></noscript
      >
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
export function graphiqlPage(assets: AssetFolder, facts: SiteFacts): Page {
  const styles = assets.add('graphiql.css', ...SHARED_STYLES, 'graphiql-page.css');
  const tool = ['react.js', 'react-dom.js', 'graphiql.js', 'graphql-ws.js', 'graphiql-page.js'];
  const scripts = assets.add(...tool, 'sign-in.js');
  return htmlPage('graphiql', async () => ({
    title: 'GraphiQL – Concordat',
    styles: await styles(),
    deferred: await scripts(),
    body: html`<body>
      ${toolBar(facts, 'graphql', 'Your token goes into Headers, below the query, as {"Authorization": "Bearer …"}.')}
      <main id="graphiql"><p role="status">Loading GraphiQL…</p></main>
      <noscript
        ><p>
          GraphiQL needs JavaScript. The schema is at <a href="schema.graphql">schema.graphql</a>.
        </p></noscript
      >
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

/** The operator's console. Its script calls the service as any client does; the page has no data. */
export function consolePage(assets: AssetFolder, facts: SiteFacts, contractVersion: string): Page {
  const styles = assets.add(...SHARED_STYLES, 'page.css', 'console.css');
  const scripts = assets.add('console.js');
  const { version, demoSignIns = [], hasExternalSignIn } = facts;
  const idp = hasExternalSignIn === true ? html` data-idp` : undefined;
  return htmlPage('console', async () => ({
    title: 'Console – Concordat',
    styles: await styles(),
    modules: await scripts(),
    // What a signed-in user has seen is not kept by the browser.
    headers: { 'Cache-Control': 'no-store' },
    body: html`<body
      class="own"
      data-version="${version}"
      data-contract="${contractVersion}"
      data-demo="${JSON.stringify(demoSignIns)}"
      ${idp}
    >
      ${barOf(facts, 'console')}
      <div id="console"><p role="status">Loading the console…</p></div>
      <noscript><p>The console needs JavaScript. The same can be done with concordat-service.</p></noscript>
    </body>`,
  }));
}

/** Shows an answer of the service to people: its address is the part after `#`. */
export function readerPage(assets: AssetFolder, facts: SiteFacts): Page {
  const styles = assets.add(...SHARED_STYLES, 'page.css');
  const scripts = assets.add('reader.js');
  return htmlPage('reader', async () => ({
    title: 'Read – Concordat',
    styles: await styles(),
    deferred: await scripts(),
    body: html`<body class="own">
      ${barOf(facts, 'read')}
      <main>
        <h1 id="title">Loading…</h1>
        <p class="row"><a id="raw" href="./">As it is sent</a> <a id="next" hidden>Next page</a></p>
        <pre id="text" tabindex="0"></pre>
        <noscript><p>This page needs JavaScript.</p></noscript>
      </main>
    </body>`,
  }));
}
