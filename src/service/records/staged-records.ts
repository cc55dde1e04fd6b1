/** Records that wait in a file until all of them are ready, however many they are. */

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linesOf } from './read-lines.js';

export class StagedRecords<Record> {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** In the system's temporary directory. The file has no name from here on: however this process ends, nothing is left. */
  static async open<Record>(): Promise<StagedRecords<Record>> {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-import-'));
    const file = await open(join(directory, 'records'), 'wx+', 0o600);
    await rm(directory, { recursive: true });
    return new StagedRecords(file);
  }

  /** @param records JSON values */
  async add(records: readonly Record[]): Promise<void> {
    await this.#file.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }

  /** All in the order in which they were added. @param onShare told how much of them has been read, from 0 to 1 */
  async *read(onShare: (share: number) => void = () => undefined): AsyncGenerator<Record> {
    for await (const line of linesOf(this.#text(onShare))) {
      if (line !== '') yield JSON.parse(line) as Record; // the last line feed has nothing behind it
    }
  }

  /** Not by a stream, which would close the file at its end. */
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

  /** The record at a position, counted from 0. */
  async at(position: number): Promise<Record | undefined> {
    let count = 0;
    for await (const record of this.read()) if (count++ === position) return record;
    return undefined;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
