/**
 * Checks answers with the checker that `@concordat/runtime/testing` publishes, and then with a second opinion that uses no generated
 * code: headers and bodies, XML too, must match the schemas of the document, and errors of routes that it does not have its
 * error format.
 */
import { type AnswerCheckOptions, answerProblems } from '@concordat/runtime/testing';
import { child, entries, follow, type Node, type Place } from '../contract/contract-document.js';
import { compileRoutes, type Route } from './contract-routes.js';
import { SchemaChecks } from './schema-checks.js';
import type { HttpAnswer, HttpRequest } from './send.js';
import { parseXml, xmlReadings } from './xml-readings.js';

/** Headers that the server adds to any answer: they do not belong to an operation, and settings turn them off. */
const SERVER_HEADERS = [
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
];

const ERROR = { schema: { $ref: '#/components/schemas/Error' } };

/** Errors of routes that the contract does not have; they have its error format all the same. */
const ROUTE_ERROR: Place = {
  value: { content: { 'application/json': ERROR, 'application/xml': ERROR } },
  pointer: '#',
};

/**
 * @param contract - what is generated from the document
 * @returns a function that lists the problems of an answer to a request, one sentence each
 */
export function compileAnswerProblems<Id extends string>(
  document: Node,
  { contract, responseChecks }: Pick<AnswerCheckOptions<Id>, 'contract' | 'responseChecks'>,
): (request: Pick<HttpRequest, 'method' | 'path'>, answer: HttpAnswer) => readonly string[] {
  const published = answerProblems({ contract, responseChecks, otherHeaders: SERVER_HEADERS });
  const routeOf = compileRoutes(document);
  const schemas = new SchemaChecks(document);
  return (request, answer) => {
    const problems = published(request, answer);
    if (problems.length > 0) return problems;
    const response = responseOf(document, routeOf(request.path), request.method, answer.status);
    return [
      ...headerProblems(document, schemas, response, answer),
      ...bodyProblems(document, schemas, response, request.method, answer),
    ];
  };
}

/** What the document has for a status. */
function responseOf(document: Node, route: Route, method: string, status: number): Place {
  const place = route.get(method) ?? (method === 'HEAD' ? route.get('GET') : undefined);
  if (place === undefined) return status === 204 ? { value: {}, pointer: '#' } : ROUTE_ERROR;
  const { operation: value, pointer } = place;
  return follow(document, child(child({ value, pointer }, 'responses'), String(status)));
}

function headerProblems(
  document: Node,
  schemas: SchemaChecks,
  response: Place,
  answer: HttpAnswer,
): readonly string[] {
  return entries(child(response, 'headers')).flatMap(([spelled, place]) => {
    const name = spelled.toLowerCase();
    const schema = child(follow(document, place), 'schema');
    const isInteger = child(follow(document, schema), 'type').value === 'integer';
    return [answer.headers[name] ?? []]
      .flat()
      .flatMap((text) => schemas.problems(isInteger ? Number(text) : text, schema, `header ${name}`));
  });
}

function bodyProblems(
  document: Node,
  schemas: SchemaChecks,
  response: Place,
  method: string,
  { headers, text }: HttpAnswer,
): readonly string[] {
  const content = entries(child(response, 'content'));
  if (content.length === 0 || method === 'HEAD') return [];
  const mediaType = (headers['content-type'] ?? '').split(';')[0] ?? '';
  const declared = content.find(([each]) => each === mediaType)?.[1];
  if (declared === undefined) return [`the media type ${mediaType} is not declared`];
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
