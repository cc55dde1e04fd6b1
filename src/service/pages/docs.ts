/** The API reference page: Scalar, with the contract that the service runs. */

import type { AssetFolder } from './assets.js';
import { html, htmlPage } from './html.js';
import type { Page } from './page.js';

export function docsPage(assets: AssetFolder): Page {
  const reference = assets.add('api-reference.js');
  const start = assets.add('docs.js');
  const style = assets.add('docs.css');
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
      // The reference adds styles at run time.
      'style-src': "'self' 'unsafe-inline'",
      'font-src': "'self' data:",
      'img-src': "'self' data: blob:",
    },
  }));
}
