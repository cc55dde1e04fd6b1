/**
 * Adds to the build of `@concordat/core` what the compiler leaves out: the contracts, what is generated as JavaScript, and the
 * generated TypeScript, to which the source maps lead. It lies in a folder of its own: beside the declarations, the compiler of a
 * project would take it for them.
 */

import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const dist = new URL('dist/', import.meta.url);
const generated = new URL('generated/', dist);

for (const file of ['openapi.yaml', 'schema.graphql']) cpSync(new URL(file, root), new URL(file, dist));
mkdirSync(new URL('source/', generated), { recursive: true });
for (const file of readdirSync(new URL('generated/', root))) {
  const isSource = file.endsWith('.ts') && !file.endsWith('.d.ts');
  cpSync(new URL(`generated/${file}`, root), new URL(isSource ? `source/${file}` : file, generated));
}
for (const file of readdirSync(generated).filter((name) => name.endsWith('.map'))) {
  const map = JSON.parse(readFileSync(new URL(file, generated), 'utf8'));
  map.sources = map.sources.map((source) => source.replace(/^.*\/(?:source\/)?/, 'source/'));
  writeFileSync(new URL(file, generated), JSON.stringify(map));
}
