/** Reads and writes server-sent events (HTML, "Server-sent events"). */

import { tooLarge } from '../../http/problem.js';
import { readRecords } from './text-records.js';

/** An event in the model of OpenAPI 3.2 ("Special Considerations for Server-Sent Events"). */
export interface ServerSentEvent {
  readonly data?: string;
  readonly event?: string;
  readonly id?: string;
  /** The time that a client waits before it reconnects, in milliseconds. */
  readonly retry?: number;
}

type Draft = { -readonly [Field in keyof ServerSentEvent]: ServerSentEvent[Field] };

/**
 * The events of a body, in batches. Events without data and an incomplete last event are dropped (HTML, "Interpreting an event
 * stream").
 *
 * @param limit - the maximum length of an event; past it, the iterator throws a 413 `Problem`
 */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<readonly ServerSentEvent[], void, void> {
  const eventAt = eventReader(limit);
  // The last batch is a line without a line end, which never completes an event.
  for await (const lines of readRecords(body, /\r\n|\n|\r/, limit)) {
    yield lines.flatMap((line) => eventAt(line) ?? []);
  }
}

/** Makes a reader of lines. @returns a function that takes the next line, and returns the event that it completes */
export function eventReader(limit = Infinity): (line: string) => ServerSentEvent | undefined {
  let draft: Draft = {};
  let length = 0;
  return (line) => {
    if (line === '') {
      const event = draft;
      draft = {};
      length = 0;
      return event.data === undefined ? undefined : event;
    }
    length += line.length;
    if (length > limit) throw tooLarge(limit);
    readField(draft, line);
    return undefined;
  };
}

function readField(draft: Draft, line: string): void {
  const colon = line.indexOf(':');
  const name = colon === -1 ? line : line.slice(0, colon);
  const start = line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1;
  const value = colon === -1 ? '' : line.slice(start);
  if (name === 'data') draft.data = draft.data === undefined ? value : `${draft.data}\n${value}`;
  else if (name === 'event') draft.event = value;
  else if (name === 'id' && !value.includes('\0')) draft.id = value;
  else if (name === 'retry' && /^\d+$/.test(value)) draft.retry = Number(value);
}

/** Writes an event. @throws TypeError for a field that the format cannot carry, such as an `id` of two lines */
export function writeEvent({ data, event, id, retry }: Readonly<Record<string, unknown>>): string {
  const lines: string[] = [];
  if (event !== undefined) lines.push(`event: ${oneLine('event', event)}`);
  if (id !== undefined) lines.push(`id: ${oneLine('id', id)}`);
  if (retry !== undefined) {
    if (!Number.isSafeInteger(retry) || Number(retry) < 0)
      throw new TypeError('the retry of an event must be a number of milliseconds');
    lines.push(`retry: ${String(Number(retry))}`);
  }
  if (data !== undefined) {
    if (typeof data !== 'string') throw new TypeError(`the data of an event cannot be ${typeof data}`);
    for (const line of data.split(/\r\n|\n|\r/)) lines.push(`data: ${line}`);
  }
  return `${lines.join('\n')}\n\n`;
}

function oneLine(field: string, value: unknown): string {
  if (typeof value === 'string' && !/[\r\n\0]/.test(value)) return value;
  throw new TypeError(`the ${field} of an event must be a string of one line`);
}
