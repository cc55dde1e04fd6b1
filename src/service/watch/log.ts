/** The service's log: one JSON line per event on stdout, or readable text when that is a terminal; and which lines it leaves out. */

import { destination, type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from '../settings/server.js';
import { inspect } from 'node:util';
import { withoutPasswords } from '@concordat/runtime/observe';

/** A pino logger. */
export type Log = Logger;

/** @param to - the destination of the lines; stdout by default */
export async function openLog(level: LogLevel, to?: DestinationStream): Promise<Log> {
  const options = { level, timestamp: stdTimeFunctions.isoTime, serializers: { err: errorMember } };
  if (level === 'silent' || to !== undefined) return pino(options, to);
  return pino(options, process.stdout.isTTY ? await readableText() : new LogLines());
}

/** The lines of a log at any level, as one text, so that they are written together. @param write - writes to the log */
export async function linesOf(write: (log: Log) => void): Promise<string> {
  const lines: string[] = [];
  write(await openLog('info', { write: (line) => void lines.push(line.trimEnd()) }));
  return lines.join('\n');
}

/** Only these members of an error: drivers add others to theirs, such as the command that failed, with its password. */
function errorMember(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutPasswords(inspect(error));
  const { name, message, stack = '', cause } = error;
  return {
    type: name,
    message: withoutPasswords(message),
    stack: withoutPasswords(stack),
    ...(cause !== undefined && {
      cause: withoutPasswords(cause instanceof Error ? String(cause.stack) : inspect(cause)),
    }),
  };
}

/**
 * Resolves when every line is written, or cannot be written because the reader is gone. Await it before the process ends:
 * at exit, the remaining lines are written in a loop, which never ends if the reader of a pipe is gone.
 */
export function written(log: Log): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => {
      resolve();
    });
  });
}

/** The stream for terminals. Its package is loaded only for them, because other outputs get JSON. */
async function readableText(): Promise<DestinationStream> {
  const { build } = await import('pino-pretty');
  return build({
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: lineOf,
    // The message contains these already.
    ignore: 'pid,hostname,method,path,status,durationMs,operation,address,requestId,traceId,callerId',
  });
}

/** `GET /api/users/1 200 in 0.4 ms` for a request, and the plain message for any other event. */
function lineOf(record: Record<string, unknown>, messageKey: string): string {
  const { method, path, status, durationMs } = record as Readonly<
    Record<string, string | number | undefined>
  >;
  if (status === undefined) return String(record[messageKey]);
  return `${String(method)} ${String(path)} ${String(status)} in ${String(durationMs)} ms`;
}

/** The minimum length of a write, in characters. One write per line would cost more than the request itself. */
const PIECE = 16_000;

/** The time that a line may wait, in milliseconds. A crash loses the waiting lines. */
const PATIENCE = 200;

/**
 * Collects the lines of the log, and writes them in large pieces. Pino's own buffer counts all its bytes again at every write,
 * so it gets pieces instead of lines.
 */
class LogLines implements DestinationStream {
  readonly #output = destination({ fd: 1, sync: false, minLength: PIECE });
  #waiting = '';

  constructor() {
    setInterval(() => this.flush(), PATIENCE).unref();
    process.once('exit', () => this.flushSync());
  }

  write(line: string): void {
    this.#waiting += line;
    if (this.#waiting.length >= PIECE) this.#passOn();
  }

  /** @param written - called when every line is written, or cannot be written because the reader has gone */
  flush(written?: (error?: Error) => void): void {
    this.#passOn();
    this.#output.flush(written);
  }

  flushSync(): void {
    this.#passOn();
    this.#output.flushSync();
  }

  #passOn(): void {
    if (this.#waiting === '') return;
    this.#output.write(this.#waiting);
    this.#waiting = '';
  }
}

const WINDOW_MS = 10_000;

/** The maximum number of keys that are counted apart, because a key may contain anything. Others count together. */
const MOST_KEYS = 200;

interface Window {
  readonly start: number;
  readonly lines: number;
  /** The lines that were left out since the last one. */
  readonly more: number;
}

export class RepeatedLines {
  readonly #windows = new Map<string, Window>();

  /** @param now - a clock in milliseconds */
  constructor(private readonly now = () => performance.now()) {}

  /**
   * @param key - the same for lines that say the same
   * @param most - the lines in ten seconds
   * @returns the number of lines that were left out before this one; undefined for one that is left out
   */
  write(key: string, most = 1): number | undefined {
    const now = this.now();
    const isOver = ({ start }: Window): boolean => now - start >= WINDOW_MS;
    const isFull = this.#windows.size >= MOST_KEYS && !this.#windows.has(key);
    if (isFull) for (const [each, window] of this.#windows) if (isOver(window)) this.#windows.delete(each);
    const name = this.#windows.size < MOST_KEYS || this.#windows.has(key) ? key : 'others';
    const { start = now, lines = 0, more = 0 } = this.#windows.get(name) ?? {};
    const begins = isOver({ start, lines, more });
    const isWritten = begins || lines < most;
    this.#windows.set(name, {
      start: begins ? now : start,
      lines: begins ? 1 : lines + Number(isWritten),
      more: isWritten ? 0 : more + 1,
    });
    return isWritten ? more : undefined;
  }
}
