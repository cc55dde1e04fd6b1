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
  const groups = networkGroupsOf(address);
  return typeof groups === 'string' ? groups : `${groups.join(':')}::/64`;
}

/** The key of a count, and how many times the attempts of a single client it has. */
interface Counted {
  readonly key: string;
  readonly times: number;
}

/**
 * The networks of an address, the widest first, so that a network whose attempts are used up gets no counts for its parts. A client may
 * get a whole /56 or /48 network of IPv6 (RFC 6177 §2), which several clients may also share: these have more attempts.
 *
 * @param kind - of the attempts, which begins the keys
 */
function networksOf(kind: string, address: string): readonly Counted[] {
  const groups = networkGroupsOf(address);
  if (typeof groups === 'string') return [{ key: `${kind}:${groups}`, times: 1 }];
  const [one = '', two = '', three = '', four = ''] = groups;
  const high = (Number.parseInt(four, 16) & 0xff00).toString(16);
  return [
    { key: `${kind}:${one}:${two}:${three}::/48`, times: 16 },
    { key: `${kind}:${one}:${two}:${three}:${high}::/56`, times: 4 },
    { key: `${kind}:${groups.join(':')}::/64`, times: 1 },
  ];
}

/** The first four groups of an IPv6 address; the text of another address. */
function networkGroupsOf(address: string): string | readonly string[] {
  const [plain = ''] = address.split('%'); // without the zone of a link-local address
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const [high = '', low = ''] = groups.slice(6);
  return groups.slice(0, 6).join(':') === mappedPrefix
    ? [...bytesOf(high), ...bytesOf(low)].join('.')
    : groups.slice(0, 4);
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
  if (limiter !== undefined)
    refuse('Too many sign-ups', await takeAll(limiter, networksOf('sign-up', address)));
}

/** Takes an attempt of each key, or of none. @returns the seconds to wait if one of them has none left */
async function takeAll(limiter: AttemptLimiter, counts: readonly Counted[]): Promise<number | undefined> {
  for (const [index, { key, times }] of counts.entries()) {
    const seconds = await limiter.take(key, times);
    if (seconds === undefined) continue;
    await giveBackAll(limiter, counts.slice(0, index));
    return seconds;
  }
  return undefined;
}

async function giveBackAll(limiter: AttemptLimiter, counts: readonly Counted[]): Promise<void> {
  await Promise.all(counts.map(({ key, times }) => limiter.giveBack(key, times)));
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
  const networks = address === undefined ? [] : networksOf('address', address);
  const counts = [{ key: `email:${digest}`, times: 1 }, ...networks];
  const what = 'Too many failed sign-ins';
  return {
    /** @throws ServiceError `too-many-requests` after too many failures */
    async requireAllowed(): Promise<void> {
      const waits = await Promise.all(counts.map(({ key, times }) => limiter.blockedFor(key, times)));
      for (const seconds of waits) refuse(what, seconds);
    },

    /** Counts the attempt. @throws ServiceError `too-many-requests`; then the attempt is not counted */
    async take(): Promise<void> {
      refuse(what, await takeAll(limiter, counts));
    },

    /** Takes the count back, because the password was right. */
    async giveBack(): Promise<void> {
      await giveBackAll(limiter, counts);
    },
  };
}

function refuse(what: string, seconds: number | undefined): void {
  if (seconds !== undefined) throw tooManyRequests(what, seconds);
}
