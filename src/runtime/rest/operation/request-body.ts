/** Compiles the body codecs of an operation: how bytes of each media type become a value. */

import type { BodyCodec, Check, RequestBodyContract } from '../../contract/contract.js';
import { compileForm, compileMultipart } from '../decode/forms.js';
import { charsetOf } from '../../http/media-type.js';
import { decodeError, unreadable } from '../decode/mismatch.js';
import { Problem } from '../../http/problem.js';

/** One media type of a request body, ready to decode. */
export interface CompiledBody {
  /** @throws a `DecodeError` or a 415 `Problem` when the bytes are not what the media type says */
  decode(bytes: Uint8Array, contentType: string): unknown;
  readonly check: Check | undefined;
}

export interface CompiledRequestBody {
  readonly required: boolean;
  readonly content: ReadonlyMap<string, CompiledBody>;
  /** For the 415 of every other media type. */
  readonly accepted: string;
}

/** Compiles what an operation says about its body. */
export function compileRequestBody({ required, content }: RequestBodyContract): CompiledRequestBody {
  return {
    required: required === true,
    content: new Map(
      Object.entries(content).map(([mediaType, codec]) => [
        mediaType,
        { decode: decoderOf(codec), check: codec.kind === 'bytes' ? undefined : codec.check },
      ]),
    ),
    accepted: Object.keys(content).join(', '),
  };
}

function decoderOf(codec: BodyCodec): CompiledBody['decode'] {
  switch (codec.kind) {
    case 'json':
      return decodeJson;
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
    throw decodeError('/body', unreadable('must be UTF-8 text'));
  }
}

function decodeJson(bytes: Uint8Array, contentType: string): unknown {
  const text = decodeText(bytes, contentType);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message repeats a piece of the body, which may be secret.
    throw decodeError('/body', unreadable('must be valid JSON'));
  }
}
