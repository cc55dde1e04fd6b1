/** The type of the functions for forms and streams, which a generated contract brings if it has such bodies. */

import type { BodyCodec, Check, Convert, FieldCodecs, PartFields, Sequence } from './contract.js';

/** The functions that read and write forms, and streams of parts and items. */
export interface BodyCodecs {
  readonly form: (fields: FieldCodecs) => (bytes: Uint8Array, contentType: string) => unknown;
  readonly multipart: BodyCodecs['form'];
  /** @param place - the name of the text in errors */
  readonly formText: (fields: FieldCodecs, place: string) => (text: string) => unknown;
  readonly parts: (fields: PartFields, closed: boolean) => OpenBody;
  readonly items: (
    sequence: Sequence,
    check: Check | undefined,
    conversion: { readonly convert: Convert; readonly exact: boolean } | undefined,
  ) => OpenBody;
  /** @returns a body, with the boundary of its parts if it has any */
  readonly writeItems: (
    items: unknown,
    sequence: Sequence,
    check: Check | undefined,
    encode: Convert | undefined,
    strip: Convert | undefined,
  ) => AsyncIterable<Uint8Array> & { readonly boundary: string | undefined };
  /** @throws TypeError for a value that the form cannot carry */
  readonly writeForm: (codec: FormCodec, contentType: string, value: unknown) => SentBody;
  /** The items of a received text, with their indexes. */
  readonly splitItems: (
    sequence: Sequence,
    check: Check,
    given: ItemText,
  ) => Iterable<readonly [number, unknown]>;
}

export type FormCodec = Extract<BodyCodec, { readonly kind: 'form' | 'multipart' | 'parts' }>;

/** The body of a request in its media type. */
export interface SentBody {
  /** TypeScript before 5.7 does not know the type argument of `Uint8Array`, which Fetch needs later. */
  readonly body: NonNullable<RequestInit['body']> | AsyncIterable<Uint8Array>;
  /** Absent for a form in one piece: Fetch chooses the boundary and writes the header. */
  readonly contentType?: string;
  /** The value in its JSON form; absent for a stream. */
  readonly value?: unknown;
}

/**
 * Reads a body as it arrives. Its iterator throws a 400 or 413 `Problem` when the body does not fit the contract.
 *
 * @param limit - the maximum size in bytes of an item, or of a field that is not a file, which is held in memory
 * @param refuse - called for an item that its check refuses, instead of the 400; unless it throws, the item is read all the same
 */
export type OpenBody = (
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  limit: number,
  refuse?: (failure: { readonly pointer: string; readonly keyword: string; readonly detail: string }) => void,
) => AsyncIterable<unknown>;

/** The text of a streamed body. */
export interface ItemText {
  readonly text: string;
  /** The Content-Type of the response, which has the boundary of its parts. */
  readonly contentType: string;
  /** Whether the text was cut off, so that an incomplete last item is ignored. */
  readonly isCut: boolean;
}

/**
 * The functions that a contract brings.
 *
 *
 * @param codecs - the member `bodyCodecs` of the contract
 *
 * @throws if it has none
 */
export function requireCodecs(codecs: object | undefined): BodyCodecs {
  if (codecs === undefined)
    throw new Error('its contract has no `bodyCodecs` for forms and streams: generate it again');
  // The type of a contract cannot name that of its functions, which depends on it.
  return codecs as BodyCodecs;
}
