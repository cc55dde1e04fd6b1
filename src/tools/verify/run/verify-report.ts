/** The report of a verification with a document or a schema, its text for people, and the rules that a server may break. */

import { type Finding as ReportFinding, counted } from '@concordat/runtime/terminal';
import type { Place, WireRequest } from '../../running/wire-request.js';

export interface VerifyReport {
  readonly url: string;
  readonly seed: number;
  /** The number of requests sent. */
  readonly requests: number;
  /** Whether all requests were sent before the budget was spent. */
  readonly isComplete: boolean;
  readonly operations: readonly OperationReport[];
  readonly violations: readonly Violation[];
  /** The operations that got no request, because a credential is missing. */
  readonly unverified: readonly UnverifiedOperation[];
}

export interface UnverifiedOperation extends Pick<OperationReport, 'id' | 'name'> {
  readonly kind: 'missing-credential';
  /** The alternatives of the operation's security, each as the schemes without a given credential. */
  readonly missing: readonly (readonly string[])[];
}

export interface OperationReport {
  readonly id: string;
  /** `GET /users`. */
  readonly name: string;
  readonly requests: number;
  /** The number of valid requests that were answered by a success or a redirect. */
  readonly successes: number;
  /** Where the document describes it; absent for GraphQL. */
  readonly place?: Place;
  readonly tags?: readonly string[];
}

export interface Violation {
  readonly rule: Rule;
  /** Whether the rule only warns here, by the option `warn`, or because the contract does not decide it. */
  readonly isWarning: boolean;
  /** `GET /users`. */
  readonly operation: string;
  /** The subject of the request: `query limit: one beyond maximum`. */
  readonly about: string;
  /** One sentence without a full stop. */
  readonly message: string;
  /** The number of requests that show it, without those sent to shrink it. */
  readonly count: number;
  /** The smallest request that shows it. */
  readonly request: WireRequest;
  /** Lines of curl: the last sends the request, and those before it send the requests that led to it. */
  readonly curl: readonly string[];
  /** Absent if the server did not answer. */
  readonly answer?: { readonly status: number; readonly text: string };
}

/** Each rule, with the behaviour that breaks it. */
export const RULES = {
  'no-success': 'no operation of a contract is ever answered by a success, so that nothing was verified',
  'no-answer': 'the connection ends, or no answer arrives in time',
  'server-error': 'a status from 500 on; in a GraphQL result also an error of the server itself',
  'undeclared-status': 'a valid request is answered by a status that the operation does not declare',
  'wrong-answer': 'the media type, the headers or the body do not fit the contract',
  'valid-refused': 'a valid request is answered by a status that calls it invalid',
  'broken-accepted': 'a request that the contract forbids is answered by a success or a redirect',
  leaked: 'an error reveals internals of the server, such as a stack',
  lost: 'a created resource cannot be read',
  'not-deleted': 'a deleted resource can still be read',
  'wrong-location': 'the Location of a created resource leads to another one, or to none',
  changed: 'a resource is read with other values than those that a write has just sent',
  'wrong-filter': 'a list filtered by the value of a member has items with another value',
  'wrong-page': 'a page has more items than its limit, or is not the part of the list that it should be',
  'wrong-order': 'a list is not in the order of its sort parameter',
  'wrong-total': 'a list counts other items than it has',
  'wrong-list':
    'a list lacks a resource that was created, has one that was deleted, or shows other values than the resource has',
  'wrong-parent': 'a nested resource is found below another parent, or below one that does not exist',
  'wrong-etag':
    'an ETag is malformed or stays the same after a change, or a condition on it is not respected',
} as const;

export type Rule = keyof typeof RULES;

export interface Finding {
  readonly rule: Rule;
  /** One sentence without a full stop. */
  readonly message: string;
  /** Whether it is only a warning, because the contract does not decide it; the message has the reason. */
  readonly isUncertain?: boolean;
  /** A schema coordinate, with a GraphQL schema; empty for the endpoint as a whole. */
  readonly place?: string;
}

/** Refusals that depend on the caller and on the state of the server, which the contract does not know. */
export const STATUSES_OF_STATE: ReadonlySet<number> = new Set([401, 403, 404, 409, 410, 412, 423, 428, 429]);

/** Texts of servers in several languages for an error that is uncaught or shown unfiltered. */
const INSIDE: readonly RegExp[] = [
  // Frames of V8, of the JVM, of Python, Go, PHP and .NET.
  /\bat [^\n"]{0,200}?[/\\(:][\w.-]+\.[cm]?[jt]sx?:\d+/,
  /\bat [\w$.]+\([\w$]+\.(?:java|kt|scala):\d+\)/,
  /Traceback \(most recent call last\)/,
  /goroutine \d+ \[/,
  /#\d+ [^\n"]{0,200}\.php\(\d+\)/,
  /\bat [\w.`<>]+\([^)\n"]*\) in [^\n"]{0,200}:line \d+/,
  /"(?:stack|stacktrace|stackTrace)":\s*(?:\[\s*)?"/,
  /\bCannot read propert(?:y|ies) of (?:undefined|null)\b/,
  /\b(?:SQLSTATE\[?\w{5}|SQLITE_[A-Z]+|ORA-\d{5})\b/,
  /\bE(?:CONNREFUSED|NOENT|CONNRESET|ACCES)\b/,
  /\/node_modules\//,
];

/** @returns the part of an error's text that reveals internals of the server; undefined if there is none */
export function leakIn(text: string): string | undefined {
  for (const pattern of INSIDE) {
    const found = pattern.exec(text);
    if (found !== null) return found[0].slice(0, 100);
  }
  return undefined;
}

/** The report for people. */
export function verifyText(report: VerifyReport, hasColours: boolean): string {
  return [
    ...report.violations.map((each) => `${violationText(each, hasColours)}\n`),
    ...verifySummary(report),
  ].join('\n');
}

/** What a run did, in sentences. */
export function verifySummary(report: VerifyReport): readonly string[] {
  const { operations, violations, unverified, url, seed, requests, isComplete } = report;
  const isViolation = ({ isWarning }: Violation): boolean => !isWarning;
  const unsent = new Set(unverified.map(({ id }) => id));
  const unanswered = operations.filter(({ id, successes }) => successes === 0 && !unsent.has(id));
  const silent = unanswered.map(({ name }) => name);
  const count = violations.filter(isViolation).length;
  const warnings = violations.length - count;
  return [
    `${url}: ${counted(requests, 'request')} to ${counted(operations.length, 'operation')}, seed ${seed}: ${counted(count, 'violation')}, ${counted(warnings, 'warning')}${silent.length > 0 ? `, ${counted(silent.length, 'operation')} without a success` : ''}.`,
    ...(isComplete ? [] : ['The budget ended before all requests were sent.']),
    ...(silent.length > 0 ? [`Never answered by a success: ${silent.join(', ')}.`] : []),
    ...missingLines(unverified),
  ];
}

/** The same for the report of another program, each at the place of its operation in the document. */
export function verifyFindings(report: VerifyReport): readonly ReportFinding[] {
  const { operations, violations, unverified } = report;
  const known = new Map(operations.map(({ name, place, tags }) => [name, { place, tags }]));
  return [
    ...violations.map((violation): ReportFinding => {
      const { rule, isWarning, operation, about, message, count, curl, answer } = violation;
      const received = answer === undefined ? [] : [`${answer.status} ${answer.text}`.trim()];
      const often = count > 1 ? `Request, the smallest of ${count} that show it` : 'Request';
      const request = { title: often, text: curl.join('\n') };
      return {
        ...{ rule, level: isWarning ? 'warning' : 'error', message: `${about}: ${message}` },
        ...{ about: operation, ...known.get(operation) },
        details: [...curl, ...received].join('\n'),
        exhibits: [request, { title: 'Answer', text: received[0] ?? 'The server did not answer.' }],
      };
    }),
    ...unverified.map(({ kind, name: about, missing }): ReportFinding => {
      const message = `not verified, because a credential is missing: ${optionsFor(missing)}`;
      return { rule: kind, level: 'error', message, about, ...known.get(about) };
    }),
  ];
}

/** One line per set of credentials that operations lack. */
function missingLines(unverified: VerifyReport['unverified']): readonly string[] {
  const byOptions = new Map<string, string[]>();
  for (const { name, missing } of unverified) {
    const options = optionsFor(missing);
    byOptions.set(options, [...(byOptions.get(options) ?? []), name]);
  }
  return [...byOptions].map(
    ([options, names]) => `Not verified: ${names.join(', ')}. A credential is missing: ${options}.`,
  );
}

/** `--credential token=… or --credential id=… and --credential secret=…` */
function optionsFor(missing: readonly (readonly string[])[]): string {
  const all = missing.map((schemes) => schemes.map((scheme) => `--credential ${scheme}=…`).join(' and '));
  return all.join(' or ');
}

function violationText(violation: Violation, hasColours: boolean): string {
  const { rule, isWarning, operation, about, message, count, curl, answer } = violation;
  const colour = isWarning ? 33 : 31;
  const title = isWarning ? `warning ${rule}` : rule;
  const shown = hasColours ? `\u001b[${colour}m${title}\u001b[39m` : title;
  return [
    `${shown}: ${operation}: ${about}: ${message}${count > 1 ? ` (${count} times)` : ''}`,
    ...curl.map((line) => `  ${line}`),
    ...(answer === undefined || answer.text === '' ? [] : [`  ${answer.status} ${answer.text}`]),
  ].join('\n');
}
