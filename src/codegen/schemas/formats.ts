/** The formats that are checked: those of JSON Schema 2020-12 (Validation §7.3) and of OpenAPI's data types. */
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** How a format is checked. Formats say something about one type of value only. */
export interface FormatCheck {
  readonly type: 'string' | 'number';
  /** A regular expression, or the name of a function among the {@link FORMAT_FUNCTIONS}. */
  readonly test: RegExp | string;
}

const text = (test: RegExp | string): FormatCheck => ({ type: 'string', test });
const number = (test: string): FormatCheck => ({ type: 'number', test });

/** RFC 3986, Appendix A, as ajv-formats writes it. */
const URI_REFERENCE = expression('uri-reference');

/** RFC 6570 §2: literals and expressions; variable names may contain dots. */
const URI_TEMPLATE =
  /^(?:[^\p{Cc} "'<>%\\^`{|}]|%[0-9a-f]{2}|\{[+#./;?&=,!@|]?[a-z0-9_%]+(?:\.[a-z0-9_%]+)*(?::[1-9][0-9]{0,3}|\*)?(?:,[a-z0-9_%]+(?:\.[a-z0-9_%]+)*(?::[1-9][0-9]{0,3}|\*)?)*\})*$/iu;

/** By the name that a schema uses; `annotation` for those that accept every value. */
export const FORMATS: ReadonlyMap<string, FormatCheck | 'annotation'> = new Map<
  string,
  FormatCheck | 'annotation'
>([
  ['date', text('isDate')],
  ['time', text('isTime')],
  ['date-time', text('isDateTime')],
  ['duration', text(expression('duration'))],
  ['email', text(expression('email'))],
  ['idn-email', text('isIdnEmail')],
  ['hostname', text(expression('hostname'))],
  ['idn-hostname', text('isIdnHostname')],
  ['ipv4', text(expression('ipv4'))],
  ['ipv6', text(expression('ipv6'))],
  ['uri', text('isUri')],
  ['uri-reference', text('isUriReference')],
  ['iri', text('isIri')],
  ['iri-reference', text('isIriReference')],
  ['uri-template', text(URI_TEMPLATE)],
  ['uuid', text(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i)],
  ['json-pointer', text(expression('json-pointer'))],
  ['relative-json-pointer', text(expression('relative-json-pointer'))],
  ['regex', text('isRegex')],
  ['byte', text('isBase64')],
  ['int32', number('isInt32')],
  ['int64', number('isInt64')],
  ['float', 'annotation'],
  ['double', 'annotation'],
  ['binary', 'annotation'],
  ['password', 'annotation'],
]);

/** Beyond ASCII, an internationalised form allows every character where its ASCII form allows a letter. */
const ASCII_FORM = `text.replace(/[^\\p{ASCII}]/gu, 'a')`;

/** The checks that are functions, as they are written into the generated file. `needs` names what they call. */
export const FORMAT_FUNCTIONS: Readonly<
  Record<string, { readonly needs: readonly string[]; readonly code: string }>
> = {
  isDate: {
    needs: [],
    code: `
/** RFC 3339, full-date. */
function isDate(text) {
  const match = /^(\\d{4})-(\\d\\d)-(\\d\\d)$/.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match.map(Number);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}`,
  },
  isTime: {
    needs: [],
    code: `
/** RFC 3339, full-time. A second 60 is a leap second, which is 23:59:60 in UTC. */
function isTime(text) {
  const match = /^(\\d\\d):(\\d\\d):(\\d\\d)(?:\\.\\d+)?(?:z|([+-])(\\d\\d):(\\d\\d))$/i.exec(text);
  if (match === null) return false;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === '-' ? -1 : 1);
  return (hour * 60 + minute - offset + 2880) % 1440 === 1439;
}`,
  },
  isDateTime: {
    needs: ['isDate', 'isTime'],
    code: `
/** RFC 3339, date-time. */
function isDateTime(text) {
  return /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}`,
  },
  isUriReference: {
    needs: [],
    code: `
/** RFC 3986, URI-reference. */
function isUriReference(text) {
  return ${String(URI_REFERENCE)}.test(text);
}`,
  },
  isUri: {
    needs: ['isUriReference'],
    code: `
/** RFC 3986, URI: a reference with a scheme. */
function isUri(text) {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isUriReference(text);
}`,
  },
  isIriReference: {
    needs: ['isUriReference'],
    code: `
/** RFC 3987, IRI-reference. */
function isIriReference(text) {
  return isUriReference(${ASCII_FORM});
}`,
  },
  isIri: {
    needs: ['isUri'],
    code: `
/** RFC 3987, IRI. */
function isIri(text) {
  return isUri(${ASCII_FORM});
}`,
  },
  isIdnEmail: {
    needs: [],
    code: `
/** RFC 6531, Mailbox. */
function isIdnEmail(text) {
  return ${String(expression('email'))}.test(${ASCII_FORM});
}`,
  },
  isIdnHostname: {
    needs: [],
    code: `
/** RFC 5890 §2.3.2.3, internationalised host name. */
function isIdnHostname(text) {
  return ${String(expression('hostname'))}.test(${ASCII_FORM});
}`,
  },
  isRegex: {
    needs: [],
    code: `
/** ECMA-262, Pattern. */
function isRegex(text) {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}`,
  },
  isBase64: {
    needs: [],
    code: `
/** RFC 4648 §4. */
function isBase64(text) {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}`,
  },
  isInt32: {
    needs: [],
    code: `
function isInt32(value) {
  return Number.isInteger(value) && value >= -2147483648 && value <= 2147483647;
}`,
  },
  isInt64: {
    needs: [],
    code: `
function isInt64(value) {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}`,
  },
};

function expression(name: keyof typeof fullFormats): RegExp {
  const format = fullFormats[name];
  if (format instanceof RegExp) return format;
  throw new Error(`ajv-formats no longer defines "${name}" as a regular expression`);
}
