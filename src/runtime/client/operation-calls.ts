/** The calls of a client: each operation is a function from its request to one of its declared answers. */

import { requireCodecs } from '../contract/body-codecs.js';
import type {
  OperationContract,
  ResponseChecks,
  ResponseContract,
  RestContract,
  Signatures,
} from '../contract/contract.js';
import type { RequestHeaders } from '../http/message.js';
import { expectedResponse, headerProblems } from '../rest/responses/response-checker.js';
import {
  type AnswerBody,
  type DeclaredAnswer,
  type Reading,
  bodyOfType,
  compileAnswers,
  wholeBody,
} from './answers.js';
import { type GivenRequest, type WrittenRequest, compileWriter } from './outgoing-request.js';

/** Per-call options, in addition to the request of the operation. */
export interface CallOptions {
  /** Headers, such as `authorization`; names in lower case. They replace those of the client. */
  readonly headers?: RequestHeaders;
  /** Aborts the call, also between retries and while its answer arrives. */
  readonly signal?: AbortSignal;
}

/** One function per operation. */
export type OperationCalls<Handlers extends Signatures<Handlers>, Options> = {
  readonly [Id in keyof Handlers]: ClientCall<
    Parameters<Handlers[Id]>[0],
    Awaited<ReturnType<Handlers[Id]>>,
    Options
  >;
};

/** The request is optional if all its properties are. */
type ClientCall<Request, Response, Options> =
  object extends ClientRequest<Request>
    ? (request?: ClientRequest<Request>, options?: Options) => Promise<ClientResponse<Response>>
    : (request: ClientRequest<Request>, options?: Options) => Promise<ClientResponse<Response>>;

type Lenient = 'query' | 'headers' | 'cookies';

/** The handler's request with optional parameters: those with a default are required in the handler's type only. */
type ClientRequest<Request> = Request extends unknown
  ? Omit<Request, Lenient> & { readonly [Part in keyof Request & Lenient]?: Partial<Request[Part]> }
  : never;

/** The handler's answer, with the headers as text, and with bytes as a stream. */
type ClientResponse<Response> = Response extends { readonly status: infer Status; readonly body?: infer Body }
  ? {
      readonly status: Status;
      /** By name in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      /** The media type without parameters; undefined if there is no body. */
      readonly contentType: Response extends { readonly contentType?: infer Type extends string }
        ? Type
        : undefined;
      readonly body: [Extract<Body, ReadableStream>] extends [never] ? Body : ReadableStream<Uint8Array>;
    }
  : never;

/** Sends a request; it has the headers that the operation needs, without those of the options. */
export type Send<Options> = (
  request: WrittenRequest & { readonly id: string; readonly operation: OperationContract },
  options: Options,
) => Promise<Response>;

/** @param checks - without them, values of answers are not checked */
export function compileCalls<Id extends string, Handlers extends Signatures<Handlers>, Options>(
  contract: RestContract<Id, string, Handlers>,
  checks: ResponseChecks | undefined,
  reading: Reading,
  send: Send<Options>,
): OperationCalls<Handlers, Options> {
  const { bodyCodecs } = contract;
  const calls = Object.entries<OperationContract>(contract.operations).map(([id, operation]) => {
    const write = compileWriter(id, operation, bodyCodecs);
    const answers = Object.entries(operation.responses).map(
      ([status, response]) =>
        [status, declaredAnswer(response, operation.method, checks, bodyCodecs)] as const,
    );
    const read = compileAnswers(id, new Map(answers), reading);
    const accept = acceptOf(operation);
    const call = async (request: GivenRequest = {}, options: Partial<Options> = {}): Promise<object> => {
      const written = write(request);
      const headers = { ...accept, ...written.headers };
      return read(await send({ ...written, headers, id, operation }, options as Options));
    };
    return [id, call];
  });
  // The generated types are narrower than the types here; both come from the same contract.
  return Object.fromEntries(calls) as OperationCalls<Handlers, Options>;
}

function declaredAnswer(
  response: ResponseContract,
  method: string,
  checks: ResponseChecks | undefined,
  bodyCodecs: object | undefined,
): DeclaredAnswer {
  const expected = expectedResponse(response, checks);
  const bodies = [...expected.bodies].map(([mediaType, { declared, check }]): [string, AnswerBody] => {
    const { kind, decode, exact = false } = declared;
    if (kind === 'bytes') return [mediaType, 'stream'];
    if (kind === 'other') return [mediaType, bodyOfType(mediaType)];
    if (kind !== 'items') return [mediaType, wholeBody(kind, check, decode, exact)];
    const conversion = decode && { convert: decode, exact };
    return [mediaType, { open: requireCodecs(bodyCodecs).items(declared.items, check, conversion), exact }];
  });
  return {
    content: bodies.length === 0 || method === 'HEAD' ? undefined : new Map(bodies),
    readHeaders: (given, settle) => {
      const headers = Object.fromEntries([...given.keys()].map((name) => [name, given.get(name) ?? '']));
      for (const problem of headerProblems(expected, { headers, hasTextHeaders: true })) settle(problem);
      return { headers };
    },
  };
}

/** Prefers the media types that this client decodes: an encoder of the service writes the others, such as XML. */
function acceptOf({ responses }: OperationContract): Readonly<Record<string, string>> {
  const bodies = Object.values(responses).flatMap(({ content = {} }) => Object.entries(content));
  const decoded = bodies.filter(([, { kind }]) => kind !== 'other').map(([mediaType]) => mediaType);
  return decoded.length === 0 ? {} : { accept: [...new Set(decoded), '*/*;q=0.1'].join(', ') };
}
