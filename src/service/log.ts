/** The service's log: one JSON line an event on stdout, or readable text where that is a terminal. */

import { type DestinationStream, type Logger, destination, pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from './settings/server.js';

/** Any logger of pino's. */
export type Log = Logger;

/** @param to - where the lines go, unless to stdout */
export async function openLog(level: LogLevel, to?: DestinationStream): Promise<Log> {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  if (level === 'silent' || to !== undefined) return pino(options, to);
  return pino(options, process.stdout.isTTY ? await readableText() : destination(BUFFERED));
}

/**
 * Resolves when every line is written, or cannot be because nobody reads any more. To be awaited before the process ends:
 * what is left to Node's exit is written in a loop that does not end where the reader of a pipe has gone.
 */
export function written(log: Log): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => {
      resolve();
    });
  });
}

/** A write a line would cost more than answering; a crash may take the lines of the last fifth of a second with it. */
const BUFFERED = { fd: 1, sync: false, minLength: 4096, periodicFlush: 200 };

/** Loaded only for people: a machine reads JSON. */
async function readableText(): Promise<DestinationStream> {
  const { build } = await import('pino-pretty');
  return build({
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: lineOf,
    // What the line says already.
    ignore: 'method,path,status,durationMs,operation,address,requestId',
  });
}

/** `GET /api/users/1 200 in 0.4 ms`, and any other event in its own words. */
function lineOf(record: Record<string, unknown>, messageKey: string): string {
  const { method, path, status, durationMs } = record as Readonly<
    Record<string, string | number | undefined>
  >;
  if (status === undefined) return String(record[messageKey]);
  return `${String(method)} ${String(path)} ${String(status)} in ${String(durationMs)} ms`;
}
