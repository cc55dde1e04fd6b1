/** The API reference page: Scalar, with the contract that the service runs. */

import type { AssetFolder } from './assets.js';
import { html, htmlPage } from './html.js';
import type { Page } from './page.js';

export function docsPage(assets: AssetFolder): Page {
  const reference = assets.add('api-reference.js');
  const start = assets.add('docs.js', startScript);
  const style = assets.add('docs.css', docsStyle);
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

/** The reference adds its colours at run time, so these selectors must be more specific than its own. */
const docsStyle = `body { margin: 0; }
/* Too pale otherwise (WCAG 2.2, success criterion 1.4.3). */
body.light-mode {
  --scalar-color-2: #595959; --scalar-color-3: #666666; --scalar-color-green: #04683f; --scalar-color-red: #b80015;
  --scalar-color-yellow: #7a5600; --scalar-color-blue: #005e9c; --scalar-color-orange: #a03a00;
}
body.dark-mode { --scalar-color-3: #989898; --scalar-color-red: #ff6f66; }
/* Two rings, so that one of them is seen on any ground (2.4.7). */
body :focus-visible {
  outline: 2px solid var(--scalar-color-1) !important; outline-offset: -2px !important;
  box-shadow: inset 0 0 0 4px var(--scalar-background-1) !important;
}
`;

/** Every feature that contacts another host is switched off: fonts, proxy, telemetry, and the vendor's services. */
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
