/** Which issuers can be trusted by the way to them. */

/** Whether a host is this machine, as far as its name says. @param host as in a URL, or an address as it is listened on */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** Whether nobody on the way can change what the provider says: over TLS, or within this machine. */
export function isTrustedIssuer({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
