/**
 * Serialises a body again that a parser in front of a transport has parsed, such as `express.json()` or the default parsers of Nest
 * and Fastify. Handlers then read and check the request like any other.
 */

import { essenceOf } from '../../http/media-type.js';

/**
 * Returns a string or bytes unchanged; writes any other value as a form or as JSON, according to the media type.
 *
 * @throws an error when there is no parsed body, and for multipart forms, whose files are stored elsewhere
 */
export function writeParsedBody(parsed: unknown, contentType = ''): Uint8Array {
  if (parsed instanceof Uint8Array) return parsed;
  if (typeof parsed === 'string') return Buffer.from(parsed);
  const essence = essenceOf(contentType);
  if (parsed === undefined || essence.startsWith('multipart/')) {
    throw new Error(
      'the request body was read before the router saw it: mount body parsers behind it, or elsewhere',
    );
  }
  const isForm = essence === 'application/x-www-form-urlencoded';
  return Buffer.from(
    isForm ? String(new URLSearchParams([...formFields('', parsed)])) : JSON.stringify(parsed),
  );
}

/** Nested values have names in brackets, in the syntax of `qs`; several values of one name follow each other. */
function* formFields(name: string, value: unknown): Generator<[name: string, value: string]> {
  if (Array.isArray(value)) {
    for (const each of value) yield* formFields(name, each);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      yield* formFields(name === '' ? key : `${name}[${key}]`, member);
    }
  } else yield [name, String(value)];
}
