/**
 * Writes out again what a body parser in front of a transport made of a body: `express.json()`, Nest's default parsers,
 * Fastify's. Handlers then see the request as it was sent, and check it themselves.
 */

import { essenceOf } from '../../http/media-type.js';

/**
 * A text or bytes are taken as they are; anything else is written as the media type says: as a form, or as JSON.
 *
 * @throws an error where no parser left anything, and for multipart forms, whose files are elsewhere
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

/** Nested values have names in brackets, as `qs` reads them; several values of one name follow each other. */
function* formFields(name: string, value: unknown): Generator<[name: string, value: string]> {
  if (Array.isArray(value)) {
    for (const each of value) yield* formFields(name, each);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      yield* formFields(name === '' ? key : `${name}[${key}]`, member);
    }
  } else yield [name, String(value)];
}
