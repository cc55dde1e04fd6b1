/**
 * `strip` takes the condition `@concordat/source` out of the `exports` of the package in this folder, and `restore` puts it back:
 * npm runs the one before it packs, and the other after it. The condition leads to sources, which are not published.
 */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const kept = 'dist/package.json';
const [step] = process.argv.slice(2);

if (step === 'strip' && !existsSync(kept)) {
  const text = readFileSync('package.json', 'utf8');
  writeFileSync(kept, text);
  const strip = (key, value) => (key === '@concordat/source' ? undefined : value);
  writeFileSync('package.json', `${JSON.stringify(JSON.parse(text), strip, 2)}\n`);
}
if (step === 'restore') renameSync(kept, 'package.json');
