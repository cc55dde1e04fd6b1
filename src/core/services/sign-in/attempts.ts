/** Limits how often the clients at an address sign in and sign up. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { tooManyRequests } from '../../model/error.js';
import { emailKey } from '../../model/user.js';
import type { AttemptLimiter } from '../../ports/sign-in.js';

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

/**
 * Counts a sign-up before the password is hashed, even if the email turns out to be in use: both hashing and probing emails could
 * be abused.
 *
 * @param limiter - undefined for no limit
 * @param address - the client's address; a sign-up without one is not counted
 * @throws ServiceError `too-many-requests` after too many sign-ups from the address
 */
export async function countSignUp(
  limiter: AttemptLimiter | undefined,
  address: string | undefined,
): Promise<void> {
  if (address === undefined) return;
  const seconds = await limiter?.take(`sign-up:${networkOf(address)}`);
  if (seconds !== undefined) throw tooManyRequests('Too many sign-ups', seconds);
}

/**
 * One attempt to sign in, limited by email and by address. It counts as soon as the password is tried, not only when the password
 * turns out to be wrong: otherwise a thousand simultaneous guesses would each count as the first.
 *
 * @param address - the client's address, if the transport knows it
 */
export function attemptOf(limiter: AttemptLimiter, email: string, address: string | undefined) {
  // An email may be of any length, and should not be readable in the limiter's store.
  const digest = createHash('sha256').update(emailKey(email)).digest('base64url');
  const keys = [`email:${digest}`, ...(address === undefined ? [] : [`address:${networkOf(address)}`])];
  return {
    /** @throws ServiceError `too-many-requests` after too many failures */
    async requireAllowed(): Promise<void> {
      const waits = await Promise.all(keys.map((key) => limiter.blockedFor(key)));
      for (const seconds of waits) refuse(seconds);
    },

    /** Counts the attempt. @throws ServiceError `too-many-requests`; then the attempt is not counted */
    async take(): Promise<void> {
      const taken: string[] = [];
      for (const key of keys) {
        const seconds = await limiter.take(key);
        if (seconds !== undefined) {
          await Promise.all(taken.map((each) => limiter.giveBack(each)));
          refuse(seconds);
        }
        taken.push(key);
      }
    },

    /** Takes the count back, because the password was right. */
    async giveBack(): Promise<void> {
      await Promise.all(keys.map((key) => limiter.giveBack(key)));
    },
  };
}

function refuse(seconds: number | undefined): void {
  if (seconds !== undefined) throw tooManyRequests('Too many failed sign-ins', seconds);
}
