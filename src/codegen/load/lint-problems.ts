/** Turns what the linter and the parser find in a document into problems: kind, file, line, column and pointer. */

import {
  type NormalizedProblem,
  ResolveError,
  type Source,
  YamlParseError,
  getLineColLocation,
  parseYaml,
} from '@redocly/openapi-core';
import { isAbsolute, relative } from 'node:path';
import type { ContractProblem } from '../problems/contract-error.js';
import type { FaultKind } from '../problems/fault.js';
import { resolvePointer } from '../schemas/pointer.js';

const UNRESOLVED = "Can't resolve $ref";

/** How the linter begins where a document is empty, a list or a text; what it then says of the type is often wrong. */
const NO_OBJECT = 'Document must be JSON object';

const KINDS: Readonly<Record<string, FaultKind>> = {
  'no-unresolved-refs': 'unresolved-reference',
  'no-identical-paths': 'duplicate',
  'operation-operationId-unique': 'duplicate',
  'operation-parameters-unique': 'duplicate',
};

/** A problem that the linter found; `file` is the contract, for the few that have no place. */
export function problemOfLint(
  file: string,
  { ruleId, message, location: [place] }: NormalizedProblem,
): ContractProblem {
  const text = oneLine(message);
  const fault = text.startsWith(UNRESOLVED) ? 'unresolved-reference' : (KINDS[ruleId] ?? 'invalid-structure');
  if (place === undefined) return { fault, file, message: text };
  const { source, start } = getLineColLocation(place);
  const at = { file: shownFile(source.absoluteRef), line: start.line, column: start.col };
  const pointer = place.pointer ?? '#';
  if (ruleId === 'operation-operationId-unique') {
    // The linter takes the id itself for the last name of the pointer.
    const [, operation = '', id = ''] = /^(.*)\/([^/]*)$/.exec(pointer) ?? [];
    const sentence = `${text.replace(/\.$/, '')}; ${id} is not`;
    return { fault, ...at, pointer: `${operation}/operationId`, message: sentence };
  }
  if (!text.startsWith(UNRESOLVED)) return { fault, ...at, pointer, message: text };
  const target = referenceAt(source, pointer);
  return { fault, ...at, pointer, message: text.replace(UNRESOLVED, `${UNRESOLVED}${target}`) };
}

/** A problem that ended the reading of a file. */
export function problemOfParser(file: string, error: unknown): ContractProblem {
  const message = oneLine(error instanceof Error ? error.message : String(error));
  if (message.startsWith(NO_OBJECT)) {
    return {
      fault: 'invalid-structure',
      file,
      pointer: '#',
      message: 'it must be an object that has `openapi`',
    };
  }
  if (error instanceof ResolveError) return { fault: 'missing-file', file, message };
  if (!(error instanceof YamlParseError)) return { fault: 'invalid-structure', file, pointer: '#', message };
  const { source, line, col, originalError } = error;
  // The parser repeats the place behind its sentence, and shows the text around it.
  const [sentence = message] = oneLine(originalError.message).split(/ \(\d+:\d+\)/);
  return {
    fault: 'invalid-syntax',
    file: shownFile(source.absoluteRef),
    line,
    column: col,
    message: sentence,
  };
}

/** A file as it is found from the working directory, or its URL. */
export function shownFile(file: string): string {
  return isAbsolute(file) ? relative(process.cwd(), file) : file;
}

function oneLine(message: string): string {
  return message.trim().replaceAll(/\s*\n\s*/g, ' ');
}

/** What the `$ref` of a place says, with a space before it; nothing where the place is not to be found. */
function referenceAt({ body }: Source, pointer: string): string {
  try {
    const found = resolvePointer(parseYaml(body), pointer);
    const reference = typeof found === 'object' && found !== null && '$ref' in found ? found.$ref : found;
    return typeof reference === 'string' ? ` ${reference}` : '';
  } catch {
    return '';
  }
}
