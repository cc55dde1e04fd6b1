/** Tries whether a file can be written before a long run, so that none is lost for the name of a file. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { usageFailure } from '@concordat/runtime/terminal';

/** @param about - begins the sentence @throws CommandFailure for a folder, and for a file that cannot be written */
export function requireWritable(file: string, about: string): void {
  try {
    const isThere = existsSync(file);
    if (!isThere && !existsSync(dirname(file))) throw new Error(`there is no folder ${dirname(file)}`);
    accessSync(isThere ? file : `${dirname(file)}/.`, constants.W_OK);
    if (isThere && statSync(file).isDirectory()) throw new Error('it is a folder');
  } catch (error) {
    throw usageFailure(
      `${about}${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
