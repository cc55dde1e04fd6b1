/** Makes the bytes of a request's body from its value. */

import { writeBody } from '../client/bodies.js';
import type { RequestBodyContract } from '../contract/contract.js';
import { findByMediaType } from '../http/media-type.js';

/** The bytes of a body, and their media type. */
export interface WrittenBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/**
 * @param contentType - one that the operation takes; its first unless given
 * @throws where the operation does not take it, or it cannot carry the value
 */
export async function writtenBody(
  { content }: RequestBodyContract,
  value: unknown,
  contentType: string | undefined,
): Promise<WrittenBody> {
  const mediaType = contentType ?? Object.keys(content)[0] ?? '';
  const codec = findByMediaType(new Map(Object.entries(content)), mediaType);
  if (codec === undefined) throw new TypeError(`the operation does not take ${mediaType}`);
  const sent = writeBody(codec, mediaType, value);
  const carrier = new Response(sent.body);
  return {
    bytes: new Uint8Array(await carrier.arrayBuffer()),
    contentType: sent.contentType ?? carrier.headers.get('content-type') ?? '',
  };
}
