/** Reads a `multipart/form-data` body (RFC 7578) part by part, as it arrives. */

import type { Check, FileCodec, PartField, PartFields } from '../../contract/contract.js';
import { isOfType } from '../../http/media-type.js';
import { memberPointer } from '../../failures/json-value.js';
import { Problem } from '../../http/problem.js';
import { compilePiece, type FromText, verbatim } from '../decode/value.js';
import { textOf, whole } from '../../http/read-body.js';
import { type BodyPart, readMultipart } from './multipart.js';
import { requireFit } from './read-items.js';

/** One part of a form, for a handler; the generated types name the fields. */
export type FormPart =
  | { readonly name: string; readonly value: unknown }
  | {
      readonly name: string;
      /** The client chose this name: do not use it as a path. */
      readonly filename: string;
      readonly contentType: string;
      /** The file as it arrives; the unread rest is skipped when the next part is read. */
      readonly body: AsyncIterable<Uint8Array>;
    };

type CompiledField = PartField & { readonly read?: FromText };

type ReadParts = (
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  limit: number,
) => AsyncGenerator<FormPart, void, void>;

const acceptAll: Check = () => true;

/**
 * Compiles the fields of a form.
 *
 * @returns a function of the body, its Content-Type and the maximum size of a field that is not a file, in bytes; its
 * iterator throws a 400 or 413 `Problem` when the body does not fit
 */
export function compileParts(fields: PartFields, closed: boolean): ReadParts {
  const compiled = new Map(
    Object.entries(fields).map(([name, field]): [string, CompiledField] => [
      name,
      isFile(field.value) ? field : { ...field, read: compilePiece(field.value, verbatim) },
    ]),
  );
  const required = Object.keys(fields).filter((name) => fields[name]?.required);

  return async function* readParts(body, contentType, limit) {
    const seen = new Set<string>();
    for await (const part of readMultipart(body, contentType)) {
      // RFC 7578 §4.2.
      const disposition = part.headers.get('content-disposition') ?? '';
      const name = /^form-data\b/i.test(disposition) ? parameterOf(disposition, 'name') : undefined;
      if (name === undefined)
        throw new Problem(400, 'body must be valid multipart/form-data: a part has no name');
      const filename = parameterOf(disposition, 'filename');
      const field = compiled.get(name);
      if (field === undefined) {
        if (closed) throw new Problem(400, `body must NOT have additional properties: ${name}`);
        continue;
      }
      const found = await formPart(part, name, filename, field, limit);
      if (found === undefined) continue;
      if (seen.has(name) && !field.several) throw new Problem(400, `body/${name} must be given once`);
      seen.add(name);
      yield found;
    }
    const missing = required.find((name) => !seen.has(name));
    if (missing !== undefined) throw new Problem(400, `body must have required property '${missing}'`);
  };
}

/** The part for the handler; undefined for the entry that a browser sends when no file was chosen. */
async function formPart(
  { headers, body }: BodyPart,
  name: string,
  filename: string | undefined,
  { value, read, check = acceptAll }: CompiledField,
  limit: number,
): Promise<FormPart | undefined> {
  const subject = `body/${name}`;
  if (read !== undefined) {
    const decoded = read(textOf(await whole(body, limit), subject));
    requireFit(check, decoded, `/body${memberPointer(name)}`);
    return { name, value: decoded };
  }
  if (filename === undefined || !isFile(value)) throw new Problem(400, `${subject} must be a file`);
  const contentType = headers.get('content-type') ?? 'text/plain';
  const start = await body.next();
  // HTML, "Constructing the entry list".
  if (filename === '' && start.done === true) return undefined;
  const { contentTypes } = value;
  if (contentTypes !== undefined && !isOfType(contentType, contentTypes)) {
    throw new Problem(400, `${subject} must be a file of type ${contentTypes.join(', ')}`);
  }
  return { name, filename, contentType, body: startingWith(start, body) };
}

async function* startingWith(
  first: IteratorResult<Uint8Array, unknown>,
  others: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  if (first.done === true) return;
  yield first.value;
  yield* others;
}

function isFile(value: PartField['value']): value is FileCodec {
  return 'type' in value && value.type === 'file';
}

function parameterOf(disposition: string, name: string): string | undefined {
  for (const [, key = '', quoted, plain] of disposition.matchAll(
    /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g,
  )) {
    if (key.toLowerCase() === name) return quoted === undefined ? plain : unescaped(quoted);
  }
  return undefined;
}

/** Browsers percent-encode three characters (HTML, "Multipart form data"); older clients escape the quote with `\`. */
function unescaped(text: string): string {
  return text
    .replaceAll(String.raw`\"`, '"')
    .replaceAll(/%22/g, '"')
    .replaceAll(/%0d/gi, '\r')
    .replaceAll(/%0a/gi, '\n');
}
