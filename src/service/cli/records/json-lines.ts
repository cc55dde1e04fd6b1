/** Reads files of JSON Lines record by record, so that they may be of any size, and keeps prepared records in such a file. */

import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailure } from '@concordat/runtime/terminal';

export type Fields = Readonly<Record<string, unknown>>;

/** A record that was read from a file, or the reason why it could not be read. */
export type Line = {
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
async function* linesOf(text: AsyncIterable<string>, longest = Infinity): AsyncGenerator<string | undefined> {
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

/** Keeps prepared records in a temporary file until all are ready, so that their number is not limited by memory. */
export class StagedRecords<Record> {
  private constructor(private readonly file: FileHandle) {}

  /** Opens a file in the system's temporary directory and unlinks it at once, so that it never outlives this process. */
  static async open<Record>(): Promise<StagedRecords<Record>> {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-import-'));
    const file = await open(join(directory, 'records'), 'wx+', 0o600);
    await rm(directory, { recursive: true });
    return new StagedRecords(file);
  }

  /** @param records - must be JSON values */
  async add(records: readonly Record[]): Promise<void> {
    await this.file.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }

  /** All records in the order in which they were added. @param onShare - called with the share that has been read, from 0 to 1 */
  async *read(onShare: (share: number) => void = () => undefined): AsyncGenerator<Record> {
    for await (const line of linesOf(this.#text(onShare))) {
      if (line) yield JSON.parse(line) as Record; // there is nothing after the last line feed
    }
  }

  /** Does not use a read stream, which would close the file at its end. */
  async *#text(onShare: (share: number) => void): AsyncGenerator<string> {
    const { size } = await this.file.stat();
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(65_536);
    for (let position = 0; position < size;) {
      const { bytesRead } = await this.file.read(buffer, 0, buffer.length, position);
      yield decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
      position += bytesRead;
      onShare(position / size);
    }
  }

  /** The record at a zero-based position. */
  async at(position: number): Promise<Record | undefined> {
    let count = 0;
    for await (const record of this.read()) if (count++ === position) return record;
    return undefined;
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
