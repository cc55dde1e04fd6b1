/** Copies what the compiler leaves out into the build of `@concordat/core`: the contracts, and the document as JSON, which a service serves too. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const root = new URL('../../', import.meta.url);
const dist = new URL('dist/', import.meta.url);

for (const file of ['openapi.yaml', 'schema.graphql']) cpSync(new URL(file, root), new URL(file, dist));
writeFileSync(
  new URL('openapi.json', dist),
  JSON.stringify(parse(readFileSync(new URL('openapi.yaml', root), 'utf8'))),
);
