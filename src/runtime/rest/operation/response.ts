/** Compiles the responses of an operation, which turn a handler's answer into a body and headers. */

import { requireCodecs } from '../../contract/body-codecs.js';
import type { Check, Convert, ResponseBody, ResponseContract } from '../../contract/contract.js';
import type { ResponseContent } from '../../http/message.js';
import { writeBytes, writeExactJson, writeJson, writeText } from '../../http/response-writers.js';
import { findByMediaType } from '../../http/media-type.js';
import { findByStatus } from '../responses/response-checker.js';
import { sentenceOf } from '../responses/response-problem.js';
import type { Strip } from './surplus.js';

/**
 * Writes a value in a media type that the engine does not support itself.
 *
 * @param schema - the name of the value's component schema, if it has one
 */
export type Encoder = (value: unknown, schema: string | undefined) => ResponseContent;

interface CompiledRepresentation {
  /** The media type in the contract, or a range that must include the handler's `contentType`. */
  readonly mediaType: string;
  /** The media type with its parameters, as sent. */
  readonly contentType: string;
  /**
   * @param schema - the component schema of the value, if the handler names it
   * @param check - checks each item of a sequential media type while it is sent
   * @param strip - omits the undeclared members of each item
   */
  readonly encode: (value: unknown, schema?: string, check?: Check, strip?: Convert) => ResponseContent;
  /** Converts the handler's value before it is checked and written. */
  readonly convert: Convert | undefined;
  /** Omits undeclared members of the value, or of each item. */
  readonly strip: Strip | undefined;
  readonly hasItems: boolean;
}

export interface CompiledResponse {
  readonly representations: readonly CompiledRepresentation[];
  /** The representations by media type. */
  readonly byMediaType: ReadonlyMap<string, CompiledRepresentation>;
  readonly contract: ResponseContract;
  /** Whether headers or bodies are converted before they are checked and written. */
  readonly converts: boolean;
}

/** The function that omits undeclared members of a body's values. */
type StripOf = (body: ResponseBody) => Strip | undefined;

/** The responses of an operation by status; a status without an entry uses its range, or else `default`. */
export class ResponseTable {
  /** The media types of the successes, in the contract's order; a client's `Accept` chooses among them. */
  readonly produces: readonly string[];
  readonly #responses: ReadonlyMap<string, CompiledResponse>;
  /** Those that have a status of their own. */
  readonly #byStatus: ReadonlyMap<number, CompiledResponse | undefined>;

  /** @throws when a media type has no encoder */
  constructor(
    responses: Readonly<Record<string, ResponseContract>>,
    encoders: Readonly<Record<string, Encoder>>,
    codecs?: object,
    stripOf: StripOf = () => undefined,
  ) {
    this.#responses = new Map(
      Object.entries(responses).map(([status, contract]) => [
        status,
        compileResponse(contract, encoders, codecs, stripOf),
      ]),
    );
    const statuses = Object.keys(responses).map(Number).filter(Number.isInteger);
    this.#byStatus = new Map(statuses.map((status) => [status, findByStatus(this.#responses, status)]));
    const successes = [...this.#responses].filter(
      ([status]) => status.startsWith('2') || status === 'default',
    );
    this.produces = [...new Set(successes.flatMap(([, { byMediaType }]) => [...byMediaType.keys()]))];
  }

  /** The contract's response for a status; undefined when it has none. */
  find(status: number): CompiledResponse | undefined {
    const own = this.#byStatus.get(status);
    // A handler that bypasses the types may answer any value.
    return own === undefined && Number.isInteger(status) ? findByStatus(this.#responses, status) : own;
  }
}

/**
 * The representation to send: the one that the handler names, or else the client's preference, or else the first.
 *
 * @throws when the handler names one that the contract does not have, or the status has no body
 */
export function chooseRepresentation(
  response: CompiledResponse,
  contentType: string | undefined,
  preferred: string | undefined,
): CompiledRepresentation {
  const [first] = response.representations;
  if (first === undefined) throw new Error('the contract has no body for this status');
  if (contentType !== undefined) {
    const named = findByMediaType(response.byMediaType, contentType);
    if (named === undefined)
      throw new Error(
        sentenceOf({ kind: 'undeclared-media-type', place: '/headers/content-type', mediaType: contentType }),
      );
    return named;
  }
  if (response.representations.length === 1 || preferred === undefined) return first;
  return response.byMediaType.get(preferred) ?? first;
}

function compileResponse(
  contract: ResponseContract,
  encoders: Readonly<Record<string, Encoder>>,
  codecs: object | undefined,
  stripOf: StripOf,
): CompiledResponse {
  const representations = Object.entries(contract.content ?? {}).map(([mediaType, body]) => ({
    mediaType,
    contentType: body.contentType ?? mediaType,
    encode: encoderOf(mediaType, body, encoders, codecs),
    convert: body.encode,
    strip: stripOf(body),
    hasItems: body.kind === 'items',
  }));
  return {
    representations,
    byMediaType: new Map(representations.map((representation) => [representation.mediaType, representation])),
    contract,
    converts: [...representations, ...Object.values(contract.headers ?? {})].some(
      (each) => ('convert' in each ? each.convert : each.encode) !== undefined,
    ),
  };
}

function encoderOf(
  mediaType: string,
  body: ResponseBody,
  encoders: Readonly<Record<string, Encoder>>,
  codecs: object | undefined,
): CompiledRepresentation['encode'] {
  const registered = encoders[mediaType];
  if (registered !== undefined) return (value, schema) => registered(value, schema ?? body.schema);
  switch (body.kind) {
    case 'json':
      return body.encode === undefined ? writeJson : writeExactJson;
    case 'text':
      return writeText;
    case 'bytes':
      return writeBytes;
    case 'items': {
      const { writeItems } = requireCodecs(codecs);
      return (value, _schema, check, strip) => writeItems(value, body.items, check, body.encode, strip);
    }
    case 'other':
      throw new Error(`there is no encoder for ${mediaType}`);
  }
}
