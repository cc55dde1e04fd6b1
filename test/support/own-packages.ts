/** Packages that one test or check uses. They are too heavy for every checkout, so they are installed in a folder of their own when they are used. */

import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the locked versions, unless npm has done so since the lock file was written.
 *
 * @param folder - has a `package.json` and a lock file
 */
export function installOwnPackages(folder: string): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  const parameters = [
    'ci',
    '--no-workspaces',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ];
  try {
    execFileSync('npm', parameters, { cwd: folder, stdio: 'pipe', timeout: 300_000 });
  } catch (cause) {
    throw new Error(`npm could not install the packages of ${folder}, which this needs`, { cause });
  }
}
