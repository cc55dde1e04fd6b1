/** Starts the API reference. Every feature that contacts another host is switched off: fonts, proxy, telemetry, and the vendor's services. */

'use strict';
const configuration = {
  url: 'openapi.json',
  servers: [
    {
      url: new URL(document.body.dataset.server ?? '.', location.href).href.replace(/\/$/, ''),
      description: document.body.dataset.serverName ?? 'The host that serves this page',
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
};
const reference = Scalar.createApiReference('#reference', configuration);
document.addEventListener('signed-in', ({ detail: { token } }) => {
  const authentication = {
    preferredSecurityScheme: 'bearerAuth',
    securitySchemes: { bearerAuth: { token } },
  };
  reference.updateConfiguration({ ...configuration, authentication });
});
// It is there when it has a heading.
const place = document.getElementById('reference');
const watch = new MutationObserver(() => {
  if (place.querySelector('h1') === null) return;
  document.getElementById('loading').remove();
  watch.disconnect();
});
watch.observe(place, { childList: true, subtree: true });
