/** Writes a body to a file. */

import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { bounded } from '../../http/read-body.js';

/**
 * Writes a body, such as a file of a form, to a new file as it arrives. If that fails, the file is removed.
 *
 * @param path - must not exist; do not build it from the client's name of the file
 * @param limit - the maximum size in bytes
 * @returns the size of the file in bytes
 * @throws a 413 `Problem` past the limit, the errors of the body, and the errors of the file system
 *
 * @example
 * ```ts
 * for await (const part of body) {
 *   if (part.name === 'photo') await saveBody(part.body, join(directory, randomUUID()), 10 * 1024 * 1024);
 * }
 * ```
 */
export async function saveBody(
  body: AsyncIterable<Uint8Array>,
  path: string,
  limit: number,
): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx' });
  try {
    await pipeline(bounded(body, limit), file);
  } catch (error) {
    // An existing file was not written here, so it is kept.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
  return file.bytesWritten;
}
