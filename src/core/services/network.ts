/** Which addresses are one client's. */
import { isIPv6 } from 'node:net';

/**
 * What an address counts as: itself, but for IPv6, where a single client has the 2^64 addresses of its network (RFC 4291
 * §2.5.4), and for IPv4 written as IPv6.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%'); // without the interface of a link-local address
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const [high = '', low = ''] = groups.slice(6);
  return groups.slice(0, 6).join(':') === mappedPrefix
    ? [...bytesOf(high), ...bytesOf(low)].join('.')
    : `${groups.slice(0, 4).join(':')}::/64`;
}

/** What IPv4 written as IPv6 begins with (RFC 4291 §2.5.5.2). */
const mappedPrefix = '0:0:0:0:0:ffff';

/** The eight groups of an IPv6 address, in hexadecimal digits without leading zeros. */
function groupsOf(address: string): readonly string[] {
  // The URL parser writes an address in its one shortest form (RFC 5952), which leaves one place to be filled with zeros.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}

function bytesOf(group: string): readonly number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
