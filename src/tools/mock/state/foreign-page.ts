/** Recognises requests of web pages that are not those of this machine: of other origins, and of names that resolve to it (DNS rebinding). */

import type { RequestHeaders } from '@concordat/runtime';

/** `localhost` and the names below it (RFC 6761 §6.3), and loopback addresses. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * @param named - the hosts that are allowed besides loopback, without a port
 * @returns the sentence that refuses a request; undefined for one that no foreign page can have sent
 */
export function foreignPage(headers: RequestHeaders, named: readonly string[]): string | undefined {
  const { origin, host = '', 'sec-fetch-site': site = 'none' } = headers;
  const name = String(host).toLowerCase().replace(/:\d*$/, '');
  // A page whose name resolves to this machine is of the same origin, but the browser sends that name.
  if (!LOOPBACK.test(name) && !named.some((each) => each.toLowerCase() === name))
    return `The host ${name} is neither loopback nor named with --allow-host.`;
  // The browser sends `none` for an address that its user has typed (Fetch Metadata).
  const isOwn = origin === undefined || String(origin).replace(/^https?:\/\//, '') === host;
  return isOwn && ['same-origin', 'none'].includes(String(site))
    ? undefined
    : 'Pages of other origins may not send this request.';
}
