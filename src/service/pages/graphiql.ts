/** The GraphiQL page, which browsers get at the GraphQL path. */

import type { AssetFolder } from './assets.js';
import { html, htmlPage } from './html.js';
import type { Page } from './page.js';

export function graphiqlPage(assets: AssetFolder): Page {
  const styles = [assets.add('graphiql.css'), assets.add('graphiql-page.css')];
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
