/** The formats of addresses: IP, URI, IRI and mail, as text for generated modules. */

import { BACKTICK, rawCode } from '../../text/code.js';

export const ADDRESS_FORMATS = rawCode`
/** RFC 2673 §3.2, dotted quad. */
function isIpv4(text) {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

/** RFC 4291 §2.2. */
function isIpv6(text) {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const isMixed = last.includes(".") && !text.endsWith("::");
  if (isMixed && !isIpv4(last)) return false;
  const count = groups.length + (isMixed ? 1 : 0);
  return (
    (isMixed ? groups.slice(0, -1) : groups).every((group) => /^[0-9a-f]{1,4}$/i.test(group)) &&
    (halves.length === 2 ? count < 8 : count === 8)
  );
}

/** RFC 3986, URI-reference. */
function isUriReference(text) {
  const parts = /^([a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(text);
  if (parts === null || !/^(?:[\w.~!$&'()*+,;=:@/?#[\]-]|%[0-9a-f]{2})*$/i.test(text)) return false;
  const [, scheme, authority, path, query = "", fragment = ""] = parts;
  if (/[#[\]]/.test(path + query + fragment.slice(1))) return false;
  if (authority === undefined) return scheme !== undefined || !path.split("/", 1)[0].includes(":");
  const host = /^(?:[^@[\]]*@)?(?:\[([^[\]]*)\]|([^@:[\]]*))(?::\d*)?$/.exec(authority);
  return host !== null && (host[1] === undefined || isIpv6(host[1]) || /^v[0-9a-f]+\.[^@%/?#]+$/i.test(host[1]));
}

/** RFC 3986, URI: a reference with a scheme. One expression decides most of them: those with a plain host name and path. */
function isUri(text) {
  return (
    /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[A-Za-z0-9.-]+(?::[0-9]*)?(?:\/[\w.~!$&'()*+,;=:@/-]*(?:%[0-9A-Fa-f]{2}[\w.~!$&'()*+,;=:@/-]*)*)?$/.test(text) ||
    (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text) && isUriReference(text))
  );
}

/** RFC 3987 §2.2: an IRI also allows characters beyond ASCII; private ones only in the query. */
function asUri(text) {
  const characters = /[\u{a0}-\u{d7ff}\u{f900}-\u{fdcf}\u{fdf0}-\u{ffef}\u{10000}-\u{effff}]/gu;
  const query = /\?[^#]*/;
  return text
    .replace(query, (found) => found.replace(/\p{Co}/gu, "a"))
    .replace(characters, (found) => (/\p{Noncharacter_Code_Point}|[\u{e0000}-\u{e0fff}]/u.test(found) ? found : "a"));
}

/** RFC 3987, IRI-reference. */
function isIriReference(text) {
  return isUriReference(asUri(text));
}

/** RFC 3987, IRI. */
function isIri(text) {
  return isUri(asUri(text));
}

/** RFC 5321 §4.1.3, an IP address in place of a domain. */
function isAddressLiteral(text) {
  if (!/^\[.*\]$/.test(text)) return false;
  return /^\[IPv6:/i.test(text) ? isIpv6(text.slice(6, -1)) : isIpv4(text.slice(1, -1));
}

/** RFC 5321 §4.1.2, Mailbox. */
function isEmail(text) {
  const at = text.lastIndexOf("@");
  if (at < 1 || at > 64 || text.length - at > 256) return false;
  const domain = text.slice(at + 1);
  return (
    /^(?:[\w!#$%&'*+/=?^${BACKTICK}{|}~-]+(?:\.[\w!#$%&'*+/=?^${BACKTICK}{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])*")$/.test(text.slice(0, at)) &&
    (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(domain) ||
      isAddressLiteral(domain))
  );
}

/** RFC 6531 §3.3, Mailbox. */
function isIdnEmail(text) {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  return (
    at > 0 &&
    new TextEncoder().encode(local).length <= 64 &&
    /^(?:[\w!#$%&'*+/=?^${BACKTICK}{|}~\x80-\uffff-]+(?:\.[\w!#$%&'*+/=?^${BACKTICK}{|}~\x80-\uffff-]+)*|"(?:[ !#-[\]-~\x80-\uffff]|\\[ -~])*")$/.test(local) &&
    (isIdnHostname(domain.normalize("NFC")) || isAddressLiteral(domain))
  );
}
`;
