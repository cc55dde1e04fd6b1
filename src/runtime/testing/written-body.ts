/** Writes the body of a request from its value: the reverse of decoding one. */

import { writeParameters } from '../client/write-parameters.js';
import type { FieldCodecs, RequestBodyContract } from '../contract/contract.js';
import { writeExactJson } from '../http/body-writers.js';

/** The bytes of a body, and their media type. */
export interface WrittenBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/**
 * @param contentType - one that the operation takes; its first unless given
 * @throws where the operation does not take it, or cannot be given the value
 */
export async function writeBody(
  { content }: RequestBodyContract,
  value: unknown,
  contentType: string | undefined,
): Promise<WrittenBody> {
  const [first] = Object.keys(content);
  const mediaType = contentType ?? first ?? '';
  const codec = content[mediaType] ?? (contentType === undefined ? undefined : content['*/*']);
  if (codec === undefined) throw new TypeError(`the operation does not take ${mediaType}`);
  switch (codec.kind) {
    case 'json':
      return encoded(writeExactJson(value), mediaType);
    case 'text':
      return encoded(String(value), mediaType);
    case 'form':
      return encoded(String(textFields(codec.fields, value as object)), mediaType);
    case 'multipart':
      return await multipart(codec.fields, value as object);
    case 'bytes':
    case 'byte-stream':
      if (value instanceof Uint8Array) return { bytes: value, contentType: mediaType };
      throw new TypeError('the body must be bytes');
    default:
      throw new TypeError(`a stream of ${mediaType} is not written: send its bytes to the engine itself`);
  }
}

function encoded(text: string, contentType: string): WrittenBody {
  return { bytes: new TextEncoder().encode(text), contentType };
}

/** The fields that are not files, in the styles of the contract. */
function textFields(fields: FieldCodecs, value: object): URLSearchParams {
  const given = Object.entries(value as Readonly<Record<string, unknown>>).filter(
    ([, each]) => !hasFiles(each),
  );
  const notations = given.map(([name]) => {
    const { style = 'form', explode = true } = fields[name] ?? {};
    return { in: 'query', name, style, explode } as const;
  });
  const values = new Map(given);
  return new URLSearchParams(writeParameters('/', notations, ({ name }) => values.get(name)).query);
}

async function multipart(fields: FieldCodecs, value: object): Promise<WrittenBody> {
  const form = new FormData();
  for (const [name, text] of textFields(fields, value)) form.append(name, text);
  for (const [name, each] of Object.entries(value as Readonly<Record<string, unknown>>)) {
    for (const file of [each].flat()) if (file instanceof Blob) form.append(name, file);
  }
  const carrier = new Response(form);
  return {
    bytes: new Uint8Array(await carrier.arrayBuffer()),
    contentType: carrier.headers.get('content-type') ?? '',
  };
}

function hasFiles(value: unknown): boolean {
  return [value].flat().some((each) => each instanceof Blob);
}
