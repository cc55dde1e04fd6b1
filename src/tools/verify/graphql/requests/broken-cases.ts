/** The requests of one root field that are refused, or written or sent in an unusual way, also over WebSocket (graphql-transport-ws). */

import type { Json } from '@concordat/runtime';
import { getNamedType, isCompositeType, isRequiredArgument } from 'graphql';
import type { WireRequest } from '../../../running/wire-request.js';
import type { CaseMaker, Conversation, OperationCase } from './graphql-request.js';
import { JSON_RESULT, RESULT } from './graphql-request.js';
import type { Draft, RootField } from '../../../values/graphql/operation-draft.js';

/** Documents that the schema refuses. */
export function* brokenCases(maker: CaseMaker, root: RootField): Generator<OperationCase> {
  const { field } = root;
  const [type = ''] = root.id.split('.');
  const isComposite = isCompositeType(getNamedType(field.type));
  const broken = (about: string, change: (text: string) => string, after = '') => {
    const write = (draft: Draft): string | undefined => {
      const text = maker.field(root, draft, 0);
      return text === undefined ? undefined : change(text);
    };
    return maker.make(about, root, write, { isLiteral: true }, () => after);
  };
  const unexpected = (text: string): string =>
    isComposite ? text.replace(/\{ /, '{ unexpectedField ') : `unexpectedField ${text}`;
  const withArgument = (text: string): string =>
    text.replace(field.name, `${field.name}(unexpectedArgument: 1)`).replace(')(', ', ');
  const undeclared = '... @include(if: $undeclared) { __typename }';
  const unknown = '... @unexpected { __typename }';
  yield* broken('a field that the schema does not have', unexpected);
  yield* broken('an argument that the schema does not have', withArgument);
  yield* broken('a directive that the schema does not have', (text) => `${text} ${unknown}`);
  yield* broken('@include without its argument', (text) => `${text} ... @include { __typename }`);
  yield* broken('a fragment that the document does not have', (text) => `...Missing ${text}`);
  const circle = `fragment Circle on ${type} { ...Circle }`;
  yield* broken('a fragment within itself', (text) => `...Circle ${text}`, circle);
  yield* broken('a fragment that is not used', (text) => text, `fragment Unused on ${type} { __typename }`);
  yield* broken('a variable that is not declared', (text) => `${undeclared} ${text}`);
  yield* maker.make('a variable that is not used', root, (draft) => {
    draft.variable('unused', 'Int', 1);
    return maker.field(root, draft, 0);
  });
  yield* broken(isComposite ? 'no selection of an object' : 'a selection of a leaf', (text) =>
    isComposite ? text.replace(/ \{.*\}$/, '') : `${text} { __typename }`,
  );
  for (const argument of field.args.filter(isRequiredArgument)) {
    yield* maker.make(`${argument.name}: missing`, root, (draft) => {
      const given = { ...field, args: field.args.filter((each) => each !== argument) };
      return maker.field({ ...root, field: given }, draft, 0);
    });
    yield* maker.make(`${argument.name}: a variable without a value`, root, (draft) => {
      const text = maker.field(root, draft, 0);
      Reflect.deleteProperty(draft.variables, argument.name);
      return text;
    });
  }
  for (const argument of field.args) {
    const other = getNamedType(argument.type).name === 'Boolean' ? 'Int' : 'Boolean';
    yield* maker.make(`${argument.name}: a variable of another type`, root, (draft) => {
      const given = { ...field, args: field.args.filter((each) => each !== argument) };
      const text = maker.field({ ...root, field: given }, draft, 0);
      const variable = draft.variable('other', other, other === 'Int' ? 1 : true);
      return text?.replace(field.name, `${field.name}(${argument.name}: ${variable})`).replace(')(', ', ');
    });
  }
}

/** Requests that are written or sent in an unusual way. */
export function* tamperedCases(maker: CaseMaker, root: RootField): Generator<OperationCase> {
  const tampered = (about: string, tamper: (request: WireRequest) => WireRequest, isLiteral = true) =>
    maker.make(about, root, (draft) => maker.field(root, draft, 0), { tamper, isLiteral });
  const rewritten = (about: string, change: (body: Parameters) => object) => tampered(about, changed(change));
  yield* tampered('sent with GET', asGet, false);
  yield* rewritten('a document that ends early', ({ query, ...body }) => {
    return { ...body, query: query.replace(/\}\s*$/, '') };
  });
  yield* rewritten('the name of no operation', (body) => ({ ...body, operationName: 'Missing' }));
  yield* rewritten('two operations and no name', ({ query, ...body }) => {
    return { ...body, query: `${query} query Other { __typename }` };
  });
}

/** HTTP requests that are not GraphQL requests. */
export function* endpointCases(maker: CaseMaker, root: RootField): Generator<OperationCase> {
  for (const accept of [RESULT, JSON_RESULT, '*/*']) {
    const tampered = (about: string, tamper: (request: WireRequest) => WireRequest) =>
      maker.make(about, root, (draft) => maker.field(root, draft, 0), { tamper, accept, isLiteral: true });
    const rewritten = (about: string, change: (body: Parameters) => object) =>
      tampered(about, changed(change));
    yield* tampered(`accepting ${accept}`, (sent) => sent);
    yield* tampered('a body in another media type', ({ headers, ...sent }) => {
      return { ...sent, headers: { ...headers, 'content-type': 'text/plain' } };
    });
    yield* tampered('JSON that ends early', ({ body = '', ...sent }) => {
      return { ...sent, body: body.slice(0, -1) };
    });
    yield* tampered('a JSON text', (sent) => ({ ...sent, body: '"text"' }));
    yield* rewritten('a body without query', () => ({}));
    yield* rewritten('a query that is a number', (body) => ({ ...body, query: 7 }));
    yield* rewritten('variables that are a text', (body) => ({ ...body, variables: 'text' }));
    yield* rewritten('an operationName that is a number', (body) => ({ ...body, operationName: 7 }));
    yield* rewritten('an empty document', (body) => ({ ...body, query: '' }));
  }
}

interface Parameters {
  readonly query: string;
  readonly variables?: Json;
}

/** Changes the parameters in a body. */
export function changed(change: (parameters: Parameters) => object): (request: WireRequest) => WireRequest {
  return (sent) => ({ ...sent, body: JSON.stringify(change(JSON.parse(sent.body ?? '') as Parameters)) });
}

/** The same request in a query string (GraphQL over HTTP, "GET"). */
function asGet({ body = '', path, headers }: WireRequest): WireRequest {
  const parameters = Object.entries(JSON.parse(body) as Readonly<Record<string, Json>>).map(
    ([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)],
  );
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type'));
  return { method: 'GET', path, query: new URLSearchParams(parameters).toString(), headers: others };
}

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
    const manner = { isLiteral: true, conversation: { change, refused: { refusal, code } } };
    yield* maker.make(`over WebSocket: ${refusal}`, root, (draft) => maker.field(root, draft, 0), manner);
  }
}
