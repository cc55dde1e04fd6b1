/** Serves a fixture: sends it requests, and shows the arguments of its handlers. */

import { after, before } from 'mocha';
import type { DecodedRequest } from '../../src/runtime/rest/operation/handler.js';
import type { Encoder, RestEngine, HttpResponse, SecurityHandler } from '../../src/runtime/index.js';
import { memoryRequest } from '../../src/runtime/http/memory-request.js';
import { fixture } from './contract-list.js';
import { generateContract, removeDirectory, temporaryPackage } from './generated-contract.js';

/** What one request led to. */
export interface Outcome {
  /** The operation whose handler was called; undefined when none was. */
  readonly id: string | undefined;
  /** What the handler was given. */
  readonly given: DecodedRequest | undefined;
  readonly caller: unknown;
  readonly response: HttpResponse;
  /** The error that the engine masked with a 500. */
  readonly failure: string | undefined;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** A text, bytes, or a form that is sent as multipart. */
  readonly body?: string | Uint8Array | FormData;
  /** What the handler answers; 204 when not given. */
  readonly answer?: unknown;
}

/** Sends `GET /path?query`. */
export type Send = (line: string, sent?: Sent) => Promise<Outcome>;

/** Generates a fixture before the tests of a suite, and gives what sends requests to it. */
export function serveFixture(
  name: string,
  service: {
    readonly security?: Readonly<Record<string, SecurityHandler<string>>>;
    readonly encoders?: Readonly<Record<string, Encoder>>;
  } = {},
): Send {
  let directory = '';
  let engine: RestEngine<string> | undefined;
  let outcome: Partial<Outcome> = {};
  let answer: unknown;

  before(async () => {
    directory = await temporaryPackage();
    const { file, accept } = fixture(name);
    const { contract, start } = await generateContract(directory, { openapi: file, accept });
    const handler = (id: string) => (given: DecodedRequest, context: { readonly caller: unknown }) => {
      outcome = { id, given, caller: context.caller };
      return answer;
    };
    const operations = Object.fromEntries(Object.keys(contract.operations).map((id) => [id, handler(id)]));
    engine = start({
      operations,
      ...service,
      report: (error) => {
        outcome = { ...outcome, failure: String(error) };
      },
    });
  });

  after(() => removeDirectory(directory));

  return async (line, sent = {}): Promise<Outcome> => {
    if (engine === undefined) throw new Error('nothing is served yet');
    const [method = '', target = ''] = line.split(' ');
    const [path = '', query = ''] = target.split('?');
    const { bytes, contentType } = await encoded(sent.body);
    outcome = {};
    answer = sent.answer ?? { status: 204 };
    const response = await engine(
      memoryRequest({
        method,
        path,
        query,
        headers: {
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...(sent.body !== undefined && { 'content-length': String(bytes.length) }),
          ...sent.headers,
        },
        body: bytes,
      }),
    );
    const { id, given, caller, failure } = outcome;
    return { id, given, caller, response, failure };
  };
}

async function encoded(
  body: Sent['body'],
): Promise<{ readonly bytes: Uint8Array; readonly contentType: string | undefined }> {
  const carrier = new Response(body);
  const contentType = carrier.headers.get('content-type') ?? undefined;
  return { bytes: new Uint8Array(await carrier.arrayBuffer()), contentType };
}

/** The sentence of a refusal. */
export function detailOf({ body }: HttpResponse): unknown {
  if (typeof body !== 'string') throw new Error('there is no problem');
  return (JSON.parse(body) as { readonly detail: unknown }).detail;
}
