/**
 * Judges the answer to a GraphQL request: against the schema, and GraphQL over HTTP, or for messages over WebSocket the protocol
 * graphql-transport-ws.
 */

import { isObject, parsedJson } from '@concordat/runtime/parts';
import type { CheckedAnswer } from '@concordat/runtime/testing';
import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { WireRequest } from '../../../running/wire-request.js';
import { type Finding, STATUSES_OF_STATE, leakIn } from '../../run/verify-report.js';
import type { Answer } from '../../run/server.js';
import { ID } from '../requests/broken-cases.js';
import { type Conversation, JSON_RESULT, RESULT } from '../requests/graphql-request.js';
import type { ExpectedOutcome, Reached } from '../requests/graphql-request.js';
import type { GraphqlResponse, WrittenError } from './response-problems.js';
import { errorProblems, responseIn, responseOf } from './response-problems.js';
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
const found = (rule: Finding['rule'], message: string, place = ''): Judgement => {
  return { ids: [], finding: { rule, message, place } };
};

/** The finding, the response and the ids of an answer. */
export function judge(
  schema: GraphQLSchema,
  request: WireRequest,
  expected: ExpectedOutcome,
  answer: Answer,
): Judgement {
  if ('failure' in answer) return found('no-answer', answer.failure);
  const { status, text } = answer;
  const code = String(status);
  const isRefused = 'refusal' in expected;
  const isHttp = isRefused && expected.breaks !== 'schema' && expected.breaks !== 'constraint';
  const isOptional = request.method === 'GET' && !isRefused;
  if (status >= 500 && !(status === 501 && isOptional))
    return found('server-error', `it is answered by ${code}`);
  if (!isRefused && expected.operation.operation === OperationTypeNode.SUBSCRIPTION)
    return ofEvents(schema, expected, answer);
  const isState = STATUSES_OF_STATE.has(status) || OF_TRANSPORT.has(status);
  if (status >= 400 && (isState || isOptional || isHttp)) return leakOf(text) ?? { ids: [] };
  const accepted = isRefused ? `the schema refuses it: ${expected.refusal}; it is answered by ${code}` : '';
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
  if (isRefused && expected.breaks === 'constraint')
    return response.errors === undefined ? found('broken-accepted', accepted) : ofErrors(response);
  if (isRefused) {
    if (response.data != null || NEEDS_STATUS.has(expected.breaks)) return found('broken-accepted', accepted);
    if (response.data === null)
      return found('wrong-answer', 'data is null, and not absent, though nothing was executed');
  }
  const unexecuted = `nothing was executed, and the status is ${code}: with ${RESULT} it must be 4xx`;
  if (isNewer && status < 400 && response.data === undefined) return found('wrong-answer', unexecuted);
  if (status >= 400 && response.data != null)
    return found('wrong-answer', `there is data, and the status is ${code}`);
  return isRefused ? ofErrors(response) : ofOperation(schema, expected, response);
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
function ofOperation(schema: GraphQLSchema, reached: Reached, response: GraphqlResponse): Judgement {
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

function leakOf(text: string): Judgement | undefined {
  const leak = leakIn(text);
  return leak === undefined ? undefined : found('leaked', `an error reveals: ${leak}`);
}

interface Message {
  readonly type: string;
  readonly id?: unknown;
  readonly payload?: unknown;
}

/** The types of a server's messages, with whether they name an operation. */
const TYPES: ReadonlyMap<unknown, boolean> = new Map([
  ['connection_ack', false],
  ['ping', false],
  ['pong', false],
  ['next', true],
  ['error', true],
  ['complete', true],
]);

/** Close codes that depend on the caller or the server's state: a restart, overload, or a missing permission. */
const CLOSED_BY_STATE: ReadonlySet<number> = new Set([1001, 1012, 1013, 4401, 4403, 4429]);

const NOTHING: Judgement = { ids: [] };

/** The finding, the response and the ids of a conversation. */
export function judgeConversation(
  schema: GraphQLSchema,
  { refused }: Conversation,
  expected: ExpectedOutcome,
  answer: Answer,
): Judgement {
  if ('failure' in answer) return found('no-answer', answer.failure);
  const lines = answer.text.split('\n').filter((line) => line !== '');
  const closed = answer.closed?.code;
  const leak = leakOf(answer.closed?.reason ?? '');
  if (leak !== undefined) return leak;
  if (refused !== undefined) {
    // The id of a subscription that has ended may be used again.
    const isEnded = refused.code === 4409 && lines.some((line) => /"type":"(?:complete|error)"/.test(line));
    return isEnded ? NOTHING : ofRefused(refused, closed);
  }
  const messages: Message[] = [];
  for (const line of closed === undefined ? lines : lines.slice(0, -1)) {
    const message = messageOf(line);
    if (typeof message === 'string') return found('wrong-answer', message);
    messages.push(message);
  }
  const [first] = messages.filter(({ type }) => type !== 'ping');
  if (closed !== undefined && CLOSED_BY_STATE.has(closed) && first === undefined) return NOTHING;
  if (first === undefined) return found('no-answer', 'connection_init is not acknowledged');
  if (first.type !== 'connection_ack')
    return found('wrong-answer', `connection_init is answered by ${first.type}, and not by connection_ack`);
  if (closed === undefined && messages.every(({ type }) => type !== 'pong'))
    return found('wrong-answer', 'ping is not answered by pong');
  const said = messages.filter(({ type }) => TYPES.get(type));
  const other = said.find(({ id }) => id !== ID);
  if (other !== undefined) {
    const id = JSON.stringify(other.id);
    return found('wrong-answer', `${other.type} has the id ${id}, which no subscription has`);
  }
  const end = said.findIndex(({ type }) => type !== 'next');
  const late = end === -1 ? undefined : said[end + 1];
  if (late !== undefined)
    return found('wrong-answer', `${late.type} comes after the end of the subscription`);
  return 'refusal' in expected
    ? ofBroken(expected.refusal, said, closed)
    : ofValid((response) => ofOperation(schema, expected, response), said, closed);
}

/** @returns the fault if the line is no message of a server */
function messageOf(line: string): Message | string {
  const value: unknown = parsedJson(line);
  if (value === undefined) return 'a message is not JSON';
  const type = isObject(value) ? value['type'] : undefined;
  const isOfOperation = TYPES.get(type);
  if (isOfOperation === undefined)
    return `a message has the type ${JSON.stringify(type)}, which no server sends`;
  const message = value as Message;
  if (!isOfOperation && message.payload != null && !isObject(message.payload))
    return `the payload of ${message.type} is not an object`;
  return message;
}

/** A message that the protocol refuses must end the connection. */
function ofRefused(
  { refusal, code }: NonNullable<Conversation['refused']>,
  closed: number | undefined,
): Judgement {
  if (closed === undefined)
    return found('broken-accepted', `the protocol refuses it: ${refusal}; the connection stays open`);
  if (closed === code || CLOSED_BY_STATE.has(closed)) return NOTHING;
  return found('wrong-answer', `the connection is closed with ${closed}, and not with ${code}`);
}

/** A subscription that the schema refuses must end in an error; the connection may end too. */
function ofBroken(refusal: string, said: readonly Message[], closed: number | undefined): Judgement {
  const last = said.at(-1);
  if (last === undefined && closed !== undefined)
    return closed < 4400 && !CLOSED_BY_STATE.has(closed) ? found('no-answer', ended(closed)) : NOTHING;
  const response = last && responseOfMessage(last);
  if (typeof response === 'string') return found('wrong-answer', response);
  if (response?.errors !== undefined && response.data == null)
    return leakOf(JSON.stringify(response)) ?? NOTHING;
  const answered = last === undefined ? 'not answered' : `answered by ${last.type}`;
  return found('broken-accepted', `the schema refuses it: ${refusal}; it is ${answered}`);
}

function ofValid(
  judgementOf: (response: GraphqlResponse) => Judgement,
  said: readonly Message[],
  closed: number | undefined,
): Judgement {
  let last = NOTHING;
  for (const message of said) {
    if (message.type === 'complete') return last;
    const response = responseOfMessage(message);
    if (typeof response === 'string') return found('wrong-answer', response);
    last = judgementOf(response);
    if (last.finding !== undefined || message.type === 'error') return last;
  }
  if (closed === undefined || CLOSED_BY_STATE.has(closed)) return last;
  if (closed === 4400) return found('valid-refused', `the schema takes it; ${ended(closed)}`);
  return found('no-answer', ended(closed));
}

const ended = (code: number): string => `the connection is closed with ${code}`;

/** The response in `next` or `error`, and an empty one for `complete`. @returns the fault if it is no response */
function responseOfMessage({ type, payload }: Message): GraphqlResponse | string {
  if (type === 'complete') return {};
  return responseIn(type === 'error' ? { errors: payload } : payload);
}
