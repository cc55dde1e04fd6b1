/** Starts the API reference. Every feature that contacts another host is switched off: fonts, proxy, telemetry, and the vendor's services. */

'use strict';
Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  servers: [
    {
      url: new URL('.', location.href).href.replace(/\/$/, ''),
      description: 'The host that serves this page',
    },
  ],
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  hideDarkModeToggle: false,
});
