/** Writes the licences of the packages whose code is published in a package of this repository: they ask for a copy beside it. */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The installed packages of some files. */
export function packagesOf(files) {
  return files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
}

/** Writes nothing where there are no packages. */
export function writeLicences(file, packages) {
  const names = [...new Set(packages)].sort();
  if (names.length > 0) writeFileSync(file, names.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`));
}

function licenceOf(name) {
  const folder = join('node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text =
    file === undefined ? 'The package has no text of its licence.' : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version}: ${license}\n\n${text.trim()}\n`;
}
