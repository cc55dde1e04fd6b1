/** Small pieces of TypeScript text. */

import { METHODS } from '../load/openapi.js';
import type { OperationModel } from '../read/model.js';

const WIDTH = 110;

/** A doc comment; text of the contract cannot end it early. */
export function docComment(text: string, indent = 0): string {
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0] ?? ''} */`;
  const margin = ' '.repeat(indent);
  return `/**\n${lines.map((line) => `${margin} * ${line}`.trimEnd()).join('\n')}\n${margin} */`;
}

/**
 * An object type with readonly members: on one line where it fits, otherwise one member per line.
 *
 * @param indent - how far the type will be indented; its own lines are not
 */
export function recordType(members: readonly string[], indent: number): string {
  const readonly = members.map((member) => `readonly ${member}`);
  const flat = `{ ${readonly.join('; ')} }`;
  if (flat.length + indent <= WIDTH && !flat.includes('\n')) return flat;
  return `{\n${readonly.map((member) => `  ${indented(member, 2)};\n`).join('')}}`;
}

/** Indents the lines of a text after the first. */
export function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

/** The name of a method in `openapi.ts`: that of its field in a Path Item, or the method itself where it has none. */
export function methodKey(method: string): string {
  const name = method.toLowerCase();
  return (METHODS as readonly string[]).includes(name) ? name : method;
}

/** Where openapi-typescript put an operation, as an indexed access. */
export function operationPlace(operation: OperationModel): string {
  return `${operation.root}[${JSON.stringify(operation.path)}][${JSON.stringify(methodKey(operation.method))}]`;
}
