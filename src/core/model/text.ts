/** Rules for every stored text, from any protocol. */
import { isIPv4, isIPv6 } from 'node:net';
import { invalidInput } from './error.js';

/** The allowed length of a text in Unicode characters (code points), as in JSON Schema. */
export interface TextBounds {
  readonly min: number;
  readonly max: number;
}

/** The contract's own pattern, so that REST and GraphQL refuse a text with the same sentence. */
// eslint-disable-next-line no-control-regex -- these are the characters that it refuses
const withoutControls = /^[^\x00-\x08\x0B\x0C\x0E-\x1F]*$/;

// XML 1.0 §2.2 (Char): the characters that every representation and every store can carry. PostgreSQL cannot store U+0000, and
// UTF-8 cannot encode lone surrogates.
export const onlyCarriable = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;

/**
 * @param place the place of the text in the input, for the message
 * @throws ServiceError `invalid-input` when the text is too short or too long, or has characters that XML cannot carry
 */
export function checkText(place: string, text: string, bounds: TextBounds): void {
  checkLength(place, text, bounds);
  if (!withoutControls.test(text))
    throw invalidInput(place, `must match pattern "${withoutControls.source}"`);
  if (!onlyCarriable.test(text))
    throw invalidInput(place, 'must not hold halves of characters or noncharacters');
}

/** @throws ServiceError `invalid-input` when the text is too short or too long */
export function checkLength(place: string, text: string, { min, max }: TextBounds): void {
  // A character has at most two code units, so a longer text need not be counted.
  const pairs = text.length > 2 * max ? undefined : text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g);
  const length = text.length - (pairs?.length ?? 0);
  if (length < min) throw invalidInput(place, `must NOT have fewer than ${min} characters`);
  if (length > max) throw invalidInput(place, `must NOT have more than ${max} characters`);
}

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
const localPart = new RegExp(`^(?:${atom}(?:\\.${atom})*|"(?:[ !#-[\\]-~]|\\\\[ -~])*")$`);
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostName = new RegExp(`^${label}(?:\\.${label})*$`, 'i');

/** The longest local part and the longest domain (RFC 5321 §4.5.3.1), in characters. */
const maxLocalPart = 64;
const maxDomain = 255;

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (local.length > maxLocalPart || domain.length > maxDomain) return false;
  return localPart.test(local) && (hostName.test(domain) || isAddressLiteral(domain));
}

/** RFC 5321 §4.1.3: an IP address in place of a host name. */
function isAddressLiteral(domain: string): boolean {
  const [, version6, address = ''] = /^\[(IPv6:)?([0-9a-f:.]+)\]$/i.exec(domain) ?? [];
  return version6 === undefined ? isIPv4(address) : isIPv6(address);
}
