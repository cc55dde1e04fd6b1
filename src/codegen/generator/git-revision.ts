/** Reads files of git revisions. */

import { execFile } from 'node:child_process';
import { relative } from 'node:path';
import { promisify } from 'node:util';
import { usageFailure } from '@concordat/runtime/terminal';

const run = promisify(execFile);

/**
 * @param object - a file of a revision, as `git show` names it: `main:openapi.yaml`
 * @throws CommandFailure with git's reason
 */
export const showObject = (object: string): Promise<string> => git('show', '--end-of-options', object);

/**
 * @param file - a path from the working directory
 * @returns undefined if the revision has no such file
 * @throws CommandFailure if there is no such revision
 */
export async function fileAt(revision: string, file: string): Promise<string | undefined> {
  const object = await objectAt(revision, file);
  return object === undefined ? undefined : showObject(object);
}

/** The name of such a file for {@link showObject}, with its path from the root of the repository. */
export async function objectAt(revision: string, file: string): Promise<string | undefined> {
  const path = relative(process.cwd(), file);
  const found = await git('ls-tree', '--full-name', '--name-only', '-z', '--end-of-options', revision, path);
  return found === '' ? undefined : `${revision}:${found.replace(/\0.*/s, '')}`;
}

async function git(...parameters: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('git', parameters, { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stderr = '', message = String(error) } = error as {
      readonly stderr?: string;
      readonly message?: string;
    };
    // Git has no message if it could not be started.
    throw usageFailure((stderr.trim() || message).replace(/^fatal: /, ''));
  }
}
