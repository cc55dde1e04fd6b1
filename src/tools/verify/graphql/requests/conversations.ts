/** Writes the client's messages of a subscription over WebSocket (graphql-transport-ws), one per line of a body. */

import type { WireRequest } from '../../../running/wire-request.js';
import { brokenCases } from './broken-cases.js';
import type { CaseMaker, Conversation, OperationCase } from './case-maker.js';
import type { RootField } from '../../../values/graphql/ways.js';

/** The id of the subscription. */
export const ID = '1';

type Lines = readonly string[];

/**
 * The WebSocket request that subscribes with the body of an HTTP request.
 *
 * @param own - the headers that identify the caller; a server may read them in the handshake or in `connection_init`
 */
export function conversationOf(
  { path, body = '' }: WireRequest,
  own: Readonly<Record<string, string>>,
  { change = (lines) => lines }: Conversation,
): WireRequest {
  const subscribe = `{"id":"${ID}","type":"subscribe","payload":${body}}`;
  const init = JSON.stringify({ type: 'connection_init', payload: own });
  return {
    method: 'GET',
    path,
    query: '',
    headers: { ...own, 'sec-websocket-protocol': 'graphql-transport-ws' },
    body: change([init, '{"type":"ping"}', subscribe]).join('\n'),
  };
}

/** Messages that the protocol refuses, each with the close code (graphql-transport-ws, "Message types"). */
const REFUSED: readonly (readonly [about: string, code: number, change: (lines: Lines) => Lines])[] = [
  ['a subscription before connection_init', 4401, (lines) => lines.slice(-1)],
  ['connection_init again', 4429, ([init = '']) => [init, init]],
  ['a message that is not JSON', 4400, ([init = '']) => [init, '{"type":']],
  ['a message of an unknown type', 4400, ([init = '']) => [init, '{"type":"unexpected"}']],
  ['the id of another subscription', 4409, (lines) => [...lines, ...lines.slice(-1)]],
];

/** Subscriptions that the schema or the protocol refuses. */
export function* brokenConversations(maker: CaseMaker, root: RootField): Generator<OperationCase> {
  // Validation is tested over HTTP; one request shows whether it also applies here.
  const [broken] = brokenCases(maker, root);
  if (broken !== undefined) yield { ...broken, about: `over WebSocket: ${broken.about}`, conversation: {} };
  for (const [refusal, code, change] of REFUSED) {
    yield* maker.make(`over WebSocket: ${refusal}`, root, (draft) => maker.field(root, draft, 0), {
      isLiteral: true,
      conversation: { change, refused: { refusal, code } },
    });
  }
}
