/** Reads objects in style deepObject: `filter[a]=1&filter[b]=x`, with objects inside as further brackets. */
import type { Coercion } from '../../contract.js';
import { firstOf } from './first-of.js';
import { Mismatch } from './mismatch.js';
import type { Member } from './name-table.js';
import { compileOccurrences } from './occurrences.js';
import type { Decode } from './percent.js';
import { setOwn } from './set-own.js';
import { plainText, type ObjectCoercion } from './shape.js';

/** Reads a value from the texts whose names begin with its own. */
export type FromMembers = (members: readonly Member[]) => unknown;

const nested = new Mismatch('must not be nested');
const notNested = new Mismatch('must be object');

/** Compiles an object that stands `depth` brackets deep. */
export function compileMembers(coercion: ObjectCoercion, decode: Decode, depth = 0): FromMembers {
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

/** @param depth how many brackets lead to the property */
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
