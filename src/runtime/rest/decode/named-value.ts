/** Reads a value that has one or more names in a query, a cookie header or a form body. */

import type { Coercion, ParameterCodec } from '../../contract/contract.js';
import {
  compilePiece,
  type Decode,
  firstOf,
  type FromText,
  hasParts,
  readAll,
  setOwn,
  verbatim,
} from './value.js';
import type { Grammar } from './grammar.js';
import { givenTwice, Mismatch } from './mismatch.js';
import type { Given, Member, NameTable, Occurrences } from './name-table.js';

interface NamedValue extends Pick<ParameterCodec, 'name' | 'style' | 'explode'> {
  readonly grammar: Grammar;
}

/** Returns the value, a {@link Mismatch}, or undefined when the request does not have it. */
type FromGiven = (given: Given) => unknown;

/** Claims the names of a value, and compiles its reader. */
export function compileNamed(coercion: Coercion, named: NamedValue, names: NameTable): FromGiven {
  if ('anyOf' in coercion && hasParts(coercion)) {
    return firstOf(coercion, (alternative) => compileNamed(alternative, named, names));
  }
  const { name, style, explode, grammar } = named;
  if ('type' in coercion && coercion.type === 'object') {
    if (style === 'deepObject') return compileDeep(coercion, named, names);
    if (explode) return compileExploded(coercion, named, names);
  }
  const slot = names.claim(name);
  const read = explode ? compileOccurrences(coercion, grammar.decode) : once(compileShape(coercion, grammar));
  return (given) => {
    const texts = given.texts[slot];
    return texts === undefined ? undefined : read(texts);
  };
}

/** `color[R]=100&color[G]=200`. */
function compileDeep(coercion: ObjectCoercion, { name, grammar }: NamedValue, names: NameTable): FromGiven {
  const slot = names.claimMembers(name);
  const bare = names.claim(name);
  const read = compileMembers(coercion, grammar.decode);
  const refused = new Mismatch(`must be given as ${name}[name]=value`);
  return (given) => {
    const members = given.members[slot] ?? [];
    if (given.texts[bare] !== undefined) return refused;
    return members.length === 0 ? undefined : read(members);
  };
}

/** `R=100&G=200`. The object's own name, as in `color=`, means an empty object, unless it could be a property. */
function compileExploded(
  coercion: ObjectCoercion,
  { name: ownName, grammar }: NamedValue,
  names: NameTable,
): FromGiven {
  const properties = Object.entries(coercion.properties).map(([name, value]) => {
    return { name, slot: names.claim(name), read: compileOccurrences(value, grammar.decode) };
  });
  const readOther = coercion.additional && compileOccurrences(coercion.additional, grammar.decode);
  if (readOther) names.claimOthers();
  const own = readOther ? undefined : names.claim(ownName);
  return ({ texts, others }) => {
    const result: Record<string, unknown> = {};
    for (const { name, slot, read } of properties) {
      const given = texts[slot];
      if (given === undefined) continue;
      const value = read(given);
      if (value instanceof Mismatch) return value.within(name);
      setOwn(result, name, value);
    }
    if (readOther) {
      for (const [name, given] of others) {
        const value = readOther(given);
        if (value instanceof Mismatch) return value.within(name);
        setOwn(result, name, value);
      }
    }
    const isGiven = Object.keys(result).length > 0 || (own !== undefined && texts[own] === '');
    return isGiven ? result : undefined;
  };
}

/** Reads a value from the texts whose names begin with its name. */
type FromMembers = (members: readonly Member[]) => unknown;

const nested = new Mismatch('must not be nested');
const notNested = new Mismatch('must be object');

/** Compiles an object. @param depth - the number of brackets that lead to it */
function compileMembers(coercion: ObjectCoercion, decode: Decode, depth = 0): FromMembers {
  const properties = Object.entries(coercion.properties);
  const readers = new Map(
    properties.map(([name, value]) => [name, compileProperty(value, decode, depth + 1)]),
  );
  const readOther = compileProperty(coercion.additional ?? plainText, decode, depth + 1);
  return (members) => {
    const result: Record<string, unknown> = {};
    for (const [name, group] of byName(members, depth)) {
      const value = (readers.get(name) ?? readOther)(group);
      if (value instanceof Mismatch) return value.within(name);
      setOwn(result, name, value);
    }
    return result;
  };
}

/** @param depth - the number of brackets that lead to the property */
function compileProperty(coercion: Coercion, decode: Decode, depth: number): FromMembers {
  if ('anyOf' in coercion)
    return firstOf(coercion, (alternative) => compileProperty(alternative, decode, depth));
  if (coercion.type === 'object') {
    const read = compileMembers(coercion, decode, depth);
    return (members) => (members.every(({ path }) => path.length > depth) ? read(members) : notNested);
  }
  const read = compileOccurrences(coercion, decode);
  return (members) => {
    if (members.some(({ path }) => path.length > depth)) return nested;
    const [first, ...more] = members.map(({ text }) => text);
    return first === undefined ? undefined : read(more.length === 0 ? first : [first, ...more]);
  };
}

function byName(members: readonly Member[], depth: number): Map<string, Member[]> {
  const groups = new Map<string, Member[]>();
  for (const member of members) {
    const name = member.path[depth] ?? '';
    const group = groups.get(name);
    if (group) group.push(member);
    else groups.set(name, [member]);
  }
  return groups;
}

type ObjectCoercion = Extract<Coercion, { type: 'object' }>;

/** The coercion of a property that the contract does not name. */
export const plainText: Coercion = { type: 'string' };

/** Compiles the function that reads a value from a text in the given grammar. */
export function compileShape(coercion: Coercion, grammar: Grammar): FromText {
  if ('anyOf' in coercion) return firstOf(coercion, (alternative) => compileShape(alternative, grammar));
  switch (coercion.type) {
    case 'array': {
      const read = compilePiece(coercion.items, grammar.decode);
      return (text) => {
        const pieces = grammar.list(text);
        return pieces instanceof Mismatch ? pieces : readAll(pieces, read);
      };
    }
    case 'object':
      return compilePairs(coercion, grammar);
    default: {
      const { scalar, decode } = grammar;
      const read = compilePiece(coercion, decode);
      if (scalar === verbatim) return read;
      return (text) => {
        const piece = scalar(text);
        return typeof piece === 'string' ? read(piece) : piece;
      };
    }
  }
}

function compilePairs(coercion: ObjectCoercion, { pairs, decode }: Grammar): FromText {
  const properties = Object.entries(coercion.properties);
  const readers = new Map(properties.map(([name, value]) => [name, compilePiece(value, decode)]));
  const readOther = compilePiece(coercion.additional ?? plainText, decode);
  return (text) => {
    const pieces = pairs(text);
    if (pieces instanceof Mismatch) return pieces;
    const result: Record<string, unknown> = {};
    for (let index = 0; index < pieces.length; index += 2) {
      const name = decode(pieces[index] ?? '');
      if (typeof name !== 'string') return name;
      if (Object.hasOwn(result, name)) return givenTwice.within(name);
      const value = (readers.get(name) ?? readOther)(pieces[index + 1] ?? '');
      if (value instanceof Mismatch) return value.within(name);
      setOwn(result, name, value);
    }
    return result;
  };
}

type FromOccurrences = (texts: Occurrences) => unknown;

/** Compiles the function that reads an array from any number of texts, and any other value from one. */
function compileOccurrences(coercion: Coercion, decode: Decode): FromOccurrences {
  if ('anyOf' in coercion && hasParts(coercion)) {
    return firstOf(coercion, (alternative) => compileOccurrences(alternative, decode));
  }
  if ('anyOf' in coercion || coercion.type !== 'array') return once(compilePiece(coercion, decode));
  const read = compilePiece(coercion.items, decode);
  return (texts) => {
    if (typeof texts !== 'string') return readAll(texts, read);
    const values = readAll([texts], read);
    // A single empty text that is not a valid item is the empty array (column "empty" of OpenAPI's table).
    return texts === '' && values instanceof Mismatch ? [] : values;
  };
}

/** Refuses a second text. */
function once(read: FromText): FromOccurrences {
  return (texts) => (typeof texts === 'string' ? read(texts) : givenTwice);
}
