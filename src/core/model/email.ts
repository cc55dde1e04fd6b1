/** What is an email address: RFC 5321 §4.1.2, Mailbox, as the format `email` of the REST contract has it. */
import { isIPv4, isIPv6 } from 'node:net';

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
  const literal = /^\[(IPv6:)?([0-9a-f:.]*)\]$/i.exec(domain);
  if (literal === null) return false;
  const [, isVersion6, address = ''] = literal;
  return isVersion6 === undefined ? isIPv4(address) : isIPv6(address);
}
