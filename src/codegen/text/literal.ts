/** Prints plain data as a readable TypeScript literal. */

import { type Code, accessor, code, joined, propertyName, scalarLiteral, spaces } from './code.js';

const WIDTH = 110;

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

/**
 * The literal of a value: objects and arrays on one line if they fit, otherwise one entry per line. Properties that are undefined
 * are left out.
 *
 * @param indent - spaces before the line the literal starts on
 * @param used - characters before the literal on its first line
 */
export function literal(value: unknown, indent = 0, used = indent): Code {
  const flat = flatLiteral(value);
  if (flat.length + used <= WIDTH) return flat;
  const inner = spaces(indent + 2);
  const close = spaces(indent);
  if (Array.isArray(value)) {
    const items = value.map((item) => code`${inner}${literal(item, indent + 2)},\n`);
    return code`[\n${joined(items)}${close}]`;
  }
  if (typeof value === 'object' && value !== null && !(value instanceof Verbatim)) {
    const entries = entriesOf(value).map(([key, item]) => {
      const start = code`${inner}${propertyName(key)}: `;
      return code`${start}${literal(item, indent + 2, start.length + 1)},\n`;
    });
    return code`{\n${joined(entries)}${close}}`;
  }
  return flat;
}

function flatLiteral(value: unknown): Code {
  if (value instanceof Verbatim) return value.code;
  if (Array.isArray(value)) return code`[${joined(value.map(flatLiteral), code`, `)}]`;
  if (typeof value !== 'object' || value === null) return scalarLiteral(value);
  const entries = entriesOf(value).map(([key, item]) => code`${propertyName(key)}: ${flatLiteral(item)}`);
  return entries.length === 0 ? code`{}` : code`{ ${joined(entries, code`, `)} }`;
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
