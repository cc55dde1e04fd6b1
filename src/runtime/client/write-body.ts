/** Writes the body of a request in its media type: in one piece, or as a stream. */

import { type SentBody, requireCodecs } from '../contract/body-codecs.js';
import type { OutgoingBody } from '../contract/outgoing.js';
import { writeBytes, writeExactJson } from '../http/response-writers.js';
import { streamOf } from '../http/fetch-response.js';
import { isStreamed } from '../http/message.js';
import { wholeWithin } from '../http/read-body.js';

export type { SentBody };
export type SentCodec = OutgoingBody['content'][string];

/**
 * @param codecs - the `bodyCodecs` of the contract, for forms and items
 * @param isChecked - whether an item that does not fit breaks off the stream
 * @throws TypeError, or a 400 `Problem`, for a value that the media type cannot carry
 */
export function writeBody(
  codec: SentCodec,
  contentType: string,
  given: unknown,
  codecs: object | undefined,
  isChecked: boolean,
): SentBody {
  if (codec.kind === 'items') {
    const check = isChecked ? codec.check : undefined;
    const body = requireCodecs(codecs).writeItems(given, codec.items, check, codec.encode, undefined);
    const { boundary } = body;
    return {
      body,
      contentType: boundary === undefined ? contentType : `${contentType}; boundary=${boundary}`,
    };
  }
  const value = codec.encode === undefined ? given : codec.encode(given);
  switch (codec.kind) {
    case 'json':
      return { body: writeExactJson(value), contentType, value };
    case 'text':
      return { body: String(value), contentType, value: String(value) };
    case 'bytes':
      if (!(value instanceof Uint8Array)) throw new TypeError('the body must be bytes');
      return { body: value as Uint8Array<ArrayBuffer>, contentType };
    case 'byte-stream':
      return { body: writeBytes(value) as AsyncIterable<Uint8Array>, contentType };
    default:
      return requireCodecs(codecs).writeForm(codec, contentType, value);
  }
}

/** The body for `fetch`, with the option that a stream needs. A runtime that cannot send streams sends it in one piece. */
export async function fetchBody(body: SentBody['body'] | undefined): Promise<RequestInit> {
  if (body === undefined) return {};
  if (!isStreamed(body)) return { body };
  if (!canStream()) return { body: (await wholeWithin(body, Infinity)) as Uint8Array<ArrayBuffer> };
  return { body: streamOf(body), duplex: 'half' };
}

/** Whether requests may be streams: other runtimes do not read `duplex`. */
function canStream(): boolean {
  let isRead = false;
  void new Request('http://localhost', {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      isRead = true;
      return 'half' as const;
    },
  });
  return isRead;
}
