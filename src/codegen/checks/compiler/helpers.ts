/** The helper functions that generated checks call, as text for generated modules. */
import { FORMAT_FUNCTIONS } from '../formats/format-functions.js';
import { type Code, code, joined, split } from '../../text/code.js';

/**
 * The maximum number of verdicts of recursive schemas per check. A megabyte of JSON has at most 350,000 objects and lists, which take
 * 0.3 s.
 */
const MOST_STEPS = 1_000_000;

const OWN_HELPERS = code`
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property, for names that every object inherits. */
function own(object, name) {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

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
}

/** Equality of JSON values (JSON Schema, Core §4.2.2). */
function isEqual(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]))
  );
}

/** Compares canonical texts of items, so that the time grows with the length of the list and not with its square. */
function isUnique(items) {
  if (items.length < 10) return items.every((item, i) => !items.some((other, j) => j < i && isEqual(item, other)));
  return new Set(items.map(canonical)).size === items.length;
}

/** A text that is the same for equal JSON values and differs for others. */
function canonical(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return "[" + value.map(canonical).join() + "]";
  const members = Object.keys(value).sort().map((key) => JSON.stringify(key) + ":" + canonical(value[key]));
  return "{" + members.join() + "}";
}

/** Divisibility of decimal numbers: in binary fractions 19.99 / 0.01 is less than 1999. \`scale\` turns the step into an integer. */
function isMultiple(value, step, scale) {
  const whole = Math.round(value * scale);
  if (Math.abs(whole) < 2 ** 50) return whole / scale === value && whole % Math.round(step * scale) === 0;
  const [digits, places] = decimal(value);
  const [stepDigits, stepPlaces] = decimal(step);
  const shared = Math.max(places, stepPlaces);
  return (digits * 10n ** BigInt(shared - places)) % (stepDigits * 10n ** BigInt(shared - stepPlaces)) === 0n;
}

/** The verdict of a check, which is found once per value within one check. */
function remembered(check, value) {
  const verdicts = (check.verdicts ??= new Map());
  const known = verdicts.get(value);
  if (known !== undefined) return known;
  remembered.checks.add(check);
  remembered.depth += 1;
  try {
    if ((remembered.steps += 1) > ${MOST_STEPS}) throw remembered.excess;
    const verdict = check(value);
    verdicts.set(value, verdict);
    return verdict;
  } finally {
    remembered.depth -= 1;
    if (remembered.depth === 0) {
      for (const each of remembered.checks) each.verdicts = undefined;
      remembered.checks.clear();
      remembered.steps = 0;
    }
  }
}
Object.assign(remembered, { checks: new Set(), depth: 0, steps: 0, excess: new Error("too many steps") });

/** A check that refuses a value for which it takes too many steps. */
function bounded(check) {
  const whole = (value) => {
    try {
      return check(value);
    } catch (error) {
      if (error === remembered.excess) return false;
      throw error;
    }
  };
  whole.schema = check.schema;
  return whole;
}

/** Replaces a part of a sent value by the part without undeclared members, in a copy of the value, which is made when it is needed. */
function replaced(kept, sent, key, strip, surplus, name = key) {
  const start = surplus.places.length;
  const part = (kept ?? sent)[key];
  try {
    const left = strip(part, surplus);
    if (left === part) return kept;
    for (let index = start; index < surplus.places.length; index += 1) surplus.places[index].push(name);
    kept ??= Array.isArray(sent) ? [...sent] : { ...sent };
    kept[key] = left;
    return kept;
  } catch (error) {
    throw placed(name, error);
  }
}

/** The error, with the key under which the value is added to its place, from the inside to the outside. */
function placed(key, error) {
  if (error instanceof Error) (error.place ??= []).push(key);
  return error;
}

/** Omits a member in a copy of the value, unless JSON has no such member. */
function omitted(kept, sent, key, surplus) {
  const value = sent[key];
  const isSent = value !== undefined && typeof value !== "function" && typeof value !== "symbol";
  if (!isSent || !Object.hasOwn(sent, key)) return kept;
  surplus.places.push([key]);
  kept ??= { ...sent };
  delete kept[key];
  return kept;
}

/** The decimal digits of a number, and how many of them come after the point. */
function decimal(number) {
  const [mantissa, exponent = "0"] = String(number).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), fraction.length - Number(exponent)];
}
`;

const HELPERS: ReadonlyMap<string, Code> = new Map(
  split(code`${OWN_HELPERS}${FORMAT_FUNCTIONS}`, /\n\n(?=\/\*\*|function )/).map((text) => [
    /^function (\w+)/m.exec(text)?.[1] ?? '',
    text,
  ]),
);

/** The names of all helpers, which are reserved in every module. */
export const HELPER_NAMES: readonly string[] = [...HELPERS.keys()];

/**
 * The given helpers and those that they call.
 *
 * @param known - helpers whose own calls do not matter
 * @throws when a helper does not exist
 */
export function calledHelpers(used: Iterable<string>, known: ReadonlySet<string> = new Set()): Set<string> {
  const wanted = new Set(used);
  for (const name of wanted) {
    const text = HELPERS.get(name);
    if (text === undefined) throw new Error(`there is no helper ${name}`);
    if (known.has(name)) continue;
    for (const [, other = ''] of text.matchAll(/\b(\w+)(?=[(),])/g))
      if (HELPERS.has(other)) wanted.add(other);
  }
  return wanted;
}

/** The source of the given helpers and of the helpers that they call, in a fixed order. */
export function helperSource(used: Iterable<string>, known: ReadonlySet<string> = new Set()): Code {
  const wanted = calledHelpers(used, known);
  const written = [...HELPERS].filter(([name]) => wanted.has(name) && !known.has(name));
  const texts = written.map(([, text]) => code`${text}\n`);
  return joined(texts, code`\n`);
}
