/** Reads files of JSON Lines record by record, so that they may be of any size. */

import { createReadStream } from 'node:fs';
import { CommandFailure } from '@concordat/runtime/terminal';

export type Fields = Readonly<Record<string, unknown>>;

/** A record that was read from a file, or the reason why it could not be read. */
type Line = {
  /** The number of its line, from 1. */
  readonly number: number;
} & ({ readonly value: Fields } | { readonly fault: string });

/** The maximum number of characters of a line. A record has far fewer, and other files may have no line feed at all. */
const LONGEST = 1_048_576;

/**
 * Reads one JSON object per line, and passes over empty lines.
 *
 * @param onBytes - called with the number of bytes that have been read so far
 * @throws CommandFailure for a file that does not exist or is not UTF-8
 */
export async function* readLines(file: string, onBytes: (bytes: number) => void): AsyncGenerator<Line> {
  let number = 0;
  for await (const line of linesOf(textOf(file, onBytes), LONGEST)) {
    number++;
    if (line === undefined) yield { number, fault: `must have at most ${String(LONGEST)} characters` };
    else if (line.trim() !== '') yield readJson(number, line);
  }
}

async function* textOf(file: string, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      yield decoder.decode(chunk, { stream: true });
      onBytes((bytes += chunk.length));
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(`${file} is not UTF-8`);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new CommandFailure(`${file} is not there`);
    if (code === 'EISDIR') throw new CommandFailure(`${file} is a directory`);
    throw error;
  }
}

/**
 * Splits a text at line feeds. The part after the last line feed is a line too, and often empty.
 *
 * @param longest - the number of characters up to which a line is kept; a longer one is undefined
 */
async function* linesOf(text: AsyncIterable<string>, longest: number): AsyncGenerator<string | undefined> {
  let parts: string[] = [];
  let length = 0;
  for await (const piece of text) {
    const lines = piece.split('\n').entries();
    for (const [index, part] of lines) {
      if (index > 0) {
        yield length > longest ? undefined : parts.join('');
        parts = [];
        length = 0;
      }
      length += part.length;
      if (length <= longest) parts.push(part);
      else parts = [];
    }
  }
  yield length > longest ? undefined : parts.join('');
}

function readJson(number: number, line: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { number, fault: 'must be JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { number, fault: 'must be an object' };
  }
  return { number, value: value as Fields };
}
