/** Groups network addresses by client, for counting. */
import { isIPv6 } from 'node:net';

/**
 * The key that an address is counted under: the /64 network of an IPv6 address, because one client has all of its 2^64
 * addresses (RFC 4291 §2.5.4); the IPv4 address of an IPv4-mapped IPv6 address; and any other address itself.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%'); // without the zone of a link-local address
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const [high = '', low = ''] = groups.slice(6);
  return groups.slice(0, 6).join(':') === mappedPrefix
    ? [...bytesOf(high), ...bytesOf(low)].join('.')
    : `${groups.slice(0, 4).join(':')}::/64`;
}

/** The prefix of IPv4-mapped IPv6 addresses (RFC 4291 §2.5.5.2). */
const mappedPrefix = '0:0:0:0:0:ffff';

/** The eight groups of an IPv6 address, in hexadecimal digits without leading zeros. */
function groupsOf(address: string): readonly string[] {
  // The URL parser writes an address in its canonical form (RFC 5952), which has `::` at most once.
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
