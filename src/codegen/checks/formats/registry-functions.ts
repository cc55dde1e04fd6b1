/** The formats that only the OpenAPI Format Registry defines, as text for generated modules. */

import { BACKTICK, rawCode } from '../../text/code.js';

/** RFC 9110 §5.6.2. */
const TOKEN = rawCode`[\w!#$%&'*+.^|~${BACKTICK}-]+`;

/** RFC 9110 §5.6.6 and §5.6.4. */
const PARAMETER = rawCode`${TOKEN}=(?:${TOKEN}|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*")`;

export const REGISTRY_FORMATS = rawCode`
/** RFC 3339, partial-time. */
function isLocalTime(text) {
  return /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?$/.test(text);
}

/** RFC 3339, date-time without its offset. */
function isLocalDateTime(text) {
  return (text[10] === "T" || text[10] === "t") && isDate(text.slice(0, 10)) && isLocalTime(text.slice(11));
}

/** RFC 9110 §5.6.7: the preferred form with the right day of the week, or one of the two obsolete forms. */
function isHttpDate(text) {
  const months = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
  const time = "(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)";
  if (text.length > 33) return false;
  return (
    new Date(text).toUTCString() === text ||
    new RegExp("^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, [0-3]\\d-" + months + "-\\d\\d " + time + " GMT$").test(text) ||
    new RegExp("^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) " + months + " [ 1-3]\\d " + time + " \\d{4}$").test(text)
  );
}

/** RFC 4648 §5, with or without the padding. */
function isBase64Url(text) {
  const [digits] = text.split("=", 1);
  const padding = text.length - digits.length;
  return (
    /^[A-Za-z0-9_-]*={0,2}$/.test(text) && digits.length % 4 !== 1 && (padding === 0 || text.length % 4 === 0)
  );
}

/** One character of Unicode. */
function isCharacter(text) {
  return text.length === (text.codePointAt(0) > 0xffff ? 2 : 1);
}

/** A fixed point decimal number of any precision. */
function isDecimal(text) {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

/** IEEE 754 decimal128: 34 digits, and exponents that its range has. */
function isDecimal128(text) {
  if (/^(?:NaN|-?INF)$/.test(text)) return true;
  const [, whole, fraction = "", exponent = "0"] = /^[+-]?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,5}))?$/.exec(text) ?? [];
  if (whole === undefined) return false;
  const zeros = /^0*/.exec(whole + fraction)[0].length;
  const digits = whole.length + fraction.length - zeros;
  const last = Number(exponent) - fraction.length;
  return digits <= 34 && (digits === 0 || (last >= -6176 && last + digits - 1 <= 6144));
}

/** The digits of a signed integer of 64 bits. */
function isInt64Text(text) {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** The digits of an unsigned integer of 64 bits. */
function isUint64Text(text) {
  return /^\d{1,20}$/.test(text) && BigInt.asUintN(64, BigInt(text)) === BigInt(text);
}

/** Seconds since 1970. */
function isUnixTimeText(text) {
  return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text));
}

/** RFC 9110 §12.5.1, media-range. */
function isMediaRange(text) {
  return /^(?:\*\/\*|(?!\*\/)${TOKEN}\/${TOKEN})(?:[ \t]*;(?:[ \t]*${PARAMETER})?)*$/.test(text);
}

/** RFC 8941 §3.3.1: a number of at most 15 digits. */
function isSfDecimal(value) {
  return /^-?\d{1,12}(?:\.\d{1,3})?$/.test(String(value));
}

/** RFC 8941 §3.3.3. */
function isSfString(text) {
  return /^"(?:[ !#-[\]-~]|\\["\\])*"$/.test(text);
}

/** RFC 8941 §3.3.4. */
function isSfToken(text) {
  return /^[A-Za-z*][\w!#$%&'*+.^|~:/${BACKTICK}-]*$/.test(text);
}

/** RFC 8941 §3.3.5. */
function isSfBinary(text) {
  return /^:[A-Za-z0-9+/]*={0,2}:$/.test(text);
}

/** RFC 8941 §3.3.6. */
function isSfBoolean(text) {
  return text === "?0" || text === "?1";
}
`;
