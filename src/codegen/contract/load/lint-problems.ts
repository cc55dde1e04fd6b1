/** Turns the findings of the linter and the parser into problems with kind, file, line, column and pointer. */

import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { once } from '@concordat/runtime/parts';
import {
  type LocationObject,
  type NormalizedProblem,
  ResolveError,
  Source,
  YamlParseError,
  getLineColLocation,
} from '@redocly/openapi-core';

import type { ContractProblem, FaultKind } from '../problems/contract-problem.js';
import { harmlessFault, isIdle, MAPS } from './harmless-faults.js';
import { mendedYaml } from './mended-yaml.js';
import { isReference } from '../schemas/document.js';
import { joinPointer, pointerTokens, valueAt } from '../../text/pointer.js';

const UNRESOLVED = "Can't resolve $ref";
const UNPARSED = 'Failed to parse: ';

/** The start of the linter's message for a document that is empty, a list or a text; the type in the message is often wrong. */
const NO_OBJECT = 'Document must be JSON object';

const KINDS: Readonly<Record<string, FaultKind>> = {
  'no-unresolved-refs': 'unresolved-reference',
  'operation-parameters-unique': 'duplicate',
};

/** A place in a file. */
export interface Place {
  readonly source: Source;
  readonly pointer: string;
}

/** Finds the file in which a part of the contract was written. */
export interface Places {
  of(place: Place): Place;
}

/** A problem that the linter found; `file` is the contract, for the few problems without a place. */
export function problemOfLint(
  file: string,
  { ruleId, message, location: [place] }: NormalizedProblem,
  places?: Places,
): ContractProblem & { readonly isNotice?: true } {
  const text = oneLine(message);
  const fault = kindOf(ruleId, text);
  if (place === undefined) return { fault, file, message: text };
  const written = writtenPlace(place, places);
  const { source, start } = getLineColLocation(written);
  const at = { file: shownFile(source.absoluteRef), line: start.line, column: start.col };
  const pointer = (place.pointer ?? '#').replace(/^#\/$/, '#');
  const tokens = pointerTokens(pointer);
  const feature = harmlessFault(ruleId, text, tokens);
  if (feature !== undefined) {
    const isNotice = isIdle(feature, text, tokens);
    return { feature, ...at, pointer, message: withoutPlace(text), ...(isNotice && { isNotice }) };
  }
  if (text.startsWith(UNPARSED)) return { fault, ...at, message: withoutPlace(text.slice(UNPARSED.length)) };
  if (!text.startsWith(UNRESOLVED)) return { fault, ...at, pointer, message: withoutPlace(text) };
  const target = referenceAt(source, written.pointer ?? pointer);
  return { fault, ...at, pointer, message: withoutPlace(text.replace(UNRESOLVED, `${UNRESOLVED}${target}`)) };
}

/**
 * Whether an unresolved reference needs no target: the name of a component schema in a `mapping`, which the linter takes for a file, an
 * `externalValue`, which is only documentation, or a member of an extension, which may mean anything.
 */
export function isIdlyUnresolved(
  { message, location: [place] }: NormalizedProblem,
  schemas: ReadonlySet<string>,
  places?: Places,
): boolean {
  if (place?.pointer === undefined || !message.startsWith(UNRESOLVED)) return false;
  const tokens = pointerTokens(place.pointer);
  if (tokens.some((token, index) => token.startsWith('x-') && !MAPS.has(tokens[index - 1] ?? '')))
    return true;
  const { source, pointer } = writtenPlace(place, places);
  const found = valueAt(parsedSource(source), pointer);
  if (typeof found === 'string') return place.pointer.includes('/mapping/') && schemas.has(found);
  return typeof found === 'object' && found !== null && 'externalValue' in found && !('$ref' in found);
}

/** The problems that prevented a file from being read. */
export function problemsOfParser(file: string, error: unknown): readonly ContractProblem[] {
  const message = oneLine(error instanceof Error ? error.message : String(error));
  // The only error of this class: the stack has an end.
  if (error instanceof RangeError)
    return [{ fault: 'too-deep', file, message: 'its references lead on and on, too far to be followed' }];
  if (error instanceof ResolveError) return [{ fault: 'missing-file', file, message }];
  if (error instanceof YamlParseError) {
    const { source, line, col: column } = error;
    const place = { file: shownFile(source.absoluteRef), line, column };
    return [{ fault: 'invalid-syntax', ...place, message: withoutPlace(message) }];
  }
  if (message === 'Self-referencing circular pointer') {
    const found = circularReferences(new Source(resolve(file), readFileSync(file, 'utf8')));
    if (found.length > 0) return found;
  }
  const fault = /^(?:Invalid OpenAPI version|Unsupported)/.test(message)
    ? 'unsupported-version'
    : 'invalid-structure';
  const sentence = message.startsWith(NO_OBJECT) ? 'it must be an object that has `openapi`' : message;
  return [{ fault, file: shownFile(resolve(file)), line: 1, column: 1, pointer: '#', message: sentence }];
}

/** The circular references within a file; the linter only reports that there is one. */
function circularReferences(source: Source): readonly ContractProblem[] {
  const document = parsedSource(source);
  /** Whether following the references of a place leads back to it. */
  const isCircular = (place: string): boolean => {
    const seen = new Set<string>();
    let pointer = place;
    while (!seen.has(pointer)) {
      seen.add(pointer);
      const value = valueAt(document, pointer);
      if (!isReference(value)) return false;
      pointer = value.$ref;
    }
    return pointer === place;
  };
  const search = (value: unknown, pointer: string): readonly ContractProblem[] => {
    if (typeof value !== 'object' || value === null) return [];
    if (isReference(value) && isCircular(pointer)) {
      const { start } = getLineColLocation({ source, pointer, reportOnKey: true });
      const place = { file: shownFile(source.absoluteRef), line: start.line, column: start.col, pointer };
      return [{ fault: 'unresolved-reference', ...place, message: `${value.$ref} leads back to itself` }];
    }
    return Object.entries(value).flatMap(([key, member]) => search(member, joinPointer(pointer, key)));
  };
  return search(document, '#');
}

function kindOf(ruleId: string, text: string): FaultKind {
  if (text.startsWith(UNRESOLVED)) return 'unresolved-reference';
  if (text.startsWith(UNPARSED)) return 'invalid-syntax';
  return KINDS[ruleId] ?? 'invalid-structure';
}

/** Removes the file and the place, which the parser appends to its message. */
function withoutPlace(message: string): string {
  return message.replace(/(?: in "[^"]*")?(?: \(\d+:\d+\))?$/, '');
}

/** A file's path relative to the working directory, or its URL. */
export function shownFile(file: string): string {
  return isAbsolute(file) ? relative(process.cwd(), file) : file;
}

function oneLine(message: string): string {
  return message.trim().replaceAll(/\s*\n\s*/g, ' ');
}

/** The place in the file in which a part of the contract was written. */
function writtenPlace<At extends LocationObject>(place: At, places: Places | undefined): At {
  const { source, pointer } = place;
  return pointer === undefined || places === undefined
    ? place
    : { ...place, ...places.of({ source, pointer }) };
}

/** The value of a file, parsed once: a document may have thousands of problems. */
export function parsedSource(source: Source): unknown {
  return once(source, parsed);
}

function parsed(source: Source): unknown {
  return mendedYaml(source).parsed;
}

/** The text of the `$ref` at a place, after a space; empty if the place cannot be found. */
function referenceAt(source: Source, pointer: string): string {
  const found = valueAt(parsedSource(source), pointer);
  const reference = isReference(found) ? found.$ref : found;
  return typeof reference === 'string' ? ` ${reference}` : '';
}
