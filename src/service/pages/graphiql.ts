/** The GraphiQL page, which browsers get at the GraphQL path. */

import type { AssetFolder } from './assets.js';
import { html, htmlPage } from './html.js';
import type { Page } from './page.js';

export function graphiqlPage(assets: AssetFolder): Page {
  const styles = [assets.add('graphiql.css'), assets.add('graphiql-page.css', pageStyle)];
  const scripts = [
    assets.add('react.js'),
    assets.add('react-dom.js'),
    assets.add('graphiql.js'),
    assets.add('graphql-ws.js'),
  ];
  const start = assets.add('graphiql-page.js', graphiqlScript);
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

const pageStyle = `body { margin: 0; }
#graphiql { height: 100vh; height: 100dvh; }
/* GraphiQL puts the answer beside the query; where there is no room for both, it goes below. */
@media (max-width: 48rem) {
  .graphiql-container .graphiql-sessions > div:has(> .graphiql-editors) { flex-direction: column; }
  .graphiql-container .graphiql-editors + .graphiql-horizontal-drag-bar { display: none; }
  .graphiql-container .graphiql-editors, .graphiql-container .graphiql-response { min-height: 0; width: 100%; }
}
/* Its light colours are too pale, and so is what it dims in both schemes (WCAG 2.2, success criterion 1.4.3). */
.graphiql-container, .CodeMirror-info, .CodeMirror-lint-tooltip, .graphiql-dialog, .graphiql-tooltip, [data-radix-popper-content-wrapper] {
  --color-primary: 320, 95%, 36%; --color-secondary: 242, 51%, 50%; --color-tertiary: 188, 100%, 22%;
  --color-info: 208, 100%, 33%; --color-success: 158, 60%, 24%; --color-warning: 36, 100%, 25%; --color-error: 13, 93%, 38%;
  --alpha-secondary: .95; --alpha-tertiary: .85;
}
/* And where the keyboard is was a hair's breadth of grey (2.4.7). */
:is(.graphiql-container, .graphiql-dialog, [data-radix-popper-content-wrapper]) :focus-visible {
  outline: 3px solid hsl(var(--color-primary)) !important; outline-offset: 1px;
}
.graphiql-container .CodeMirror-focused { outline: 2px solid hsl(var(--color-primary)); outline-offset: -2px; }
`;

/** Queries are sent by POST. Each subscription has its own WebSocket, with the token as a connection parameter. */
const graphiqlScript = `'use strict';
(() => {
  const url = location.pathname;

  // By the text: what GraphiQL has parsed may be the text of a moment ago.
  const isSubscription = ({ query, operationName }) => {
    const text = query.replace(/#.*/g, '');
    const names = [...text.matchAll(/(?:^|[}\\s])subscription\\b\\s*(\\w*)/g)].map(([, name]) => name);
    return operationName ? names.includes(operationName) : /(?:^|\\})\\s*subscription\\b/.test(text);
  };

  const fetcher = (request, options = {}) => {
    const headers = options.headers ?? {};
    if (isSubscription(request)) {
      const name = Object.keys(headers).find((each) => each.toLowerCase() === 'authorization');
      return graphqlWs
        .createClient({
          url: location.href.replace(/^http/, 'ws').replace(/[?#].*$/, ''),
          connectionParams: name ? { authorization: headers[name] } : {},
          retryAttempts: 0,
        })
        .iterate(request);
    }
    return fetch(url, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(request),
    }).then((answer) => answer.json());
  };

  // The editors would indent with Tab, and never let the keyboard out again; in a list of suggestions it still chooses.
  document.addEventListener(
    'keydown',
    (event) => {
      const isInEditor = event.target.closest('.CodeMirror') !== null;
      if (event.key === 'Tab' && isInEditor && !document.querySelector('.CodeMirror-hints')) event.stopPropagation();
    },
    true,
  );

  const defaultQuery = '# Ask for what you want, and press Ctrl-Enter.\\n{\\n  posts {\\n    id\\n    title\\n    author {\\n      name\\n    }\\n  }\\n}\\n';
  const element = React.createElement(GraphiQL, { fetcher, defaultQuery, shouldPersistHeaders: false });
  ReactDOM.createRoot(document.getElementById('graphiql')).render(element);
})();
`;
