/** Which issuers can be trusted by the way to them. */

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether nobody on the way can change what the provider says: over TLS, or within this machine (decisions §1). */
export function isTrustedIssuer({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
