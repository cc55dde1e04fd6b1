/** Reads a value that stands under a name, or under several: in a query, a cookie header or a form body. */
import type { Coercion, ParameterStyle } from '../../contract.js';
import { compileMembers } from './deep-object.js';
import { firstOf, hasParts } from './first-of.js';
import type { Grammar } from './grammar.js';
import { Mismatch } from './mismatch.js';
import type { Given, NameTable } from './name-table.js';
import { compileOccurrences, once } from './occurrences.js';
import { setOwn } from './set-own.js';
import { compileShape, type ObjectCoercion } from './shape.js';

/** How a value is named and written. */
export interface NamedValue {
  readonly name: string;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
  readonly grammar: Grammar;
}

/** Gives the value, a {@link Mismatch}, or undefined when the request says nothing of it. */
export type FromGiven = (given: Given) => unknown;

/** Claims the names that the value is written under and compiles what reads it. */
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

/** `R=100&G=200`: the object's own name stands only for one that is empty, `color=`, unless it could be a property. */
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
