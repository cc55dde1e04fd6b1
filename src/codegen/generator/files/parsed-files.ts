/** Writes `document.ts` and `tools.ts`: data that is parsed when the module is loaded. */

import type { ToolTable } from '@concordat/runtime';
import { type Code, code, templateLiteral } from '../../text/code.js';

/** The text of `document.ts`. */
export function documentFile(document: object, banner: Code): Code {
  return code`${banner}
/** The contract as one OpenAPI document. */
export const document: Readonly<Record<string, unknown>> = ${parsed(document)};
`;
}

/** The text of `tools.ts`. */
export function toolsFile(tools: ToolTable, banner: Code): Code {
  return code`${banner}
import type { ToolTable } from "@concordat/runtime";

/** The operations as tools for models. */
export const tools: ToolTable = ${parsed(tools)};
`;
}

/** JSON is parsed faster than a literal, and the compiler need not infer its type. */
function parsed(value: object): Code {
  return code`JSON.parse(${templateLiteral(inLines(value, 2))})`;
}

/** JSON with one line per member of the outer levels, which shows what has changed in less than half of the bytes of indented text. */
function inLines(value: unknown, levels: number): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const lines = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => (isList ? '' : `${JSON.stringify(key)}:`) + inLines(member, levels - 1));
  return (isList ? '[\n' : '{\n') + lines.join(',\n') + (isList ? '\n]' : '\n}');
}
