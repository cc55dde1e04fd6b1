/** Compiles the body codecs of an operation, which turn the bytes of each media type into a value. */

import { type OpenBody, requireCodecs } from '../../contract/body-codecs.js';
import type { BodyCodec, Check, Convert, RequestBodyContract } from '../../contract/contract.js';
import { parseExactJson, roundedNumber } from '../decode/exact.js';
import { charsetOf, isUtf8 } from '../../http/media-type.js';
import { decodeError, unreadable } from '../decode/mismatch.js';
import { Problem } from '../../http/problem.js';
import { decodeUtf8 } from '../../http/read-body.js';

/** One media type of a request body, ready to decode. */
export type CompiledBody = WholeBody | StreamedBody;

/** A body that is decoded and checked before the handler is called. */
export interface WholeBody {
  /** @throws a `DecodeError` or a 415 `Problem` when the bytes do not fit the media type */
  decode(bytes: Uint8Array, contentType: string): unknown;
  readonly check: Check | undefined;
  readonly convert: Convert | undefined;
  readonly open?: never;
}

/** A body that the handler reads as it arrives. */
interface StreamedBody {
  readonly decode?: never;
  readonly check?: never;
  /** Makes the value that the handler gets. */
  readonly open: OpenBody;
}

export interface CompiledRequestBody {
  readonly required: boolean;
  /** The maximum size in bytes; undefined when the engine's limit applies. */
  readonly limit: number | undefined;
  readonly content: ReadonlyMap<string, CompiledBody>;
  /** The accepted media types, for the message of a 415. */
  readonly accepted: string;
}

/**
 * Compiles the request body of an operation.
 *
 * @param codecs - those of the contract
 * @param exact - whether integers beyond 2^53 become bigints
 * @throws if the body is a form or a stream of items, and there are no codecs
 */
export function compileRequestBody(
  { required, limit, content }: RequestBodyContract,
  codecs: object | undefined,
  exact = false,
): CompiledRequestBody {
  return {
    required: required === true,
    limit,
    content: new Map(
      Object.entries(content).map(([mediaType, codec]) => [mediaType, compileBody(codec, codecs, exact)]),
    ),
    accepted: Object.keys(content).join(', '),
  };
}

export function compileBody(codec: BodyCodec, codecs: object | undefined, exact: boolean): CompiledBody {
  switch (codec.kind) {
    case 'json':
      return whole(
        exact
          ? (bytes, contentType) => parseBody(decodeText(bytes, contentType), parseExactJson)
          : jsonDecoder(codec.check),
        codec,
      );
    case 'text':
      return whole(decodeText, codec);
    case 'bytes':
      return whole((bytes) => bytes, {});
    case 'form':
    case 'multipart':
      return whole(requireCodecs(codecs)[codec.kind](codec.fields), codec);
    case 'byte-stream':
      return { open: (body) => body };
    case 'parts':
      return { open: requireCodecs(codecs).parts(codec.fields, codec.closed === true) };
    case 'items':
      return {
        open: requireCodecs(codecs).items(
          codec.items,
          codec.check,
          codec.decode && { convert: codec.decode, exact },
        ),
      };
  }
}

function whole(
  decode: WholeBody['decode'],
  { check, decode: convert }: { readonly check?: Check; readonly decode?: Convert },
): WholeBody {
  return { decode, check, convert };
}

function decodeText(bytes: Uint8Array, contentType: string): string {
  const charset = charsetOf(contentType);
  if (charset !== undefined && !isUtf8(charset)) {
    throw new Problem(415, `charset ${charset} is not supported; send UTF-8`);
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) throw decodeError('/body', unreadable('must be UTF-8 text'));
  return text;
}

/** Decodes JSON; an integer that would be rounded is refused if the schema requires an integer. */
function jsonDecoder(check: Check | undefined): WholeBody['decode'] {
  return (bytes, contentType) => {
    const text = decodeText(bytes, contentType);
    const value = parseBody(text, JSON.parse);
    const rounded = check && roundedNumber(text, check);
    if (rounded !== undefined) throw decodeError('/body', rounded);
    return value;
  };
}

function parseBody(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    // The parser's message repeats a piece of the body, which may be secret.
    throw decodeError('/body', unreadable('must be valid JSON'));
  }
}
