/** Compares an exchange that has ended with the contract. */

import { parsedJson } from '../failures/json-value.js';
import { usedInResponse } from '../rest/contract-parts.js';
import { BodySample, RESPONSE_EXPANSION } from './body-sample.js';
import type { Finding, FindingContext } from './deviations.js';
import type {
  ObservedOperation,
  ObservedRequest,
  Sent,
  SentBody,
  ReadRequest,
} from './observed-operation.js';
import { Secrets } from './secrets.js';
import type { UsageTable } from './usage.js';

/** A request that is observed, with its operation if the contract has it. */
export interface Watched extends ObservedRequest {
  /** The operationId, or the method and the path. */
  readonly name: string;
  readonly operation: ObservedOperation | undefined;
  readonly isSampled: boolean;
  /** Whether its path is not below the prefix. */
  readonly isOutside: boolean;
}

/** An exchange whose bodies are being copied. */
export interface OpenExchange {
  readonly watched: Watched;
  /** The body of the request: undefined for none, `checked` if the request was compared before it reached the handler. */
  readonly request: BodySample | Uint8Array | 'unread' | 'checked' | undefined;
  /** The body of the response; undefined if it is not read. */
  readonly response: BodySample | undefined;
  /** The copy of the request's body, also where it is not compared. */
  readonly copied?: BodySample | undefined;
  /** Gives the exchange to another consumer. */
  readonly consume?: () => Promise<void> | undefined;
}

/** Gets the results of a check. */
export interface Findings {
  note(findings: readonly Finding[], context: FindingContext): void;
  /** Counts and lists a request whose path or method the contract does not have. */
  noteUndeclared(finding: Finding, context: FindingContext): void;
  /** Counts a body that could not be compared. */
  noteUnread(): void;
  /** Whether routes that the contract does not have are not reported. */
  readonly isOff: boolean;
  /** Counts the parts of the contract that are used; undefined unless that is asked for. */
  readonly usage: UsageTable | undefined;
}

/** @returns a promise only if the exchange has a body to decode or to decompress */
export function checkExchange(
  exchange: OpenExchange,
  sent: Sent,
  results: Findings,
): Promise<void> | undefined {
  const { watched, request } = exchange;
  const { operation, name, method, headers } = watched;
  const { status } = sent;
  const { usage } = results;
  if (operation === undefined) {
    // The answer to a preflight of CORS is no route.
    if (method === 'OPTIONS' || results.isOff) return undefined;
    const detail = `the contract does not have ${name}`;
    const finding = { kind: 'undeclared-route', place: '/status', detail };
    const context = contextOf(watched, sent, 'response', undefined);
    results.noteUndeclared(finding, context);
    // A refusal is no route either.
    if (status < 400 && !watched.isOutside) results.note([finding], context);
    return undefined;
  }
  // With 4xx, the server refuses the request too.
  const isRefused = status >= 400 && status < 500;
  if (request === 'checked' || (isRefused && usage === undefined)) {
    return checkResponse(operation, exchange, sent, results);
  }
  const note = (read: ReadRequest, isUnread: boolean): void => {
    if (isRefused) return;
    if (isUnread) results.noteUnread();
    noteRequest(read, watched, sent, results);
  };
  if (request === undefined || request === 'unread') {
    const isUnread = request === 'unread';
    note(operation.readHead(watched, isUnread, usage), isUnread);
    return checkResponse(operation, exchange, sent, results);
  }
  const decode = async (): Promise<void> => {
    const body = request instanceof BodySample ? await request.whole(headers['content-encoding']) : request;
    if (body === 'unread') note(operation.readHead(watched, true, usage), true);
    else note(await operation.readWhole(watched, body, usage), false);
    await checkResponse(operation, exchange, sent, results);
  };
  return decode();
}

function noteRequest(
  { findings, decoded }: ReadRequest,
  watched: Watched,
  sent: Sent,
  results: Findings,
): void {
  if (findings.length === 0) return;
  const given = Object.fromEntries(new URLSearchParams(watched.query));
  const whole = { ...decoded, query: { ...given, ...decoded.query }, headers: watched.headers };
  results.note(findings, contextOf(watched, sent, 'request', whole));
}

function checkResponse(
  operation: ObservedOperation,
  { watched, response }: OpenExchange,
  sent: Sent,
  results: Findings,
): Promise<void> | undefined {
  const note = (body: SentBody): void => {
    const isUnread = body === 'unread' && watched.method !== 'HEAD';
    if (isUnread) results.noteUnread();
    results.usage?.note(usedInResponse(operation.parts, sent, body), watched, isUnread);
    const findings = [
      ...operation.credentialFindings(sent, watched),
      ...operation.responseFindings(sent, body, watched),
    ];
    if (findings.length === 0) return;
    const value = body === 'unread' ? undefined : parsedJson(body.text);
    const whole = { status: sent.status, headers: sent.headers(), body: value };
    results.note(findings, contextOf(watched, sent, 'response', whole));
  };
  const isUnread = watched.method === 'HEAD' || response === undefined;
  const body = isUnread ? 'unread' : textOf(operation, response, sent);
  if (body instanceof Promise) return body.then(note);
  note(body);
  return undefined;
}

function contextOf(
  { name, headers, operation }: Watched,
  sent: Sent,
  side: 'request' | 'response',
  whole: unknown,
): FindingContext {
  const secrets = new Secrets(headers, sent.headers());
  const isKnown = (text: string): boolean => operation?.words.has(text) === true;
  return {
    operation: name,
    side,
    ...(side === 'response' && { status: sent.status }),
    whole,
    isKnown,
    isSecret: (text) => secrets.isIn(text),
  };
}

function textOf(operation: ObservedOperation, body: BodySample, sent: Sent): SentBody | Promise<SentBody> {
  const type = sent.header('content-type');
  const coding = sent.header('content-encoding');
  if (coding === undefined) {
    const isKnown = !body.isCut || operation.isSequence(sent.status, String(type));
    return isKnown ? { text: body.text(), isCut: body.isCut } : 'unread';
  }
  const decoded = async (): Promise<SentBody> => {
    const bytes = await body.whole(coding, body.limit * RESPONSE_EXPANSION);
    return bytes === 'unread' ? bytes : { text: new TextDecoder().decode(bytes), isCut: false };
  };
  return decoded();
}
