/** Writes a multipart form again that a parser in front of a transport has read: multer, `@koa/multer`, koa-body, `@fastify/multipart` or express-fileupload. */

import { createReadStream } from 'node:fs';
import { decodeUtf8 } from '../../http/read-body.js';

/** A file of a parser. Its content is in memory, or in a file on the disk. */
interface ParsedFile {
  readonly fieldname?: string;
  /** Of multer, koa-body, `@fastify/multipart` and express-fileupload. */
  readonly originalname?: string;
  readonly originalFilename?: string | null;
  readonly filename?: string;
  readonly name?: string;
  readonly mimetype?: string | null;
  readonly buffer?: Uint8Array;
  readonly data?: Uint8Array;
  readonly toBuffer?: () => Promise<Uint8Array>;
  readonly path?: string;
  readonly filepath?: string;
  readonly tempFilePath?: string;
}

const LOST =
  'a parser in front has read the multipart form, and its files are not on the request: mount it behind the engine, or for other paths ' +
  'only; with @fastify/multipart, set attachFieldsToBody: true';

/**
 * The form as a client sends it, with the boundary of the request.
 *
 * @param body - the fields by name
 * @param files - a list of files, or the files by the names of their fields
 * @throws a sentence that says what to do, for a form whose files are gone
 */
export async function* writeParsedForm(
  body: unknown,
  files: unknown,
  contentType: string,
): AsyncGenerator<Uint8Array, void, void> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || typeof body !== 'object' || body === null) throw new Error(LOST);
  for (const [name, value] of formFields('', body)) {
    if (isFile(value)) yield* filePart(boundary, name, value);
    else if (value instanceof Uint8Array) throw new Error(LOST);
    else yield Buffer.from(`${headOf(boundary, name)}\r\n\r\n${textOf(value)}\r\n`);
  }
  for (const [name, file] of filesOf(files)) yield* filePart(boundary, name, file);
  yield Buffer.from(`--${boundary}--\r\n`);
}

/** Nested values have names in brackets, in the syntax of `qs`; several values of one name follow each other. */
export function* formFields(name: string, value: unknown): Generator<[name: string, value: unknown]> {
  if (Array.isArray(value)) {
    for (const each of value) yield* formFields(name, each);
  } else if (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Uint8Array) &&
    !isPart(value)
  ) {
    for (const [key, member] of Object.entries(value)) {
      yield* formFields(name === '' ? key : `${name}[${key}]`, member);
    }
  } else yield [name, value];
}

/** A part of `@fastify/multipart`. */
function isPart(value: object): value is ParsedFile & { readonly type: string; readonly value?: unknown } {
  return 'fieldname' in value && 'fields' in value && 'type' in value;
}

/** A client cannot send functions: an object that it sends never names a file to be read. */
function isFile(value: unknown): value is ParsedFile {
  return (
    typeof value === 'object' && value !== null && 'toBuffer' in value && typeof value.toBuffer === 'function'
  );
}

/** `@fastify/multipart` has parsed fields of JSON. */
function textOf(given: unknown): string {
  const value = typeof given === 'object' && given !== null && isPart(given) ? given.value : given;
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function* filesOf(files: unknown): Generator<[name: string, file: ParsedFile]> {
  if (typeof files !== 'object' || files === null) return;
  for (const [name, given] of Object.entries(files as Readonly<Record<string, unknown>>)) {
    for (const file of [given].flat() as ParsedFile[]) yield [file.fieldname ?? name, file];
  }
}

async function* filePart(
  boundary: string,
  name: string,
  file: ParsedFile,
): AsyncGenerator<Uint8Array, void, void> {
  const { originalname, originalFilename, filename, mimetype, buffer, data, tempFilePath } = file;
  const given = restored(originalname ?? '') || (originalFilename ?? filename ?? file.name ?? '');
  const path = file.path ?? file.filepath ?? (tempFilePath || undefined);
  const bytes = buffer ?? (await file.toBuffer?.()) ?? (path === undefined ? data : undefined);
  if (bytes === undefined && path === undefined) throw new Error(LOST);
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(mimetype ?? '')?.[0] ?? 'application/octet-stream';
  yield Buffer.from(
    `${headOf(boundary, name)}; filename="${escaped(given)}"\r\nContent-Type: ${type}\r\n\r\n`,
  );
  if (bytes !== undefined) yield bytes;
  else yield* createReadStream(path ?? '') as AsyncIterable<Uint8Array>;
  yield Buffer.from('\r\n');
}

function headOf(boundary: string, name: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`;
}

/** As browsers do (HTML, "Multipart form data"). */
function escaped(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** The name of a file in UTF-8, which multer takes for Latin-1. */
function restored(name: string): string {
  if (/[^\0-\xff]/.test(name)) return name;
  return decodeUtf8(Buffer.from(name, 'latin1')) ?? name;
}
