/** What is an email address: RFC 5321 §4.1.2, Mailbox, as the format `email` of the REST contract has it. */
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
  return isVersion6 === undefined ? isIpv4(address) : isIpv6(address);
}

/** RFC 5321 §4.1.3, IPv4-address-literal: numbers up to 255, without leading zeros. */
function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

/** RFC 4291 §2.2: eight groups, of which `::` leaves out some; the last two may be an IPv4 address. */
function isIpv6(text: string): boolean {
  const halves = text.split('::');
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const isMixed = last.includes('.') && !text.endsWith('::');
  const plain = isMixed ? groups.slice(0, -1) : groups;
  const count = plain.length + (isMixed ? 2 : 0);
  return (
    plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) &&
    (!isMixed || isIpv4(last)) &&
    (halves.length === 1 ? count === 8 : halves.length === 2 && count < 8)
  );
}
