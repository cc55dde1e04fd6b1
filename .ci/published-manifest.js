/**
 * `strip` takes the condition `@concordat/source` out of the `exports` of the package in this folder, and `restore` puts it back:
 * npm runs the one before it packs, and the other after it. The condition leads to sources, which are not published.
 */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const kept = 'dist/package.json';
const [step] = process.argv.slice(2);

if (step === 'strip' && !existsSync(kept)) {
  // Moved, not copied: it comes back with its own time, or the compiler would build the package again.
  renameSync('package.json', kept);
  // An entry point that has nothing else is for the programs of this repository, which are published with its code in them.
  const isEmpty = (value) => typeof value === 'object' && Object.keys(value).length === 0;
  const strip = (key, value) => (key === '@concordat/source' || isEmpty(value) ? undefined : value);
  const published = JSON.parse(readFileSync(kept, 'utf8'), strip);
  writeFileSync('package.json', `${JSON.stringify(published, undefined, 2)}\n`);
}
if (step === 'restore' && existsSync(kept)) renameSync(kept, 'package.json');
