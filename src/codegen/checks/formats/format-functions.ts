/** The checks of the formats, as text for generated modules. */
import { NUMBER_FORMATS } from '@concordat/runtime/parts';
import { BACKTICK, code, identifier, joined, rawCode } from '../../text/code.js';
import { ADDRESS_FORMATS } from './address-functions.js';
import { HOSTNAME_FORMATS } from './host-name-functions.js';
import { REGISTRY_FORMATS } from './registry-functions.js';

/** The name of the function that checks numbers of a format: `isInt32`, `isDoubleInt`. */
export function numberTest(format: keyof typeof NUMBER_FORMATS): string {
  return `is${format.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}

const integerFunctions = joined(
  Object.entries(NUMBER_FORMATS)
    .filter(([, { step }]) => step === 1)
    .map(([format, { least, most }]) => {
      const name = identifier(numberTest(format as keyof typeof NUMBER_FORMATS));
      return code`\nfunction ${name}(value) {\n  return Number.isInteger(value) && value >= ${least} && value <= ${most};\n}\n`;
    }),
);

/** RFC 6570 §2.3: a variable with its modifiers. */
const VARIABLE = rawCode`(?:\w|%[0-9a-f]{2})+(?:\.(?:\w|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\*)?`;

export const FORMAT_FUNCTIONS = rawCode`
/** RFC 3339, full-date. */
function isDate(text) {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  if (day < 29) return true;
  if (month === 2) return day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day < 31 || (month !== 4 && month !== 6 && month !== 9 && month !== 11);
}

/** RFC 3339, full-time. A second 60 is a leap second, which is 23:59:60 in UTC. */
function isTime(text) {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.test(text)) return false;
  if (text[6] !== "6") return true;
  const minutes = (clock) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
  const offset = /[Zz]$/.test(text) ? 0 : minutes(text.slice(-5)) * (text.at(-6) === "-" ? -1 : 1);
  return (minutes(text) - offset + 2880) % 1440 === 1439;
}

/** RFC 3339, date-time. */
function isDateTime(text) {
  return (text[10] === "T" || text[10] === "t") && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** RFC 3339, Appendix A, duration. */
function isDuration(text) {
  return /^P(?!$)(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/.test(text);
}
${HOSTNAME_FORMATS}${ADDRESS_FORMATS}
/** RFC 6570 §2. */
function isUriTemplate(text) {
  return /^(?:[^\x00-\x20\x7f-\x9f"<>%\\^${BACKTICK}{|}\p{Cs}\p{Noncharacter_Code_Point}]|%[0-9a-f]{2}|\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\})*$/iu.test(text);
}

/** RFC 4122 §3. */
function isUuid(text) {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);
}

/** RFC 6901 §3. */
function isJsonPointer(text) {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}

/** Relative JSON Pointers, §3. */
function isRelativeJsonPointer(text) {
  return /^(?:0|[1-9][0-9]*)(?:[+-](?:0|[1-9][0-9]*))?(?:#|(?:\/(?:[^~/]|~[01])*)*)$/.test(text);
}

/** ECMA-262, Pattern. */
function isRegex(text) {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/** RFC 4648 §4. */
function isBase64(text) {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
${REGISTRY_FORMATS}${integerFunctions}`;
