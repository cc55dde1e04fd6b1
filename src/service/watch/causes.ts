/** Reads the cause of a failure from its error, for people who operate the service: never with a password. */

import { inspect } from 'node:util';
import { ServiceError } from '@concordat/core';
import { withoutPasswords } from '@concordat/runtime/observe';

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

/** The errors of drivers, which this reads; the properties of sockets' errors are `address` and `port`. */
interface Known {
  readonly message: string;
  readonly code?: unknown;
  readonly severity?: unknown;
  readonly host?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
}

/** Errors have few causes; an error may also be its own. */
const DEEPEST = 5;
const LONGEST = 1000;

export function causeOf(error: unknown): Cause {
  const chain = chainOf(error);
  // The sentences of the core are for clients, and their causes for the log.
  const causes = chain.filter((each) => !(each instanceof ServiceError));
  const named = causes.length > 0 ? causes : chain;
  const all = named.map((each) => (each instanceof ServiceError && each.detail) || textOf(each));
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
function chainOf(error: unknown): readonly Known[] {
  const chain: Known[] = [];
  let next = error;
  while (next !== undefined && chain.length < DEEPEST) {
    chain.push(next instanceof Error ? next : { message: inspect(next) });
    const nearest: unknown = next instanceof AggregateError ? next.errors[0] : undefined;
    next = next instanceof Error ? (next.cause ?? nearest) : undefined;
  }
  return chain;
}

function textOf({ message, code }: Known): string {
  return message === '' && typeof code === 'string' ? code : message;
}
