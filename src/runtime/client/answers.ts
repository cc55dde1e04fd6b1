/** Reads the answer to an outgoing request, and checks it against the answers that the contract declares. */

import type { Check } from '../contract/contract.js';
import type { OutgoingAnswer } from '../contract/outgoing.js';
import { essenceOf, findByMediaType } from '../http/media-type.js';
import { inOnePiece } from '../http/memory-request.js';
import { Problem } from '../http/problem.js';
import { wholeWithin } from '../http/read-body.js';
import { bodyCodecs } from '../rest/operation/forms-and-streams.js';
import { converted, DecodeError, failuresIn } from '../rest/decode/mismatch.js';
import { withoutBigints } from '../rest/decode/exact.js';
import { compileParameters } from '../rest/decode/parameters.js';
import { findByStatus } from '../rest/responses/response-checker.js';
import { type ResponseProblem, sentenceOf, unfit } from '../rest/responses/response-problem.js';
import { type CompiledBody, compileRequestBody } from '../rest/operation/request-body.js';

/** An answer that the contract does not declare. The caller may use the status to decide on a retry, as after a 503. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';

  constructor(
    request: string,
    readonly status: number,
    reason: string,
  ) {
    super(`${request} was answered ${String(status)} against the contract: ${reason}`);
  }
}

/** @throws UnexpectedAnswer when the contract does not declare the answer */
export type AnswerReader = (response: Response) => Promise<object>;

/** @param name - how errors name the request; @param limit - the maximum size of a body in bytes */
export function compileAnswers(
  name: string,
  answers: Readonly<Record<string, OutgoingAnswer>>,
  limit: number,
): AnswerReader {
  const compiled = new Map(
    Object.entries(answers).map(([status, answer]) => [status, compileAnswer(answer)]),
  );
  return async (response) => {
    const { status } = response;
    const fail: Fail = (problem) => {
      throw new UnexpectedAnswer(name, status, sentenceOf(problem));
    };
    const answer = findByStatus(compiled, status);
    try {
      return await (answer ?? fail({ kind: 'undeclared-status', place: '/status', status })).read(
        response,
        limit,
        fail,
      );
    } catch (error) {
      // An unread body would keep the connection open.
      await response.body?.cancel().catch(() => undefined);
      if (error instanceof DecodeError) return fail(unfit(error.failures[0]));
      if (error instanceof Problem)
        return fail({ kind: 'malformed-body', place: '/body', reason: error.message });
      throw error;
    }
  };
}

type Fail = (problem: ResponseProblem) => never;

interface CompiledAnswer {
  read(response: Response, limit: number, fail: Fail): Promise<object>;
}

function compileAnswer({
  content,
  headers = [],
  checkHeaders,
  decodeHeaders: convertHeaders,
  exact,
}: OutgoingAnswer): CompiledAnswer {
  const decodeHeaders = compileParameters(headers);
  const bodies = content && compileRequestBody({ content }, bodyCodecs, exact);
  return {
    async read(response, limit, fail) {
      const { status } = response;
      const texts = Object.fromEntries(response.headers);
      const decoded = decodeHeaders({ values: [], query: '', headers: texts }).headers;
      requireFit(checkHeaders, { headers: decoded }, '', fail);
      const given = { headers: decoded };
      const read = convertHeaders === undefined ? given : converted(convertHeaders, given, given, '');
      const head = { status, ...(headers.length > 0 && (read as object)) };
      if (bodies === undefined) {
        await response.body?.cancel();
        return head;
      }
      const contentType = response.headers.get('content-type') ?? '';
      const mediaType = essenceOf(contentType);
      const codec: CompiledBody =
        findByMediaType(bodies.content, mediaType) ??
        fail({ kind: 'undeclared-media-type', place: '/headers/content-type', mediaType });
      if (codec.open !== undefined) {
        const stream = (response.body ?? []) as AsyncIterable<Uint8Array>;
        return { ...head, contentType: mediaType, body: codec.open(stream, contentType, limit) };
      }
      const exactBody = await codec.decode(await bytesOf(response, limit, fail), contentType);
      const body = exact === true ? withoutBigints(exactBody) : exactBody;
      requireFit(codec.check, body, '/body', fail);
      const value = codec.convert === undefined ? body : converted(codec.convert, body, exactBody, '/body');
      return { ...head, contentType: mediaType, body: value };
    },
  };
}

function requireFit(check: Check | undefined, value: unknown, place: string, fail: Fail): void {
  const [first] = failuresIn(check, value, place);
  if (first !== undefined) fail(unfit(first));
}

async function bytesOf(response: Response, limit: number, fail: Fail): Promise<Uint8Array> {
  const stream = (response.body ?? inOnePiece(new Uint8Array())) as AsyncIterable<Uint8Array>;
  return (await wholeWithin(stream, limit)) ?? fail({ kind: 'oversized-body', place: '/body', limit });
}
