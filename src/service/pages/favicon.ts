/** The icon that browsers ask for when they show an answer that is not a page. */

import { type Page, page } from './page.js';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<path d="M11 4.5a4.5 4.5 0 1 0 0 7" fill="none" stroke="#2563eb" stroke-width="3" stroke-linecap="round"/>
</svg>
`;

/** Browsers go by the media type, not by the name of the path. */
export function faviconPage(): Page {
  const headers = { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' };
  return page('favicon', () => ({ body: ICON, headers }));
}
