/** Writes the licences of the packages whose code is published in a package of this repository: they ask for a copy beside it. */

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SEPARATOR = `\n${'-'.repeat(80)}\n\n`;

/** The installed packages of some files. */
export function packagesOf(files) {
  return files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
}

/**
 * Writes nothing where there are no packages.
 *
 * @param others - the licences of packages that are not installed, by name
 */
export function writeLicences(file, packages, others = new Map(), modules = 'node_modules') {
  const names = [...new Set(packages)].sort();
  const texts = names.map((name) => {
    const folder = join(modules, name);
    const text = existsSync(join(folder, 'package.json')) ? licenceIn(folder, name) : others.get(name);
    if (text === undefined) throw new Error(`There is no licence of ${name}, whose code is in ${file}`);
    return text;
  });
  if (names.length > 0) writeFileSync(file, texts.join(SEPARATOR));
}

/** The licences in a file that `writeLicences` has written, by the names of their packages. */
export function readLicences(file) {
  const texts = readFileSync(file, 'utf8').split(SEPARATOR);
  return new Map(texts.map((text) => [text.slice(0, text.indexOf(' ')), text]));
}

function licenceIn(folder, name) {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text =
    file === undefined ? 'The package has no text of its licence.' : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version}: ${license}\n\n${text.trim()}\n`;
}
