/** Decides whether the connection to an issuer can be trusted. */

/** Whether a host name means this machine. @param host as in a URL, or an address to listen on */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** Whether the provider's answers cannot be changed in transit: over TLS, or within this machine. */
export function isTrustedIssuer({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
