/** The pages of the tools for both contracts: the API reference, Scalar, and the query editor, GraphiQL. */

import type { AssetFolder } from './assets.js';
import { type Html, html, htmlPage } from './html.js';
import type { Page } from './page.js';

/** The way home. */
const barOf = (name: string): Html =>
  html`<nav class="tool-bar" aria-label="Concordat"><a href="./">Concordat</a> <span>${name}</span></nav>`;

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

/** Browsers get it at the GraphQL path. */
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
