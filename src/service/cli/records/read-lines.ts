/** Reads the records of a file one by one, so that the file may be of any size. */

import { createReadStream } from 'node:fs';
import { CommandFailure } from 'concordat/terminal';
import { type Line, readCsv } from './csv.js';
import type { Format } from './format.js';
import type { Column, Fields } from './kinds.js';

/**
 * @param onBytes - called with the number of bytes that have been read so far
 * @throws CommandFailure for a file that does not exist or is not UTF-8, and for a header with an unknown column
 */
export function readLines(
  file: string,
  format: Format,
  columns: readonly Column[],
  onBytes: (bytes: number) => void,
): AsyncIterable<Line> {
  const text = textOf(file, onBytes);
  return format === 'csv' ? readCsv(file, text, columns) : readJsonLines(text);
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

async function* readJsonLines(text: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 0;
  for await (const line of linesOf(text)) {
    number++;
    if (line.trim() !== '') yield readJson(number, line);
  }
}

/** Splits a text at line feeds. The part after the last line feed is a line too, and often empty. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
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
