/** Contracts and test suites of others, in a folder beside the repository: they are not ours to publish. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder `shared` beside the repository. */
const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));

export const contractsFolder = `${shared}contracts/`;
export const suitesFolder = `${shared}suites/`;

/** Why tests that need a file or folder are skipped; undefined where it is there. */
export function absenceOf(path: string): string | undefined {
  return existsSync(path) ? undefined : `skipped: there is no ${path}`;
}

/** A suite that needs a file or folder from outside. Without it, the report has one skipped test that says so. */
export function describeWith(path: string, title: string, suite: (this: Mocha.Suite) => void): void {
  const absence = absenceOf(path);
  if (absence === undefined) describe(title, suite);
  else describe(title, () => it.skip(absence));
}
