/** The formats that are checked: those of JSON Schema 2020-12 (Validation §7.3) and of OpenAPI's data types. */
import type { HelperSource } from './helper-source.js';
import { ADDRESS_FORMATS } from './formats-of-addresses.js';
import { HOSTNAME_FORMATS } from './formats-of-host-names.js';
import { TIME_FORMATS } from './formats-of-time.js';

/** How a format is checked. A format applies to one type of value. */
export interface FormatCheck {
  readonly kind: 'string' | 'number';
  /** The name of a function among the {@link FORMAT_FUNCTIONS}. */
  readonly test: string;
}

const text = (test: string): FormatCheck => ({ kind: 'string', test });
const number = (test: string): FormatCheck => ({ kind: 'number', test });

/** The formats by name. */
export const FORMATS: ReadonlyMap<string, FormatCheck> = new Map([
  ['date', text('isDate')],
  ['time', text('isTime')],
  ['date-time', text('isDateTime')],
  ['duration', text('isDuration')],
  ['email', text('isEmail')],
  ['idn-email', text('isIdnEmail')],
  ['hostname', text('isHostname')],
  ['idn-hostname', text('isIdnHostname')],
  ['ipv4', text('isIpv4')],
  ['ipv6', text('isIpv6')],
  ['uri', text('isUri')],
  ['uri-reference', text('isUriReference')],
  ['iri', text('isIri')],
  ['iri-reference', text('isIriReference')],
  ['uri-template', text('isUriTemplate')],
  ['uuid', text('isUuid')],
  ['json-pointer', text('isJsonPointer')],
  ['relative-json-pointer', text('isRelativeJsonPointer')],
  ['regex', text('isRegex')],
  ['byte', text('isBase64')],
  ['int32', number('isInt32')],
  ['int64', number('isInt64')],
]);

/** The formats that accept every value. */
export const ANNOTATION_FORMATS: ReadonlySet<string> = new Set(['float', 'double', 'binary', 'password']);

/** RFC 6570 §2.3: a variable with its modifiers. */
const VARIABLE = String.raw`(?:\w|%[0-9a-f]{2})+(?:\.(?:\w|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\*)?`;

/** The checks as text for generated modules. */
export const FORMAT_FUNCTIONS: Readonly<Record<string, HelperSource>> = {
  ...TIME_FORMATS,
  ...HOSTNAME_FORMATS,
  ...ADDRESS_FORMATS,
  isUriTemplate: {
    needs: [],
    code: String.raw`
/** RFC 6570 §2. */
function isUriTemplate(text) {
  return /^(?:[^\x00-\x20\x7f-\x9f"<>%\\^${'`'}{|}\p{Cs}\p{Noncharacter_Code_Point}]|%[0-9a-f]{2}|\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\})*$/iu.test(text);
}`,
  },
  isUuid: {
    needs: [],
    code: String.raw`
/** RFC 4122 §3. */
function isUuid(text) {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}`,
  },
  isJsonPointer: {
    needs: [],
    code: String.raw`
/** RFC 6901 §3. */
function isJsonPointer(text) {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}`,
  },
  isRelativeJsonPointer: {
    needs: [],
    code: String.raw`
/** Relative JSON Pointers, §3. */
function isRelativeJsonPointer(text) {
  return /^(?:0|[1-9][0-9]*)(?:[+-](?:0|[1-9][0-9]*))?(?:#|(?:\/(?:[^~/]|~[01])*)*)$/.test(text);
}`,
  },
  isRegex: {
    needs: [],
    code: `
/** ECMA-262, Pattern. */
function isRegex(text) {
  try {
    new RegExp(text, "u");
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
