/** Prints plain data as a readable TypeScript literal. */

const WIDTH = 110;

/** Source text that is printed unchanged: a name, a regular expression. */
export class Code {
  constructor(readonly text: string) {}
}

/** The name of what a generated module exports. */
export function codeIn(module: string, name: string | undefined): Code | undefined {
  return name === undefined ? undefined : new Code(`${module}.${name}`);
}

/**
 * The literal of a value: objects and arrays on one line where they fit, otherwise one entry per line.
 * Properties that are undefined are left out.
 *
 * @param indent - spaces before the line the literal starts on
 * @param used - characters before the literal on its first line
 */
export function literal(value: unknown, indent = 0, used = indent): string {
  const flat = flatLiteral(value);
  if (flat.length + used <= WIDTH) return flat;
  const inner = ' '.repeat(indent + 2);
  const close = ' '.repeat(indent);
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${literal(item, indent + 2)},\n`);
    return `[\n${items.join('')}${close}]`;
  }
  if (typeof value === 'object' && value !== null && !(value instanceof Code)) {
    const entries = entriesOf(value).map(([key, item]) => {
      const start = `${inner}${propertyName(key)}: `;
      return `${start}${literal(item, indent + 2, start.length + 1)},\n`;
    });
    return `{\n${entries.join('')}${close}}`;
  }
  return flat;
}

/** A property name, quoted only where it must be. */
export function propertyName(name: string): string {
  // `__proto__: x` in a literal sets the prototype; a computed key makes a property.
  if (name === '__proto__') return '["__proto__"]';
  return /^(?:[A-Za-z_$][\w$]*|0|[1-9]\d*)$/.test(name) ? name : JSON.stringify(name);
}

/** An operationId as a property name: quoted where it is a number, so that `keyof` gives a string. */
export function operationKey(id: string): string {
  return /^\d/.test(id) ? JSON.stringify(id) : propertyName(id);
}

function flatLiteral(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) return `[${value.map(flatLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = entriesOf(value).map(([key, item]) => `${propertyName(key)}: ${flatLiteral(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
