/** Says what the linter found in a document: one sentence, behind the file, the line and the pointer of its place. */

import { isAbsolute, relative } from 'node:path';
import { type NormalizedProblem, getLineColLocation, parseYaml } from '@redocly/openapi-core';
import { resolvePointer } from './schemas/pointer.js';

const UNRESOLVED = "Can't resolve $ref";

/** `openapi.yaml:7:11 #/paths/~1a/get: …`, the file as it is found from where the generator runs. */
export function describeFault({ ruleId, message, location: [place] }: NormalizedProblem): string {
  const text = oneLine(message);
  if (place === undefined) return text;
  const { source, start } = getLineColLocation(place);
  const at = `${shown(source.absoluteRef)}:${String(start.line)}:${String(start.col)}`;
  const pointer = place.pointer ?? '';
  if (ruleId === 'operation-operationId-unique') {
    // The linter takes the id itself for the last name of the pointer.
    const [, operation = '', id = ''] = /^(.*)\/([^/]*)$/.exec(pointer) ?? [];
    return `${at} ${operation}/operationId: ${text.replace(/\.$/, '')}; ${id} is not`;
  }
  if (!text.startsWith(UNRESOLVED)) return `${at} ${pointer}: ${text}`;
  const target = referenceAt(source.body, pointer);
  return `${at} ${pointer}: ${text.replace(UNRESOLVED, `${UNRESOLVED}${target}`)}`;
}

export function oneLine(message: string): string {
  return message.trim().replaceAll(/\s*\n\s*/g, ' ');
}

/** What the `$ref` of a place says, with a space before it; nothing where the place is not to be found. */
function referenceAt(text: string, pointer: string): string {
  try {
    const found = resolvePointer(parseYaml(text), pointer);
    const reference = typeof found === 'object' && found !== null && '$ref' in found ? found.$ref : found;
    return typeof reference === 'string' ? ` ${reference}` : '';
  } catch {
    return '';
  }
}

/** A file, or the URL of one. */
function shown(file: string): string {
  return isAbsolute(file) ? relative(process.cwd(), file) : file;
}
