/** The API reference: Scalar's, over the contract that the service runs. */

import type { AssetFolder } from './assets.js';
import { html, htmlPage } from './html.js';
import type { Page } from './page.js';

export function docsPage(assets: AssetFolder): Page {
  // The same script as that of @scalar/api-reference, in a package that needs a tenth of the others.
  const reference = assets.add('api-reference.js', {
    entry: '@scalar/fastify-api-reference',
    file: 'js/standalone.js',
  });
  const start = assets.add('docs.js', { text: startScript });
  const style = assets.add('docs.css', { text: docsStyle });
  return htmlPage('docs', async () => ({
    title: 'API reference – Concordat',
    styles: [await style()],
    scripts: [await reference()],
    body: html`<body>
      <div id="reference"></div>
      <noscript
        ><p>
          The API reference needs JavaScript. The contract is at <a href="openapi.yaml">openapi.yaml</a>.
        </p></noscript
      >
      <script src="${await start()}"></script>
    </body>`,
    policy: {
      // The reference styles itself as it goes.
      'style-src': "'self' 'unsafe-inline'",
      'font-src': "'self' data:",
      'img-src': "'self' data: blob:",
    },
  }));
}

const docsStyle = 'body { margin: 0; }\n';

/** Everything that would speak to another machine is switched off: fonts, proxy, telemetry, and its makers' own services. */
const startScript = `'use strict';
Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  servers: [{ url: new URL('.', location.href).href.replace(/\\/$/, ''), description: 'The host that serves this page' }],
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  hideDarkModeToggle: false,
});
`;
