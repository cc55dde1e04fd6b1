/** Turns the bytes of a form body into an object of typed fields. */

import type { FieldCodecs, Coercion, FieldCodec, FileCodec } from '../../contract/contract.js';
import { memberPointer } from '../../failures/json-value.js';
import { charsetOf, isUtf8, isOfType } from '../../http/media-type.js';
import type { ProblemFailure } from '../../http/problem.js';
import { decodeUtf8 } from '../../http/read-body.js';
import { compilePiece, type Decode, decodeForm, readAll, setOwn, verbatim } from './value.js';
import { grammarOf } from './grammar.js';
import { type Decoded, type Entry, compileLocation } from './parameters.js';
import { Mismatch, collect, decodeError, requireNone, unreadable, givenTwice } from './mismatch.js';
import { compileNamed, plainText } from './named-value.js';
import { type Given, NameTable, readQuery } from './name-table.js';

/**
 * Compiles the fields of an `application/x-www-form-urlencoded` body (OpenAPI Encoding Object). Fields without a codec
 * are text, or arrays of text when they occur several times.
 *
 * @returns a function of the body and its Content-Type; it throws a `DecodeError` for a body that is not UTF-8, not
 * percent-encoded, or does not fit its fields' types
 * @example
 * const decode = compileForm({ age: { style: 'form', explode: true, value: { type: 'integer' } } });
 * decode(Buffer.from('age=7&name=Ann'), 'application/x-www-form-urlencoded'); // { age: 7, name: 'Ann' }
 */
export function compileForm(fields: FieldCodecs): (bytes: Uint8Array, contentType: string) => Decoded {
  const decode = compileFormText(fields, 'body');
  return (bytes, contentType) => {
    if (!isUtf8(charsetOf(contentType) ?? 'utf-8')) throw decodeError('/body', unreadable('must be UTF-8'));
    const text = decodeUtf8(bytes);
    if (text === undefined) throw decodeError('/body', unreadable('is not valid UTF-8'));
    return decode(text);
  };
}

/** Like `compileForm`, for a text such as a query. @param place - the name of the text in errors */
export function compileFormText(fields: FieldCodecs, place: string): (text: string) => Decoded {
  const names = new NameTable();
  const entries = Object.entries(fields).flatMap(([name, codec]) => {
    return isText(codec) ? [textField(name, codec, names, decodeForm)] : [];
  });
  const decode = compileBody(entries, names, decodeForm, place);
  return (text) => {
    const given = readQuery(text, names, place);
    return decode(given, given);
  };
}

/**
 * Compiles the fields of a `multipart/form-data` body (RFC 7578). Files are the platform's `File`. A file in a text field
 * is read as text, because browsers send a JSON Blob as a file. Fields without a codec are text.
 *
 * @returns a function of the body and its Content-Type; it rejects with a `DecodeError`
 * @example
 * const decode = compileMultipart({ avatar: { style: 'form', explode: true, value: { type: 'file' } } });
 * await decode(bytes, 'multipart/form-data; boundary=x'); // { avatar: File }
 */
export function compileMultipart(
  fields: FieldCodecs,
): (bytes: Uint8Array, contentType: string) => Promise<Decoded> {
  const names = new NameTable();
  const fileNames = new Set<string>();
  const entries = Object.entries(fields).map(([name, codec]): Entry<FormContent> => {
    if (isText(codec)) {
      const { read, ...entry } = textField(name, codec, names, verbatim);
      return { ...entry, read: ({ given }) => read(given) };
    }
    fileNames.add(name);
    return fileField(name, codec, names);
  });
  const decode = compileBody(entries, names, verbatim);
  return async (bytes, contentType) => {
    const given = names.nothing();
    const files = new Map<string, FormFile[]>();
    for (const [name, part] of await parseMultipart(bytes, contentType)) {
      if (typeof part === 'string') names.add(given, name, part);
      else if (!fileNames.has(name)) names.add(given, name, await part.text());
      // A browser sends such an entry for an empty file input (HTML, "Constructing the entry list").
      else if (part.name !== '' || part.size > 0) {
        const earlier = files.get(name);
        if (earlier === undefined) files.set(name, [part]);
        else earlier.push(part);
      }
    }
    return decode({ given, files }, given);
  };
}

async function parseMultipart(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    // Deprecated because it parses a body of any size in memory; these bytes are already in memory, and bounded.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw decodeError('/body', unreadable('is not valid multipart/form-data'));
  }
}

function textField(name: string, codec: TextCodec, names: NameTable, decode: Decode): Entry<Given> {
  const grammar = { ...grammarOf({ ...codec, in: 'query', name }), decode };
  return { ...codec, name, read: compileNamed(codec.value, { ...codec, name, grammar }, names) };
}

/** Compiles a whole body. Fields without a codec are text, or arrays of text when they occur several times. */
function compileBody<Source>(
  entries: readonly Entry<Source>[],
  names: NameTable,
  decode: Decode,
  place = 'body',
): (source: Source, given: Given) => Decoded {
  const decodeFields = compileLocation(place, entries);
  if (names.wantsOthers) return decodeFields;
  names.claimOthers();
  const readOne = compilePiece(plainText, decode);
  return (source, { others }) => {
    const failures: ProblemFailure[] = [];
    const body = { ...collect(() => decodeFields(source), failures) };
    for (const [name, texts] of others) {
      const value = typeof texts === 'string' ? readOne(texts) : readAll(texts, readOne);
      if (value instanceof Mismatch) failures.push(value.at(`/${place}${memberPointer(name)}`));
      else setOwn(body, name, value);
    }
    requireNone(failures, body);
    return body;
  };
}

type TextCodec = FieldCodec & { readonly value: Coercion };

/** The platform's `File`, which `FormData` holds. */
type FormFile = Exclude<ReturnType<FormData['get']>, string | null>;

interface FormContent {
  readonly given: Given;
  /** By field name, for the fields that take files. */
  readonly files: ReadonlyMap<string, FormFile[]>;
}

const notFile = new Mismatch('must be a file');

/** The type of a field for one file or several. */
type FileValue = FileCodec | { readonly type: 'array'; readonly items: FileCodec };

function isText(codec: FieldCodec): codec is TextCodec {
  return !isFile(codec.value);
}

function isFile(value: FieldCodec['value']): value is FileValue {
  if ('anyOf' in value) return false;
  return (
    value.type === 'file' || (value.type === 'array' && 'type' in value.items && value.items.type === 'file')
  );
}

/** Compiles one field; its value is one file, or all files if the field is an array. */
function fileField(name: string, { value }: FieldCodec, names: NameTable): Entry<FormContent> {
  if (!isFile(value)) throw new Error(`the field ${name} takes no file`);
  const slot = names.claim(name);
  const isArray = value.type === 'array';
  const { contentTypes } = isArray ? value.items : value;
  const refused = contentTypes && new Mismatch(`must be a file of type ${contentTypes.join(', ')}`);
  return {
    name,
    read({ given, files }) {
      if (given.texts[slot] !== undefined) return notFile;
      const found = files.get(name);
      if (!found) return undefined;
      if (refused && !found.every(({ type }) => isOfType(type, contentTypes))) return refused;
      if (isArray) return found;
      return found.length > 1 ? givenTwice : found[0];
    },
  };
}
