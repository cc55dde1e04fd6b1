/** Checks a server's messages over WebSocket against the schema and the protocol graphql-transport-ws. */

import type { GraphQLSchema } from 'graphql';
import type { Answer } from '../../run/server.js';
import type { Conversation } from '../requests/case-maker.js';
import { ID } from '../requests/broken-cases.js';
import { type Reach, isMap } from '../requests/graphql-request.js';
import { type Judgement, found, leakOf, ofOperation } from './graphql-verdict.js';
import { type GraphqlResponse, responseIn } from './response-problems.js';

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
const OF_STATE: ReadonlySet<number> = new Set([1001, 1012, 1013, 4401, 4403, 4429]);

const NOTHING: Judgement = { ids: [] };

/** The finding, the response and the ids of a conversation. */
export function judgeConversation(
  schema: GraphQLSchema,
  { refused }: Conversation,
  reach: Reach,
  answer: Answer,
): Judgement {
  if ('failure' in answer) return found('no-answer', answer.failure);
  const lines = answer.text.split('\n').filter((line) => line !== '');
  const closed = answer.closed?.code;
  const leak = leakOf(answer.closed?.reason ?? '');
  if (leak !== undefined) return leak;
  if (refused !== undefined) return ofRefused(refused, closed);
  const messages: Message[] = [];
  for (const line of closed === undefined ? lines : lines.slice(0, -1)) {
    const message = messageOf(line);
    if (typeof message === 'string') return found('wrong-answer', message);
    messages.push(message);
  }
  const [first] = messages.filter(({ type }) => type !== 'ping');
  if (closed !== undefined && OF_STATE.has(closed) && first === undefined) return NOTHING;
  if (first === undefined) return found('no-answer', 'connection_init is not acknowledged');
  if (first.type !== 'connection_ack')
    return found('wrong-answer', `connection_init is answered by ${first.type}, and not by connection_ack`);
  if (closed === undefined && messages.every(({ type }) => type !== 'pong'))
    return found('wrong-answer', 'ping is not answered by pong');
  const said = messages.filter(({ type }) => TYPES.get(type));
  const other = said.find(({ id }) => id !== ID);
  if (other !== undefined)
    return found(
      'wrong-answer',
      `${other.type} has the id ${JSON.stringify(other.id)}, which no subscription has`,
    );
  const end = said.findIndex(({ type }) => type !== 'next');
  const late = end === -1 ? undefined : said[end + 1];
  if (late !== undefined)
    return found('wrong-answer', `${late.type} comes after the end of the subscription`);
  return 'refusal' in reach
    ? ofBroken(reach.refusal, said, closed)
    : ofValid((response) => ofOperation(schema, reach, response), said, closed);
}

/** @returns the fault if the line is no message of a server */
function messageOf(line: string): Message | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'a message is not JSON';
  }
  const type = isMap(value) ? value['type'] : undefined;
  const isOfOperation = TYPES.get(type);
  if (isOfOperation === undefined)
    return `a message has the type ${JSON.stringify(type)}, which no server sends`;
  const message = value as Message;
  if (!isOfOperation && message.payload != null && !isMap(message.payload))
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
  if (closed === code || OF_STATE.has(closed)) return NOTHING;
  return found(
    'wrong-answer',
    `the connection is closed with ${String(closed)}, and not with ${String(code)}`,
  );
}

/** A subscription that the schema refuses must end in an error; the connection may end too. */
function ofBroken(refusal: string, said: readonly Message[], closed: number | undefined): Judgement {
  const last = said.at(-1);
  if (last === undefined && closed !== undefined)
    return closed < 4400 && !OF_STATE.has(closed) ? found('no-answer', ended(closed)) : NOTHING;
  const response = last && responseOf(last);
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
    const response = responseOf(message);
    if (typeof response === 'string') return found('wrong-answer', response);
    last = judgementOf(response);
    if (last.finding !== undefined || message.type === 'error') return last;
  }
  if (closed === undefined || OF_STATE.has(closed)) return last;
  return closed === 4400
    ? found('valid-refused', `the schema takes it; ${ended(closed)}`)
    : found('no-answer', ended(closed));
}

function ended(code: number): string {
  return `the connection is closed with ${String(code)}`;
}

/** The response in `next` or `error`, and an empty one for `complete`. @returns the fault if it is no response */
function responseOf({ type, payload }: Message): GraphqlResponse | string {
  if (type === 'complete') return {};
  return responseIn(type === 'error' ? { errors: payload } : payload);
}
