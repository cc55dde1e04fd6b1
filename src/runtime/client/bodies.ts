/** Writes the body of a request in a media type of its contract: the reverse of decoding. */

import type { BodyCodec, FieldCodecs } from '../contract/contract.js';
import { writeExactJson } from '../http/body-writers.js';
import { writeFields } from './write-parameters.js';

export interface SentBody {
  readonly body: string | Uint8Array<ArrayBuffer> | FormData;
  /** Absent for a multipart body: Fetch chooses the boundary and writes the header. */
  readonly contentType?: string;
  /** A copy of the value as the receiver will decode it; the check runs on it. */
  readonly value: unknown;
}

/** @throws TypeError, or a 400 `Problem`, for a value that the media type cannot carry */
export function writeBody(codec: BodyCodec, contentType: string, value: unknown): SentBody {
  switch (codec.kind) {
    case 'json': {
      const body = writeExactJson(value);
      return { body, contentType, value: JSON.parse(body) };
    }
    case 'text':
      return { body: String(value), contentType, value: String(value) };
    case 'form':
      return {
        body: writeFields(codec.fields, fieldsOf(value)),
        contentType,
        value: copied(fieldsOf(value)),
      };
    case 'multipart':
      return { body: formData(codec.fields, fieldsOf(value)), value: copied(fieldsOf(value)) };
    case 'bytes':
    case 'byte-stream':
      if (!(value instanceof Uint8Array)) throw new TypeError('the body must be bytes');
      return { body: value as Uint8Array<ArrayBuffer>, contentType, value };
    default:
      throw new TypeError(`a body in ${contentType} that is written piece by piece cannot be sent`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new TypeError('a form must be an object');
}

function formData(codecs: FieldCodecs, fields: Fields): FormData {
  const form = new FormData();
  for (const [name, given] of Object.entries(fields)) {
    if (isOfFiles(given)) for (const file of [given].flat()) form.append(name, file);
    else {
      const texts = new URLSearchParams(writeFields(codecs, { [name]: given }));
      for (const [field, text] of texts) form.append(field, text);
    }
  }
  return form;
}

/** A copy for the check, which inserts defaults. Files are not copied: they cannot be cloned, and the check does not change them. */
function copied(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, given]) => [name, isOfFiles(given) ? given : structuredClone(given)]),
  );
}

function isOfFiles(given: unknown): boolean {
  return [given].flat().some((item) => item instanceof Blob);
}
