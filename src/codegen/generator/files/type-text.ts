/** Small pieces of TypeScript text. */

import { METHODS } from '../../contract/load/openapi.js';
import type { OperationModel } from '../../contract/model/model.js';
import {
  type Code,
  NOTHING,
  WIDTH,
  code,
  identifier,
  indented,
  joined,
  stringLiteral,
} from '../../text/code.js';

/**
 * An object type with readonly members: on one line if it fits, otherwise one member per line.
 *
 * @param indent - the indentation that the caller will add, which the width includes
 */
export function recordType(members: readonly Code[], indent: number): Code {
  const readonly = members.map((member) => code`readonly ${member}`);
  const flat = code`{ ${joined(readonly, code`; `)} }`;
  if (flat.length + indent <= WIDTH && !flat.includes('\n')) return flat;
  return code`{\n${joined(readonly.map((member) => code`  ${indented(member, 2)};\n`))}}`;
}

/** The union of types, or of string literals. */
export function unionOf(types: Iterable<Code>): Code {
  return joined(types, code` | `);
}

/** The same, with one line per type. */
export function variantsOf(types: Iterable<Code>): Code {
  return joined([...types].map((type) => code`\n  | ${indented(type, 4)}`));
}

/** A member of an object type. */
export function member(key: Code, isPresent: boolean, type: Code): Code {
  return code`${key}${isPresent ? NOTHING : code`?`}: ${type}`;
}

/** The name of a method in `openapi.ts`: its field of a Path Item, or the method itself if there is no such field. */
export function methodKey(method: string): string {
  const name = method.toLowerCase();
  return (METHODS as readonly string[]).includes(name) ? name : method;
}

/** An indexed access: `Schemas["Room"]`. */
export function indexed(type: Code, ...keys: readonly string[]): Code {
  return code`${type}${joined(keys.map((key) => code`[${stringLiteral(key)}]`))}`;
}

/** The place of an operation in the types of openapi-typescript, as an indexed access. */
export function operationPlace({ root, path, method }: OperationModel): Code {
  return indexed(identifier(root), path, methodKey(method));
}
