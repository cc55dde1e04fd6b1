/** Reads the answer to a request, and checks it against the answers that the contract declares. */

import type { Check, Convert } from '../contract/contract.js';
import { placeOf } from '../failures/failure.js';
import { memberPointer } from '../failures/json-value.js';
import { piecesOf } from '../http/response-writers.js';
import { essenceOf, findByMediaType } from '../http/media-type.js';
import { Problem } from '../http/problem.js';
import { textOf, wholeWithin } from '../http/read-body.js';
import { parseExactJson, withoutBigints } from '../rest/decode/exact.js';
import { DecodeError, failuresIn } from '../rest/decode/mismatch.js';
import type { CompiledBody } from '../rest/operation/request-body.js';
import { findByStatus } from '../rest/responses/response-checker.js';
import { type ResponseProblem, sentenceOf, unfit } from '../rest/responses/response-problem.js';

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

/** The answer that the contract declares for one status. */
export interface DeclaredAnswer {
  /** By media type or range; absent when the answer has no body, or none that is read. */
  readonly content?: ReadonlyMap<string, AnswerBody> | undefined;
  /** Reads the headers that the contract declares, as the caller gets them. */
  readonly readHeaders: (headers: Headers, settle: Settle) => object;
}

/** `stream`: the caller gets the bytes as they arrive. */
export type AnswerBody = 'stream' | (CompiledBody & { readonly exact: boolean });

/** Throws to reject the answer; else the answer is read in spite of the problem. */
type Settle = (problem: ResponseProblem) => void;

export interface Reading {
  /** The maximum size in bytes of a body, or of an item of a stream. */
  readonly limit: number;
  /** Gets each problem of an answer whose status is declared. */
  readonly settle: (problem: UnexpectedAnswer) => void;
  /** The end of the message for an undeclared status; clients of services show nothing of a body, which may be secret. */
  readonly shown?: (response: Response) => Promise<string>;
}

/** @throws UnexpectedAnswer when the contract does not declare the status, the body cannot be read, or `settle` throws */
type AnswerReader = (response: Response) => Promise<object>;

/** @param name - how errors name the request */
export function compileAnswers(
  name: string,
  answers: ReadonlyMap<string, DeclaredAnswer>,
  { limit, settle, shown }: Reading,
): AnswerReader {
  return async (response) => {
    const { status } = response;
    const errorFor = (problem: ResponseProblem, end = ''): UnexpectedAnswer =>
      new UnexpectedAnswer(name, status, sentenceOf(problem) + end);
    try {
      const answer = findByStatus(answers, status);
      if (answer === undefined)
        throw errorFor({ kind: 'undeclared-status', place: '/status', status }, await shown?.(response));
      const settleOne: Settle = (problem) => settle(errorFor(problem));
      return await readAnswer(answer, response, limit, settleOne, explained);
    } catch (error) {
      // An unread body would keep the connection open.
      if (!response.bodyUsed) await response.body?.cancel().catch(() => undefined);
      throw explained(error);
    }

    /** The error for a body that cannot be read; another error, such as that of an abort, is passed on. */
    function explained(error: unknown): unknown {
      if (!(error instanceof DecodeError || error instanceof Problem)) return error;
      return errorFor({ kind: 'malformed-body', place: '/body', reason: error.message });
    }
  };
}

async function readAnswer(
  { content, readHeaders }: DeclaredAnswer,
  response: Response,
  limit: number,
  settle: Settle,
  explained: (error: unknown) => unknown,
): Promise<object> {
  const head = { status: response.status, ...readHeaders(response.headers, settle) };
  const contentType = response.headers.get('content-type') ?? '';
  if (content === undefined || (response.body === null && contentType === '')) {
    if (content !== undefined) settle({ kind: 'missing-body', place: '/body' });
    await response.body?.cancel();
    return head;
  }
  const mediaType = essenceOf(contentType);
  let codec = findByMediaType(content, mediaType);
  if (codec === undefined) {
    settle({ kind: 'undeclared-media-type', place: '/headers/content-type', mediaType });
    codec = bodyOfType(mediaType);
  }
  const stream: ReadableStream<Uint8Array> = response.body ?? new Blob([]).stream();
  const answer = { ...head, contentType: mediaType };
  if (codec === 'stream') return { ...answer, body: stream };
  const pieces = piecesOf(stream);
  if (codec.open !== undefined) {
    const items = codec.open(pieces, contentType, limit, (failure) => settle(unfit(failure)));
    return { ...answer, body: explainedItems(items, explained) };
  }
  const bytes = await wholeWithin(pieces, limit);
  if (bytes === undefined)
    throw new Problem(413, sentenceOf({ kind: 'oversized-body', place: '/body', limit }));
  const exactBody = await codec.decode(bytes, contentType);
  const body = codec.exact ? withoutBigints(exactBody) : exactBody;
  const [failure] = failuresIn(codec.check, body, '/body');
  if (failure !== undefined) settle(unfit(failure));
  try {
    return { ...answer, body: codec.convert === undefined ? body : codec.convert(body, exactBody) };
  } catch (error) {
    const place = placeOf(error).map(memberPointer).join('');
    throw new Problem(400, `body${place} ${(error as Error).message}`);
  }
}

/** A body that is decoded in one piece. Integers beyond 2^53 are rounded, unless `exact` makes them bigints for the conversion. */
export function wholeBody(
  kind: 'json' | 'text',
  check: Check | undefined,
  convert?: Convert,
  exact = false,
): AnswerBody {
  const decode = (bytes: Uint8Array): unknown => {
    const text = textOf(bytes, 'body');
    if (kind === 'text') return text;
    try {
      return exact ? parseExactJson(text) : JSON.parse(text);
    } catch {
      // The parser's message repeats a piece of the body, which may be secret.
      throw new Problem(400, 'body must be valid JSON');
    }
  };
  return { decode, check, convert, exact };
}

/** The body of a media type whose value the contract does not describe: JSON, text, or else bytes. */
export function bodyOfType(mediaType: string): AnswerBody {
  if (/[/+]json$/.test(mediaType)) return wholeBody('json', undefined);
  return /^text\/|[/+]xml$/.test(mediaType) ? wholeBody('text', undefined) : 'stream';
}

async function* explainedItems(
  items: AsyncIterable<unknown>,
  explained: (error: unknown) => unknown,
): AsyncGenerator<unknown, void, void> {
  try {
    yield* items;
  } catch (error) {
    throw explained(error);
  }
}
