/** The faults of the library's server, and how each one spoils what is sent. */

import type { ValidationRule } from 'graphql';

export type Json = unknown;

/** Each fault with the rule that it breaks. */
export const FAULTS = {
  'everything is forbidden': 'no-success',
  'the connection is cut': 'no-answer',
  'a crash ends in a 500': 'server-error',
  'a resolver ends in an unexpected error': 'server-error',
  'a long title is an unexpected error': 'server-error',
  'a resolver has null for a non-null field': 'server-error',
  'an error shows a stack': 'leaked',
  'a selected field is missing': 'wrong-answer',
  'a field that is not selected is there': 'wrong-answer',
  'fields come in another order': 'wrong-answer',
  'an Int is beyond its range': 'wrong-answer',
  'an ID is a number': 'wrong-answer',
  'an enum has another value': 'wrong-answer',
  'a Float is a text': 'wrong-answer',
  'a non-null field is null': 'wrong-answer',
  'a list is an object': 'wrong-answer',
  'a __typename is of no type': 'wrong-answer',
  'an event has another type': 'wrong-answer',
  'over WebSocket, an event has another type': 'wrong-answer',
  'over WebSocket, an event has another id': 'wrong-answer',
  'over WebSocket, an event comes after the end': 'wrong-answer',
  'over WebSocket, a message has another type': 'wrong-answer',
  'over WebSocket, ping has no pong': 'wrong-answer',
  'over WebSocket, a refusal has another code': 'wrong-answer',
  'over WebSocket, connection_init is not acknowledged': 'no-answer',
  'over WebSocket, the connection is cut': 'no-answer',
  'over WebSocket, a valid subscription is refused': 'valid-refused',
  'over WebSocket, a broken subscription is taken': 'broken-accepted',
  'over WebSocket, nothing needs connection_init': 'broken-accepted',
  'over WebSocket, connection_init may come again': 'broken-accepted',
  'over WebSocket, any message is taken': 'broken-accepted',
  'over WebSocket, two have one id': 'broken-accepted',
  'an error has no message': 'wrong-answer',
  'an error has a line 0': 'wrong-answer',
  'an error leads to a value': 'wrong-answer',
  'an error makes too much null': 'wrong-answer',
  'a response has another member': 'wrong-answer',
  'a refusal has data': 'wrong-answer',
  'a refusal has the status 200': 'wrong-answer',
  'an answer has another media type': 'wrong-answer',
  'introspection lacks a field': 'wrong-answer',
  'an alias is refused': 'valid-refused',
  'the greatest Int is refused': 'valid-refused',
  'an item is not taken for a list': 'valid-refused',
  'an unknown field is ignored': 'broken-accepted',
  'a required argument may be missing': 'broken-accepted',
  'an unknown argument is ignored': 'broken-accepted',
  'an unknown directive is ignored': 'broken-accepted',
  'a variable may have another type': 'broken-accepted',
  'a fraction is taken for an Int': 'broken-accepted',
  'an unknown enum value is taken': 'broken-accepted',
  'two members of @oneOf are taken': 'broken-accepted',
  'a constraint is ignored': 'broken-accepted',
  'a document may end early': 'broken-accepted',
  'any operationName is taken': 'broken-accepted',
  'GET changes': 'broken-accepted',
  'any media type is taken': 'broken-accepted',
  'malformed JSON is taken': 'broken-accepted',
  'what is created is lost': 'lost',
  'what is deleted stays': 'not-deleted',
} as const;

/** A server need not have a WebSocket. */
export type Fault = keyof typeof FAULTS | 'there is no WebSocket for an event';

/** The rules of validation that a fault leaves out. */
const LEFT_OUT: Partial<Record<Fault, string>> = {
  'an unknown field is ignored': 'FieldsOnCorrectTypeRule',
  'an unknown argument is ignored': 'KnownArgumentNamesRule',
  'an unknown directive is ignored': 'KnownDirectivesRule',
  'a variable may have another type': 'VariablesInAllowedPositionRule',
};

export function validationWithout(
  fault: Fault | undefined,
  rules: readonly ValidationRule[],
): readonly ValidationRule[] {
  return rules.filter(({ name }) => fault === undefined || name !== LEFT_OUT[fault]);
}

type Parameters = Readonly<Record<string, Json>>;

/** What the server makes of the parameters before it looks at them. */
export function spoiledRequest(fault: Fault | undefined, given: Parameters): Parameters {
  const text = String(given['query']);
  switch (fault) {
    case 'a fraction is taken for an Int':
      return mapped(given, (_, value) =>
        typeof value === 'number' ? Math.trunc(value) : value,
      ) as Parameters;
    case 'an unknown enum value is taken':
      return mapped(given, (_, value) => (value === 'not-in-the-enum' ? 'NOVEL' : value)) as Parameters;
    case 'two members of @oneOf are taken':
      return mapped(given, (name, value) =>
        name === 'by' && isMap(value) ? Object.fromEntries(Object.entries(value).slice(0, 1)) : value,
      ) as Parameters;
    case 'a required argument may be missing':
      return {
        ...given,
        query: text.replace(/^query Verify \{\s+author \{/, 'query Verify { author(id: "0") {'),
      };
    case 'the greatest Int is refused':
      return text.includes('2147483647') ? { query: '{ refused }' } : given;
    case 'an item is not taken for a list':
      return /tags: "/.test(text) ? { query: '{ refused }' } : given;
    default:
      return given;
  }
}

const LEAVES: Partial<Record<Fault, (name: string, value: Json) => Json>> = {
  'an Int is beyond its range': (name, value) => (name === 'pages' && value !== null ? 3_000_000_000 : value),
  'an ID is a number': (name, value) =>
    name === 'id' && typeof value === 'string' ? Number(value) || 7 : value,
  'an enum has another value': (name, value) => (name === 'genre' ? 'novel' : value),
  'a Float is a text': (name, value) => (name === 'rating' ? '4.5' : value),
  'a non-null field is null': (name, value) => (name === 'title' ? null : value),
  'a list is an object': (name, value) =>
    name === 'books' && Array.isArray(value) ? { list: value } : value,
  'a __typename is of no type': (name, value) =>
    name === '__typename' && value === 'Film' ? 'Movie' : value,
  'a selected field is missing': (_, value) => (isMap(value) ? without(value, 'rating') : value),
  'a field that is not selected is there': (_, value) =>
    isMap(value) && 'rating' in value ? { ...value, stars: 5 } : value,
  'fields come in another order': (_, value) =>
    isMap(value) && 'rating' in value ? Object.fromEntries(Object.entries(value).reverse()) : value,
};

interface Response {
  readonly data?: unknown;
  readonly errors?: readonly object[];
}

/** What the server makes of a result before it writes it. */
export function spoiled(fault: Fault | undefined, given: Response, query: string): Json {
  const result = JSON.parse(JSON.stringify(given)) as Response;
  const { data, errors } = result;
  const change = fault && LEAVES[fault];
  if (change !== undefined && isMap(data) && !('__schema' in data))
    return { ...result, data: mapped(data, change) };
  switch (fault) {
    case 'an event has another type':
    case 'over WebSocket, an event has another type':
      return query === (fault.startsWith('over') ? 'WebSocket' : 'subscription')
        ? { data: mapped(data, (name, value) => (name === 'isLent' ? 'no' : value)) }
        : result;
    case 'everything is forbidden':
      return { data: null, errors: [{ message: 'forbidden', path: ['author'] }] };
    case 'an error has no message':
      return errors === undefined
        ? result
        : { ...result, errors: errors.map((each) => without({ ...each }, 'message')) };
    case 'an error has a line 0':
      return errors === undefined
        ? result
        : { ...result, errors: errors.map((each) => ({ ...each, locations: [{ line: 0, column: 1 }] })) };
    case 'an error leads to a value':
      return isMap(data) && Array.isArray(data['works'])
        ? { data, errors: [{ message: 'oh', path: ['works', 0] }] }
        : result;
    case 'an error makes too much null':
      return errors !== undefined && isMap(data) && isMap(data['createAuthor'])
        ? { data: null, errors }
        : result;
    case 'a response has another member':
      return { ...result, status: 'done' };
    case 'a refusal has data':
      return data === undefined ? { data: null, ...result } : result;
    case 'introspection lacks a field':
      return isMap(data) && '__schema' in data
        ? mapped(result, (name, value) =>
            name === 'fields' && Array.isArray(value)
              ? value.filter((each: { name: string }) => each.name !== 'pages')
              : value,
          )
        : result;
    default:
      return result;
  }
}

/** Changes each member of a value, the inner ones first. */
function mapped(value: Json, change: (name: string, value: Json) => Json, name = ''): Json {
  if (Array.isArray(value))
    return change(
      name,
      value.map((each: Json) => mapped(each, change, name === 'errors' ? '' : `${name}[]`)),
    );
  if (!isMap(value)) return change(name, value);
  const members = Object.entries(value).map(([key, member]) => [key, mapped(member, change, key)] as const);
  return change(name, Object.fromEntries(members));
}

export function isMap(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(value: Record<string, Json>, name: string): Record<string, Json> {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
}
