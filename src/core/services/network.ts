/** Which addresses are one client's. */
import { isIPv6 } from 'node:net';

/**
 * What an address counts as: itself, but for IPv6, where a single client has the 2^64 addresses of its network (RFC 4291
 * §2.5.4), and for IPv4 written as IPv6.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%'); // without the interface of a link-local address
  if (!isIPv6(plain)) return address;
  // The URL parser writes an address in its one shortest form (RFC 5952), which leaves one place to be filled with zeros.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
