/** Compiles the body codecs of an operation: how bytes of each media type become a value. */

import type { BodyCodec, Check, Convert, RequestBodyContract } from '../../contract/contract.js';
import { parseExactJson } from '../decode/exact.js';
import { compileForm, compileMultipart } from '../decode/forms.js';
import { charsetOf } from '../../http/media-type.js';
import { Problem } from '../../http/problem.js';

/** One media type of a request body, ready to decode. */
export interface CompiledBody {
  /** @throws a 400 or 415 `Problem` when the bytes are not what the media type says */
  decode(bytes: Uint8Array, contentType: string): unknown;
  readonly check: Check | undefined;
  /** Converts the value after its check. */
  readonly convert: Convert | undefined;
}

export interface CompiledRequestBody {
  readonly required: boolean;
  readonly content: ReadonlyMap<string, CompiledBody>;
  /** For the 415 of every other media type. */
  readonly accepted: string;
}

/** Compiles what an operation says about its body. @param exact - whether integers beyond 2^53 become bigints */
export function compileRequestBody(
  { required, content }: RequestBodyContract,
  exact = false,
): CompiledRequestBody {
  return {
    required: required === true,
    content: new Map(
      Object.entries(content).map(([mediaType, codec]) => [
        mediaType,
        {
          decode: decoderOf(codec, exact),
          ...(codec.kind === 'bytes'
            ? { check: undefined, convert: undefined }
            : { check: codec.check, convert: codec.decode }),
        },
      ]),
    ),
    accepted: Object.keys(content).join(', '),
  };
}

function decoderOf(codec: BodyCodec, exact: boolean): CompiledBody['decode'] {
  switch (codec.kind) {
    case 'json':
      return exact ? jsonDecoder(parseExactJson) : decodeJson;
    case 'text':
      return decodeText;
    case 'bytes':
      return (bytes) => bytes;
    case 'form':
      return compileForm(codec.fields);
    case 'multipart':
      return compileMultipart(codec.fields);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeText(bytes: Uint8Array, contentType: string): string {
  const charset = charsetOf(contentType);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new Problem(415, `charset ${charset} is not supported; send UTF-8`);
  }
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem(400, 'body must be UTF-8 text');
  }
}

function jsonDecoder(parse: (text: string) => unknown): CompiledBody['decode'] {
  return (bytes, contentType) => {
    const text = decodeText(bytes, contentType);
    try {
      return parse(text);
    } catch {
      // The parser's message repeats a piece of the body, which may be secret.
      throw new Problem(400, 'body must be valid JSON');
    }
  };
}

const decodeJson = jsonDecoder(JSON.parse);
