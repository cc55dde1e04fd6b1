/** Checks answers of any server, received by any client, against a contract. */

import type {
  Check,
  OperationContract,
  RestContract,
  ResponseChecks,
  ResponseContract,
  Sequence,
} from '../contract/contract.js';
import { failureOf } from '../failures/check.js';
import { essenceOf, findByMediaType } from '../http/media-type.js';
import { type PathMatch, compilePaths } from '../rest/operation/path-matcher.js';
import { type CompiledResponse, ResponseTable } from '../rest/operation/response.js';
import { Problem } from '../http/problem.js';
import { eventReader } from '../rest/sequences/events.js';
import { RECORD_SEPARATOR, isBlank, parseLine, parseRecord } from '../rest/sequences/json-records.js';
import { boundaryOf, malformed } from '../rest/sequences/multipart.js';
import { eventDecoder, requireFit, requirePartType } from '../rest/sequences/read-items.js';

/** An answer with its body. */
export interface CheckedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** Whether the client stopped reading a stream before its end. */
  readonly isCut?: boolean;
}

export interface AnswerCheckOptions<Id extends string = string> {
  /** The `contract` of the generated `routing.ts`. */
  readonly contract: Pick<RestContract<Id>, 'operations' | 'paths'>;
  /** The exports of the generated `response-validators.js`. */
  readonly responseChecks: ResponseChecks;
  /**
   * Further headers that any answer may have, in lower case, such as those of a proxy. When given, any other header is a
   * problem, unless the contract declares it or it is part of HTTP itself.
   */
  readonly otherHeaders?: readonly string[];
}

/** Headers of the message, its connection and content negotiation. */
const HTTP_HEADERS = 'connection content-length content-type date keep-alive transfer-encoding vary'.split(
  ' ',
);

interface CheckedOperation {
  readonly id: string;
  readonly responses: ResponseTable;
}

/**
 * Makes a function that lists the problems of an answer to a request, one sentence each; an answer that fits has none. It
 * checks the status, the media type, `Vary`, `Allow`, the headers, JSON and text bodies, and the items of streams, including the
 * parts of multipart bodies. The request's path may have a query. A path that the contract does not have must be answered 404,
 * and such a method 405.
 *
 * @example
 * ```ts
 * const problemsOf = answerProblems({ contract, responseChecks: await import('./generated/response-validators.js') });
 * const response = await fetch(`${url}/users/1`);
 * const answer = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
 * assert.deepEqual(problemsOf({ method: 'GET', path: '/users/1' }, answer), []);
 * ```
 */
export function answerProblems<Id extends string>(
  options: AnswerCheckOptions<Id>,
): (request: { readonly method: string; readonly path: string }, answer: CheckedAnswer) => readonly string[] {
  const { contract, responseChecks, otherHeaders } = options;
  const operations = new Map(
    Object.entries<OperationContract>(contract.operations).map(([id, operation]) => [
      id,
      { id, responses: tableOf(operation) },
    ]),
  );
  const find = compilePaths<CheckedOperation | undefined>(contract.paths, (id) => operations.get(id));
  return ({ method, path }, answer) => {
    const match = find(path.replace(/^https?:\/\/[^/]*/i, '').replace(/\?.*/s, ''));
    if (match === undefined) return answer.status === 404 ? [] : ['an unknown path must be 404'];
    const operation = match.targets.get(method) ?? (method === 'HEAD' ? match.targets.get('GET') : undefined);
    if (operation === undefined) return routeProblems(match, method, answer);
    const response = operation.responses.find(answer.status);
    if (response === undefined) return [`${operation.id} does not declare this status`];
    const allowed = otherHeaders && [...HTTP_HEADERS, ...otherHeaders, ...impliedBy(answer.status)];
    return [
      ...headerProblems(response.contract, responseChecks, answer, allowed),
      ...bodyProblems(response, responseChecks, method, answer),
    ];
  };
}

/** The engine's lookup of statuses and media types; it encodes no bodies, so any encoder will do. */
function tableOf({ responses }: OperationContract): ResponseTable {
  const types = Object.values(responses).flatMap(({ content = {} }) => Object.keys(content));
  return new ResponseTable(responses, Object.fromEntries(types.map((type) => [type, String])));
}

/** RFC 9110 §15.5.16: a 415 for a content coding lists the accepted ones. */
function impliedBy(status: number): readonly string[] {
  return status === 415 ? ['accept-encoding'] : [];
}

function routeProblems(
  { targets }: PathMatch<unknown>,
  method: string,
  { status, headers }: CheckedAnswer,
): readonly string[] {
  const expected = method === 'OPTIONS' ? 204 : 405;
  if (status !== expected) return [`${method} must be ${String(expected)} here`];
  const methods = [...targets.keys(), ...(targets.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const due = [...new Set(methods)].sort().join(', ');
  const given = [headers['allow'] ?? '']
    .flat()
    .join(',')
    .split(/\s*,\s*/);
  const actual = given.sort().join(', ');
  return actual === due ? [] : [`Allow must list ${due}, not ${actual}`];
}

function headerProblems(
  { headers: declared = {} }: ResponseContract,
  checks: ResponseChecks,
  { headers }: CheckedAnswer,
  allowed: readonly string[] | undefined,
): readonly string[] {
  const names = new Set([...Object.keys(declared).map((name) => name.toLowerCase()), ...(allowed ?? [])]);
  const undeclared = allowed === undefined ? [] : Object.keys(headers).filter((name) => !names.has(name));
  const wrong = Object.entries(declared).flatMap(([spelled, { required, check: checkName }]) => {
    const name = spelled.toLowerCase();
    const given = headers[name];
    if (given === undefined) return required ? [`${name} is missing`] : [];
    const check = checkName === undefined ? undefined : checks[checkName];
    if (check === undefined) return [];
    return [given].flat().flatMap((text) => valueProblem(check, text, name));
  });
  return [...undeclared.map((name) => `the header ${name} is not declared`), ...wrong];
}

/** A header is text. It must match in one reading: as text, as a number or boolean, or as a list. */
function valueProblem(check: Check, text: string, name: string): readonly string[] {
  const scalar = /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text) ? [JSON.parse(text) as unknown] : [];
  const readings = [text, ...scalar, text.split(/\s*,\s*/)];
  if (readings.some((reading) => check(reading))) return [];
  return [`header ${failureOf(check, scalar[0] ?? text, name)}`];
}

function bodyProblems(
  { contract: { content = {} }, representations, byMediaType }: CompiledResponse,
  checks: ResponseChecks,
  method: string,
  { headers, text, isCut = false }: CheckedAnswer,
): readonly string[] {
  const type = [headers['content-type'] ?? ''].flat().join(', ');
  if (representations.length === 0) {
    return [
      ...(text === '' ? [] : ['this status has no body']),
      ...(type === '' ? [] : [`without a body there is no Content-Type ${type}`]),
    ];
  }
  const mediaType = essenceOf(type);
  const declared = findByMediaType(byMediaType, mediaType);
  if (declared === undefined) return [`the media type ${mediaType} is not declared`];
  const vary = [headers['vary'] ?? ''].flat().join(', ');
  // RFC 9110 §12.5.5
  if (representations.length > 1 && !/(?:^|[\s,])(?:accept|\*)(?:$|[\s,])/i.test(vary))
    return ['Vary does not name Accept'];
  if (method === 'HEAD') return text === '' ? [] : ['HEAD has no body'];
  const check = declared.check === undefined ? undefined : checks[declared.check];
  const body = content[declared.mediaType];
  if (body?.kind === 'items') return itemProblems(body.items, check, { text, contentType: type, isCut });
  const isJson = /[/+]json$/.test(mediaType);
  // Another body is written by an encoder of the service, and the check is that of the value before.
  if (!isJson && body?.kind !== 'text') return [];
  try {
    const value: unknown = isJson ? JSON.parse(text) : text;
    return check === undefined || check(value) ? [] : [failureOf(check, value, 'body')];
  } catch (error) {
    return [`the body is not ${mediaType}: ${String(error)}`];
  }
}

interface ItemText {
  readonly text: string;
  /** The Content-Type of the answer, which has the boundary of its parts. */
  readonly contentType: string;
  /** Whether the text was cut off, so that an incomplete last item is ignored. */
  readonly isCut: boolean;
}

/** The problem of the first item that does not fit. */
function itemProblems(sequence: Sequence, check: Check = () => true, answer: ItemText): readonly string[] {
  try {
    for (const [index, item] of itemsOf(sequence, check, answer)) {
      requireFit(check, item, `body/${String(index)}`);
    }
    return [];
  } catch (error) {
    if (error instanceof Problem) return [error.message];
    throw error;
  }
}

/** The items with their indexes. */
function itemsOf(sequence: Sequence, check: Check, answer: ItemText): Iterable<readonly [number, unknown]> {
  const { text, isCut } = answer;
  const complete = (records: readonly string[]): readonly string[] =>
    isCut ? records.slice(0, -1) : records;
  switch (sequence.format) {
    case 'json-lines':
      return complete(text.split('\n'))
        .filter((line) => !isBlank(line))
        .map((line) => parseLine(line))
        .entries();
    case 'json-seq': {
      const [before = '', ...records] = text.split(RECORD_SEPARATOR);
      return [before, ...complete(records).map((record) => RECORD_SEPARATOR + record)]
        .filter((record) => !isBlank(record.replace(RECORD_SEPARATOR, '')))
        .map((record) => parseRecord(record))
        .entries();
    }
    case 'events': {
      const eventAt = eventReader();
      const lines = text.split(/\r\n|\n|\r/).slice(0, -1);
      const decode = eventDecoder(sequence.data, check, JSON.parse);
      return lines
        .flatMap((line) => eventAt(line) ?? [])
        .map(decode)
        .entries();
    }
    case 'multipart':
      return partsOf(sequence, answer);
  }
}

/**
 * The parts of a multipart body (RFC 2046 §5.1) that have a schema. In the decoded text, invalid UTF-8 is replaced, which does
 * not change delimiters and headers.
 */
function* partsOf(
  { first = [], part }: Extract<Sequence, { readonly format: 'multipart' }>,
  { text, contentType, isCut }: ItemText,
): Generator<readonly [number, unknown]> {
  const [, ...pieces] = `\r\n${text}`.split(`\r\n--${boundaryOf(contentType)}`);
  const end = pieces.findIndex((piece) => piece.startsWith('--'));
  for (const [index, piece] of pieces.slice(0, end).entries()) {
    const [, headers, content] = /^[ \t]*((?:\r\n[^\r\n]+)*)\r\n\r\n(.*)$/s.exec(piece) ?? [];
    if (headers === undefined || content === undefined)
      throw malformed(`the headers of part ${String(index)} have no end`);
    const { kind, contentTypes } = first[index] ?? part;
    const [, type] = /^content-type[ \t]*:[ \t]*(.*(?:\r\n[ \t].*)*)/im.exec(headers) ?? [];
    requirePartType(type, contentTypes, `body/${String(index)}`);
    if (kind !== 'bytes') yield [index, kind === 'text' ? content : parseLine(content)];
  }
  if (end === -1 && !isCut) throw malformed('it ends before its last boundary');
}
