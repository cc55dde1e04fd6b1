/** Keeps prepared records in a temporary file until all are ready, so that their number is not limited by memory. */

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linesOf } from './read-lines.js';

export class StagedRecords<Record> {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens a file in the system's temporary directory and unlinks it at once, so that it never outlives this process. */
  static async open<Record>(): Promise<StagedRecords<Record>> {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-import-'));
    const file = await open(join(directory, 'records'), 'wx+', 0o600);
    await rm(directory, { recursive: true });
    return new StagedRecords(file);
  }

  /** @param records - must be JSON values */
  async add(records: readonly Record[]): Promise<void> {
    await this.#file.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }

  /** All records in the order in which they were added. @param onShare - called with the share that has been read, from 0 to 1 */
  async *read(onShare: (share: number) => void = () => undefined): AsyncGenerator<Record> {
    for await (const line of linesOf(this.#text(onShare))) {
      if (line) yield JSON.parse(line) as Record; // there is nothing after the last line feed
    }
  }

  /** Does not use a read stream, which would close the file at its end. */
  async *#text(onShare: (share: number) => void): AsyncGenerator<string> {
    const { size } = await this.#file.stat();
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(65_536);
    for (let position = 0; position < size;) {
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, position);
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
    await this.#file.close();
  }
}
