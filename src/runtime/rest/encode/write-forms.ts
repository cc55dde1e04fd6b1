/** Writes forms: in one piece, or part by part as their files arrive. */

import type { FormCodec, SentBody } from '../../contract/body-codecs.js';
import type { FieldCodecs } from '../../contract/contract.js';
import { isObject } from '../../failures/json-value.js';
import { randomId, writeExactJson } from '../../http/response-writers.js';
import { isStreamed } from '../../http/message.js';
import type { FormPart } from '../sequences/read-parts.js';
import { writeFields } from './write-parameters.js';

/** @throws TypeError, or a 400 `Problem`, for a value that the form cannot carry */
export function writeForm(codec: FormCodec, contentType: string, value: unknown): SentBody {
  switch (codec.kind) {
    case 'form':
      return { body: writeFields(codec.fields, fieldsOf(value)), contentType, value };
    case 'multipart':
      return { body: formData(codec.fields, fieldsOf(value)), value };
    case 'parts': {
      if (!isStreamed(value)) throw new TypeError('the body must be an AsyncIterable of parts');
      const boundary = randomId();
      // The generated types are narrower than the client's own; both come from the same contract.
      const body = writtenParts(value as AsyncIterable<unknown> as AsyncIterable<FormPart>, boundary);
      return { body, contentType: `${contentType}; boundary=${boundary}` };
    }
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new TypeError('a form must be an object');
}

function formData(codecs: FieldCodecs, fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, given] of Object.entries(fields)) {
    const files = [given].flat();
    if (files.some((item) => item instanceof Blob)) for (const file of files) form.append(name, file);
    else {
      const texts = new URLSearchParams(writeFields(codecs, { [name]: given }));
      for (const [field, text] of texts) form.append(field, text);
    }
  }
  return form;
}

/** `multipart/form-data` (RFC 7578). */
async function* writtenParts(
  parts: AsyncIterable<FormPart>,
  boundary: string,
): AsyncGenerator<Uint8Array, void, void> {
  const encoder = new TextEncoder();
  for await (const part of parts) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(part.name)}"`;
    if ('value' in part) {
      const { value } = part;
      const text = typeof value === 'string' ? value : writeExactJson(value);
      yield encoder.encode(`${head}\r\n\r\n${text}\r\n`);
      continue;
    }
    const type = `Content-Type: ${part.contentType.replaceAll(/[\r\n]/g, ' ')}`;
    yield encoder.encode(`${head}; filename="${quoted(part.filename)}"\r\n${type}\r\n\r\n`);
    yield* part.body;
    yield encoder.encode('\r\n');
  }
  yield encoder.encode(`--${boundary}--\r\n`);
}

/** A name as browsers write it (HTML, "Multipart form data"). */
function quoted(name: string): string {
  return name.replaceAll(/["\r\n]/g, encodeURIComponent);
}
