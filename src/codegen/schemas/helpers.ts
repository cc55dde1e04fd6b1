/** The helper functions that generated checks call, as they are written into the generated file. */
import { FORMAT_FUNCTIONS } from './formats.js';

const OWN_HELPERS: Readonly<Record<string, { readonly needs: readonly string[]; readonly code: string }>> = {
  fail: {
    needs: [],
    code: `
/** Ends a check with the failure that it found. */
function fail(check, instancePath, keyword, params, message) {
  check.errors = [{ instancePath, keyword, params, message }];
  return false;
}`,
  },
  hasOwn: {
    needs: [],
    code: `
const hasOwn = Object.prototype.hasOwnProperty;`,
  },
  codePoints: {
    needs: [],
    code: `
/** The length of a text in characters, not in UTF-16 code units (JSON Schema, Validation §6.3). */
function codePoints(text) {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length--;
      i++;
    }
  }
  return length;
}`,
  },
  isEqual: {
    needs: [],
    code: `
/** Equality of JSON values (JSON Schema, Core §4.2.2). */
function isEqual(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.prototype.hasOwnProperty.call(b, key) && isEqual(a[key], b[key]))
  );
}`,
  },
  isMultiple: {
    needs: [],
    code: `
/** Divisibility of decimal numbers: binary fractions make 19.99 / 0.01 a little less than 1999. */
function isMultiple(value, step) {
  return value % step === 0 || Number((Math.round(value / step) * step).toPrecision(15)) === value;
}`,
  },
};

const HELPERS = { ...OWN_HELPERS, ...FORMAT_FUNCTIONS };

/**
 * The source of the helpers that are used, and of those that they call themselves, in a fixed order.
 *
 * @throws when there is no helper of a name
 */
export function helperSource(used: Iterable<string>): string {
  const wanted = new Set(used);
  for (const name of wanted) {
    const helper = HELPERS[name];
    if (helper === undefined) throw new Error(`there is no helper ${name}`);
    helper.needs.forEach((needed) => wanted.add(needed));
  }
  return Object.entries(HELPERS)
    .filter(([name]) => wanted.has(name))
    .map(([, helper]) => `${helper.code.trim()}\n`)
    .join('\n');
}
