/**
 * Writes the results of compiled queries as JSON. A compiled query makes its objects by constructors of its own; each object
 * carries, on its prototype, the function that writes it. Reading known properties costs a third of enumerating them.
 */

import type { ExecutionResult, FormattedExecutionResult } from 'graphql';
import {
  builtInJson,
  closeObject,
  encodeText,
  jsonBody,
  moveTo,
  position,
  roomFor,
  SHORT_ROOM,
  writeBytes,
  writeObjects,
  writeOther,
  writeShort,
} from './json-writer.js';

/** Not enumerable, so neither `JSON.stringify` nor other readers of a result see it. */
const WRITE = Symbol('write');

type WriteObject = (object: object) => void;

interface Written {
  readonly [WRITE]?: WriteObject;
}

/** @returns the prototype of the objects that this function writes; as in graphql-js, they inherit nothing from `Object` */
function resultPrototype(write: WriteObject): object {
  return Object.create(null, { [WRITE]: { value: write } }) as object;
}

/** Writes an object whose type was not known when the query was compiled. */
function writeTagged(object: Written): void {
  object[WRITE]?.(object);
}

const DATA = encodeText('{"data":');

/**
 * @param limit - in bytes
 * @returns the result as JSON, as text or in UTF-8, always equal to that of `JSON.stringify`; undefined beyond the limit
 */
export function resultJson(
  result: ExecutionResult | FormattedExecutionResult,
  limit: number,
): string | Uint8Array | undefined {
  const { data, errors, extensions } = result;
  const write = (data as Written | null | undefined)?.[WRITE];
  if (!data || write === undefined || errors !== undefined || extensions !== undefined) {
    return builtInJson(result, limit);
  }
  const writeResult = (): void => {
    writeBytes(DATA);
    write(data);
    closeObject();
  };
  return jsonBody(result, writeResult, limit);
}

/** A member of an object, in the order of the response. */
export interface Member {
  readonly name: string;
  /** The function that writes the objects of a selection; undefined for a leaf. */
  readonly write?: string | undefined;
  /** The JSON of a member that is always the same. */
  readonly json?: string;
}

/** What the source of writers calls. */
export const WRITER_TOOLS = {
  moveTo,
  position,
  resultPrototype,
  roomFor,
  writeBytes,
  writeObjects,
  writeOther,
  writeShort,
  writeTagged,
};

/** Longer constants, which come of long names, are copied by a loop, so that the source stays small. */
const MOST_STORES = 64;

/**
 * The source stores each byte of a name by a statement of its own: with a loop over the bytes of names, writing takes almost
 * twice the time. The only input of a client in the source is names, which GraphQL's grammar limits to letters, digits and `_`.
 *
 * @param constant - adds a constant, and returns its name in the source
 * @returns the source of a function that writes an object with these members
 */
export function writerSource(members: readonly Member[], constant: (value: unknown) => string): string {
  const steps: string[] = [];
  let room = 0;
  const reload = 'target = roomFor(room); at = position();';
  const store = (text: string): void => {
    const bytes = encodeText(text);
    if (bytes.length > MOST_STORES) {
      steps.push(`moveTo(at); writeBytes(${constant(bytes)}); ${reload}`);
      return;
    }
    room += bytes.length;
    bytes.forEach((byte, index) => steps.push(`target[at + ${String(index)}] = ${String(byte)};`));
    steps.push(`at += ${String(bytes.length)};`);
  };
  let text = '{';
  for (const { name, write, json } of members) {
    text += `${JSON.stringify(name)}:`;
    if (json !== undefined) {
      text += `${json},`;
      continue;
    }
    store(text);
    text = ',';
    if (write === undefined) {
      room += SHORT_ROOM;
      steps.push(
        `end = writeShort(target, at, object.${name});`,
        `if (end === -1) { at = writeOther(at, object.${name}); target = roomFor(room); } else at = end;`,
      );
    } else {
      steps.push(`moveTo(at); writeObjects(object.${name}, ${write}); ${reload}`);
    }
  }
  store(text === '{' ? '{}' : `${text.slice(0, -1)}}`);
  return `(object) => {
  const room = ${String(room)};
  let target = roomFor(room), at = position(), end = 0;
  ${steps.join('\n  ')}
  moveTo(at);
}`;
}
