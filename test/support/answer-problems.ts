/**
 * Checks answers against a contract without any generated code: the status, the media type, the headers and the body must
 * be as the document declares for the operation, or as required for routes that it does not have.
 */
import { child, entries, follow, type Node, type Place } from '../contract/contract-document.js';
import { compileRoutes, methodsOf, type Route } from './contract-routes.js';
import { SchemaChecks } from './schema-checks.js';
import type { HttpAnswer, HttpRequest } from './send.js';
import { parseXml, xmlReadings } from './xml-readings.js';

/** Headers of HTTP itself that any answer may have: of the message, its connection and content negotiation. */
const HTTP_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
]);

/** Headers that the server adds to any answer: they do not belong to an operation, and settings turn them off. */
const SERVER_HEADERS = new Set([
  // Operations declare it where they set it themselves.
  'cache-control',
  'x-request-id',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]);

const ERROR = { schema: { $ref: '#/components/schemas/Error' } };

/** Errors of routes that the contract does not have; they have its error format all the same. */
const ROUTE_ERROR: Place = {
  value: { content: { 'application/json': ERROR, 'application/xml': ERROR } },
  pointer: '#',
};

/** The expectations of an answer. */
interface Due {
  readonly response: Place;
  /** Headers that the status implies without a declaration. */
  readonly headers: readonly string[];
}

/** @returns a function that lists the problems of an answer to a request, one sentence each */
export function compileAnswerProblems(
  document: Node,
): (request: Pick<HttpRequest, 'method' | 'path'>, answer: HttpAnswer) => readonly string[] {
  const routeOf = compileRoutes(document);
  const schemas = new SchemaChecks(document);
  return ({ method, path }, answer) => {
    const route = routeOf(path);
    const due = dueOf(document, route, method, answer.status);
    if (typeof due === 'string') return [due];
    return [
      ...allowProblems(route, due, answer),
      ...headerProblems(document, schemas, due, answer),
      ...bodyProblems(document, schemas, due.response, method, answer),
    ];
  };
}

/** The expectations for a status, or the reason why it is not allowed. */
function dueOf(document: Node, route: Route, method: string, status: number): Due | string {
  if (route.size === 0) {
    return status === 404 ? { response: ROUTE_ERROR, headers: [] } : 'an unknown path must be 404';
  }
  const place = route.get(method) ?? (method === 'HEAD' ? route.get('GET') : undefined);
  if (place === undefined) {
    const response = method === 'OPTIONS' ? { value: {}, pointer: '#' } : ROUTE_ERROR;
    const only = method === 'OPTIONS' ? 204 : 405;
    return status === only ? { response, headers: ['allow'] } : `${method} must be ${String(only)} here`;
  }
  const { operation: value, pointer } = place;
  const declared = child(child({ value, pointer }, 'responses'), String(status));
  if (declared.value === undefined) return `${String(value['operationId'])} does not declare this status`;
  // RFC 9110 §15.5.16: a 415 for a content coding lists the accepted ones.
  return { response: follow(document, declared), headers: status === 415 ? ['accept-encoding'] : [] };
}

function allowProblems(route: Route, { headers }: Due, answer: HttpAnswer): readonly string[] {
  if (!headers.includes('allow')) return [];
  const due = methodsOf(route).toSorted().join(', ');
  const actual = (answer.headers.allow ?? '')
    .split(/\s*,\s*/)
    .toSorted()
    .join(', ');
  return actual === due ? [] : [`Allow must list ${due}, not ${actual}`];
}

function headerProblems(
  document: Node,
  schemas: SchemaChecks,
  { response, headers: further }: Due,
  answer: HttpAnswer,
): readonly string[] {
  const declared = new Map(
    entries(child(response, 'headers')).map(([name, each]) => [name.toLowerCase(), follow(document, each)]),
  );
  const undeclared = Object.keys(answer.headers).filter(
    (name) =>
      !declared.has(name) && !HTTP_HEADERS.has(name) && !SERVER_HEADERS.has(name) && !further.includes(name),
  );
  return [
    ...undeclared.map((name) => `the header ${name} is not declared`),
    ...[...declared].flatMap(([name, header]) => {
      const given = answer.headers[name];
      if (given === undefined) return child(header, 'required').value === true ? [`${name} is missing`] : [];
      const schema = child(header, 'schema');
      const isInteger = child(follow(document, schema), 'type').value === 'integer';
      return [given]
        .flat()
        .flatMap((text) => schemas.problems(isInteger ? Number(text) : text, schema, `header ${name}`));
    }),
  ];
}

function bodyProblems(
  document: Node,
  schemas: SchemaChecks,
  response: Place,
  method: string,
  { headers, text }: HttpAnswer,
): readonly string[] {
  const content = entries(child(response, 'content'));
  const type = headers['content-type'];
  if (content.length === 0) {
    return [
      ...(text === '' ? [] : ['this status has no body']),
      ...(type === undefined ? [] : [`without a body there is no Content-Type ${type}`]),
    ];
  }
  const mediaType = (type ?? '').split(';')[0] ?? '';
  const declared = content.find(([each]) => each === mediaType)?.[1];
  if (declared === undefined) return [`the media type ${mediaType} is not declared`];
  if (content.length > 1 && !/\baccept\b(?!-)/i.test(headers.vary ?? ''))
    return ['Vary does not name Accept'];
  if (method === 'HEAD') return text === '' ? [] : ['HEAD has no body'];
  try {
    const schema = child(declared, 'schema');
    return mediaType === 'application/xml'
      ? xmlProblems(document, schemas, schema, text)
      : schemas.problems(JSON.parse(text), schema, 'body');
  } catch (error) {
    return [`the body is not ${mediaType}: ${String(error)}`];
  }
}

/** One of the readings must have this root element and match the schema. */
function xmlProblems(document: Node, schemas: SchemaChecks, schema: Place, text: string): readonly string[] {
  const { root, content } = parseXml(text);
  const readings = xmlReadings(document, content, schema).filter((reading) => reading.root === root);
  if (readings.length === 0) return [`the root element ${root} is not the schema's`];
  const problems = readings.map(({ value }) => schemas.problems(value, schema, 'body'));
  return problems.some(({ length }) => length === 0) ? [] : problems.flat();
}
