/** Checks the answer to a GraphQL request against the schema and GraphQL over HTTP. */

import type { CheckedAnswer } from '@concordat/runtime/testing';
import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { WireRequest } from '../../../running/wire-request.js';
import { type Finding, OF_STATE, leakIn } from '../../run/verify-report.js';
import type { Answer } from '../../run/server.js';
import { JSON_RESULT, RESULT } from '../requests/case-maker.js';
import type { Reach, Reached } from '../requests/graphql-request.js';
import { type GraphqlResponse, type WrittenError, errorProblems, responseOf } from './response-problems.js';
import { ResultReader, type SeenId } from './result-problems.js';

export interface Judgement {
  readonly finding?: Finding;
  /** Absent if the answer is no GraphQL response. */
  readonly response?: GraphqlResponse;
  readonly ids: readonly SeenId[];
}

/** Statuses that do not concern the operation: the server may not support `GET`, a media type, or a request of this size. */
const OF_TRANSPORT: ReadonlySet<number> = new Set([405, 406, 413, 414, 415, 431, 501]);

/** Messages of graphql-js and its ports for a resolver's value that does not fit the schema. */
const UNFIT =
  /^(?:Cannot return null for non-nullable|Expected Iterable, but did not find|Abstract type|\w+ cannot represent|Enum "\w+" cannot represent)/;

/** Refusals that depend on the caller and on limits. */
const STATE_CODE = /UNAUTH|FORBIDDEN|LIMIT|TOO_|COMPLEX|PERSISTED/i;

/** The media type of subscriptions. */
export const EVENTS = 'text/event-stream';

/** @param place - a schema coordinate */
export function found(rule: Finding['rule'], message: string, place = ''): Judgement {
  return { ids: [], finding: { rule, message, place } };
}

/** The finding, the response and the ids of an answer. */
export function judge(schema: GraphQLSchema, request: WireRequest, reach: Reach, answer: Answer): Judgement {
  if ('failure' in answer) return found('no-answer', answer.failure);
  const { status, text } = answer;
  const code = String(status);
  const isRefused = 'refusal' in reach;
  const isHttp = isRefused && reach.breaks !== 'schema';
  const isOptional = request.method === 'GET' && !isRefused;
  if (status >= 500 && !(status === 501 && isOptional))
    return found('server-error', `it is answered by ${code}`);
  if (!isRefused && reach.operation.operation === OperationTypeNode.SUBSCRIPTION)
    return ofEvents(schema, reach, answer);
  const isState = OF_STATE.has(status) || OF_TRANSPORT.has(status);
  if (status >= 400 && (isState || isOptional || isHttp)) return leakOf(text) ?? { ids: [] };
  const accepted = isRefused ? `the schema refuses it: ${reach.refusal}; it is answered by ${code}` : '';
  const mediaType = String(answer.headers['content-type']).replace(/;.*/s, '').trim().toLowerCase();
  if (status >= 300 && status < 400)
    return found(isRefused ? 'broken-accepted' : 'wrong-answer', accepted || `it is answered by ${code}`);
  if (!accepts(request.headers['accept'] ?? '*/*', mediaType)) {
    if (isHttp) return found('broken-accepted', accepted);
    return found('wrong-answer', `the media type ${mediaType} is not one that the request accepts`);
  }
  const response = responseOf(text);
  if (typeof response === 'string') return found('wrong-answer', response);
  const isNewer = mediaType === RESULT;
  if (isRefused) {
    if (response.data != null || NEEDS_STATUS.has(reach.breaks)) return found('broken-accepted', accepted);
    if (response.data === null)
      return found('wrong-answer', 'data is null, and not absent, though nothing was executed');
  }
  if (isNewer && status < 400 && response.data === undefined)
    return found(
      'wrong-answer',
      `nothing was executed, and the status is ${code}: with ${RESULT} it must be 4xx`,
    );
  if (status >= 400 && response.data != null)
    return found('wrong-answer', `there is data, and the status is ${code}`);
  return isRefused ? ofErrors(response) : ofOperation(schema, reach, response);
}

/** Judges results in server-sent events (GraphQL over SSE, "Distinct connections mode"), which a server need not support. */
function ofEvents(
  schema: GraphQLSchema,
  reached: Reached,
  { status, headers, text }: CheckedAnswer,
): Judgement {
  if (status >= 300 || !String(headers['content-type']).startsWith(EVENTS))
    return leakOf(text) ?? { ids: [] };
  let last: Judgement = { ids: [] };
  for (const [, data = ''] of text.matchAll(/^event: ?next\r?\ndata: ?(.*)\r?\n\r?$/gm)) {
    const response = responseOf(data);
    if (typeof response === 'string') return found('wrong-answer', response);
    last = ofOperation(schema, reached, response);
    if (last.finding !== undefined) return last;
  }
  return last;
}

/** The rules whose breach must be refused by a 4xx status for any `Accept`. */
const NEEDS_STATUS: ReadonlySet<string> = new Set(['media-type', 'method']);

function accepts(accept: string, mediaType: string): boolean {
  return [RESULT, JSON_RESULT].includes(mediaType) && (accept.includes(mediaType) || accept.includes('*/*'));
}

/** Judges the response to an operation that the schema accepts. */
export function ofOperation(schema: GraphQLSchema, reached: Reached, response: GraphqlResponse): Judgement {
  const reader = new ResultReader(schema, reached);
  const faults = ofErrors(response, reader);
  if (faults.finding !== undefined) return faults;
  if (response.data === undefined) {
    const [{ message, extensions } = { message: '' } as WrittenError] = response.errors ?? [];
    const isState = reached.isUndecided || STATE_CODE.test(String(extensions?.['code']));
    const refused = found('valid-refused', `the schema takes it; it is refused: ${message}`);
    return isState ? { response, ids: [] } : { ...refused, response };
  }
  reader.read(response.data);
  const [problem] = [...reader.problems, ...errorProblems(reader, reached, response)];
  const ids = reader.ids;
  return { response, ids, ...(problem && { finding: { rule: 'wrong-answer', ...problem } }) };
}

/** Finds an error of the server itself, or one that leaks internals. */
function ofErrors(response: GraphqlResponse, reader?: ResultReader): Judgement {
  for (const error of response.errors ?? []) {
    const { message, extensions = {}, path = [] } = error;
    const place = reader?.placeOf(path) ?? '';
    if (extensions['code'] === 'INTERNAL_SERVER_ERROR' || (path.length > 0 && UNFIT.test(message)))
      return { ...found('server-error', `an error of the server: ${message}`, place), response };
    const leak = leakOf(JSON.stringify(error));
    if (leak !== undefined) return { ...leak, response };
  }
  return { response, ids: [] };
}

export function leakOf(text: string): Judgement | undefined {
  const leak = leakIn(text);
  return leak === undefined ? undefined : found('leaked', `an error reveals: ${leak}`);
}
