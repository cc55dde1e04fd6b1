/** Reads the fields of a multipart body that are files. */

import type { Coercion, FieldCodec, FileCodec } from '../../contract/contract.js';
import { isOfType } from '../../http/media-type.js';
import type { Entry } from './location.js';
import { Mismatch, givenTwice } from './mismatch.js';
import type { Given, NameTable } from './names.js';

/** A field that is text. */
export type TextCodec = FieldCodec & { readonly value: Coercion };

/** The platform's `File`, as its `FormData` holds it. */
export type FormFile = Exclude<ReturnType<FormData['get']>, string | null>;

/** The parsed fields of a multipart body. */
export interface Parts {
  readonly given: Given;
  /** By field name, for the fields that take files. */
  readonly files: ReadonlyMap<string, FormFile[]>;
}

const notFile = new Mismatch('must be a file');

/** The value of a field that takes a file, or files. */
type FileValue = FileCodec | { readonly type: 'array'; readonly items: FileCodec };

/** Whether a field takes text rather than files. */
export function isText(codec: FieldCodec): codec is TextCodec {
  return !isFile(codec.value);
}

function isFile(value: FieldCodec['value']): value is FileValue {
  if ('anyOf' in value) return false;
  return (
    value.type === 'file' || (value.type === 'array' && 'type' in value.items && value.items.type === 'file')
  );
}

/** Compiles one field: its file, or all of them where the field is an array. */
export function fileField(name: string, { value }: FieldCodec, names: NameTable): Entry<Parts> {
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

/** The entry that a browser sends for an empty file input (HTML "Constructing the entry list"). */
export function isNothingChosen(file: FormFile): boolean {
  return file.name === '' && file.size === 0;
}
