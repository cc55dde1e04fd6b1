/** Copies what the compiler leaves out into the build of `@concordat/core`: the contracts, and the types of generated JavaScript. */

import { cpSync, readdirSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const dist = new URL('dist/', import.meta.url);

for (const file of ['openapi.yaml', 'schema.graphql']) cpSync(new URL(file, root), new URL(file, dist));
for (const file of readdirSync(new URL('generated/', root))) {
  if (file.endsWith('.d.ts')) cpSync(new URL(`generated/${file}`, root), new URL(`generated/${file}`, dist));
}
