/** Compares the requests and the responses of one operation with its contract, without a handler. */

import type { Check, OperationContract, ResponseChecks, SecurityScheme } from '../contract/contract.js';
import { type HttpRequest, isStreamed, type RequestHeaders } from '../http/message.js';
import { inOnePiece, memoryRequest } from '../http/memory-request.js';
import { Problem } from '../http/problem.js';
import { essenceOf, findByMediaType } from '../http/media-type.js';
import { bodyCodecs } from '../rest/operation/forms-and-streams.js';
import { type OperationParts, operationParts, usedInBody, usedInRequest } from '../rest/contract-parts.js';
import type { DecodedRequest } from '../rest/operation/handler.js';
import { compileCredentialTest } from '../rest/operation/security.js';
import { type RequestReader, compileReader } from '../rest/operation/operation.js';
import { ResponseChecker } from '../rest/responses/response-checker.js';
import { type Reading, allFailures, convertRequest, decode, keepExact } from '../rest/steps/read.js';
import type { HeaderValue } from './body-sample.js';
import { type Finding, refusalFindings, requestFinding, responseFinding } from './deviations.js';
import type { UsageTable } from './usage.js';

/** `enforce` rejects requests that do not fit; responses are only ever reported. */
export type ObserveMode = 'off' | 'report' | 'enforce';

/** A request as it was received. */
export interface ObservedRequest extends Pick<HttpRequest, 'method' | 'path' | 'query' | 'headers'> {
  /** The texts of the path's parameters. */
  readonly values: readonly string[];
}

/** The head of a response. */
export interface Sent {
  readonly status: number;
  /** @param name - in lower case */
  header(name: string): HeaderValue;
  headers(): Readonly<Record<string, HeaderValue>>;
}

/** The text of a body, or its beginning. */
export type SentBody = { readonly text: string; readonly isCut: boolean } | 'unread';

export class ObservedOperation {
  /** For `targetOf`: GET serves HEAD. */
  readonly sharesPath = false;
  readonly #reader: RequestReader;
  readonly #checker: ResponseChecker;
  readonly #hasCredential: ReturnType<typeof compileCredentialTest>;
  /** Responses that fit: the head of each by its body. Most routes send some again and again, and a check takes longer than finding them. */
  readonly #fitting = new Map<string, string>();
  #words: ReadonlySet<string> | undefined;
  #parts: OperationParts | undefined;

  constructor(
    readonly id: string,
    private readonly contract: OperationContract,
    readonly mode: ObserveMode,
    private readonly responseChecks: ResponseChecks,
    securitySchemes: Readonly<Record<string, SecurityScheme>> = {},
  ) {
    this.#hasCredential = compileCredentialTest(contract.security, securitySchemes);
    // The body is in memory already.
    this.#reader = compileReader(withoutDefaults(contract), Infinity, bodyCodecs);
    this.#checker = new ResponseChecker(contract.responses, responseChecks, bodyCodecs);
  }

  /** The template of its path, such as `/users/{id}`, if its requests are enforced. */
  get enforcedPath(): string | undefined {
    return this.mode === 'enforce' ? this.contract.path : undefined;
  }

  /** The names and values that its contract has. */
  get words(): ReadonlySet<string> {
    return (this.#words ??= wordsOf(this.contract, this.responseChecks));
  }

  /** Whether its requests have a body, and whether handlers may read it as it arrives. */
  get body(): 'none' | 'whole' | 'stream' {
    const { requestBody } = this.#reader;
    if (requestBody === undefined) return 'none';
    return [...requestBody.content.values()].some((each) => 'open' in each) ? 'stream' : 'whole';
  }

  /** Whether a body of this type arrives in items, so that its beginning can be checked. */
  isSequence(status: number, contentType: string): boolean {
    const bodies = this.#checker.find(status)?.bodies;
    return bodies !== undefined && findByMediaType(bodies, essenceOf(contentType))?.declared.kind === 'items';
  }

  /** The parts of its contract that requests and responses can use. */
  get parts(): OperationParts {
    return (this.#parts ??= operationParts(this.contract, this.responseChecks));
  }

  /**
   * Reads a request without a body, or whose body is not known: then only its media type is checked.
   *
   * @param usage - counts the parts that it uses
   */
  readHead(request: ObservedRequest, isUnread: boolean, usage?: UsageTable): ReadRequest {
    const { query, headers, values } = request;
    const operation = isUnread ? { ...this.#reader, requestBody: undefined } : this.#reader;
    const reading = readingOf(operation, { query, headers, body: NOTHING, readBody }, values);
    try {
      // Without a body, nothing is awaited.
      void decode(reading);
      const { decoded } = reading;
      const contentType = essenceOf(String(headers['content-type'] ?? ''));
      usage?.note(
        usedInRequest(this.parts, { ...decoded, ...(isUnread && { contentType }) }),
        request,
        isUnread,
      );
      const findings = findingsIn(reading);
      if (isUnread) this.#requireMediaType(headers);
      return { findings, decoded: reading.decoded };
    } catch (error) {
      return { findings: refusalFindings(error), decoded: reading.decoded };
    }
  }

  async readWhole(
    { headers, values, ...rest }: ObservedRequest,
    body: Uint8Array,
    usage?: UsageTable,
  ): Promise<ReadRequest> {
    // A parser, or the observer, has undone the coding of the body.
    const request = memoryRequest({ ...rest, headers: { ...headers, 'content-encoding': undefined }, body });
    const reading = readingOf(this.#reader, request, values);
    const used = new Set<string>();
    const use = (names: Iterable<string>): void => {
      for (const name of usage === undefined ? [] : names) used.add(name);
    };
    try {
      await decode(reading);
      // The check adds defaults.
      use(usedInRequest(this.parts, reading.decoded));
      const findings = findingsIn(reading);
      const { body: items, contentType } = reading.decoded;
      if (findings.length === 0 && isStreamed(items)) {
        // Each item is checked as it is read.
        for await (const item of items) use(usedInBody(this.parts, contentType, item));
      }
      return { findings, decoded: reading.decoded };
    } catch (error) {
      return { findings: refusalFindings(error), decoded: reading.decoded };
    } finally {
      usage?.note(used, { headers }, false);
    }
  }

  /** @throws a 415 `Problem` */
  #requireMediaType(headers: RequestHeaders): void {
    const { requestBody } = this.#reader;
    const type = essenceOf(String(headers['content-type'] ?? ''));
    if (requestBody !== undefined && findByMediaType(requestBody.content, type) === undefined) {
      throw new Problem(415, `The body must be ${requestBody.accepted}`);
    }
  }

  /** A success without a credential that the contract requires. A redirect may lead to the page for signing in. */
  credentialFindings({ status }: Sent, request: ObservedRequest): readonly Finding[] {
    if (status < 200 || status > 299 || this.#hasCredential(request)) return [];
    const names = this.contract.security.map((each) => Object.keys(each).join(' and '));
    const detail = `it succeeds without a credential of ${names.join(', or ')}`;
    return [{ kind: 'missing-credential', place: '/status', detail }];
  }

  responseFindings(
    sent: Sent,
    body: SentBody,
    request: Pick<ObservedRequest, 'method' | 'headers'>,
  ): readonly Finding[] {
    const { status } = sent;
    // RFC 9110 §15.4.5: a 304 says that the 200 has not changed.
    const { 'if-none-match': tags, 'if-modified-since': time } = request.headers;
    if (status === 304 && (tags ?? time) !== undefined && this.#checker.find(200) !== undefined) return [];
    const type = sent.header('content-type');
    const headers: Record<string, unknown> = {};
    let head = `${request.method} ${String(status)} ${String(type)}`;
    for (const { lowerCaseName } of this.#checker.find(status)?.headers ?? []) {
      const value = sent.header(lowerCaseName);
      headers[lowerCaseName] = value;
      head += `\n${String(value)}`;
    }
    const isShort = body !== 'unread' && !body.isCut && body.text.length <= LONGEST_REMEMBERED;
    const text = isShort ? body.text : undefined;
    if (text !== undefined && this.#fitting.get(text) === head) return [];
    const problems = this.#checker.problemsOf({
      status,
      headers,
      hasTextHeaders: true,
      hasAllFailures: true,
      contentType: type === undefined ? undefined : String(type),
      body: request.method === 'HEAD' ? 'unread' : body,
    });
    if (problems.length === 0 && text !== undefined) {
      if (this.#fitting.size >= MOST_REMEMBERED) this.#fitting.clear();
      this.#fitting.set(text, head);
    }
    return problems.map(responseFinding);
  }
}

/** A contract that decodes what was sent. The checks of bodies add defaults of their own. */
function withoutDefaults({
  parameters = [],
  requestBody,
  ...contract
}: OperationContract): OperationContract {
  const sent = <T extends { readonly default?: unknown }>({ default: _default, ...codec }: T) => codec;
  const content = Object.entries(requestBody?.content ?? {}).map(([type, codec]) => {
    if (codec.kind !== 'form' && codec.kind !== 'multipart') return [type, codec] as const;
    const fields = Object.entries(codec.fields).map(([name, field]) => [name, sent(field)] as const);
    return [type, { ...codec, fields: Object.fromEntries(fields) }] as const;
  });
  return {
    ...contract,
    parameters: parameters.map(sent),
    ...(requestBody && {
      requestBody: { ...requestBody, content: Object.fromEntries(content) as typeof requestBody.content },
    }),
  };
}

/** All names and texts of a contract, of the checks in it, and of those that it names. */
function wordsOf(contract: OperationContract, checks: ResponseChecks): ReadonlySet<string> {
  const words = new Set<string>();
  const seen = new Set<unknown>();
  const left: unknown[] = [contract];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === 'string') {
      words.add(part);
      if (Object.hasOwn(checks, part)) left.push(checks[part]);
    }
    if (seen.has(part) || part === null) continue;
    seen.add(part);
    if (typeof part === 'function' && 'schema' in part) left.push((part as Check).schema?.());
    if (typeof part !== 'object') continue;
    for (const [name, member] of Object.entries(part)) {
      if (!Array.isArray(part)) words.add(name);
      left.push(member);
    }
  }
  return words;
}

/** The bounds of the responses that an operation remembers, and their maximum length in characters. */
const MOST_REMEMBERED = 100;
const LONGEST_REMEMBERED = 1000;

/** The findings of a request, and the parts of it that could be decoded. */
export interface ReadRequest {
  readonly findings: readonly Finding[];
  readonly decoded: DecodedRequest;
}

const NOTHING = inOnePiece(new Uint8Array());
const readBody = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array());

function readingOf(
  operation: RequestReader,
  request: Reading['request'],
  values: readonly string[],
): Reading {
  return {
    request,
    operation,
    values,
    decoded: NOT_DECODED,
    failures: [],
    exact: undefined,
    bodyCodec: undefined,
  };
}

function findingsIn(reading: Reading): readonly Finding[] {
  if (reading.operation.isExact) keepExact(reading);
  const failures = allFailures(reading);
  if (failures.length === 0 && reading.operation.converts) convertRequest(reading);
  return failures.map(requestFinding);
}

const NOT_DECODED: DecodedRequest = { path: {}, query: {}, headers: {}, cookies: {} };
