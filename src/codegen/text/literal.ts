/** Prints plain data as a readable TypeScript literal. */

import {
  type Code,
  NOTHING,
  WIDTH,
  accessor,
  code,
  joined,
  propertyName,
  scalarLiteral,
  spaces,
} from './code.js';

/** Source text among data, printed unchanged: a name, a regular expression. */
export class Verbatim {
  constructor(readonly code: Code) {}
}

/** A member of a constant or of an imported module. */
export function memberOf(owner: Code, name: string): Verbatim;
export function memberOf(owner: Code, name: string | undefined): Verbatim | undefined;
export function memberOf(owner: Code, name: string | undefined): Verbatim | undefined {
  return name === undefined ? undefined : new Verbatim(code`${owner}${accessor(name)}`);
}

/** Whether data has a member of a constant or of an imported module, at any depth. */
export function hasMemberOf(owner: Code, data: unknown): boolean {
  if (data instanceof Verbatim) return data.code.startsWith(`${owner}.`) || data.code.startsWith(`${owner}[`);
  if (typeof data !== 'object' || data === null) return false;
  return Object.values(data).some((each) => hasMemberOf(owner, each));
}

/**
 * The literal of a value: objects and arrays on one line if they fit, otherwise one entry per line. Properties that are undefined
 * are left out.
 *
 * @param indent - spaces before the line the literal starts on
 * @param used - characters before the literal on its first line
 */
export function literal(value: unknown, indent = 0, used = indent): Code {
  const flat = flatLiteral(value, isScalar(value) ? Infinity : WIDTH - used);
  if (flat !== undefined) return flat;
  const inner = spaces(indent + 2);
  const close = spaces(indent);
  if (Array.isArray(value)) {
    const items = value.map((item) => code`${inner}${literal(item, indent + 2)},\n`);
    return code`[\n${joined(items)}${close}]`;
  }
  const entries = entriesOf(value as object).map(([key, item]) => {
    const start = code`${inner}${propertyName(key)}: `;
    return code`${start}${literal(item, indent + 2, start.length + 1)},\n`;
  });
  return code`{\n${joined(entries)}${close}}`;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Verbatim;
}

/** The literal in one line; undefined if it is longer than the room. The rest of a long one is not written. */
function flatLiteral(value: unknown, room: number): Code | undefined {
  const flat = isScalar(value) ? scalar(value) : flatMembers(value as object, room);
  return flat === undefined || flat.length > room ? undefined : flat;
}

function scalar(value: unknown): Code {
  return value instanceof Verbatim ? value.code : scalarLiteral(value);
}

function flatMembers(value: object, room: number): Code | undefined {
  const members: Code[] = [];
  let left = room;
  for (const [key, item] of Array.isArray(value)
    ? value.map((each) => ['', each] as const)
    : entriesOf(value)) {
    const start = Array.isArray(value) ? NOTHING : code`${propertyName(key)}: `;
    const flat = flatLiteral(item, left - start.length);
    if (flat === undefined) return undefined;
    left -= start.length + flat.length;
    members.push(code`${start}${flat}`);
  }
  if (Array.isArray(value)) return code`[${joined(members, code`, `)}]`;
  return members.length === 0 ? code`{}` : code`{ ${joined(members, code`, `)} }`;
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
