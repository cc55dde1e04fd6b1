/** Reads the fields of a multipart body that are files. */
import type { FieldCodec } from '../../contract.js';
import type { Entry } from './location.js';
import { givenTwice, Mismatch } from './mismatch.js';
import type { Given, NameTable } from './name-table.js';
import type { TextCodec } from './text-fields.js';

/** The platform's `File`, as its `FormData` holds it. */
export type FormFile = Exclude<ReturnType<FormData['get']>, string | null>;

/** What a multipart body gave. */
export interface Parts {
  readonly given: Given;
  /** By the name of the field, for the fields that take files. */
  readonly files: ReadonlyMap<string, FormFile[]>;
}

const notFile = new Mismatch('must be a file');

/** Whether a field takes text rather than files. */
export function isText(codec: FieldCodec): codec is TextCodec {
  const { value } = codec;
  if ('anyOf' in value) return true;
  return (
    value.type !== 'file' && !(value.type === 'array' && 'type' in value.items && value.items.type === 'file')
  );
}

/** Compiles one field: its file, or all of them where the field is an array. */
export function fileField(name: string, { value }: FieldCodec, names: NameTable): Entry<Parts> {
  const slot = names.claim(name);
  const isArray = 'type' in value && value.type === 'array';
  return {
    name,
    read({ given, files }) {
      if (given.texts[slot] !== undefined) return notFile;
      const found = files.get(name);
      if (isArray || !found) return found;
      return found.length > 1 ? givenTwice : found[0];
    },
  };
}

/** What a browser sends for a file input in which nothing was chosen (HTML "Constructing the entry list"). */
export function isNothingChosen(file: FormFile): boolean {
  return file.name === '' && file.size === 0;
}
