/** Logs failures with their causes: one line per cause in ten seconds, with the number of those that were left out before. */

import { inspect } from 'node:util';
import { type ServiceEngineOptions, type ServicesOptions, ServiceError } from '@concordat/core';
import type { ErrorOptions } from '@concordat/runtime/graphql';
import { withoutPasswords } from '@concordat/runtime/observe';
import { type Log, RepeatedLines } from './log.js';
import { type Metrics, shortened } from './metrics.js';
import { lineOfRequest, operationOf } from './request-watch.js';

/** The lines of one cause in ten seconds. An unexpected error is a defect, and several of its requests help to find it. */
const MOST_LINES = { unavailable: 1, unexpected: 10 };

export interface FailureLog {
  /** A failed REST operation. */
  readonly request: ServiceEngineOptions['report'];
  /** A failed GraphQL field, with the id of the request or upgrade that it came with. */
  readonly field: ErrorOptions['report'];
  /** Any other failure. */
  readonly other: (error: unknown, message: string) => void;
  /** A failure in the services that cannot be reported to a caller, such as that of announcing an event. */
  readonly aftermath: NonNullable<ServicesOptions['report']>;
}

/** Opens the log of failures. An unexpected error is logged in full; clients see none of its details. */
export function failureLog(log: Log, lines = new RepeatedLines()): FailureLog {
  function report(error: unknown, members: Readonly<Record<string, unknown>>, message: string): void {
    const cause = causeOf(error);
    const isUnexpected = !(error instanceof ServiceError) && !isOfConnection(cause);
    const more = lines.write(keyOf(error, cause), MOST_LINES[isUnexpected ? 'unexpected' : 'unavailable']);
    if (more === undefined) return;
    log.error(
      { ...cause, ...(isUnexpected && { err: error }), ...members, ...(more > 0 && { more }) },
      message,
    );
  }

  return {
    request: (error, { method, path, headers, host }) => {
      const operation = operationOf(host);
      report(error, { ...lineOfRequest(headers), operation, method, path }, 'a request failed');
    },
    field: (error, { operationName, path, headers }) => {
      const operation = operationName === undefined ? 'graphql' : shortened(operationName);
      const place = { operation, field: path?.join('.') };
      report(error, { ...(headers && lineOfRequest(headers)), ...place }, 'a GraphQL field failed');
    },
    other: (error, message) => report(error, {}, message),
    aftermath: (error) => report(error, {}, 'an event could not be delivered'),
  };
}

/** PostgreSQL's codes of a connection that it ends or refuses, classes 08 and 57P. */
const CONNECTION = /^(?:08|57P)/;

function isOfConnection({ host, sqlState }: Cause): boolean {
  return host !== undefined && (sqlState === undefined || CONNECTION.test(sqlState));
}

/** All failures of the connection to a server have one cause: first it breaks, and then it is refused, or nothing answers. */
function keyOf(error: unknown, cause: Cause): string {
  if (isOfConnection(cause)) return `${String(cause.host)}:${String(cause.port)}`;
  if (!(error instanceof ServiceError)) {
    const { stack = '' } = error instanceof Error ? error : {};
    // With the place in the code where the error was made.
    return `${cause.cause} ${/^\s+at .*$/m.exec(stack)?.[0] ?? ''}`;
  }
  return `${error.message} ${cause.sqlState ?? cause.code ?? cause.cause}`;
}

/** The cause of a failure, as members of a log line. */
export interface Cause {
  /** The messages of the error and of the errors that caused it. */
  readonly cause: string;
  /** The code of the operating system, of TLS or of SQLite, such as `ECONNREFUSED`. */
  readonly code?: string;
  /** PostgreSQL's code (its documentation, appendix A). */
  readonly sqlState?: string;
  /** The server that failed. */
  readonly host?: string;
  readonly port?: number;
}

/** The properties that drivers give their errors; the errors of sockets have `address` in place of `host`. */
interface DriverError {
  readonly message: string;
  readonly code?: unknown;
  readonly severity?: unknown;
  readonly host?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
}

/** How many errors of a chain of causes are read: real chains are short, and an error may be its own cause. */
const DEEPEST = 5;
/** The maximum length of a cause in the log. */
const LONGEST = 1000;

/** Reads the cause of a failure from its error, for people who operate the service: never with a password. */
export function causeOf(error: unknown): Cause {
  const chain = chainOf(error);
  // The sentences of the core are for clients, and their causes for the log.
  const causes = chain.filter((each) => !(each instanceof ServiceError));
  const named = causes.length > 0 ? causes : chain;
  const all = named.map((each) => {
    if (each instanceof ServiceError && each.detail) return each.detail;
    const { message, code }: DriverError = each;
    return message === '' && typeof code === 'string' ? code : message;
  });
  // The cause of a timeout is only the connection that was given up.
  const timeout = all.findIndex((text) => /timeout/i.test(text));
  const texts = timeout === -1 ? all : all.slice(0, timeout + 1);
  const cause = withoutPasswords([...new Set(texts)].filter((text) => text !== '').join(': '));
  const coded = causes.find(({ code }) => typeof code === 'string');
  const from = named.find(({ host, address }) => typeof (host ?? address) === 'string');
  const port = Number(from?.port);
  return {
    cause: cause.slice(0, LONGEST),
    ...(coded !== undefined && { [coded.severity === undefined ? 'code' : 'sqlState']: coded.code }),
    ...(from !== undefined && { host: String(from.host ?? from.address) }),
    ...(port > 0 && { port }),
  };
}

/** An error and the errors that caused it; of several that are equally near, such as one per address of a host, the first. */
function chainOf(error: unknown): readonly DriverError[] {
  const chain: DriverError[] = [];
  let next = error;
  while (next !== undefined && chain.length < DEEPEST) {
    chain.push(next instanceof Error ? next : { message: inspect(next) });
    const nearest: unknown = next instanceof AggregateError ? next.errors[0] : undefined;
    next = next instanceof Error ? (next.cause ?? nearest) : undefined;
  }
  return chain;
}

/** Makes the function that logs and counts a rejection that nothing handled, for the event `unhandledRejection` of the process. */
export function rejectionLog({
  metrics,
  failures,
}: {
  readonly metrics: Metrics;
  readonly failures: FailureLog;
}): (reason: unknown) => void {
  return (reason) => {
    metrics.measure('unhandledRejections')();
    failures.other(reason, 'a promise was rejected, and nothing handled it');
  };
}
