/** The functions that convert single values, as text for the generated `values.ts`. */

import { type Code, code, identifier } from '../../text/code.js';
import type { BuiltInCodec } from '../../contract/schemas/value-types.js';

/** By codec: the stem of both functions' names, and their text. Null passes through. */
export const CODECS: Readonly<Record<BuiltInCodec, { readonly name: string; readonly text: Code }>> = {
  dateTime: {
    name: 'DateTime',
    text: code`
/** RFC 3339, date-time. A Date has milliseconds: further digits are lost. A leap second is the second after it. */
function toDateTime(text: any): any {
  if (typeof text !== "string") return text;
  const isLeap = text.slice(17, 19) === "60";
  const date = new Date((isLeap ? text.slice(0, 17) + "59" + text.slice(19) : text).toUpperCase());
  if (Number.isNaN(date.getTime())) throw new TypeError("must be a date-time");
  return isLeap ? new Date(date.getTime() + 1000) : date;
}

/** In UTC, with milliseconds. */
function fromDateTime(date: any): any {
  if (date === null) return null;
  if (!(date instanceof Date)) throw new TypeError("must be a Date");
  const text = date.toISOString();
  if (text.length !== 24) throw new RangeError("must be a Date of the years 0 to 9999");
  return text;
}
`,
  },
  date: {
    name: 'FullDate',
    text: code`
/** RFC 3339, full-date: midnight in UTC. */
function toFullDate(text: any): any {
  if (typeof text !== "string") return text;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new TypeError("must be a date");
  return date;
}

/** The day in UTC. */
function fromFullDate(date: any): any {
  if (date === null) return null;
  if (!(date instanceof Date)) throw new TypeError("must be a Date");
  const text = date.toISOString();
  if (text.length !== 24) throw new RangeError("must be a Date of the years 0 to 9999");
  return text.slice(0, 10);
}
`,
  },
  bytes: {
    name: 'Bytes',
    text: code`
/** RFC 4648 §4, Base64. */
function toBytes(text: any): any {
  if (typeof text !== "string") return text;
  let characters: string;
  try {
    characters = atob(text);
  } catch {
    throw new TypeError("must be Base64");
  }
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = characters.charCodeAt(index);
  return bytes;
}

function fromBytes(bytes: any): any {
  if (bytes === null) return null;
  if (!(bytes instanceof Uint8Array)) throw new TypeError("must be a Uint8Array");
  let characters = "";
  // A call has a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 8192) {
    characters += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(characters);
}
`,
  },
  int64: integer('Int64', code`asIntN`, code`from -2^63 to 2^63 - 1`),
  uint64: integer('Uint64', code`asUintN`, code`from 0 to 2^64 - 1`),
  digits: {
    name: 'Digits',
    text: code`
function toDigits(text: any): any {
  if (typeof text !== "string") return text;
  if (!/^-?\\d{1,20}$/.test(text)) throw new TypeError("must be the digits of an integer");
  return BigInt(text);
}

function fromDigits(integer: any): any {
  if (integer === null) return null;
  if (typeof integer !== "bigint") throw new TypeError("must be a bigint");
  return String(integer);
}
`,
  },
};

function integer(name: string, method: Code, range: Code): { readonly name: string; readonly text: Code } {
  return {
    name,
    text: code`
/** @param exact - a bigint where the number cannot hold all digits */
function ${identifier(`to${name}`)}(number: any, exact?: any): any {
  if (typeof number !== "number") return number;
  if (typeof exact !== "bigint" && !Number.isSafeInteger(number)) throw new TypeError("must be an exact integer");
  const integer = typeof exact === "bigint" ? exact : BigInt(number);
  if (BigInt.${method}(64, integer) !== integer) throw new TypeError("must be an integer ${range}");
  return integer;
}

/** A number, or a bigint where a number cannot hold all digits. */
function ${identifier(`from${name}`)}(integer: any): any {
  if (integer === null) return null;
  if (typeof integer !== "bigint") throw new TypeError("must be a bigint");
  if (BigInt.${method}(64, integer) !== integer) throw new RangeError("must be an integer ${range}");
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}
`,
  };
}

/** Adds the place of a value that cannot be converted. */
export const WITHIN = code`
/** The error, with the key under which the value is added to its place, from the inside to the outside. */
function within(key: any, error: any): any {
  if (error instanceof Error) ((error as any).place ??= []).push(key);
  return error;
}
`;

/** Distinguishes values that are converted as a whole from objects. */
export const IS_SCALAR = code`
function isScalar(value: any): boolean {
  return value instanceof Date || value instanceof Uint8Array;
}
`;

/** Encodes unions: only the check of a member shows whether a value belongs to it. */
export const FIRST_ENCODED = code`
/** Encodes as the first member whose check accepts the result, else as the first that can be encoded. */
function firstEncoded(value: any, members: any): any {
  const encoded: any[] = [];
  let failure: any;
  for (const [encode, accepts] of members) {
    try {
      const result = encode(value);
      if (accepts(numbers(result))) return result;
      encoded.push(result);
    } catch (error) {
      // A TypeError says that the value is of another type; any other error, that it is of this type and not valid.
      if (!(error instanceof TypeError)) throw error;
      failure ??= error;
    }
  }
  if (encoded.length === 0) throw failure;
  return encoded[0];
}

const same = (value: any): any => value;

/** No check accepts this where it asks for a type. */
const unconverted = Symbol("unconverted");

/** The value as checks see it, with a near number for a bigint that is encoded. */
function numbers(value: any): any {
  if (typeof value === "bigint") {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return value;
    // No check of 64 bits must fail because of rounding.
    const isBeyond = Math.abs(number) >= 2 ** 63 && BigInt(number) !== value;
    return isBeyond ? number - number * 2 ** -53 : number;
  }
  if (Array.isArray(value)) return value.map(numbers);
  if (isScalar(value)) return unconverted;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined).map(([key, each]) => [key, numbers(each)]));
}
`;
